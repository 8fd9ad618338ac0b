import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadCatalogue } from '../../../../test/support/catalogue.ts';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { sendDue } from '../../src/core/delivery/send.ts';
import { sendExpiryReminders } from '../../src/core/domains/end/expiry-reminders.ts';
import { appendEvent } from '../../src/core/events/append.ts';
import { lifeEvent } from '../../src/core/events/life-event.ts';
import { notify } from '../../src/core/notices/notify.ts';
import { notifyRegistrant } from '../../src/core/notices/notify-recipients.ts';
import { remindOfData } from '../../src/core/verification/remind-of-data.ts';

let t: TestService;
let reseller: string;
let customer: string;
beforeAll(async () => {
  t = await startTestService();
  await loadCatalogue(t);
  reseller = await makeReseller(t);
  customer = await makeCustomer(t, reseller);
});
afterAll(() => t.stop());

const id = () => reseller.split(':')[0]!;
const notices = async (query: Record<string, string> = {}, as = reseller) =>
  (await t.call('GET', '/v1/notices', { query, as })).body as {
    notice_id: string;
    kind: string;
    state: string;
    subject: string;
  }[];
const mailbox = async (as = reseller) => (await t.call('GET', '/v1/sandbox/mail', { as })).body;
const mailOf = (noticeId: string, as = reseller) =>
  vi.waitFor(
    async () => {
      const found = (await mailbox(as)).find((mail: { notice_id: string }) => mail.notice_id === noticeId);
      expect(found).toBeDefined();
      return found as Record<'from' | 'to' | 'reply_to' | 'subject' | 'text' | 'html', string>;
    },
    { timeout: 300_000 },
  );

async function name(domain: string, contact: Record<string, string> = {}) {
  const contactId = await makeContact(t, customer, reseller, contact);
  const domainId = await insertDomainRow(t, { resellerId: id(), customerId: customer, contactId, name: domain });
  return { id: domainId, reseller_id: id(), name: domain, registrant_contact_id: contactId };
}

test('notifies only the owner, in the name of the parent, of created, rotated and revoked keys', async () => {
  const made = await t.call('POST', '/v1/account/keys', {
    json: { label: 'my <b>panel</b>', ip_whitelist: ['127.0.0.1'] },
    as: reseller,
  });
  await t.call('POST', `/v1/account/keys/${made.body.key_id}/rotate`, { json: {}, as: reseller });
  await t.call('DELETE', `/v1/account/keys/${made.body.key_id}`, { as: reseller });
  const mailed = await notices({ kind: 'account_security' });
  expect(mailed.map(({ subject }) => subject)).toEqual([
    'Kunci API telah dicabut',
    'Rahasia kunci API telah diganti',
    'Kunci API baru telah dibuat',
  ]);
  const mail = await mailOf(mailed[2]!.notice_id);
  const above = await t.call('GET', '/v1/account/profile', { as: t.operator });
  expect(mail.reply_to).toBe(above.body.email);
  expect(mail.text).toContain('my <b>panel</b>');
  expect(mail.html).toContain('my &lt;b&gt;panel&lt;/b&gt;');
  expect(mail.text).not.toContain(made.body.api_key);
  await vi.waitFor(async () => expect((await notices({ state: 'sent' })).length).toBe(3), { timeout: 300_000 });
  expect((await notices({}, t.demo)).some(({ notice_id }) => notice_id === mailed[0]!.notice_id)).toBe(false);
  expect((await t.call('GET', `/v1/notices/${mailed[0]!.notice_id}`)).status).toBe(404);
  expect((await mailbox(t.demo)).some((mail: { notice_id: string }) => mail.notice_id === mailed[0]!.notice_id)).toBe(
    false,
  );
});

test('notifies a child of a password created by its parent, and hides the notice from the parent', async () => {
  const child = await makeReseller(t, reseller);
  const childId = child.split(':')[0]!;
  const made = await t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: childId }, as: reseller });
  expect(made.status, made.text).toBe(200);
  const [mailed] = await notices({}, child);
  expect(mailed).toMatchObject({ kind: 'account_security', subject: 'Kata sandi sementara telah dibuat' });
  expect((await t.call('GET', `/v1/notices/${mailed!.notice_id}`, { as: reseller })).status).toBe(404);
});

test('notifies the account, its owners and the former address of a new reply address or muted kinds', async () => {
  const seller = await makeReseller(t);
  const sellerId = seller.split(':')[0]!;
  await openSession(t, sellerId, { email: 'brand-owner@people.example' });
  const { email } = (await t.call('GET', '/v1/account/profile', { as: seller })).body;
  const put = async (json: object) => {
    const called = await t.call('PUT', '/v1/notices/brand', { json, as: seller });
    expect(called.status, called.text).toBe(200);
  };
  const recipients = async (text: string) => {
    const rows = await t.ctx.db.as(allTenants).many<{ address: string }>(sql`
      select address from notice where reseller_id = ${sellerId} and kind = 'account_security' and body_text like ${`%${text}%`} order by address`);
    return rows.map(({ address }) => address);
  };
  await put({ reply_to: 'replies@first.example' });
  expect(await recipients('replies@first.example')).toEqual(['brand-owner@people.example', email].sort());
  // It is warned because it was in place for more than a day.
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update notice_brand set reply_to_since = now() - interval '25 hours' where reseller_id = ${sellerId}`),
  );
  await put({ reply_to: 'replies@second.example' });
  expect(await recipients('replies@second.example')).toEqual(
    ['brand-owner@people.example', email, 'replies@first.example'].sort(),
  );
  await put({ suppressed: ['auth_code_given'] });
  expect(await recipients('auth_code_given')).toEqual(['brand-owner@people.example', email].sort());
  await put({ suppressed: ['auth_code_given'], reply_to: 'replies@second.example', language: 'en' });
  expect(await recipients('auth_code_given')).toHaveLength(2);
});

test('stores a notice if and only if the transaction of its cause commits', async () => {
  const domain = await name('undone.com');
  const mailed = { kind: 'auth_code_given', facts: { at: 'now' } } as const;
  await expect(
    t.ctx.db.transaction(allTenants, async (tx) => {
      await notifyRegistrant(t.ctx, tx, domain, mailed);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await notices({ domain_id: domain.id })).toEqual([]);
  await t.ctx.db.transaction(allTenants, (tx) => notifyRegistrant(t.ctx, tx, domain, mailed));
  expect(await notices({ domain_id: domain.id })).toMatchObject([{ kind: 'auth_code_given' }]);
});

test('sends expiry notices 30 and 7 days before and at expiry, and sends missed ones once', async () => {
  const csv = 'tld,action,years,amount\ncom,renew,1,17.25\ncom,restore,1,99.00';
  const priced = await t.call('POST', '/v1/account/price_list/import', {
    json: { target: 'customer', csv },
    as: reseller,
  });
  expect(priced.body, priced.text).toMatchObject({ stored: 2 });
  const now = t.ctx.clock.now();
  const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const early = await name('early-bird.com', { country_code: 'ID' });
  const late = await name('late-news.com', {
    country_code: 'US',
    state: 'California',
    zipcode: '94105',
    tel_cc_no: '1',
    tel_no: '4155550100',
  });
  const ends = async (domain: { id: string }, at: Date) =>
    t.ctx.db
      .autocommit(allTenants)
      .run(sql`update domain set end_date = ${at}, registry_expires_at = ${at} where id = ${domain.id}`);
  await ends(early, inDays(29));
  await ends(late, inDays(5));
  await sendExpiryReminders(t.ctx);
  await sendExpiryReminders(t.ctx);
  const subjects = async (domain: { id: string }) =>
    (await notices({ domain_id: domain.id })).map(({ subject }) => subject);
  expect(await subjects(early)).toEqual([expect.stringMatching(/^early-bird\.com berakhir pada \d/)]);
  // Thirty days passed without a run: one notice about the latest date is sent.
  expect(await subjects(late)).toEqual([expect.stringMatching(/^late-news\.com expires on \d/)]);
  await ends(late, inDays(-1));
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update expiry_mark set end_date = ${inDays(-1)} where domain_id = ${late.id}`);
  await sendExpiryReminders(t.ctx);
  await sendExpiryReminders(t.ctx);
  const mailed = await notices({ domain_id: late.id });
  expect(mailed.map(({ kind }) => kind)).toEqual(['domain_expired', 'domain_expiring']);
  const { text } = await mailOf(mailed[0]!.notice_id);
  expect(text).toContain('17.25 USD per year');
  // The restore of an expired domain includes a paid year.
  expect(text).toContain('costs 99.00 USD plus 17.25 USD');
});

test('uses the notice days of the TLD, and sends only the latest notice when the clock jumps', async () => {
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update tld set rules = rules || '{"expiry_notice_days": [60, 20, 3, -2]}' where name = 'org'`);
  const now = t.ctx.clock.now();
  const ends = async (domain: { id: string }, days: number) => {
    const at = new Date(now.getTime() + days * 86_400_000);
    await t.ctx.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`update expiry_mark set end_date = ${at} where domain_id = ${domain.id}`);
      await tx.run(sql`update domain set end_date = ${at}, registry_expires_at = ${at} where id = ${domain.id}`);
    });
    await sendExpiryReminders(t.ctx);
    return (await notices({ domain_id: domain.id })).map(({ kind }) => kind);
  };
  const jumped = await name('jumped.org');
  expect(await ends(jumped, 2)).toEqual(['domain_expiring']);
  const [only] =
    (
      await t.call('GET', '/v1/events', { query: { type: 'domain.expiring', limit: '100' }, as: reseller })
    ).body.events?.filter((event: { object_id: string }) => event.object_id === jumped.id) ?? [];
  expect(only?.payload.days).toBe(3);
  expect(await ends(jumped, -1)).toEqual(['domain_expiring']);
  expect(await ends(jumped, -3)).toEqual(['domain_expired', 'domain_expiring']);
  const late = await name('far-too-late.org');
  expect(await ends(late, -10)).toEqual(['domain_expired']);
  const slow = await name('slowly.org');
  expect(await ends(slow, 59)).toEqual(['domain_expiring']);
  expect(await ends(slow, 29)).toEqual(['domain_expiring']);
  const com = await name('as-usual.com');
  expect(await ends(com, 59)).toEqual([]);
});

test('notifies the registrant of a transfer, with registrar and date, also from a tombstone', async () => {
  const domain = await name('leaving.com', { country_code: 'ID' });
  const mailed = (
    type: 'domain.transfer_ended' | 'domain.transferred_away' | 'domain.transfer_requested',
    more: object,
  ) => t.ctx.db.transaction(allTenants, (tx) => appendEvent(t.ctx, tx, lifeEvent(domain, type, more as never)));
  await mailed('domain.transfer_requested', { registrar: null, requested_at: null, action_at: null });
  await mailed('domain.transfer_ended', { status: null });
  await t.ctx.db
    .autocommit(allTenants)
    .run(
      sql`update domain set state = 'removed', removed_reason = 'transferred_away', removed_at = now() where id = ${domain.id}`,
    );
  await mailed('domain.transferred_away', { sponsor: 'Other Registrar', at: null });
  const sent = await notices({ domain_id: domain.id });
  expect(sent.map(({ kind }) => kind)).toEqual(['transferred_away', 'transfer_ended', 'transfer_requested']);
  expect((await mailOf(sent[0]!.notice_id)).text).toContain('Other Registrar');
  expect((await mailOf(sent[2]!.notice_id)).text).toContain('permintaan transfer leaving.com ke registrar lain');
});

test('sends the yearly data reminder for generic TLDs only, and sends missed ones once', async () => {
  const domain = await name('yearly.com', { email: 'yearly@customer.example' });
  const country = await name('yearly.id');
  await remindOfData(t.ctx);
  expect(await notices({ domain_id: domain.id })).toEqual([]);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update domain set created_at = created_at - interval '3 years' where id in (${domain.id}, ${country.id})`);
  await Promise.all([remindOfData(t.ctx), remindOfData(t.ctx)]);
  await remindOfData(t.ctx);
  const [mailed, ...more] = await notices({ domain_id: domain.id });
  expect(more).toEqual([]);
  expect(await notices({ domain_id: country.id })).toEqual([]);
  const { text } = await mailOf(mailed!.notice_id);
  expect(text).toContain(
    '\nSari Dewi\nDewi Batik\nJalan Melati 5\n40111 Bandung, Jawa Barat\nIndonesia\n+62 227654321\nyearly@customer.example\n',
  );
});

test('previews, validates and sends own texts, and requires the content that policy demands', async () => {
  const put = (body: object) => t.call('PUT', '/v1/notices/brand', { json: body, as: reseller });
  const domain = await name('brand-shop.com', { name: 'Eve <script>alert(1)</script>', email: 'eve@customer.example' });
  expect((await put({ suppressed: ['domain_expired'] })).body.errors).toMatchObject([{ field: 'suppressed' }]);
  expect((await put({ logo_url: 'javascript:alert(1)' })).body.errors).toMatchObject([{ field: 'logo_url' }]);
  expect((await put({ name: 'Evil\r\nBcc: a@b.example' })).body.errors).toMatchObject([{ field: 'name' }]);
  expect((await put({ reply_to: 'nobody' })).body.errors).toMatchObject([{ field: 'reply_to' }]);
  expect((await put({ sender_address: 'boss@bank.example' })).body.errors).toMatchObject([{ field: 'sender_address' }]);
  const brand = {
    name: 'Zebra & Sons',
    sender_address: 'hello@brand-shop.com',
    reply_to: 'help@brand-shop.com',
    logo_url: 'https://brand-shop.com/logo.png?a=1&b=2',
    language: 'en',
    suppressed: ['auth_code_given'],
  };
  const chosen = await put(brand);
  expect(chosen.body, chosen.text).toEqual(brand);
  const text = (body: string, subject = 'About {{domain}}') =>
    t.call('PUT', '/v1/notices/texts/holder_changed/en', { json: { subject, body }, as: reseller });
  for (const [body, words] of [
    ['{{nonsense}}', 'Unknown placeholder {{nonsense}}'],
    ['{{#former}} left open', 'The condition former is not closed'],
    ['{{/former}}', 'is not open'],
    ['{{ constructor.name }}', 'is not a placeholder'],
  ] as const)
    expect((await text(body)).body.errors[0].message, body).toContain(words);
  expect((await text('{{^former}}{{domain}}{{/former}}', 'News')).body.errors[0].message).toContain('{{domain}}');
  const unlinked = { subject: 'About {{domain}}', body: '{{^link}}{{link}}{{/link}}' };
  const hidden = await t.call('PUT', '/v1/notices/texts/holder_verification/en', { json: unlinked, as: reseller });
  expect(hidden.body.errors[0].message).toContain('Must have {{link}}');
  const own =
    'Hello {{recipient}}!\n\nhttps://brand-shop.com/help?a=1&b=2\n\n{{#former}}Was {{former}}.{{/former}}{{^present}}No one.{{/present}}\n\n{{brand}}';
  expect((await text(own)).status).toBe(200);
  const preview = await t.call('POST', '/v1/notices/preview', {
    json: { kind: 'holder_changed', language: 'en' },
    as: reseller,
  });
  expect(preview.body).toMatchObject({
    from: 'hello@brand-shop.com',
    subject: 'About example-shop.com',
    text: 'Hello Sari Dewi!\n\nhttps://brand-shop.com/help?a=1&b=2\n\nWas Budi Santoso.\n\nZebra & Sons\n',
  });
  const [notice] = await t.ctx.db.transaction(allTenants, async (tx) => [
    await notifyRegistrant(t.ctx, tx, domain, { kind: 'holder_changed', facts: { former: 'A\nB\r\nC' } }),
    await notifyRegistrant(t.ctx, tx, domain, { kind: 'auth_code_given', facts: {} }),
  ]);
  const mail = await mailOf(notice!);
  expect(mail.from).toBe('Zebra & Sons <hello@brand-shop.com>');
  expect(mail.text).toBe(
    'Hello Eve <script>alert(1)</script>!\n\nhttps://brand-shop.com/help?a=1&b=2\n\nWas A B C.No one.\n\nZebra & Sons\n',
  );
  expect(mail.html).toContain('Eve &lt;script&gt;');
  expect(mail.html).not.toContain('<script');
  expect(mail.html).toContain('<img src="https://brand-shop.com/logo.png?a=1&amp;b=2"');
  expect(mail.html).toContain('<a href="https://brand-shop.com/help?a=1&amp;b=2">');
  expect((await notices({ domain_id: domain.id })).map(({ kind }) => kind)).toEqual(['holder_changed']);
  // When its domain leaves, the sender ends.
  await t.ctx.db.autocommit(allTenants).run(sql`update domain set state = 'redemption' where id = ${domain.id}`);
  const again = await t.call('POST', '/v1/notices/preview', {
    json: { kind: 'holder_changed', language: 'en' },
    as: reseller,
  });
  expect(again.body.from).toBe(t.ctx.config.mailFrom);
  expect((await t.call('DELETE', '/v1/notices/texts/holder_changed/en', { as: reseller })).body.is_own).toBe(false);
  expect((await t.call('DELETE', '/v1/notices/texts/holder_changed/en', { as: reseller })).status).toBe(404);
});

test('uses own texts only for their account, and can fill in every default text', async () => {
  const texts = await t.call('GET', '/v1/notices/texts');
  expect(texts.body.every(({ is_own }: { is_own: boolean }) => !is_own)).toBe(true);
  for (const { kind, language } of texts.body) {
    const { body } = await t.call('POST', '/v1/notices/preview', { json: { kind, language } });
    expect(`${body.subject}${body.text}`).not.toMatch(/\{\{|undefined|\bnull\b/);
  }
});

test.each([
  ['en', '11.50 USD', '30 November 2027', '11,50'],
  ['id', 'USD 11,50', '30 November 2027', '11.50'],
])('formats amounts and days in the language %s', async (language, amount, day, other) => {
  const { body } = await t.call('POST', '/v1/notices/preview', { json: { kind: 'domain_expiring', language } });
  expect(body.text).toContain(amount);
  expect(body.text).toContain(day);
  expect(body.text).not.toContain(other);
});

const capturing = [
  'Confirm: https://elsewhere.example/?c={{link}}',
  'https://elsewhere.example/?c={{ link }}',
  '{{link}}.',
  '<{{link}}>',
  'https://elsewhere.example/?c={{#until}}{{link}}{{/until}}\n\n{{link}}',
  'https://elsewhere.example/confirm/[token]\n\n{{link}}',
];

test('refuses a text whose link does not stand alone on its line, or stands in the subject', async () => {
  const put = (subject: string, body: string) =>
    t.call('PUT', '/v1/notices/texts/holder_verification/en', { json: { subject, body }, as: reseller });
  for (const body of capturing)
    expect((await put('{{domain}}', `About {{domain}}.\n\n${body}`)).body.errors?.[0].message, body).toContain('alone');
  expect((await put('{{domain}} {{link}}', '{{link}}')).body.errors?.[0].message).toContain('alone');
  expect((await put('{{domain}}', 'Please confirm:\n\n  {{link}}\n\nThank you.')).status).toBe(200);
  const logo = { json: { logo_url: 'https://elsewhere.example/logo.png?c=[token]' }, as: reseller };
  expect((await t.call('PUT', '/v1/notices/brand', logo)).status).toBe(400);
  await t.call('DELETE', '/v1/notices/texts/holder_verification/en', { as: reseller });
});

test('sends the token only to the host of the service, whatever stored texts, logos and names contain', async () => {
  const domain = await name('captured.com', {
    email: 'captured@holder.example',
    name: 'Eve https://e.example/?c=[token]',
  });
  const db = t.ctx.db.autocommit(allTenants);
  await db.run(
    sql`update notice_brand set logo_url = 'https://elsewhere.example/l.png?c=[token]' where reseller_id = ${id()}`,
  );
  for (const body of capturing) {
    await db.run(sql`
      insert into notice_text (reseller_id, kind, language, subject, body, updated_at)
      values (${id()}, 'holder_verification', 'en', '{{domain}}', ${`{{recipient}}, {{domain}}\n\n${body}`}, now())
      on conflict (reseller_id, kind, language) do update set body = excluded.body`);
    const noticeId = await t.ctx.db.transaction(allTenants, (tx) =>
      notifyRegistrant(t.ctx, tx, domain, {
        kind: 'holder_verification',
        facts: { link: 'https://api.example.net/confirm/[token]', until: new Date() },
        token: 'secretsecret',
      }),
    );
    const mail = await mailOf(noticeId!);
    expect(mail.text.split('\n').filter((line) => line.includes('secretsecret'))).toEqual([
      'https://api.example.net/confirm/secretsecret',
    ]);
    expect(mail.html.match(/[^"<>]*secretsecret/g)).toEqual([
      'https://api.example.net/confirm/secretsecret',
      'https://api.example.net/confirm/secretsecret',
    ]);
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toContain('[token]');
  }
  // Queued by an older release, which did not check it.
  const text = 'https://elsewhere.example/?c=https://api.example.net/confirm/[token]\n';
  const queued = 'ntc_queued_before';
  await db.run(sql`
    insert into notice (id, reseller_id, kind, address, recipient, language, sender_name, subject, body_text, body_html, created_at, secret_sealed)
    values (${queued}, ${id()}, 'holder_verification', 'captured@holder.example', 'Eve', 'en', 'x', 'x', ${text}, ${text}, now(),
      ${t.ctx.vault.encrypt('secretsecret', `notice:${queued}`)})`);
  const state = async () => (await t.call('GET', `/v1/notices/${queued}`, { as: reseller })).body.state;
  await expect.poll(state).toBe('failed');
  await db.run(sql`delete from notice_text where reseller_id = ${id()}`);
});

test('suppresses mail above the daily limits of a mailbox and an account, and raises an alarm', async () => {
  const limited = await t.second({ NAMEHOLD_MAIL_PER_MAILBOX: '3', NAMEHOLD_MAIL_PER_ACCOUNT: '6' });
  const other = await makeReseller(t);
  const tell = async (
    email: string,
    resellerId: string,
    kind: 'transfer_started' | 'auth_code_given' | 'domain_expiring',
  ) => {
    const noticeId = await limited.ctx.db.transaction(allTenants, (tx) =>
      notify(limited.ctx, tx, {
        kind,
        facts: { domain: 'flood.com' },
        resellerId,
        to: { name: 'Sari', email, country_code: '' },
      }),
    );
    const read = async () =>
      (await t.call('GET', `/v1/notices/${noticeId}`, { as: other })).body as { state: string; result: string };
    await expect.poll(async () => (await read()).state).not.toBe('queued');
    return read();
  };
  const [otherId] = other.split(':') as [string];
  try {
    for (const n of [1, 2, 3])
      expect((await tell(`flood+${n}@x.example`, otherId, 'transfer_started')).state).not.toBe('failed');
    const fourth = await tell('Flood+4@X.example', otherId, 'transfer_started');
    expect(fourth).toMatchObject({ state: 'failed', result: expect.stringContaining('daily limit of this mailbox') });
    // Warnings and required mail are still sent.
    expect((await tell('flood+5@x.example', otherId, 'auth_code_given')).state).not.toBe('failed');
    expect((await tell('flood+6@x.example', otherId, 'domain_expiring')).state).not.toBe('failed');
    for (const n of [1, 2, 3]) await tell(`a${n}@x.example`, otherId, 'transfer_started');
    expect(await tell('b@x.example', otherId, 'transfer_started')).toMatchObject({
      state: 'failed',
      result: expect.stringContaining('daily limit of this account'),
    });
    const events = await t.call('GET', '/v1/events', { query: { type: 'notice.undelivered' }, as: other });
    expect(events.body.events).toHaveLength(2);
    await sendDue(t.ctx);
    await expect
      .poll(async () => (await openAlarms(t.ctx)).find(({ key }) => key === 'mail-ceiling')?.facts)
      .toMatchObject({ accounts: [otherId] });
  } finally {
    await limited.stop();
  }
});

test('counts sub-addresses and addresses with dots as one mailbox', async () => {
  const key = async (address: string) =>
    (await t.ctx.db.as(allTenants).one<{ key: string }>(sql`select mailbox_key(${address}) as key`)).key;
  expect(await key('User+Tag+2@Example.COM')).toBe('user@example.com');
  expect(await key('u.s.er+x@GoogleMail.com')).toBe('user@gmail.com');
  expect(await key('u.ser@example.com')).toBe('u.ser@example.com');
  expect(await key('+tag@example.com')).toBe('+tag@example.com');
});

test('refuses own texts for mail to the account itself or its users, which would not be sent', async () => {
  const json = { subject: 'Another', body: '{{link}} {{what}}' };
  for (const kind of ['password_recovery', 'account_security', 'user_invitation']) {
    const called = await t.call('PUT', `/v1/notices/texts/${kind}/en`, { json });
    expect([called.status, called.body.errors]).toMatchObject([400, [{ field: 'kind' }]]);
    expect((await t.call('POST', '/v1/notices/preview', { json: { kind, language: 'en', ...json } })).status).toBe(400);
  }
});
