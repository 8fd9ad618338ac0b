import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

const restore = (name: string, more: Record<string, string> = {}) =>
  t.call('POST', `/v1/domains/${name}/restore`, { form: { invoice_option: 'no_invoice', ...more } });

test('restores a deleted domain with request, report, price and state', async () => {
  await life.buy('back.com');
  t.moveClock('+6d');
  const before = await life.row('back.com');
  expect((await t.call('DELETE', '/v1/domains/back.com')).status).toBe(200);
  const money = await life.balance();
  const dry = await restore('back.com', { dry_run: '1' });
  expect(dry.body).toMatchObject({ dry_run: true, kind: 'restore', total: { amount: '48.09' } });
  expect(dry.body.lines).toHaveLength(1);
  const called = await restore('back.com');
  expect(called.status, called.text).toBe(200);
  expect(called.body.transaction_id).not.toBeNull();
  const row = await life.row('back.com');
  expect(row).toMatchObject({ state: 'live', redemption_ends_at: null });
  expect(row.end_date).toEqual(before.end_date);
  expect(money.available - (await life.balance()).available).toBe(4809n);
  expect((await t.control('GET', '/domains/back.com')).body).toMatchObject({ phase: 'active' });
  expect(await life.events('back.com')).toEqual([
    'domain.registered',
    'domain.redemption',
    'domain.deleted',
    'domain.restored',
  ]);
  const again = await restore('back.com');
  expect(again.status).toBe(409);
  expect(again.body.message).toContain('not deleted');
});

test('determines the results of lost answers to request and report by the grace status', async () => {
  await life.buy('back-lost.com');
  t.moveClock('+6d');
  expect((await t.call('DELETE', '/v1/domains/back-lost.com')).status).toBe(200);
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    commands: ['domain:update'],
    name: 'back-lost.com',
    limit: 2,
    how: 'close',
  });
  const called = await restore('back-lost.com');
  expect(called.status, called.text).toBe(200);
  expect(await life.row('back-lost.com')).toMatchObject({ state: 'live' });
  expect(await life.statement('back-lost.com')).toEqual(['charge create 10.26', 'charge restore 40.00']);
});

test('renews an expired domain with its restore, as a line of the price', async () => {
  await life.buy('back-renew.com');
  t.moveClock('+6d');
  expect((await t.call('DELETE', '/v1/domains/back-renew.com')).status).toBe(200);
  const registry = await life.row('back-renew.com');
  await t.control('POST', '/domains/back-renew.com/tamper', { expires_at: t.ctx.clock.now().toISOString() });
  // If the registry does not report its date, our date may be wrong: priced without a renewal it is refused, and no money moves.
  const money = await life.balance();
  // A query that is cut off is repeated three times.
  const dropQueries = {
    kind: 'drop-before',
    commands: ['domain:info'],
    name: 'back-renew.com',
    how: 'close',
    limit: 4,
  };
  await t.control('POST', '/faults', dropQueries);
  const stale = await restore('back-renew.com');
  expect(stale.status, stale.text).toBe(409);
  expect(await life.balance()).toEqual(money);
  const dry = await restore('back-renew.com', { dry_run: 'true' });
  expect(dry.body.lines.map((line: { line: string }) => line.line)).toEqual(['restore', 'renewal']);
  const called = await restore('back-renew.com', { max_price: '60.48' });
  expect(called.status, called.text).toBe(200);
  const row = await life.row('back-renew.com');
  expect(row.end_date.getUTCFullYear()).toBe(t.ctx.clock.now().getUTCFullYear() + 1);
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(row.id).toBe(registry.id);
  expect(money.available - (await life.balance()).available).toBe(4809n + 1239n);
});

test('refuses a restore after the redemption period', async () => {
  await life.buy('back-late.com');
  t.moveClock('+6d');
  await t.call('DELETE', '/v1/domains/back-late.com');
  t.moveClock('+31d');
  const called = await restore('back-late.com');
  expect([400, 409]).toContain(called.status);
  expect((await life.balance()).held).toBe(0n);
});
