import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

const year = (date: Date) => date.getUTCFullYear();

test('adds a year here and at the registry, at the list price', async () => {
  await life.buy('renew-one.com');
  const before = await life.row('renew-one.com');
  const money = await life.balance();
  const called = await life.renew('renew-one.com');
  expect(called.status, called.text).toBe(200);
  expect(called.body).toMatchObject({ domain_name: 'renew-one.com', status: 'Completed', order_id: before.id });
  expect(called.body.transaction_id).not.toBeNull();
  const after = await life.row('renew-one.com');
  expect(year(after.end_date)).toBe(year(before.end_date) + 1);
  expect(after.registry_expires_at).toEqual(after.end_date);
  expect(called.body.expiry_date.slice(0, 10)).toBe(after.end_date.toISOString().slice(0, 10));
  expect(after.last_renewed_at).not.toBeNull();
  expect(money.available - (await life.balance()).available).toBe(1239n);
  expect(await life.statement('renew-one.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
  expect(await life.events('renew-one.com')).toEqual(['domain.registered', 'domain.renewed']);
});

test('refuses a second renewal with the same current_date, and names the expected date', async () => {
  await life.buy('renew-guard.com');
  const { end_date, id } = await life.row('renew-guard.com');
  const expected = end_date.toISOString().slice(0, 10);
  const money = await life.balance();
  const missing = await t.call('POST', `/v1/domains/${id}/renew`, {
    form: { years: '1', invoice_option: 'no_invoice' },
  });
  expect(missing.status).toBe(400);
  const wrong = await life.renew('renew-guard.com', { current_date: '2026-01-01' });
  expect(wrong.status).toBe(400);
  expect(wrong.body.code).toBe('already_renewed');
  expect(wrong.body.message).toContain(expected);
  const exact = await life.renew('renew-guard.com', {
    current_date: end_date.toISOString().slice(0, 19).replace('T', ' '),
  });
  expect(exact.status, exact.text).toBe(200);
  const again = await life.renew('renew-guard.com', { current_date: expected });
  expect(again.status).toBe(400);
  expect(again.body.code).toBe('already_renewed');
  expect(money.available - (await life.balance()).available).toBe(1239n);
});

test('carries out one of ten concurrent renewals with one current_date', async () => {
  await life.buy('renew-race.com');
  const { end_date } = await life.row('renew-race.com');
  const form = { current_date: end_date.toISOString().slice(0, 10) };
  const calls = await Promise.all(Array.from({ length: 10 }, () => life.renew('renew-race.com', form)));
  expect(calls.filter((c) => c.status === 200)).toHaveLength(1);
  expect(calls.every((c) => [200, 400, 409].includes(c.status))).toBe(true);
  expect(await life.statement('renew-race.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
});

test('refuses a term that is too long before any money is held', async () => {
  await life.buy('renew-far.com', { years: '9' });
  const money = await life.balance();
  const far = await life.renew('renew-far.com', { years: '2' });
  expect(far.status).toBe(400);
  expect(far.body.errors[0].field).toBe('years');
  expect(await life.balance()).toEqual(money);
  expect((await life.renew('renew-far.com')).status).toBe(200);
});

test('releases the hold and returns the reason when the registry refuses', async () => {
  await life.buy('renew-no.com');
  await t.control('POST', '/domains/renew-no.com/tamper', { add_statuses: ['serverRenewProhibited'] });
  const money = await life.balance();
  const called = await life.renew('renew-no.com');
  expect(called.status).toBe(400);
  expect(called.body.code).toBe('domain_blocked');
  expect(called.body.message).toContain('serverRenewProhibited');
  expect(await life.balance()).toEqual(money);
  expect(await life.events('renew-no.com')).toContain('domain.renewal_refused');
});

test('returns the price for a dry_run of a renewal or registration, and changes nothing', async () => {
  await life.buy('renew-dry.com');
  const before = {
    money: await life.balance(),
    operations: await life.count('operation'),
    domains: await life.count('domain'),
  };
  const renewal = await life.renew('renew-dry.com', {
    dry_run: 'true',
    years: '2',
    purchase_privacy_protection: 'true',
  });
  expect(renewal.status, renewal.text).toBe(200);
  expect(renewal.body).toMatchObject({
    dry_run: true,
    kind: 'renew',
    years: 2,
    total: { amount: '30.78', currency: 'USD' },
  });
  expect(renewal.body.lines).toHaveLength(2);
  const registration = await t.call('POST', '/v1/domains', { form: orderOf('renew-dry-new.com', { dry_run: '1' }) });
  expect(registration.body).toMatchObject({
    dry_run: true,
    kind: 'register',
    total: { amount: '12.39', currency: 'USD' },
  });
  const guarded = await life.renew('renew-dry.com', { dry_run: 'true', max_price: '5.00' });
  expect(guarded.body.code).toBe('price_guard');
  expect({
    money: await life.balance(),
    operations: await life.count('operation'),
    domains: await life.count('domain'),
  }).toEqual(before);
});

test("extends privacy bought with a renewal to the end of the domain's term", async () => {
  await life.buy('renew-private.com');
  const money = await life.balance();
  expect((await life.renew('renew-private.com', { purchase_privacy_protection: '1' })).status).toBe(200);
  const row = await life.row('renew-private.com');
  expect(row.privacy_until).toEqual(row.end_date);
  expect(money.available - (await life.balance()).available).toBe(1239n + 300n);
});

test('requires a price guard for a premium renewal, echoes the fee and charges it', async () => {
  await life.buy('shoes.shop', { max_price: '200.00' });
  const bare = await life.renew('shoes.shop');
  expect(bare.status).toBe(400);
  expect(bare.body.code).toBe('price_guard_required');
  const low = await life.renew('shoes.shop', { max_price: '50.00' });
  expect(low.body.code).toBe('price_guard');
  const good = await life.renew('shoes.shop', { max_price: '120.00' });
  expect(good.status, good.text).toBe(200);
  expect(await life.statement('shoes.shop')).toEqual(['charge create 99.00', 'charge renew 99.00']);
});

test('determines the result of a lost answer, and renews and charges once', async () => {
  await life.buy('renew-lost.com');
  const fault = await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    commands: ['domain:renew'],
    name: 'renew-lost.com',
    limit: 1,
    how: 'close',
  });
  expect(fault.status, fault.text).toBeLessThan(300);
  const called = await life.renew('renew-lost.com');
  expect(called.status, called.text).toBe(200);
  expect(await life.statement('renew-lost.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
});

test('returns 404 for an unknown domain and for one of another customer', async () => {
  const unknown = await t.call('POST', '/v1/domains/999999/renew', {
    form: { years: '1', current_date: '2027-01-01', invoice_option: 'no_invoice' },
  });
  expect(unknown.status).toBe(404);
  const other = await life.renew('renew-one.com', { customer_id: '2999' });
  expect(other.status).toBe(404);
});

test('leaves no operation or money hold open', async () => {
  const { open } = await t.ctx.db
    .as(allTenants)
    .one<{ open: string }>(
      sql`select count(*) as open from operation where state not in ('done', 'refused', 'cancelled')`,
    );
  expect(open).toBe('0');
});
