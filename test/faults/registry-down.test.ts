import { createServer, type Server, type Socket } from 'node:net';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { resume, suspend } from '../support/suspend.ts';
import { makeTraders, registration, type Trader } from './reseller-chain.ts';
import { connectSecond } from './second-registry.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { statementAgrees } from './statement.ts';

let t: TestService;
let trader: Trader;
beforeAll(async () => {
  t = await startTestService({
    sandbox: 'process',
    env: { NAMEHOLD_WAIT_MS: '400', NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: '1500', NAMEHOLD_LEASE_MS: '2000' },
  });
  trader = (await makeTraders(t, 1, 0))[0]!;
});
afterAll(async () => {
  // The registry's own list is not compared: here one account is used for two registries and has the domains of both.
  await expectReconciled(t, ['entries', 'operations', 'domains']);
  await t.stop();
});

const order = (name: string, headers: Record<string, string> = {}) =>
  t.call('POST', '/v1/domains', { form: registration(trader, name), headers, as: trader.credentials });
const many = (count: number, name: (n: number) => string, headers: Record<string, string> = {}) =>
  Promise.all(Array.from({ length: count }, (_, n) => order(name(n), headers)));
const statesOf = (pattern: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ state: string; n: number }>(
      sql`select state, count(*)::int as n from domain where name like ${pattern} group by state`,
    );
const balance = async () => (await t.call('GET', '/v1/account/funds', { as: trader.credentials })).body;

test('accepts orders with 202 while the registry does not respond, and executes all afterwards', async () => {
  const before = await balance();
  const { pid } = t.service.sandbox!.state;
  suspend(pid);
  try {
    const answers = await many(10, (n) => `silent-${n}.com`);
    expect(answers.map((each) => each.status)).toEqual(Array(10).fill(202));
    for (const { body, headers } of answers) {
      expect(body).toMatchObject({ status: 'Pending' });
      expect(headers.get('location')).toBe(`/v1/operations/${body.operation_id}`);
    }
    expect(await statesOf('silent-%')).toEqual([{ state: 'pending', n: 10 }]);
    expect((await balance()).balance).not.toEqual(before.balance);
    const again = await order('silent-0.com');
    expect(again.status).toBe(400);
  } finally {
    resume(pid);
  }
  await waitUntilSettled(t.ctx.db);
  expect(await statesOf('silent-%')).toEqual([{ state: 'live', n: 10 }]);
  await statementAgrees(t);
  await expectConsistent(t.ctx.db);
});

test('executes every order once after the registry was killed and restarted', async () => {
  const { pid } = t.service.sandbox!.state;
  // Executed and not answered: the registry is killed while it owes several answers.
  await t.control('POST', '/faults', { kind: 'delay', ms: 3_600_000, commands: ['domain:create'] });
  const placed = many(24, (n) => `killed-${n}.com`);
  await expect
    .poll(async () => (await t.control('GET', '/faults')).body.faults[0].struck as number)
    .toBeGreaterThanOrEqual(3);
  process.kill(pid, 'SIGKILL');
  for (const { status } of await placed) expect([200, 202]).toContain(status);
  await waitUntilSettled(t.ctx.db);
  expect(t.service.sandbox!.state.pid).not.toBe(pid);
  expect(await statesOf('killed-%')).toEqual([{ state: 'live', n: 24 }]);
  await statementAgrees(t);
  await expectConsistent(t.ctx.db);
});

test('returns 503 to strict callers and 202 to others while the registry is unreachable', async () => {
  await connectSecond(t, 'away', ['net'], 1);
  const before = await balance();
  const strict = await many(5, (n) => `strict-${n}.net`, { Prefer: 'handling=strict' });
  for (const each of strict) {
    expect(each.status, each.text).toBe(503);
    expect(each.body.code).toBe('registry_unavailable');
    expect(each.headers.get('retry-after')).toBeTruthy();
  }
  expect(await balance()).toEqual(before);
  expect(await statesOf('strict-%')).toEqual([{ state: 'removed', n: 5 }]);
  const held = await t.ctx.db.as(allTenants).many(sql`select id from ledger_transaction where status = 'pending'`);
  expect(held).toEqual([]);

  const patient = await many(5, (n) => `patient-${n}.net`);
  expect(patient.map((each) => each.status)).toEqual(Array(5).fill(202));
  expect(await statesOf('patient-%')).toEqual([{ state: 'pending', n: 5 }]);
  await connectSecond(t, 'away', ['net'], t.service.sandbox!.state.port);
  await waitUntilSettled(t.ctx.db);
  expect(await statesOf('patient-%')).toEqual([{ state: 'live', n: 5 }]);
  expect((await order('strict-0.net')).status).toBeLessThan(300);
  await waitUntilSettled(t.ctx.db);
  await statementAgrees(t);
});

test('serves other registries while one accepts connections and never answers', async () => {
  const held = new Set<Socket>();
  const hole: Server = createServer((socket) => {
    held.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => {
    hole.listen(0, '127.0.0.1', resolve);
  });
  const port = (hole.address() as { port: number }).port;
  await connectSecond(t, 'hole', ['org'], port);
  const stuck = many(20, (n) => `stuck-${n}.org`, { Prefer: 'wait=5' });
  const others = await many(20, (n) => `unharmed-${n}.com`, { Prefer: 'wait=60' });
  for (const { status, text } of others) expect(status, text).toBeLessThan(300);
  await expect.poll(() => statesOf('unharmed-%')).toEqual([{ state: 'live', n: 20 }]);
  // Each at its first attempt: none had to wait for a lease, a session or a job of the dead one.
  const attempts = await t.ctx.db.as(allTenants).many(sql`
    select distinct attempts from operation where request->>'name' like 'unharmed-%'`);
  expect(attempts).toEqual([{ attempts: 1 }]);
  for (const { status } of await stuck) expect(status).toBe(202);
  expect(await statesOf('stuck-%')).toEqual([{ state: 'pending', n: 20 }]);
  await connectSecond(t, 'hole', ['org'], t.service.sandbox!.state.port);
  for (const socket of held) socket.destroy();
  hole.close();
  await waitUntilSettled(t.ctx.db);
  expect(await statesOf('stuck-%')).toEqual([{ state: 'live', n: 20 }]);
  await statementAgrees(t);
  await expectConsistent(t.ctx.db);
});
