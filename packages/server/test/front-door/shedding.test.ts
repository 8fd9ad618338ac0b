import { openDatabase, sql } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { LoadGauge, type Strain, strains } from '../../src/http/load-gauge.ts';

const calm = { turn: 0, database: 0, memory: 0 };
let shares: Record<Strain, number> = calm;
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ load: { shares: () => shares } });
});
afterAll(() => t.stop());

const profile = () => t.call('GET', '/v1/account/profile');
const list = () => t.call('GET', '/v1/customers');
const settle = () =>
  t.call('POST', '/v1/operator/operations/1/settle', {
    json: { decision: 'ask_again', reason: 'a test' },
    as: t.operator,
  });

for (const strain of strains) {
  test(`${strain}: strangers and what costs more go first, then everybody, and then all come back`, async () => {
    const before = (await profile()).status;
    shares = { ...calm, [strain]: 0.6 };
    const refused = [await list(), await t.call('GET', '/v1/account/profile', { as: null })];
    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(['503 overloaded', '503 overloaded']);
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect((await profile()).status).toBe(before);

    shares = { ...calm, [strain]: 2.4 };
    const all = await profile();
    expect([all.status, all.body.code, all.headers.get('retry-after')]).toEqual([503, 'overloaded', '3']);
    shares = { ...calm, [strain]: 1_000 };
    expect((await profile()).headers.get('retry-after')).toBe('10');
    // What ends something, and what tells how it is going, is never turned away.
    expect((await settle()).status).toBe(404);
    expect((await t.call('GET', '/healthz')).status).toBe(200);
    expect((await t.call('GET', '/readyz')).status).toBe(200);
    const metrics = await t.service.parts.metrics.registry.metrics();
    expect(metrics).toContain(`namehold_load_share{of="${strain}"} 1000`);
    expect(metrics).toMatch(new RegExp(`namehold_http_shed_total\\{reason="${strain}"\\} [4-9]`));

    shares = calm;
    expect([(await profile()).status, (await list()).status]).toEqual([200, 200]);
  });
}

test('a request that was turned away left nothing behind: the same Idempotency-Key does it afterwards', async () => {
  const order = () =>
    t.call('POST', '/v1/account/keys', {
      json: { label: 'shed', ip_whitelist: ['127.0.0.1'] },
      headers: { 'Idempotency-Key': 'once-it-is-calm' },
    });
  shares = { ...calm, turn: 3 };
  expect((await order()).status).toBe(503);
  shares = calm;
  const made = await order();
  expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([200, null]);
});

test('a queue that never became empty is measured, one slow moment is not; memory is measured as it is', async () => {
  let [waited, asked] = [500, 0];
  const gauge = new LoadGauge({ shedWaitMs: 100, shedMemoryMb: 1 }, () => {
    asked++;
    return waited;
  });
  const after = async (more: number) => {
    for (const until = asked + more; asked < until; ) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  expect(gauge.shares().database).toBe(0);
  await after(10);
  expect(gauge.shares().database).toBe(5);
  waited = 0;
  await after(1);
  waited = 500;
  await after(1);
  expect(gauge.shares().database).toBe(0);
  expect(gauge.shares().memory).toBeGreaterThan(1);
  gauge.close();
  const off = new LoadGauge({ shedWaitMs: 0, shedMemoryMb: 0 }, () => 1_000_000);
  expect(off.shares()).toEqual(calm);
});

test('who waits for a database connection is seen, and no longer once it came', async () => {
  const db = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  expect(db.longestWaitMs()).toBe(0);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const holder = db.transaction('*', async () => {
    begin();
    await held;
  });
  await begun;
  const waiting = db.as('*').one<{ one: number }>(sql`select 1 as one`);
  while (db.longestWaitMs() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  release();
  await holder;
  expect((await waiting).one).toBe(1);
  expect(db.longestWaitMs()).toBe(0);
  await db.close();
});
