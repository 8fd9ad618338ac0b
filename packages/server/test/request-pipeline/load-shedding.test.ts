import { allTenants, openDatabase, sql, type Tx } from '@namehold/postgres';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { LoadGauge, type OverloadReason } from '../../src/http/load-gauge.ts';

const calm = { turn: 0, reading: 0, writing: 0, memory: 0 };
let shares: Record<OverloadReason, number> = calm;
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

for (const strain of ['turn', 'reading', 'memory'] as const) {
  test(`${strain}: refuses strangers and expensive requests first, then all, and recovers`, async () => {
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
    // Calls that complete pending work and health checks are never refused.
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

test('continues to read and refuses writes while too many writes wait', async () => {
  shares = { ...calm, writing: 2.4 };
  const read = [await profile(), await list(), await t.call('GET', '/v1/account/profile', { as: null })];
  expect(read.map(({ status }) => status)).toEqual([200, 200, 401]);
  const wrote = await t.call('POST', '/v1/account/keys', {
    json: { label: 'not now', ip_whitelist: ['127.0.0.1'] },
  });
  expect([wrote.status, wrote.body.code, wrote.headers.get('retry-after')]).toEqual([503, 'overloaded', '3']);
  expect((await settle()).status).toBe(404);
  shares = calm;
  const { body: keys } = await t.call('GET', '/v1/account/keys');
  expect(JSON.stringify(keys)).not.toContain('not now');
});

test('reads, and refuses other writes in time, while blocked accounts use all write connections', async () => {
  const held = await startTestService({ env: { NAMEHOLD_SHED_WAIT_MS: '100' } });
  const { db } = held.ctx;
  let isHeld = true;
  // Also after a failure: the transactions would continue to the end of the run.
  onTestFinished(() => {
    isHeld = false;
  });
  // One more than there are connections: the last waits for the others.
  const stuck = Array.from({ length: 8 }, (_, i) =>
    db.transaction(`${i + 1}`, async (tx) => {
      while (isHeld) await tx.one(sql`select pg_sleep(0.05)`);
    }),
  );
  const write = () =>
    held.call('POST', '/v1/account/keys', { json: { label: 'held', ip_whitelist: ['127.0.0.1'] }, as: held.operator });
  const shown = (): Promise<string> => held.service.parts.metrics.registry.metrics();
  await expect.poll(shown).toMatch(/namehold_load_share\{of="writing"\} [1-9]/);
  const { status, body } = await write();
  expect([status, body.code]).toEqual([503, 'overloaded']);
  for (const as of [held.operator, held.demo])
    expect((await held.call('GET', '/v1/account/profile', { as })).status).toBe(200);
  expect((await held.call('GET', '/v1/customers')).status).toBe(200);
  isHeld = false;
  await Promise.all(stuck);
  await expect.poll(async () => (await write()).status).toBe(200);
  await held.stop();
});

test('limits one account with waiting calls to half of the places, and serves others', async () => {
  const held = await startTestService({ env: { NAMEHOLD_REQUESTS_IN_FLIGHT: '10' } });
  let isHeld = true;
  // Also after a failure: the transactions would continue to the end of the run.
  onTestFinished(() => {
    isHeld = false;
  });
  // All connections that an account gets from the login that creates keys, and one more, which waits in the account's own queue.
  const keep = async (tx: Tx) => {
    while (isHeld) await tx.one(sql`select pg_sleep(0.05)`);
  };
  const stuck = Array.from({ length: 4 }, () => held.ctx.db.transaction(allTenants, keep, { of: '1000' }));
  const write = (as: string) =>
    held.call('POST', '/v1/account/keys', { json: { label: 'in line', ip_whitelist: ['127.0.0.1'] }, as });
  const answered: number[] = [];
  const waiting = Array.from({ length: 8 }, async () => void answered.push((await write(held.demo)).status));
  await expect.poll(() => answered).toEqual([503, 503, 503]);
  const read = (as: string) => held.call('GET', '/v1/account/profile', { as });
  const { status, body, headers } = await read(held.demo);
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
  expect([(await read(held.operator)).status, (await write(held.operator)).status]).toEqual([200, 200]);
  isHeld = false;
  await Promise.all(stuck);
  await Promise.all(waiting);
  expect(answered).toEqual([503, 503, 503, 200, 200, 200, 200, 200]);
  const { body: keys } = await held.call('GET', '/v1/account/keys');
  expect(JSON.stringify(keys).match(/"in line"/g)).toHaveLength(5);
  await held.stop();
});

test('leaves nothing behind after a refused request, which succeeds later with the same key', async () => {
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

test('detects a queue that never empties, but no short delay, and measures memory', async () => {
  let [writing, measured] = [500, 0];
  const gauge = new LoadGauge({ shedWaitMs: 100, shedMemoryMb: 1 }, () => {
    measured++;
    return { reading: 0, writing };
  });
  const after = async (more: number) => {
    const until = measured + more;
    await expect.poll(() => measured).toBeGreaterThanOrEqual(until);
  };
  expect(gauge.shares().writing).toBe(0);
  await after(10);
  expect(gauge.shares().writing).toBe(5);
  writing = 0;
  await after(1);
  writing = 500;
  await after(1);
  expect(gauge.shares().writing).toBe(0);
  expect(gauge.shares().reading).toBe(0);
  expect(gauge.shares().memory).toBeGreaterThan(1);
  gauge.stop();
  const off = new LoadGauge({ shedWaitMs: 0, shedMemoryMb: 0 }, () => ({ reading: 1_000_000, writing: 1_000_000 }));
  expect(off.shares()).toEqual(calm);
});

test('detects waiting for a database connection, until one is available', async () => {
  // With two or fewer connections, there are no separate ones for reads.
  const db = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  expect(db.longestWaitsMs()).toEqual({ reading: 0, writing: 0 });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const longTransaction = db.transaction('*', async () => {
    begin();
    await held;
  });
  await begun;
  const waiting = db.as('*').one<{ one: number }>(sql`select 1 as one`);
  await expect.poll(() => db.longestWaitsMs().reading).toBeGreaterThan(0);
  release();
  await longTransaction;
  expect((await waiting).one).toBe(1);
  expect(db.longestWaitsMs()).toEqual({ reading: 0, writing: 0 });
  await db.close();
});
