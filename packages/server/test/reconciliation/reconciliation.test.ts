import { Worker } from 'node:worker_threads';
import { allTenants, type Database, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { sliceLimits } from '../../src/core/ledger/slices.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { Unfinished, verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { lastRun, openRun } from '../../src/core/reconciliation/run.sql.ts';
import { createLogger } from '../../src/logger.ts';
import { openParts, type Parts } from '../../src/parts.ts';
import { injections } from './injections.ts';
import { ordinaryUse } from './ordinary.ts';
import { Spoiler } from './spoil.ts';

let t: TestService;
/** The same service without background jobs, which would continue to work while the test changes rows. */
let parts: Parts;
let here: Spoiler;
let there: Spoiler;
/** So that the lines of one account need several slices; where slices are tested, a few hundred rows per slice. */
const [large, few, small] = [
  { ...sliceLimits },
  { accounts: 10, linesOfAnAccount: 7 },
  { accounts: 3, linesOfAnAccount: 7, rows: 20 },
];
beforeAll(async () => {
  Object.assign(sliceLimits, few);
  t = await startTestService({ sandbox: true });
  await ordinaryUse(t);
  await t.service.stop();
  parts = await openParts(t.ctx.config, createLogger('silent'));
  const ours = [
    ...['ledger_account', 'ledger_transaction', 'ledger_entry', 'operation', 'registry_command', 'domain'],
    ...[
      'waiting_order',
      'invoice',
      'invoice_series',
      'invoice_charge',
      'invoice_months',
      'payment',
      'expected_payment',
      'statement_line',
    ],
  ];
  here = await Spoiler.open(t.databaseUrl, ours);
  there = await Spoiler.open(t.ctx.config.sandboxDatabaseUrl!, ['statement', 'domain']);
});
afterAll(async () => {
  Object.assign(sliceLimits, large);
  await here.close();
  await there.close();
  await parts.close();
  await t.stop();
});

test('finds no difference in the five sources after ordinary use', async () => {
  const report = await reconcile(parts.ctx);
  expect(report.differences).toEqual([]);
  expect(report).toMatchObject({
    found: 0,
    skipped: [],
    compared: ['entries', 'operations', 'domains', 'registry', 'invoices'],
  });
  expect(report.counts.domains).toBeGreaterThanOrEqual(8);
});

describe('finds exactly the manual change of the database', () => {
  test.each(injections)('$what', async ({ here: ours, there: theirs, found, name, says, advises }) => {
    if (ours) await here.change(...ours);
    if (theirs) await there.change(...theirs);
    try {
      const { differences } = await reconcile(parts.ctx);
      const rules = [...new Set(differences.map((each) => `${each.source}:${each.rule}`))];
      expect(rules.sort(), JSON.stringify(differences, null, 1)).toEqual([...found].sort());
      for (const each of differences) {
        if (name !== undefined) expect(each.name).toBe(name);
        if (says !== undefined) expect(each.detail).toMatch(says);
        expect(each.repair.message).toMatch(advises ?? /./);
      }
    } finally {
      if (ours) await here.putBack();
      if (theirs) await there.putBack();
    }
  });

  test('finds no difference after all changes are reverted', async () => {
    expect((await reconcile(parts.ctx)).differences).toEqual([]);
  });
});

describe('an interrupted reconciliation', () => {
  let owner: Database;
  beforeAll(() => {
    Object.assign(sliceLimits, small);
    owner = openDatabase({ url: t.databaseUrl, maxConnections: 2 });
  });
  afterAll(() => owner.close());
  const db = () => parts.ctx.db.as(allTenants);
  const alarms = async () =>
    (await openAlarms(parts.ctx)).map(({ key }) => key).filter((key) => key.startsWith('books:'));
  const runs = () =>
    db().many<{ id: string; is_finished: boolean; walk: string | null; tries: number }>(sql`
      select id, finished_at is not null as is_finished, place ->> 'walk' as walk, tries from books_run order by id desc limit 2`);
  const balanceOff = sql`update ledger_account set balance = balance + 1 where id = (select min(id) from ledger_account where balance is not null)`;
  const laterBalanceOff = sql`update ledger_account set balance = balance + 1 where id = (select max(id) from ledger_account where balance is not null)`;
  const yearOff = sql`update domain set end_date = end_date + interval '1 year' where name = 'plain.com' and state = 'live'`;

  /** The purchases need the domain table: a reader waits there. */
  async function endedAtDeletedPayers(): Promise<void> {
    await owner.transaction(allTenants, async (tx) => {
      await tx.run(sql`lock table domain in access exclusive mode`);
      const worker = new Worker(new URL('./comparing.ts', import.meta.url), {
        workerData: { config: parts.ctx.config, limits: small },
      });
      const walk = async () => {
        // A transaction that is idle for seconds is ended, and the worker may start slowly.
        await tx.run(sql`select 1`);
        return (await runs())[0]?.walk;
      };
      await expect.poll(walk).toBe('deleted_payers');
      await worker.terminate();
    });
  }

  test('does not count as finished, and continues with earlier and later differences', async () => {
    await here.change(balanceOff);
    await endedAtDeletedPayers();
    const [left] = await runs();
    expect(left).toMatchObject({ is_finished: false, tries: 1 });
    expect((await lastRun(db()))?.id).not.toBe(left!.id);
    // While its lease runs it counts as active, and no other process continues it.
    expect(await openRun(db())).toBeDefined();
    expect(await alarms()).toEqual([expect.stringContaining('books:entries:balance_sum')]);
    await owner
      .autocommit(allTenants)
      .run(sql`update books_run set leased_until = now() - interval '1 second' where id = ${left!.id}`);
    expect(await openRun(db())).toBeUndefined();
    try {
      // One before the position, and one after it.
      await here.change(laterBalanceOff, yearOff);
      const report = await verifyAndReport(parts.ctx, undefined, { goesOn: true });
      expect(report.differences.map(({ rule }) => rule).sort()).toEqual([
        'balance_sum',
        'expiry_differs',
        'years_unpaid',
      ]);
      expect(report.found).toBe(3);
      expect((await runs())[0]).toMatchObject({ id: left!.id, is_finished: true, tries: 2 });
      // From the beginning both are found.
      const anew = await verifyAndReport(parts.ctx, undefined, { goesOn: true });
      expect(anew.differences.filter(({ rule }) => rule === 'balance_sum')).toHaveLength(2);
      expect((await runs())[0]!.id).not.toBe(left!.id);
    } finally {
      await here.putBack();
    }
    await verifyAndReport(parts.ctx);
    expect(await alarms()).toEqual([]);
  });

  test('reports a lost database to its caller, and as an alarm until a run finishes', async () => {
    const comparing = owner.transaction(allTenants, async (tx) => {
      await tx.run(sql`lock table domain in access exclusive mode`);
      const running = verifyAndReport(parts.ctx);
      running.catch(() => undefined);
      const waits = sql`
        select pid from pg_locks
        where relation = 'domain'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`;
      // Not in this transaction, which would see the same moment again and again.
      const beside = owner.as(allTenants);
      await expect.poll(() => beside.many(waits)).toHaveLength(1);
      await beside.many(sql`select pg_terminate_backend(pid) from (${waits}) w`);
      return { running };
    });
    const { running } = await comparing;
    await expect(running).rejects.toThrow(Unfinished);
    await expect(running).rejects.toThrow(/stopped early, in deleted_payers with 0 differences so far/);
    expect(await alarms()).toEqual(['books:unfinished']);
    expect(await openRun(db()), 'no run is active').toBeUndefined();
    const { found } = await verifyAndReport(parts.ctx, undefined, { goesOn: true });
    expect(found).toBe(0);
    expect((await runs())[0]).toMatchObject({ is_finished: true, tries: 2 });
    expect(await alarms()).toEqual([]);
  });
});
