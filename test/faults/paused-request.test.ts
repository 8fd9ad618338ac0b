import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../support/service.ts';

let one: TestService;
let two: TestService;
let blocker: pg.Client;
let blockerPid: number;
beforeAll(async () => {
  one = await startTestService();
  two = await one.second();
  blocker = new pg.Client({ connectionString: one.databaseUrl });
  await blocker.connect();
  blockerPid = (await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const form = { amount: '100.00', description: 'the account is there' };
  await one.call('POST', '/v1/resellers/1000/transactions/fund', { form, as: one.operator });
});
afterAll(async () => {
  await blocker.end();
  await expectReconciled(one, ['entries', 'operations', 'domains']);
  await two.stop();
  await one.stop();
});

/** Sessions that wait for the blocker, directly or behind another one. Background jobs may wait for other locks. */
const waiting = async (): Promise<number> => {
  const { n } = await one.ctx.db.as(allTenants).one<{ n: number }>(sql`
    with recursive queue (pid) as (
      select ${blockerPid}::int
      union
      select a.pid from pg_stat_activity a join queue on queue.pid = any (pg_blocking_pids(a.pid))
      where a.datname = current_database())
    select count(*)::int - 1 as n from queue`);
  return n;
};
/** Fails if the request ends instead of waiting. */
async function heldUp(request: Promise<Called>, count: number): Promise<void> {
  let ended: Called | undefined;
  // The caller awaits the request too, and reports its error.
  request.then(
    (called) => {
      ended = called;
    },
    () => undefined,
  );
  for (let waited = 0; (await waiting()) < count; waited += 20) {
    if (waited > 300_000) throw new Error('the request does not wait for a lock');
    if (ended) throw new Error(`not held up: ${ended.status} ${ended.text}`);
    await sleep(20);
  }
}

/** Paused inside its transaction for longer than its key is leased, in one process, while the caller retries at another. */
test.each(['fund', 'debit_note'])(
  'books a %s once if the process is paused beyond the lease of the Idempotency-Key',
  async (verb) => {
    const key = `asleep-${verb}`;
    const send = (service: TestService) =>
      service.call('POST', `/v1/resellers/1000/transactions/${verb}`, {
        form: { amount: '7.00', description: key },
        headers: { 'Idempotency-Key': key },
        as: one.operator,
      });
    await blocker.query('begin');
    await blocker.query(`select 1 from ledger_account where reseller_id = 1000 and kind = 'available' for update`);
    const asleep = send(one);
    await heldUp(asleep, 1);
    await one.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update idempotency set leased_until = now() - interval '3 seconds' where key = ${key}`),
    );
    const again = send(two);
    await heldUp(again, 2);
    await blocker.query('commit');
    const answers = await Promise.all([asleep, again]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'idempotency_in_flight'],
      [200, undefined],
    ]);
    const { n } = await one.ctx.db
      .as(allTenants)
      .one<{ n: number }>(sql`select count(*)::int as n from ledger_transaction where description = ${key}`);
    expect(n).toBe(1);
    const replayed = await send(one);
    expect([replayed.status, replayed.body.transaction_id]).toEqual([200, answers[1].body.transaction_id]);
  },
);
