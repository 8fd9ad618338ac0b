import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksAgree } from '../support/books.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { allSettled, moneyAndNamesAgree } from './settled.ts';
import { statementAgrees } from './statement.ts';
import { makeTraders, registration, type Trader } from './traders.ts';

const orders = 60;

let one: TestService;
let two: TestService;
let traders: Trader[];
beforeAll(async () => {
  one = await startTestService({ sandbox: true, env: { NAMEHOLD_LEASE_MS: '4000' } });
  two = await one.second({ NAMEHOLD_LEASE_MS: '4000' });
  traders = await makeTraders(one, 3, 1);
  // Each has a session of its own before the work begins: sessions of the account are shared, and the quicker one could take all.
  for (const each of [one, two]) await each.call('GET', '/v1/domains/availability', { query: { domain: 'first.com' } });
});
afterAll(async () => {
  await booksAgree(one);
  await two.stop();
  await one.stop();
});

test('two processes on one database share the work: no operation runs twice', async () => {
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
    // Both reach for it at the same time, again and again.
    await Promise.all([one, two, one, two].map((each) => each.house.engine.start(id)));
  };
  await Promise.all(Array.from({ length: orders }, (_, n) => place(n)));
  await allSettled(one.house.db);
  const db = one.house.db.as(everyTenant);
  const ended = await db.many(sql`select state, count(*)::int as n from operation group by state`);
  expect(ended).toEqual([{ state: 'done', n: orders }]);
  const perStep = await db.many(sql`
    select c.operation_id, c.step, count(*)::int as sent from registry_command c group by c.operation_id, c.step having count(*) <> 1`);
  expect(perStep).toEqual([]);
  const { creates } = await db.one<{ creates: number }>(
    sql`select count(*)::int as creates from registry_command where object = 'domain' and verb = 'create'`,
  );
  expect(creates).toBe(orders);
  await statementAgrees(one);
  await moneyAndNamesAgree(one.house.db);
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

test('what one process leaves unfinished when it stops, the other does', async () => {
  const { pid } = one.service.sandbox!.state;
  process.kill(pid, 'SIGSTOP');
  const third = await one.second({ NAMEHOLD_LEASE_MS: '4000' });
  try {
    // Side by side: each waits as long as it may for the registry's word on the price.
    await Promise.all(Array.from({ length: left }, (_, n) => leave(third, n)));
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await third.stop();
  await allSettled(one.house.db);
  const { live } = await one.house.db
    .as(everyTenant)
    .one<{ live: number }>(sql`select count(*)::int as live from domain where name like 'left-%' and state = 'live'`);
  expect(live).toBe(left);
  await statementAgrees(one);
  await moneyAndNamesAgree(one.house.db);
});
