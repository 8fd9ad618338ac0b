import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { mailsTo } from '../../../../test/support/mail.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import type { Actor } from '../../src/core/app-context.ts';
import { addAddress } from '../../src/core/mail-forwarding/edit-address.ts';
import { noteFailure } from '../../src/core/mail-forwarding/note-failure.ts';
import { processMailTargets } from '../../src/core/mail-forwarding/process-targets.ts';
import { setMail } from '../../src/core/mail-forwarding/set-mail.ts';
import { readDomain } from '../../src/core/tables/domain.sql.ts';
import { makeDomain, patch, recordsAt, zoneOf } from '../zones/support.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_MAIL_HOSTS: 'mx1.operator.example,mx2.operator.example' } });
});
afterAll(() => t.stop());

const at = (id: string, rest = '') => `/v1/domains/${id}/email_forwarding${rest}`;
const add = (id: string, email: string, forward_to: string, more: Record<string, string> = {}) =>
  t.call('POST', at(id), { form: { email, forward_to, ...more } });
const settings = (id: string, json: object) => t.call('PUT', `/v1/domains/${id}/mail_forwarding`, { json });
const must = (called: Called): Called => {
  expect(called.status, called.text).toBe(200);
  return called;
};
const targetsOf = async (query: Record<string, string> = {}) =>
  (await t.call('GET', '/v1/mail_targets', { query: { limit: '100', ...query } })).body as {
    mail_target_id: string;
    address: string;
    state: string;
  }[];
const stateOf = async (address: string) => (await targetsOf()).find((one) => one.address === address)?.state;
const idOf = async (address: string) => (await targetsOf()).find((one) => one.address === address)!.mail_target_id;
const linkTo = async (address: string) => {
  const [mail] = await mailsTo(t, address);
  return /^https?:\/\/[^/]+(\/confirm\/\S+)$/m.exec(mail!.text)![1]!;
};
const page = (link: string, answer?: 'yes' | 'no') =>
  fetch(`${t.url}${link}`, answer ? { method: 'POST', body: new URLSearchParams({ answer }) } : {}).then(
    async (reply) => ({ status: reply.status, text: await reply.text() }),
  );
const eventsOf = (id: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ type: string; payload: object }>(
      sql`select type, payload from event where object_id = ${id} and type like 'mail\\_%' order by number`,
    );
const mx = ['10 mx1.operator.example.', '20 mx2.operator.example.'];

describe('mail addresses', () => {
  test('are created, listed, read, changed and deleted, with MX records while there is one', async () => {
    const id = await makeDomain(t, 'letters.com');
    expect((await t.call('GET', at(id))).body).toEqual([]);
    expect((await t.call('GET', at(id, '/catch_all'))).body).toMatchObject({ email: '' });
    const made = must(await add(id, 'Info', 'Sari@Elsewhere.example, budi@elsewhere.example'));
    expect(made.body).toMatchObject({
      email: 'info@letters.com',
      forward_to: 'sari@elsewhere.example,budi@elsewhere.example',
      status: 'waiting_dns',
      targets: [
        { address: 'sari@elsewhere.example', state: 'waiting' },
        { address: 'budi@elsewhere.example', state: 'waiting' },
      ],
      enabled: true,
      action: 'forward',
      spam: 'refuse',
    });
    expect(await recordsAt(t, id, 'letters.com.', 'MX')).toEqual(mx);
    expect((await add(id, 'info@LETTERS.com', 'x@elsewhere.example')).body).toMatchObject({ code: 'already_exists' });
    for (const name of ['info', 'info@letters.com', 'INFO'])
      expect(must(await t.call('GET', at(id, `/${name}`))).body).toEqual(made.body);
    const put = (json: object) => t.call('PUT', at(id, '/info'), { json });
    expect(must(await put({ spam: 'mark', enabled: false })).body).toMatchObject({ status: 'off', spam: 'mark' });
    // Forwarding is off, and all settings are kept.
    expect(await recordsAt(t, id, 'letters.com.', 'MX')).toEqual([]);
    expect(must(await put({ forward_to: ['sari@elsewhere.example'], enabled: true })).body).toMatchObject({
      forward_to: 'sari@elsewhere.example',
      spam: 'mark',
    });
    expect((await put({})).body).toMatchObject({ errors: [{ field: 'forward_to', code: 'required' }] });
    must(await add(id, 'nobody', '', { action: 'refuse' }));
    const all = must(await t.call('PUT', at(id, '/catch_all'), { form: { email: 'budi@elsewhere.example' } }));
    expect(all.body).toMatchObject({
      email: 'budi@elsewhere.example',
      targets: [{ state: 'waiting' }],
      spam: 'refuse',
    });
    const setAll = (form: Record<string, string>) => t.call('PUT', at(id, '/catch_all'), { form });
    expect(must(await setAll({ spam: 'mark' })).body).toMatchObject({ email: 'budi@elsewhere.example', spam: 'mark' });
    expect(must(await setAll({ email: 'budi@elsewhere.example' })).body).toMatchObject({ spam: 'mark' });
    expect((await t.call('GET', at(id, '/catch_all'))).body).toEqual({ ...all.body, spam: 'mark' });
    for (const [form, field] of [
      [{ email: '', spam: 'mark' }, 'spam'],
      [{ spam: 'drop' }, 'spam'],
    ] as const)
      expect((await setAll(form)).body, field).toMatchObject({ errors: [{ field }] });
    const listed = (await t.call('GET', at(id))).body.map((one: { email: string }) => one.email);
    expect(listed).toEqual(['info@letters.com', 'nobody@letters.com']);
    const detail = await t.call('GET', `/v1/domains/${id}`, { query: { fields: 'email_forwarding' } });
    expect(detail.body).toHaveLength(2);
    const whole = must(await t.call('GET', `/v1/domains/${id}/mail_forwarding`)).body;
    expect(whole).toMatchObject({
      addresses: 2,
      receive_only: false,
      dns: { state: 'elsewhere', records: [{ type: 'MX', records: mx }] },
    });
    must(await setAll({ email: '' }));
    expect((await setAll({ spam: 'mark' })).body).toMatchObject({ errors: [{ field: 'email', code: 'required' }] });
    expect(must(await t.call('DELETE', at(id, '/info'))).body).toEqual({ deleted: true, email: 'info@letters.com' });
    expect(await recordsAt(t, id, 'letters.com.', 'MX')).toEqual(mx);
    must(await t.call('DELETE', at(id, '/nobody@letters.com')));
    expect(await recordsAt(t, id, 'letters.com.', 'MX')).toEqual([]);
    expect((await t.call('DELETE', at(id, '/info'))).status).toBe(404);
    expect((await eventsOf(id)).at(-1)).toMatchObject({ type: 'mail_forwarding.ended', payload: { cause: 'off' } });
    const audits = await t.ctx.db
      .as(allTenants)
      .many(sql`select from audit where action = 'mail_forwarding.change' and object_id = ${id}`);
    expect(audits).toHaveLength(9);
  });

  test('are available by their full address when called catch_all or statistics', async () => {
    const id = await makeDomain(t, 'words.com');
    for (const name of ['catch_all', 'statistics']) {
      must(await add(id, name, 'sari@elsewhere.example'));
      expect(must(await t.call('GET', at(id, `/${name}@words.com`))).body.email).toBe(`${name}@words.com`);
    }
    expect((await t.call('GET', at(id, '/catch_all'))).body.email).toBe('');
    expect((await t.call('GET', at(id, '/statistics'))).body).toEqual({ domain_id: id, messages: {}, steps: {} });
  });

  test('are refused with field and reason for invalid input, and nothing is stored', async () => {
    const id = await makeDomain(t, 'careful.com');
    const target = 'sari@elsewhere.example';
    const six = Array.from({ length: 6 }, (_, n) => `a${n}@elsewhere.example`).join(',');
    const cases: [email: string, forwardTo: string, field: string, code?: string][] = [
      ['info', six, 'forward_to', 'too_many'],
      ['info', `${target},SARI@elsewhere.example`, 'forward_to', 'already_exists'],
      ['info', 'other@careful.com', 'forward_to', 'loop'],
      ['info', 'other@CAREFUL.com', 'forward_to', 'loop'],
      ['info', 'x@mx1.operator.example', 'forward_to', 'loop'],
      ['info', '', 'forward_to', 'required'],
      ['info', 'nobody', 'forward_to'],
      ['info', 'a@b@elsewhere.example', 'forward_to'],
      ['info', '"a b"@elsewhere.example', 'forward_to'],
      ['info', 'a@[192.0.2.1]', 'forward_to'],
      ['info', 'a@192.0.2.1', 'forward_to'],
      ['info', 'a@localhost', 'forward_to'],
      ['info', '|/bin/sh@elsewhere.example', 'forward_to'],
      ['info', '-f@elsewhere.example', 'forward_to'],
      ['info', `${'a'.repeat(65)}@elsewhere.example`, 'forward_to', 'too_long'],
      ['info', 'sär@elsewhere.example', 'forward_to'],
      ['info', 'a@elsewhere.example\r\nBcc: b@elsewhere.example', 'forward_to'],
      ['info', 'a@elsewhere.example\nx', 'forward_to'],
      ['a@b@careful.com', target, 'email'],
      ['info@other.com', target, 'email'],
      ['@careful.com', target, 'email'],
      ['*', target, 'email'],
      ['"in fo"', target, 'email'],
      ['info@[192.0.2.1]', target, 'email'],
      ['a'.repeat(65), target, 'email', 'too_long'],
      ['inf\u00f6', target, 'email'],
      ['in\r\nfo', target, 'email'],
      ['.info', target, 'email'],
      ['in..fo', target, 'email'],
    ];
    for (const [email, forward_to, field, code = 'invalid'] of cases) {
      const called = await add(id, email, forward_to);
      expect(called.status, `${email} ${forward_to} ${called.text}`).toBe(400);
      expect(called.body.errors, `${email} ${forward_to}`).toMatchObject([{ field, code }]);
    }
    for (const email of ['postmaster', 'abuse', 'abuse+x'])
      expect((await add(id, email, '', { action: 'refuse' })).body).toMatchObject({ errors: [{ field: 'action' }] });
    const catchAll = await t.call('PUT', at(id, '/catch_all'), { form: { email: 'x@careful.com' } });
    expect(catchAll.body).toMatchObject({ errors: [{ field: 'email', code: 'loop' }] });
    expect(await zoneOf(t, id)).toBeUndefined();
    expect((await t.call('GET', at(id))).body).toEqual([]);
    expect(await stateOf('a0@elsewhere.example')).toBeUndefined();
  });

  test('are refused if they form a loop through our own domains, of any account', async () => {
    const [a, b, c] = await Promise.all(
      ['round-a.com', 'round-b.com', 'round-c.com'].map((name) => makeDomain(t, name)),
    );
    must(await add(a!, 'info', 'x@round-b.com'));
    must(await add(b!, 'x', 'y+tag@round-c.com'));
    const closed = await add(c!, 'y', 'info@round-a.com');
    expect(closed.body).toMatchObject({ errors: [{ field: 'forward_to', code: 'loop' }] });
    // No loop: another address there ends elsewhere.
    must(await add(a!, 'end', 'end@elsewhere.example'));
    must(await add(c!, 'y', 'end@round-a.com'));
    const all = await t.call('PUT', at(c!, '/catch_all'), { form: { email: 'info@round-a.com' } });
    must(all);
    // Without its own address, the catch-all would apply and close a loop.
    const gone = await t.call('DELETE', at(c!, '/y'));
    expect(gone.body).toMatchObject({
      errors: [{ field: 'email', code: 'loop', message: expect.stringContaining('Change the catch-all first') }],
    });
  });

  test('are refused for the shortest loops, also when an address is enabled again', async () => {
    const [a, b] = await Promise.all(['lp-a.com', 'lp-b.com'].map((name) => makeDomain(t, name)));
    must(await add(a!, 'x', 'x@lp-b.com'));
    const closed = await add(b!, 'x', 'x@lp-a.com');
    expect(closed.body).toMatchObject({ errors: [{ field: 'forward_to', code: 'loop' }] });
    expect((await t.call('GET', at(b!))).body).toEqual([]);
    const caught = await t.call('PUT', at(b!, '/catch_all'), { form: { email: 'x@lp-a.com' } });
    expect(caught.body).toMatchObject({ errors: [{ field: 'email', code: 'loop' }] });
    must(await add(b!, 'x', 'x@elsewhere.example'));
    must(await t.call('PUT', at(a!, '/x'), { json: { enabled: false } }));
    must(await t.call('PUT', at(b!, '/x'), { form: { forward_to: 'x@lp-a.com' } }));
    const on = await t.call('PUT', at(a!, '/x'), { json: { enabled: true } });
    expect(on.body).toMatchObject({ errors: [{ code: 'loop' }] });
    must(await t.call('DELETE', at(a!, '/x')));
  });

  test('are limited to 500 for a domain', async () => {
    const id = await makeDomain(t, 'many.com');
    must(await add(id, 'first', 'sari@elsewhere.example'));
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into mail_forward (domain_id, reseller_id, local_part, targets, action, spam, enabled, created_at, changed_at)
        select ${id}, 1000, 'a' || n, array['sari@elsewhere.example'], 'forward', 'refuse', true, now(), now() from generate_series(1, 499) n`),
    );
    expect((await add(id, 'last', 'sari@elsewhere.example')).body).toMatchObject({ errors: [{ code: 'too_many' }] });
    must(await t.call('PUT', at(id, '/catch_all'), { form: { email: 'sari@elsewhere.example' } }));
    expect((await t.call('GET', at(id))).body).toHaveLength(500);
  });

  test('are not visible to another account', async () => {
    const id = await makeDomain(t, 'walled.com');
    must(await add(id, 'info', 'walled@elsewhere.example'));
    const as = await makeReseller(t);
    for (const path of [
      at(id),
      at(id, '/info'),
      at(id, '/catch_all'),
      at(id, '/statistics'),
      `/v1/domains/${id}/mail_forwarding`,
    ])
      expect((await t.call('GET', path, { as })).status, path).toBe(404);
    expect((await t.call('GET', '/v1/mail_targets', { as })).body).toEqual([]);
    const target = await idOf('walled@elsewhere.example');
    expect((await t.call('POST', `/v1/mail_targets/${target}/resend`, { as })).status).toBe(404);
    const otherRegistrar = as.split(':')[0]!;
    for (const table of ['mail_domain', 'mail_forward', 'mail_target', 'mail_hour'] as const)
      expect(await t.ctx.db.as(otherRegistrar).many(sql`select from ${sql.raw(table)}`), table).toEqual([]);
  });

  test('have counts by hour and by day', async () => {
    const id = await makeDomain(t, 'counted-mail.com');
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into mail_hour (domain_id, reseller_id, hour, outcome, messages)
        values (${id}, 1000, '2026-11-10T08:00Z', 'forwarded', 3), (${id}, 1000, '2026-11-10T09:00Z', 'forwarded', 4),
          (${id}, 1000, '2026-11-10T09:00Z', 'spam', 1)`),
    );
    const query = { from: '2026-11-10T00:00:00Z', to: '2026-11-11T00:00:00Z' };
    expect(must(await t.call('GET', at(id, '/statistics'), { query })).body).toEqual({
      domain_id: id,
      messages: { forwarded: 7, spam: 1 },
      steps: { '2026-11-10T00:00:00Z': { forwarded: 7, spam: 1 } },
    });
    const byHour = must(await t.call('GET', at(id, '/statistics'), { query: { ...query, step: 'hour' } }));
    expect(byHour.body.steps['2026-11-10T09:00:00Z']).toEqual({ forwarded: 4, spam: 1 });
  });
});

describe('consent of target owners', () => {
  test('is requested once for each customer, and given, withdrawn and given again by one link', async () => {
    const id = await makeDomain(t, 'asked.com');
    const address = 'asked@elsewhere.example';
    must(await add(id, 'info', address));
    must(await add(await makeDomain(t, 'asked-too.com'), 'info', address));
    const link = await linkTo(address);
    const mails = await mailsTo(t, address);
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain('info@asked.com');
    expect(link.length - '/confirm/'.length).toBe(52);
    const shown = await page(link);
    expect(shown.text).toContain('info@asked.com');
    expect(shown.text).toContain('info@asked-too.com');
    expect((await fetch(`${t.url}${link}`, { method: 'POST' })).status).toBe(404);
    expect(await stateOf(address)).toBe('waiting');
    expect((await page(link, 'yes')).status).toBe(200);
    expect(await stateOf(address)).toBe('confirmed');
    const target = await idOf(address);
    const resend = () => t.call('POST', `/v1/mail_targets/${target}/resend`);
    expect((await resend()).status).toBe(409);
    const after = await page(link);
    expect(after.text).toContain('Stop');
    // A repeated confirmation changes nothing.
    expect((await page(link, 'yes')).status).toBe(200);
    expect(await stateOf(address)).toBe('confirmed');
    expect((await page(link, 'no')).status).toBe(200);
    expect(await stateOf(address)).toBe('stopped');
    expect((await resend()).body).toMatchObject({ code: 'conflict' });
    expect((await page(link, 'yes')).status).toBe(200);
    expect(await stateOf(address)).toBe('confirmed');
    expect((await eventsOf(target)).map(({ type }) => type)).toEqual([
      'mail_target.confirmed',
      'mail_target.stopped',
      'mail_target.confirmed',
    ]);
    // No token is stored in plain text.
    const token = link.split('/').at(-1)!;
    const rows = await t.ctx.db.as(allTenants).many(sql`
      select n::text from notice n where n::text like ${`%${token}%`} union all select c::text from confirmation c where c::text like ${`%${token}%`}`);
    expect(rows).toEqual([]);
  });

  test('is requested up to three times a day over all accounts, and expires without an answer', async () => {
    const address = 'often@elsewhere.example';
    const customers = await t.ctx.db.as(allTenants).many<{ id: string }>(sql`select id from customer limit 1`);
    expect(customers).toHaveLength(1);
    const id = await makeDomain(t, 'often.com');
    must(await add(id, 'info', address));
    const target = await idOf(address);
    const resend = () => t.call('POST', `/v1/mail_targets/${target}/resend`);
    must(await resend());
    must(await resend());
    const fourth = await resend();
    expect([fourth.status, fourth.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(86_400 - 3_600);
    expect(await mailsTo(t, address)).toHaveLength(3);
    expect((await targetsOf({ state: 'waiting' })).map((one) => one.address)).toContain(address);
    await t.moveClock('+2d');
    await processMailTargets(t.ctx);
    expect(await mailsTo(t, address)).toHaveLength(3);
    await t.moveClock('+6d');
    // The link expires at its time, before the job has updated the state.
    expect((await page(await linkTo(address), 'yes')).status).toBe(404);
    await processMailTargets(t.ctx);
    await processMailTargets(t.ctx);
    expect(await stateOf(address)).toBe('lapsed');
    expect((await eventsOf(target)).map(({ type }) => type)).toEqual(['mail_target.lapsed']);
    const link = await linkTo(address);
    expect((await page(link, 'yes')).status).toBe(404);
    expect((await t.call('GET', at(id, '/info'))).body.targets).toEqual([{ address, state: 'lapsed' }]);
    expect(must(await resend()).body).toMatchObject({ state: 'waiting' });
    expect((await page(await linkTo(address), 'yes')).status).toBe(200);
  });
});

describe('the daily limit of consent mail to one mailbox', () => {
  interface Shown {
    readonly address: string;
    readonly state: string;
    readonly asked_at: string | null;
    readonly delayed_until: string | null;
  }
  const domainOf = async (as: string | undefined, name: string) => {
    const resellerId = as ? as.split(':')[0]! : '1000';
    return insertDomainRow(t, { resellerId, customerId: await makeCustomer(t, as), name });
  };
  const addAs = (as: string, id: string, email: string, forward_to: string) =>
    t.call('POST', at(id), { form: { email, forward_to }, as });
  const shownTo = async (address: string) =>
    (await targetsOf()).filter((one) => one.address === address) as unknown as Shown[];

  test('leaves one mail a day to each customer, and shows until when another one is delayed', async () => {
    const address = 'popular@elsewhere.example';
    for (const n of [1, 2, 3]) {
      const other = await makeReseller(t);
      must(await addAs(other, await domainOf(other, `crowd-${n}.com`), 'info', address));
    }
    // Of one account too, each customer has its own.
    for (const n of [1, 2]) must(await add(await domainOf(undefined, `shop-${n}.com`), 'info', address));
    expect(await shownTo(address)).toMatchObject([
      { state: 'waiting', asked_at: expect.any(String), delayed_until: null },
      { state: 'waiting', asked_at: expect.any(String), delayed_until: null },
    ]);
    const id = await domainOf(undefined, 'shop-3.com');
    must(await add(id, 'info', address));
    must(await add(id, 'sales', 'popular+sales@elsewhere.example'));
    const [delayed] = await shownTo('popular+sales@elsewhere.example');
    expect(delayed).toMatchObject({ state: 'waiting', asked_at: null });
    const wait = Date.parse(delayed!.delayed_until!) - t.ctx.clock.now().getTime();
    expect(wait).toBeGreaterThan(23 * 3_600_000);
    expect(wait).toBeLessThanOrEqual(24 * 3_600_000);
    await t.moveClock('+1d');
    await processMailTargets(t.ctx);
    expect(await shownTo('popular+sales@elsewhere.example')).toMatchObject([
      { asked_at: expect.any(String), delayed_until: null },
    ]);
  });

  test('does not stop the targets of other accounts when one account has many delayed ones', async () => {
    const flooder = await makeReseller(t);
    const flooded = await domainOf(flooder, 'flooder.com');
    for (let n = 0; n < 42; n++) {
      const targets = Array.from({ length: 5 }, (_, k) => `flood+${n}-${k}@elsewhere.example`).join(',');
      must(await addAs(flooder, flooded, `box${n}`, targets));
    }
    const address = 'patient@elsewhere.example';
    must(await add(await domainOf(undefined, 'patient.com'), 'info', address));
    await t.moveClock('+8d');
    await processMailTargets(t.ctx);
    await processMailTargets(t.ctx);
    expect(await shownTo(address)).toMatchObject([{ state: 'lapsed' }]);
  });
});

test('ignores consent for a removed address, and applies a rejection to all accounts', async () => {
  const address = 'tired@elsewhere.example';
  const id = await makeDomain(t, 'tired.com');
  must(await add(id, 'info', address));
  const link = await linkTo(address);
  must(await t.call('DELETE', at(id, '/info')));
  const idle = await page(link, 'yes');
  expect(idle.text).toContain('No address is currently forwarded to you');
  expect(idle.text).not.toContain('Email is now forwarded to you');
  must(await add(id, 'info', address));
  expect((await page(link, 'yes')).text).toContain('Email is now forwarded to you');

  const customers = [await makeCustomer(t), await makeCustomer(t)];
  const [second, third] = await Promise.all(
    customers.map((customerId, n) => insertDomainRow(t, { resellerId: '1000', customerId, name: `tired-${n}.com` })),
  );
  const statesOf = async () =>
    (await targetsOf())
      .filter((one) => one.address === address)
      .map(({ state }) => state)
      .sort();
  must(await add(second!, 'info', address));
  expect(await statesOf()).toEqual(['confirmed', 'waiting']);
  expect((await page(link, 'no')).status).toBe(200);
  expect(await statesOf()).toEqual(['stopped', 'stopped']);
  const mails = (await mailsTo(t, address)).length;
  must(await add(third!, 'info', address));
  expect(await statesOf()).toEqual(['stopped', 'stopped', 'stopped']);
  expect(await mailsTo(t, address)).toHaveLength(mails);
  const unrequested = (await targetsOf({ customer_id: customers[1]! })).find((one) => one.address === address)!;
  const resend = () => t.call('POST', `/v1/mail_targets/${unrequested.mail_target_id}/resend`);
  expect((await resend()).body).toMatchObject({ code: 'conflict' });
  expect((await page(link, 'yes')).status).toBe(200);
  expect(must(await resend()).body).toMatchObject({ state: 'waiting' });
  expect(await statesOf()).toEqual(['confirmed', 'stopped', 'waiting']);
});

test('stops forwarding to a target after ten refusals in three days, until its owner consents again', async () => {
  const id = await makeDomain(t, 'failing.com');
  const address = 'failing@elsewhere.example';
  must(await add(id, 'info', address));
  expect((await page(await linkTo(address), 'yes')).status).toBe(200);
  const fail = async (times: number) => {
    for (let n = 0; n < times; n++)
      await t.ctx.db.transaction(allTenants, (tx) => noteFailure(t.ctx, tx, id, 'Failing@elsewhere.example'));
  };
  await fail(9);
  await t.moveClock('+4d');
  await fail(9);
  expect(await stateOf(address)).toBe('confirmed');
  await fail(1);
  expect(await stateOf(address)).toBe('failing');
  await fail(1);
  expect((await eventsOf(await idOf(address))).map(({ type }) => type)).toEqual([
    'mail_target.confirmed',
    'mail_target.failing',
  ]);
  expect(must(await t.call('POST', `/v1/mail_targets/${await idOf(address)}/resend`)).body.state).toBe('waiting');
});

describe('records of the owner for mail', () => {
  test('are listed and kept unless replacement of MX is requested, and return at the end', async () => {
    const id = await makeDomain(t, 'owned-mail.com');
    must(await patch(t, id, [{ name: '@', type: 'MX', records: ['5 old.example.net.'] }]));
    const { serial } = (await zoneOf(t, id))!;
    const refused = await add(id, 'info', 'sari@elsewhere.example');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'conflict',
      records: [{ type: 'MX', records: ['5 old.example.net.'] }],
    });
    expect((await t.call('GET', at(id))).body).toEqual([]);
    must(await add(id, 'info', 'sari@elsewhere.example', { replace_records: 'true' }));
    expect(await recordsAt(t, id, 'owned-mail.com.', 'MX')).toEqual(mx);
    const own = [{ name: '@', type: 'MX', records: ['7 other.example.net.'] }];
    expect((await patch(t, id, own)).body).toMatchObject({ code: 'managed_record', service: 'mail_forwarding' });
    // Other TXT records at the name stay the owner's.
    must(await patch(t, id, [{ name: '@', type: 'TXT', records: ['"site-verification=1"'] }]));
    const dns = (await t.call('GET', `/v1/domains/${id}/mail_forwarding`)).body.dns;
    expect(dns.displaced).toMatchObject([{ type: 'MX', records: ['5 old.example.net.'] }]);
    const back = must(await t.call('POST', `/v1/domains/${id}/zone/rollback`, { json: { serial } }));
    expect(back.body.warnings).toEqual([
      expect.objectContaining({
        type: 'MX',
        reason: expect.stringContaining('its earlier records are not restored'),
      }),
    ]);
    expect(await recordsAt(t, id, 'owned-mail.com.', 'MX')).toEqual(mx);
    must(await t.call('DELETE', at(id, '/info')));
    expect(await recordsAt(t, id, 'owned-mail.com.', 'MX')).toEqual(['5 old.example.net.']);
  });

  test('return after take_over or deletion of the zone, which disables every address', async () => {
    const id = await makeDomain(t, 'taken-mail.com');
    must(await add(id, 'info', 'sari@elsewhere.example'));
    const json = { rrsets: [{ name: '@', type: 'MX', records: ['7 other.example.net.'] }], take_over: true };
    must(await t.call('PATCH', `/v1/domains/${id}/zone/rrsets`, { json }));
    expect(await recordsAt(t, id, 'taken-mail.com.', 'MX')).toEqual(['7 other.example.net.']);
    expect((await t.call('GET', at(id, '/info'))).body).toMatchObject({ enabled: false, status: 'off' });
    expect((await eventsOf(id)).at(-1)).toMatchObject({ payload: { cause: 'taken_over' } });
    const on = { enabled: true, replace_records: true };
    must(await t.call('PUT', at(id, '/info'), { json: on }));
    expect(await recordsAt(t, id, 'taken-mail.com.', 'MX')).toEqual(mx);
    must(await t.call('DELETE', `/v1/domains/${id}/zone`, { query: { confirm: 'true' } }));
    expect((await t.call('GET', at(id, '/info'))).body).toMatchObject({ enabled: false });
    expect((await eventsOf(id)).at(-1)).toMatchObject({ payload: { cause: 'zone_deleted' } });
    const { body: history } = await t.call('GET', `/v1/domains/${id}/zone/history`);
    must(await t.call('POST', `/v1/domains/${id}/zone/rollback`, { json: { serial: history[0].serial } }));
    expect(await recordsAt(t, id, 'taken-mail.com.', 'MX')).toEqual(['7 other.example.net.']);
  });

  test('are kept with receive_only, except SPF and DMARC, which return at the end', async () => {
    const id = await makeDomain(t, 'silent.com');
    const spf = '"v=spf1 include:_spf.example.net -all"';
    must(
      await patch(t, id, [
        { name: '@', type: 'TXT', records: ['"site-verification=1"', spf] },
        { name: '_dmarc', type: 'CNAME', records: ['dmarc.example.net.'] },
      ]),
    );
    must(await add(id, 'info', 'sari@elsewhere.example'));
    const texts = async (name: string) => (await recordsAt(t, id, name, 'TXT')).sort();
    expect((await settings(id, { receive_only: true })).status).toBe(409);
    const dry = must(await settings(id, { receive_only: true, replace_records: true, dry_run: true }));
    expect(dry.body).toMatchObject({ dry_run: true, receive_only: true });
    expect(await texts('silent.com.')).toEqual(['"site-verification=1"', spf]);
    const set = must(await settings(id, { receive_only: true, replace_records: true }));
    expect(set.body.dns.records).toHaveLength(4);
    expect(set.body.dns.displaced).toHaveLength(2);
    expect(await texts('silent.com.')).toEqual(['"site-verification=1"', '"v=spf1 -all"']);
    expect(await texts('_dmarc.silent.com.')).toEqual(['"v=DMARC1; p=reject"']);
    expect(await texts('*._domainkey.silent.com.')).toEqual(['"v=DKIM1; p="']);
    must(await patch(t, id, [{ name: '@', type: 'TXT', action: 'add', records: ['"other=2"'] }]));
    must(await settings(id, { receive_only: false }));
    // A DKIM key of the owner stays valid beside the empty wildcard key.
    const key = { name: 'sel1._domainkey', type: 'TXT', ttl: 300 };
    must(await patch(t, id, [{ ...key, records: ['"v=DKIM1; p=abcd"'] }]));
    const repeated = must(await settings(id, { receive_only: true, replace_records: true, dry_run: true }));
    expect(repeated.body.warnings).toEqual([
      expect.stringMatching(/^sel1\._domainkey\.silent\.com\. TXT: one of your DKIM keys/),
    ]);
    must(await patch(t, id, [{ ...key, records: [] }]));
    expect(await texts('silent.com.')).toEqual(['"other=2"', '"site-verification=1"', spf].sort());
    expect(await recordsAt(t, id, '_dmarc.silent.com.', 'CNAME')).toEqual(['dmarc.example.net.']);
    expect(await texts('*._domainkey.silent.com.')).toEqual([]);
    expect(await recordsAt(t, id, 'silent.com.', 'MX')).toEqual(mx);
    // A newer SPF record of the owner stays, because two SPF records are invalid.
    must(await settings(id, { receive_only: true, replace_records: true }));
    const since = '"v=spf1 ip4:192.0.2.1 -all"';
    must(await patch(t, id, [{ name: '@', type: 'TXT', records: ['"other=2"', '"site-verification=1"', since] }]));
    must(await settings(id, { receive_only: false }));
    expect(await texts('silent.com.')).toEqual(['"other=2"', '"site-verification=1"', since].sort());
    must(await patch(t, id, [{ name: '@', type: 'TXT', records: ['"other=2"', '"site-verification=1"', spf] }]));
    // Set again, it ends with the last address.
    must(await settings(id, { receive_only: true, replace_records: true }));
    must(await t.call('DELETE', at(id, '/info')));
    expect(await texts('silent.com.')).toEqual(['"other=2"', '"site-verification=1"', spf].sort());
    expect(await recordsAt(t, id, 'silent.com.', 'MX')).toEqual([]);
  });
});

test('lists addresses without configured mail hosts, and refuses changes', async () => {
  const id = await makeDomain(t, 'not-offered.com');
  const domain = await readDomain(t.ctx.db.as(allTenants), id);
  const config = { ...t.ctx.config, mode: 'production' as const, mailHosts: [] };
  const order = {
    ...addAddress('info', { targets: ['a@elsewhere.example'] }, domain.name, config),
    replacesRecords: false,
  };
  const actor = { resellerId: '1000', keyId: null, requestId: null, address: '127.0.0.1' } as unknown as Actor;
  await expect(setMail({ ...t.ctx, config }, actor, domain, order)).rejects.toMatchObject({
    code: 'not_available_yet',
    message: expect.not.stringContaining('NAMEHOLD_'),
  });
  expect(must(await t.call('GET', at(id))).body).toEqual([]);
});
