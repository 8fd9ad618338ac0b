import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await expectReconciled(t);
  await life.end();
});

async function moveAndRunJobs(by: string): Promise<void> {
  t.moveClock(by);
  await t.control('GET', '/clock');
  await processExpiryOnce(t.ctx);
  await processExpiryOnce(t.ctx);
}

/** The background jobs of the service run beside those of the test: an operation that they started may still be open. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 300_000 });
const paysFor = (name: string, ...lines: string[]) => soon(() => life.statement(name)).toEqual(lines);

const choose = (name: string, mode: string, more: Record<string, string> = {}) =>
  t.call('PUT', `/v1/domains/${name}/renewal_mode`, { form: { renewal_mode: mode, ...more } });

/** Deleted, so that later moves of the clock cost nothing for it. */
async function leave(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const called = await t.call('DELETE', `/v1/domains/${name}`);
    expect(called.status, called.text).toBe(200);
  }
}

const year = (date: Date) => date.getUTCFullYear();

async function payloads(name: string, type: string): Promise<Record<string, unknown>[]> {
  const rows = await t.ctx.db
    .as(allTenants)
    .many<{ payload: Record<string, unknown> }>(
      sql`select payload from event where payload ->> 'domain_name' = ${name} and type = ${type} order by number`,
    );
  return rows.map(({ payload }) => payload);
}

test('starts with manual, and returns date and price in a dry run without storing the mode', async () => {
  await life.buy('mode-dry.com');
  const { end_date } = await life.row('mode-dry.com');
  expect((await t.call('GET', '/v1/domains/mode-dry.com/renewal_mode')).body).toMatchObject({
    renewal_mode: 'manual',
    first_try_at: null,
    price: null,
  });
  const dry = await choose('mode-dry.com', 'renew', { dry_run: 'true' });
  expect(dry.status, dry.text).toBe(200);
  const begins = new Date(end_date.getTime() - 15 * 86_400_000);
  expect(dry.body).toMatchObject({
    dry_run: true,
    renewal_mode: 'renew',
    price: { amount: '12.39', currency: 'USD' },
    first_try_at: `${begins.toISOString().slice(0, 19)}Z`,
  });
  expect((await t.call('GET', '/v1/domains/mode-dry.com')).body.renewal_mode).toBe('manual');
  const dear = await choose('mode-dry.com', 'renew', { dry_run: 'true', max_price: '5' });
  expect(dear.body).toMatchObject({ price: null, what_happens: expect.stringContaining('12.39 USD') });
  expect((await choose('mode-dry.com', 'sometimes')).status).toBe(400);
  expect((await choose('mode-dry.com', 'renew', { max_price: '1.234' })).body.errors[0].field).toBe('max_price');
  expect((await choose('mode-nobody.com', 'renew')).status).toBe(404);
  await leave('mode-dry.com');
});

test("renews and reminds before the registry's own last day, which is before the end of the term", async () => {
  await life.buy('mode-early.com');
  expect((await choose('mode-early.com', 'renew')).status).toBe(200);
  const { end_date, id } = await life.row('mode-early.com');
  const daysBefore = (days: number) => new Date(end_date.getTime() - days * 86_400_000);
  const setRenewBy = (at: Date) =>
    t.ctx.db.autocommit(allTenants).run(sql`update domain set registry_renew_by = ${at} where id = ${id}`);
  const shown = async () => (await t.call('GET', '/v1/domains/mode-early.com/renewal_mode')).body.first_try_at;
  const text = (at: Date) => `${at.toISOString().slice(0, 19)}Z`;
  await setRenewBy(daysBefore(366));
  expect(await shown()).toBe(text(daysBefore(15)));
  await setRenewBy(daysBefore(30));
  expect(await shown()).toBe(text(daysBefore(45)));
  // The registry of this test has no such date, so a comparison beside the test removes it.
  const runJobs = async () => {
    await setRenewBy(daysBefore(30));
    await processExpiryOnce(t.ctx);
  };
  await moveAndRunJobs('+318d');
  await runJobs();
  expect((await life.row('mode-early.com')).end_date).toEqual(end_date);
  await soon(async () => {
    await runJobs();
    return payloads('mode-early.com', 'domain.expiring');
  }).toMatchObject([{ renew_by: text(daysBefore(30)) }]);
  await moveAndRunJobs('+3d');
  await soon(async () => {
    await runJobs();
    return year((await life.row('mode-early.com')).end_date);
  }).toBe(year(end_date) + 1);
  await leave('mode-early.com');
});

test('renews once with one charge before the end, and sets renew_once to manual afterwards', async () => {
  await life.buy('mode-renew.com');
  await life.buy('mode-once.com');
  expect((await choose('mode-renew.com', 'renew')).status).toBe(200);
  expect((await choose('mode-once.com', 'renew_once')).status).toBe(200);
  const registered = await life.row('mode-renew.com');
  const money = await life.balance();
  await moveAndRunJobs('+349d');
  expect(await life.balance()).toEqual(money);
  await moveAndRunJobs('+2d');
  for (const name of ['mode-renew.com', 'mode-once.com']) {
    await soon(async () => (await payloads(name, 'domain.renewed')).length).toBe(1);
    const row = await life.row(name);
    expect(year(row.end_date)).toBe(year(registered.end_date) + 1);
    expect(row.end_date).toEqual(row.registry_expires_at);
    expect(await life.statement(name)).toEqual(['charge create 10.26', 'charge renew 10.26']);
    expect(await payloads(name, 'domain.renewed')).toMatchObject([{ automatic: true, years: 1 }]);
  }
  expect(money.available - (await life.balance()).available).toBe(2n * 1239n);
  await moveAndRunJobs('+3d');
  expect(money.available - (await life.balance()).available).toBe(2n * 1239n);
  expect((await t.call('GET', '/v1/domains/mode-once.com')).body.renewal_mode).toBe('manual');
  expect((await t.call('GET', '/v1/domains/mode-renew.com')).body.renewal_mode).toBe('renew');
  await leave('mode-renew.com', 'mode-once.com');
});

test('emits one event a day with the missing amount, and renews when there is money', async () => {
  await life.buy('mode-poor.com');
  expect((await choose('mode-poor.com', 'renew')).status).toBe(200);
  const { available } = await life.balance();
  const left = 1_000n;
  const debited = (available - left).toString().replace(/(..)$/, '.$1');
  const operator = (path: string, amount: string) =>
    t.call('POST', `/v1/resellers/1000/transactions/${path}`, { form: { amount, description: 'x' }, as: t.operator });
  expect((await operator('debit_note', debited)).status).toBe(200);
  const mode = await t.call('GET', '/v1/domains/mode-poor.com/renewal_mode');
  expect(mode.body.what_happens).toContain('2.39 USD is missing');
  await moveAndRunJobs('+351d');
  await moveAndRunJobs('+1d');
  await soon(() => payloads('mode-poor.com', 'domain.auto_renewal_failed')).toMatchObject([
    { code: 'insufficient_funds', missing: { amount: '2.39', currency: 'USD' } },
    { code: 'insufficient_funds', missing: { amount: '2.39', currency: 'USD' } },
  ]);
  expect(await life.balance()).toEqual({ available: left, held: 0n });
  expect((await operator('fund', debited)).status).toBe(200);
  await moveAndRunJobs('+1d');
  await soon(async () => (await payloads('mode-poor.com', 'domain.renewed')).length).toBe(1);
  await paysFor('mode-poor.com', 'charge create 10.26', 'charge renew 10.26');
  expect(await payloads('mode-poor.com', 'domain.auto_renewal_failed')).toHaveLength(2);
  await leave('mode-poor.com');
});

test('does not pay a price above the limit', async () => {
  await life.buy('mode-dear.com');
  expect((await choose('mode-dear.com', 'renew', { max_price: '12.38' })).status).toBe(200);
  await moveAndRunJobs('+351d');
  await soon(() => payloads('mode-dear.com', 'domain.auto_renewal_failed')).toMatchObject([{ code: 'price_guard' }]);
  expect((await choose('mode-dear.com', 'renew', { max_price: '12.39' })).status).toBe(200);
  await moveAndRunJobs('+1m');
  await soon(async () => (await payloads('mode-dear.com', 'domain.renewed')).length).toBe(1);
  await paysFor('mode-dear.com', 'charge create 10.26', 'charge renew 10.26');
  await leave('mode-dear.com');
});

test('deletes at the end of the term, and refunds the year that the registry added', async () => {
  await life.buy('mode-delete.com');
  expect((await choose('mode-delete.com', 'delete')).body.price).toBeNull();
  const money = await life.balance();
  await moveAndRunJobs('+364d');
  expect((await life.row('mode-delete.com')).state).toBe('live');
  await moveAndRunJobs('+2d');
  await soon(async () => (await life.row('mode-delete.com')).state).toBe('redemption');
  expect(await life.statement('mode-delete.com')).toEqual([
    'charge create 10.26',
    'charge autorenew 10.26',
    'refund autorenew 10.26',
  ]);
  expect(await life.balance()).toEqual(money);
});

test('pays the auto-renewed year when applied late, and deletes nothing', async () => {
  await life.buy('mode-late.com');
  expect((await choose('mode-late.com', 'renew')).status).toBe(200);
  await moveAndRunJobs('+407d');
  await soon(async () => (await payloads('mode-late.com', 'domain.renewed')).length).toBe(1);
  const row = await life.row('mode-late.com');
  expect(row.state).toBe('live');
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(await life.statement('mode-late.com')).toEqual(['charge create 10.26', 'charge autorenew 10.26']);
  await leave('mode-late.com');
});

test('pays both years when applied after two terms, and deletes nothing', async () => {
  await life.buy('mode-two-terms.com');
  expect((await choose('mode-two-terms.com', 'renew')).status).toBe(200);
  await moveAndRunJobs('+772d');
  await soon(async () => (await payloads('mode-two-terms.com', 'domain.renewed')).length).toBe(2);
  const row = await life.row('mode-two-terms.com');
  expect(row.state).toBe('live');
  expect(row.end_date).toEqual(row.registry_expires_at);
  await paysFor('mode-two-terms.com', 'charge create 10.26', 'charge autorenew 10.26', 'charge autorenew 10.26');
  await leave('mode-two-terms.com');
});

test('books permanent auto-renewals of a domain that was deleted before they were recorded', async () => {
  await life.buy('mode-unseen.com');
  t.moveClock('+1160d');
  await t.control('GET', '/clock');
  await leave('mode-unseen.com');
  const autos = Array.from({ length: 3 }, () => 'charge autorenew 10.26');
  await paysFor('mode-unseen.com', 'charge create 10.26', ...autos);
  await expectReconciled(t);
});

test('books an auto-renewal when the mode changes after the end of the term', async () => {
  await life.buy('mode-changed.com');
  t.moveClock('+366d');
  const changed = await t.call('PUT', '/v1/domains/mode-changed.com/theft_protection');
  expect(changed.status, changed.text).toBe(200);
  await processExpiryOnce(t.ctx);
  const { end_date, registry_expires_at, grace_ends_at } = await life.row('mode-changed.com');
  expect(year(registry_expires_at) - year(end_date)).toBe(1);
  expect(grace_ends_at).not.toBeNull();
  await paysFor('mode-changed.com', 'charge create 10.26', 'charge autorenew 10.26');
  await expectReconciled(t);
  await t.call('DELETE', '/v1/domains/mode-changed.com/theft_protection');
  await leave('mode-changed.com');
});

test('renews and charges one year when a user and two processes act at the same moment', async () => {
  const names = Array.from({ length: 8 }, (_, at) => `mode-race-${at}.com`);
  for (const name of names) {
    await life.buy(name);
    expect((await choose(name, 'renew')).status).toBe(200);
  }
  const other = await t.second();
  try {
    t.moveClock('+352d');
    await t.control('GET', '/clock');
    const money = await life.balance();
    const [called] = await Promise.all([
      Promise.all(names.map((name) => life.renew(name))),
      processExpiryOnce(t.ctx),
      processExpiryOnce(other.ctx),
    ]);
    for (const { status, text } of called) expect([200, 202, 400, 409], text).toContain(status);
    await processExpiryOnce(t.ctx);
    for (const name of names) await soon(async () => (await payloads(name, 'domain.renewed')).length).toBe(1);
    for (const name of names) await paysFor(name, 'charge create 10.26', 'charge renew 10.26');
    expect(money.available - (await life.balance()).available).toBe(BigInt(names.length) * 1239n);
    await leave(...names);
  } finally {
    await other.stop();
  }
});

test('charges the year once when the clock is set back', async () => {
  await life.buy('mode-mark.com');
  expect((await choose('mode-mark.com', 'renew')).status).toBe(200);
  const { id, end_date } = await life.row('mode-mark.com');
  await moveAndRunJobs('+352d');
  await soon(async () => (await payloads('mode-mark.com', 'domain.renewed')).length).toBe(1);
  const { end_date: paidUntil } = await life.row('mode-mark.com');
  expect(paidUntil > end_date).toBe(true);
  const back = (to: Date) =>
    t.ctx.db.autocommit(allTenants).run(sql`
    update domain set end_date = ${to}, renewal_try_at = null where id = ${id}`);
  await back(end_date);
  const money = await life.balance();
  await moveAndRunJobs('+1m');
  await soon(() => payloads('mode-mark.com', 'domain.auto_renewal_failed')).toMatchObject([{ code: 'conflict' }]);
  expect(await life.balance()).toEqual(money);
  await back(paidUntil);
  await leave('mode-mark.com');
});

test('renews again in the term after a delete in the grace period and a restore', async () => {
  await life.buy('mode-again.com');
  expect((await choose('mode-again.com', 'renew')).status).toBe(200);
  const { end_date } = await life.row('mode-again.com');
  await moveAndRunJobs('+352d');
  const renewals = () => soon(async () => (await payloads('mode-again.com', 'domain.renewed')).length);
  await renewals().toBe(1);
  const gone = await t.call('DELETE', '/v1/domains/mode-again.com');
  expect(gone.body, gone.text).toMatchObject({ refunded: [{ amount: '12.39' }] });
  const back = await t.call('POST', '/v1/domains/mode-again.com/restore', { form: { invoice_option: 'no_invoice' } });
  expect(back.status, back.text).toBe(200);
  await moveAndRunJobs('+25h');
  await renewals().toBe(2);
  expect(year((await life.row('mode-again.com')).end_date)).toBe(year(end_date) + 1);
  expect(await payloads('mode-again.com', 'domain.auto_renewal_failed')).toEqual([]);
  await leave('mode-again.com');
});

test('uses the mode of account and customer for new domains, and refuses delete that needs approval', async () => {
  const set = (path: string, mode: string) => t.call('PUT', path, { form: { renewal_mode: mode } });
  const modeOf = async (name: string) => (await t.call('GET', `/v1/domains/${name}`)).body.renewal_mode;
  expect((await set('/v1/account/renewal_mode', 'renew')).body).toEqual({ renewal_mode: 'renew' });
  await life.buy('mode-account.com');
  expect(await modeOf('mode-account.com')).toBe('renew');
  expect((await set('/v1/customers/2001/renewal_mode', 'manual')).body).toEqual({ renewal_mode: 'manual' });
  await life.buy('mode-customer.com');
  expect(await modeOf('mode-customer.com')).toBe('manual');
  expect((await set('/v1/customers/2001/renewal_mode', 'default')).body).toEqual({ renewal_mode: 'default' });
  expect((await t.call('GET', '/v1/customers/2001/renewal_mode')).body).toEqual({ renewal_mode: 'default' });
  expect((await set('/v1/account/renewal_mode', 'manual')).status).toBe(200);
  expect(await modeOf('mode-account.com')).toBe('renew');
  await t.ctx.db.autocommit(allTenants).run(sql`update reseller set second_yes = '{delete}' where id = 1000`);
  expect((await choose('mode-account.com', 'delete')).status).toBe(409);
  expect((await set('/v1/account/renewal_mode', 'delete')).status).toBe(409);
  await t.ctx.db.autocommit(allTenants).run(sql`update reseller set second_yes = '{}' where id = 1000`);
});

test.each([
  ['/v1/customers/2001/renewal_mode', 'customers:write'],
  ['/v1/account/renewal_mode', 'account:write'],
])('requires domains:write as well for PUT %s, because later domains are renewed by it', async (path, scope) => {
  const before = (await t.call('GET', path)).body;
  const json = { renewal_mode: 'renew' };
  const staff = { session: await openSession(t, '1000', { role: 'staff', scopes: [scope] }) };
  for (const by of [{ as: await keyFor(t, '1000', [scope]) }, staff]) {
    const { status, body } = await t.call('PUT', path, { json, ...by });
    expect([status, body.code, body.scope]).toEqual([403, 'scope_missing', 'domains:write']);
  }
  const other = await t.call('PUT', path, { json, as: await keyFor(t, '1000', ['domains:write']) });
  expect([other.status, other.body.code, other.body.scope]).toEqual([403, 'scope_missing', scope]);
  expect((await t.call('GET', path)).body).toEqual(before);
  const both = { as: await keyFor(t, '1000', [scope, 'domains:write']) };
  expect((await t.call('PUT', path, { json, ...both })).body).toEqual(json);
  expect((await t.call('PUT', path, { json: before })).status).toBe(200);
});
