import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { mailedCode, openSession } from '../../../../test/support/users.ts';
import { scopesOfAccess } from '../../src/core/model/customer-access.ts';
import type { NoticeKind } from '../../src/core/notices/kinds.ts';
import { type NewNotice, notify } from '../../src/core/notices/notify.ts';
import { sendRecoveryCodes } from '../../src/core/users/recovery.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_MAIL_PER_MAILBOX: '3' } });
});
afterAll(() => t.stop());

const noticesTo = (address: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ reseller_id: string; kind: string; purpose: string; suppressed_by: string | null; body_text: string }>(
      sql`select reseller_id, kind, purpose, suppressed_by, body_text from notice where address = ${address} order by queued_at, id`,
    );

async function accountOf(email: string, parent = t.demo): Promise<string> {
  const form = person({ email, password: 'a long enough one', selling_currency: 'USD' });
  const called = await t.call('POST', '/v1/resellers', { form, as: parent });
  expect(called.status, called.text).toBe(200);
  return keyFor(t, called.body.reseller_id as string);
}

const setReplyTo = async (reply_to: string, as: string) => {
  const called = await t.call('PUT', '/v1/notices/brand', { json: { reply_to }, as });
  expect(called.status, called.text).toBe(200);
};

const createKey = async (as: string) => {
  const json = { label: 'panel', ip_whitelist: ['127.0.0.1'] };
  const called = await t.call('POST', '/v1/account/keys', { json, as });
  expect(called.status, called.text).toBe(200);
};

/** A mail to an address that the account chose. */
const mailTo = (resellerId: string, email: string, kind: NoticeKind, more: object = {}) =>
  t.ctx.db.transaction(allTenants, (tx) =>
    notify(t.ctx, tx, {
      kind,
      facts: {},
      resellerId,
      to: { name: 'x', email, country_code: '' },
      ...more,
    } as NewNotice),
  );

const idOf = (credentials: string) => credentials.split(':')[0]!;

/** Other accounts send to a mailbox what all of them together may. */
async function useUp(email: string, kind: NoticeKind, more: object = {}): Promise<void> {
  for (let n = 0; n < 6; n++) {
    const resellerId = idOf(await makeReseller(t));
    for (let k = 0; k < 4; k++) await mailTo(resellerId, email, kind, more);
  }
}

const ofAccount = async (account: string, email: string) =>
  (await noticesTo(email))
    .filter(({ reseller_id }) => reseller_id === idOf(account))
    .map(({ kind, suppressed_by }) => [kind, suppressed_by]);

async function requestRecovery(email: string): Promise<void> {
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`insert into recovery_wish (id, email, created_at) values (${t.ctx.ids.next('wish')}, ${email}, now())`),
  );
  await sendRecoveryCodes(t.ctx);
}

test('does not charge mail of other accounts to the security mail of a proven mailbox', async () => {
  const email = 'victim@budget.example';
  const victim = await accountOf(email);
  await openSession(t, victim.split(':')[0]!, { email });
  const attackers = await Promise.all(Array.from({ length: 6 }, () => makeReseller(t)));
  for (const attacker of attackers)
    for (const kind of ['account_security', 'password_recovery', 'user_invitation', 'mail_target'] as const)
      for (let n = 0; n < 4; n++)
        await mailTo(idOf(attacker), email, kind, kind === 'account_security' ? { purpose: 'keys' } : {});
  await createKey(victim);
  await requestRecovery(email);
  const own = (await noticesTo(email)).filter(({ reseller_id }) => reseller_id === victim.split(':')[0]);
  expect(own.slice(-2).map(({ kind, suppressed_by }) => [kind, suppressed_by])).toEqual([
    ['account_security', null],
    ['password_recovery', null],
  ]);
  // All of them together stay below the limit of a mailbox.
  const others = (await noticesTo(email)).filter(({ reseller_id }) => reseller_id !== victim.split(':')[0]);
  const sent = others.filter(({ kind, suppressed_by }) => kind === 'account_security' && suppressed_by === null);
  expect(sent.filter(({ purpose }) => purpose === 'keys')).toHaveLength(15);
  expect(sent.filter(({ purpose }) => purpose === 'limit:keys')).toHaveLength(5);
});

test('sends the security mail of an account to its own unproven address whatever other accounts sent there', async () => {
  const email = 'api-only@budget.example';
  const victim = await accountOf(email);
  await useUp(email, 'account_security', { purpose: 'keys' });
  await createKey(victim);
  await createKey(victim);
  expect(await ofAccount(victim, email)).toEqual([
    ['account_security', null],
    ['account_security', null],
  ]);
});

test('sends the warning to a replaced address whatever other accounts sent there', async () => {
  const email = 'replaced@budget.example';
  const victim = await accountOf(email);
  await useUp(email, 'account_security', { purpose: 'former_address', inPlaceSince: new Date(0) });
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update reseller set email_since = now() - interval '25 hours' where id = ${idOf(victim)}`),
  );
  const form = person({ email: 'thief@budget.example', selling_currency: 'USD' });
  const changed = await t.call('PUT', `/v1/resellers/${idOf(victim)}`, { form, as: victim });
  expect(changed.status, changed.text).toBe(200);
  expect(await ofAccount(victim, email)).toEqual([['account_security', null]]);
});

test('reserves own mail only for the first five accounts below one top account that have a mailbox', async () => {
  const email = (n: number) => `crowd+${n}@budget.example`;
  const top = await makeReseller(t);
  const victim = await accountOf('crowd@budget.example', top);
  const crowd: string[] = [];
  for (let n = 0; n < 8; n++) crowd.push(await accountOf(email(n), top));
  const elsewhere = await accountOf('crowd@budget.example');
  for (const [n, account] of crowd.entries())
    for (let k = 0; k < 4; k++) await mailTo(idOf(account), email(n), 'account_security', { purpose: 'keys' });
  const sent = await Promise.all(
    crowd.map(async (account, n) =>
      (await ofAccount(account, email(n))).filter(([, suppressed_by]) => suppressed_by === null),
    ),
  );
  // With the mail that says that no further ones are sent.
  expect(sent.map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 0, 0, 0]);
  for (const account of [victim, elsewhere]) {
    await createKey(account);
    expect(await ofAccount(account, 'crowd@budget.example')).toEqual([['account_security', null]]);
  }
});

test.each(['auth_code_given', 'moved_away'] as const)(
  'sends two mails %s a day of each account to a registrant whatever other accounts sent',
  async (kind) => {
    const email = `${kind}@budget.example`;
    await useUp(email, kind);
    const own = await makeReseller(t);
    for (let n = 0; n < 3; n++) await mailTo(idOf(own), email, kind);
    expect(await ofAccount(own, email)).toEqual([
      [kind, null],
      [kind, null],
      [kind, 'mailbox'],
    ]);
  },
);

test('does not charge changes of the reply address to security mail of the same account', async () => {
  const email = 'owner@budget.example';
  const owner = await accountOf(email);
  await openSession(t, owner.split(':')[0]!, { email });
  for (let n = 0; n < 5; n++) await setReplyTo(`replies${n}@budget.example`, owner);
  await createKey(owner);
  await requestRecovery(email);
  const last = (await noticesTo(email)).slice(-2);
  expect(last.map(({ kind, suppressed_by }) => [kind, suppressed_by])).toEqual([
    ['account_security', null],
    ['password_recovery', null],
  ]);
});

test('warns a replaced reply address only if it was in place for a day, and greets without a name', async () => {
  const attacker = await makeReseller(t);
  const id = attacker.split(':')[0]!;
  const stranger = 'stranger@budget.example';
  await setReplyTo(stranger, attacker);
  await setReplyTo('other@budget.example', attacker);
  expect(await noticesTo(stranger)).toEqual([]);
  await t.call('PUT', '/v1/notices/brand', { json: { name: 'Your Bank' }, as: attacker });
  for (let n = 0; n < 5; n++) {
    await setReplyTo(stranger, attacker);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update notice_brand set reply_to_since = now() - interval '25 hours' where reseller_id = ${id}`),
    );
    await setReplyTo('other@budget.example', attacker);
  }
  const warnings = await noticesTo(stranger);
  expect(warnings.map(({ suppressed_by }) => suppressed_by)).toEqual([null, null, null, 'mailbox', 'mailbox']);
  expect(warnings[0]!.body_text).toMatch(new RegExp(`^(Dear|Yth\\. .*|Kepada .*) ?${stranger}`));
  expect(warnings[0]!.body_text).not.toContain('Your Bank');
});

test('keeps one valid recovery link during a flood of requests, and sends mail again after a pause', async () => {
  const email = 'flooded@budget.example';
  const account = await accountOf(email);
  await openSession(t, account.split(':')[0]!, { email });
  for (let n = 0; n < 5; n++) await requestRecovery(email);
  const valid = async () =>
    (
      await t.ctx.db
        .as(allTenants)
        .many(
          sql`select id from person_code where purpose = 'recover' and email = ${email} and used_at is null and expires_at > ${t.ctx.wall.now()}`,
        )
    ).length;
  const mails = async () => (await noticesTo(email)).filter(({ kind }) => kind === 'password_recovery');
  expect([(await mails()).length, await valid()]).toEqual([3, 1]);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update notice set queued_at = queued_at - interval '21 minutes' where address = ${email}`),
  );
  await requestRecovery(email);
  expect((await mails()).map(({ suppressed_by }) => suppressed_by)).toEqual([null, null, null, null]);
});

test.each([
  ['a mark of text direction', 'Bank\u202emoc'],
  ['a zero-width character', 'Ba\u200bnk'],
  ['a line break', 'Bank\nPay here'],
  ['a URL', 'Your bank: http://evil.example/login'],
  ['a host with a path', 'Sign in at evil.example/login'],
  ['a host that mail programs link', 'www.evil.example'],
  ['a URL in full-width letters', 'ｈｔｔｐ://evil.example'],
])('refuses a brand name with %s', async (_what, name) => {
  for (const path of ['/v1/notices/brand', '/v1/brand']) {
    const called = await t.call('PUT', path, { json: { name } });
    expect([called.status, called.body.errors], path).toMatchObject([400, [{ field: 'name' }]]);
  }
});

test('accepts brand names that contain a domain or letters of other scripts', async () => {
  for (const name of ['Example.com Ltd.', 'می\u200cخواهم', 'A/S Domæne', '']) {
    const called = await t.call('PUT', '/v1/notices/brand', { json: { name } });
    expect(called.status, called.text).toBe(200);
  }
});

test('mails no URL that stands in the name of a recipient, a label or a party', async () => {
  const reseller = await makeReseller(t);
  const resellerId = reseller.split(':')[0]!;
  const to = { name: 'Your bank: http://evil.example/login', email: 'eve@budget.example', country_code: '' };
  const facts = {
    domain: 'shop.com',
    link: 'https://api.example.net/confirm/x',
    former: 'See evil.example/pay',
    present: 'Sari',
  };
  await t.ctx.db.transaction(allTenants, (tx) =>
    notify(t.ctx, tx, { kind: 'holder_change_asked', facts, resellerId, to }),
  );
  const [mail] = await noticesTo('eve@budget.example');
  expect(mail!.body_text).toContain('eve@budget.example');
  expect(mail!.body_text).toContain('https://api.example.net/confirm/x');
  expect(mail!.body_text).not.toContain('evil.example');
});

describe('warnings to the owner of an account', () => {
  const grant = async (as: string, id: string, access: string) => {
    const called = await t.call('PUT', `/v1/customers/${id}/access`, { json: { access }, as });
    expect(called.status, called.text).toBe(200);
  };
  const subjects = async (email: string) =>
    t.ctx.db
      .as(allTenants)
      .many<{ subject: string; purpose: string; suppressed_by: string | null; body_text: string }>(
        sql`select subject, purpose, suppressed_by, body_text from notice where address = ${email} order by queued_at, id`,
      );

  test('about keys, users and higher access are sent after a weak key has used up those about its own level', async () => {
    const email = 'silenced@budget.example';
    const account = await accountOf(email);
    const weak = await keyFor(t, idOf(account), ['customers:write', ...scopesOfAccess('read')]);
    const customers: string[] = [];
    for (let n = 0; n < 6; n++) customers.push(await makeCustomer(t, weak, { email: `silenced${n}@made.example` }));
    for (const id of customers) await grant(weak, id, 'read');
    for (const id of customers) await grant(weak, id, 'none');
    const sent = (await subjects(email)).filter(({ suppressed_by }) => suppressed_by === null);
    expect(sent.map(({ purpose }) => purpose)).toEqual([
      ...['customer_read', 'customer_read', 'customer_read', 'limit:customer_read'],
      ...['customer_reduced', 'customer_reduced', 'customer_reduced', 'limit:customer_reduced'],
    ]);
    expect(sent[3]!.subject).toBe('Batas harian email keamanan telah tercapai');
    expect(sent[3]!.body_text).toContain(
      'email tentang akses pelanggan “Hanya lihat” tidak dikirim lagi selama 24 jam',
    );
    await createKey(account);
    await grant(account, customers[0]!, 'order');
    const after = (await subjects(email)).slice(-2);
    expect(after.map(({ purpose, suppressed_by }) => [purpose, suppressed_by])).toEqual([
      ['keys', null],
      ['customer_order', null],
    ]);
  });

  test('are sent once a day if one key repeats a grant for one customer, and say so', async () => {
    const email = 'repeated@budget.example';
    const account = await accountOf(email);
    const id = await makeCustomer(t, account, { email: 'repeated@made.example' });
    for (let n = 0; n < 5; n++) {
      await grant(account, id, 'read');
      await grant(account, id, 'none');
    }
    await grant(account, id, 'order');
    const mails = await subjects(email);
    expect(mails.map(({ purpose }) => purpose)).toEqual(['customer_read', 'customer_reduced', 'customer_order']);
    expect(mails[0]!.body_text).toContain('mengulanginya dalam 24 jam, tidak ada email lain yang dikirim');
    // Another key is another cause.
    await grant(account, id, 'none');
    await grant(await keyFor(t, idOf(account)), id, 'order');
    expect((await subjects(email)).map(({ purpose }) => purpose).slice(3)).toEqual(['customer_order']);
  });
});

describe('an answer that says that a link was mailed', () => {
  const password = 'a long enough one';
  const signIn = (resellerId: string, email: string) =>
    t.call('POST', '/v1/session', { json: { reseller_id: resellerId, email, password }, session: '' });
  /** Resets the counter of a quarter of an hour, as time would. */
  const forgive = () =>
    t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`delete from rate_bucket where bucket like 'invite-mail%'`));
  const invite = (session: string, email: string) =>
    t.call('POST', '/v1/users', { json: { email, role: 'read_only' }, session });
  const expectLater = (called: Awaited<ReturnType<typeof signIn>>) => {
    expect([called.status, called.body.code], called.text).toEqual([429, 'rate_limited']);
    expect(called.body.errors).toMatchObject([{ field: 'email' }]);
    const wait = Number(called.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(86_400 - 3_600);
    expect(wait).toBeLessThanOrEqual(86_400);
  };

  test('is given to the first owner of an account whatever other accounts sent to the address', async () => {
    const email = 'first-owner@budget.example';
    const account = await accountOf(email);
    const stranger = await openSession(t, idOf(await makeReseller(t)));
    for (let n = 0; n < 3; n++) expect((await invite(stranger, email)).status).toBe(200);
    await useUp(email, 'user_invitation', { purpose: 'claim' });
    const asked = await signIn(idOf(account), email);
    expect([asked.status, asked.body], asked.text).toEqual([202, { methods: ['mailed_link'] }]);
    expect(await ofAccount(account, email)).toEqual([['user_invitation', null]]);
  });

  test('is a refusal with the time of the next try after the last mail, and earlier links stay valid', async () => {
    const email = 'many-links@budget.example';
    const account = await accountOf(email);
    for (let n = 0; n < 3; n++) expect((await signIn(idOf(account), email)).status).toBe(202);
    await forgive();
    expectLater(await signIn(idOf(account), email));
    const code = await mailedCode(t, idOf(account), email);
    const redeemed = await t.call('POST', '/v1/session/code', { json: { code, password }, session: '' });
    expect(redeemed.status, redeemed.text).toBe(200);
  });

  test('is a refusal for an invitation that would not be sent, and makes no invitation', async () => {
    const email = 'invited@budget.example';
    const session = await openSession(t, idOf(await makeReseller(t)));
    await useUp(email, 'user_invitation');
    expectLater(await invite(session, email));
    expect((await t.call('GET', '/v1/user_invitations', { session })).body).toEqual([]);
  });
});
