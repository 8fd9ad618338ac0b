import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderPurchase } from '../../src/core/domains/buy/order-purchase.ts';
import { purchases } from '../../src/core/domains/buy/purchases.ts';
import { actorOf } from '../ledger/context.ts';
import { orderOf } from './life.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(() => t.stop());

const statesOf = async (name: string) => {
  const states = sql`select state from operation where request->>'name' = ${name}`;
  return (await t.ctx.db.as(allTenants).many<{ state: string }>(states)).map(({ state }) => state);
};

test("counts the time that an order waits for the account's balance as waiting time of the caller", async () => {
  const [waitSeconds, delayMs] = [6, 5_000];
  await t.control('POST', '/faults', { kind: 'delay', commands: ['domain:create'], ms: delayMs });
  const blocker = new pg.Client({ connectionString: t.databaseUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query(`select from ledger_account where reseller_id = 1000 and kind = 'available' for update`);
  const ordered = t.call('POST', '/v1/domains', {
    form: orderOf('in-line.com'),
    headers: { Prefer: `wait=${waitSeconds}` },
  });
  // Pids that wait for this session, because the list of sessions is frozen inside a transaction.
  const waiting = `select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))`;
  await expect.poll(async () => (await blocker.query(waiting)).rowCount).toBeGreaterThan(0);
  // From here on the order has arrived, and its time runs.
  await sleep(waitSeconds * 1_000);
  await blocker.query('commit');
  await blocker.end();
  // The registry answers sooner than a caller would wait for a request that just arrived.
  const { status, body, text } = await ordered;
  expect([status, body.operation_state], text).toEqual([202, expect.stringMatching(/^(intended|sent)$/)]);
  await expect.poll(() => statesOf('in-line.com')).toEqual(['done']);
  await t.control('DELETE', '/faults');
  await expectReconciled(t);
});

test('refuses an order that was not accepted within ten seconds, and stores nothing of it', async () => {
  const order = (name: string, since: number) =>
    orderPurchase(t.ctx, { ...actorOf('1000'), since }, purchases.register, {
      domainName: name,
      years: 1,
      privacy: false,
      parties: {
        customerId: '2001',
        contacts: { registrant: '3001', admin: '3001', tech: '3002', billing: '3001' },
        nameservers: undefined,
        extra: {},
      },
      guard: {},
    });
  await expect(order('too-late.com', performance.now() - 10_001)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await statesOf('too-late.com')).toEqual([]);
  await t.ctx.engine.startAndWait('1000', await order('in-time.com', performance.now()), 60_000);
  expect(await statesOf('in-time.com')).toEqual(['done']);
  await expectReconciled(t);
});
