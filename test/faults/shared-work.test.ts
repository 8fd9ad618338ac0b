import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { resume, suspend } from '../support/suspend.ts';
import { makeTraders, registration, type Trader } from './reseller-chain.ts';
import { expectConsistent, waitUntilSettled } from './settled.ts';
import { statementAgrees } from './statement.ts';

const orders = 60;
/** As many as there are connections: more would only wait. */
const atOnce = 12;

let one: TestService;
let two: TestService;
let traders: Trader[];
beforeAll(async () => {
  one = await startTestService({ sandbox: 'process', env: { NAMEHOLD_LEASE_MS: '4000' } });
  traders = await makeTraders(one, 3, 1);
});
afterAll(async () => {
  await expectReconciled(one);
  await two.stop();
  await one.stop();
});

const sessions = 8;
const sessionsByOwner = async () => {
  const rows = await one.ctx.db.as(allTenants).many<{ n: number }>(sql`
    select count(*)::int as n from registry_slot where registry_id = 'sandbox' and leased_until > now() group by owner`);
  return rows.map(({ n }) => n);
};

test('lends sessions of an account to a waiting process', async () => {
  // Slow, so that each order needs a session of its own.
  await one.control('POST', '/faults', { kind: 'delay', ms: 1_500, commands: ['domain:create'], limit: 2 * sessions });
  const order = (n: number) =>
    one.call('POST', '/v1/domains', {
      form: registration(traders[0]!, `greedy-${n}.com`),
      headers: { Prefer: 'respond-async' },
      as: traders[0]!.credentials,
    });
  const placed = Promise.all(Array.from({ length: 2 * sessions }, (_, n) => order(n)));
  await expect.poll(sessionsByOwner).toEqual([sessions]);
  for (const { status, text } of await placed) expect(status, text).toBeLessThan(300);
  two = await one.second({ NAMEHOLD_LEASE_MS: '4000' });
  const requestedLeases = async () => {
    const { body } = await two.call('GET', '/v1/domains/availability', { query: { domain: 'patient.com' } });
    return body[0].status as string;
  };
  await expect.poll(requestedLeases).toBe('available');
  expect(await sessionsByOwner()).toHaveLength(2);
  await waitUntilSettled(one.ctx.db);
  await statementAgrees(one);
});

test('executes each operation in one of two processes on one database', async () => {
  const place = async (n: number) => {
    const trader = traders[n % traders.length]!;
    const service = n % 2 === 0 ? one : two;
    const called = await service.call('POST', '/v1/domains', {
      form: registration(trader, `shared-${n}.com`),
      headers: { Prefer: 'respond-async' },
      as: trader.credentials,
    });
    expect([200, 202], called.text).toContain(called.status);
    const id = called.body.operation_id as string;
    // Both claim at the same time, repeatedly.
    await Promise.all([one, two, one, two].map((each) => each.ctx.engine.start(id)));
  };
  for (let first = 0; first < orders; first += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, n) => place(first + n)));
  await waitUntilSettled(one.ctx.db);
  const db = one.ctx.db.as(allTenants);
  const ended = await db.many(sql`
    select state, count(*)::int as n from operation where request->>'name' like 'shared-%' group by state`);
  expect(ended).toEqual([{ state: 'done', n: orders }]);
  // If the registry closes the connection during a command, it is queried, and may have never received the command.
  const came = sql`coalesce(found, '') not in ('unsent', 'never')`;
  const perStep = await db.many(sql`
    select operation_id, step, count(*)::int as sent, array_agg(state || ' ' || coalesce(found, '')) as ends
    from registry_command where ${came} group by operation_id, step having count(*) <> 1`);
  expect(perStep).toEqual([]);
  const { creates } = await db.one<{ creates: number }>(
    sql`select count(*)::int as creates from registry_command where object = 'domain' and verb = 'create' and ${came}`,
  );
  expect(creates).toBe(orders + 2 * sessions);
  await statementAgrees(one);
  await expectConsistent(one.ctx.db);
});

const left = 10;
const leave = async (service: TestService, n: number) => {
  const trader = traders[0]!;
  const called = await service.call('POST', '/v1/domains', {
    form: registration(trader, `left-${n}.com`),
    headers: { Prefer: 'respond-async' },
    as: trader.credentials,
  });
  expect(called.status, called.text).toBe(202);
};

test('completes operations in the other process that a stopping process leaves', async () => {
  const { pid } = one.service.sandbox!.state;
  suspend(pid);
  const third = await one.second({ NAMEHOLD_LEASE_MS: '4000' });
  try {
    // Concurrently: each waits up to its limit for the registry's price.
    await Promise.all(Array.from({ length: left }, (_, n) => leave(third, n)));
  } finally {
    resume(pid);
  }
  await third.stop();
  await waitUntilSettled(one.ctx.db);
  const { live } = await one.ctx.db
    .as(allTenants)
    .one<{ live: number }>(sql`select count(*)::int as live from domain where name like 'left-%' and state = 'live'`);
  expect(live).toBe(left);
  await statementAgrees(one);
  await expectConsistent(one.ctx.db);
});
