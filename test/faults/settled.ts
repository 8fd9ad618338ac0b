import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, everyTenant, sql } from '@namehold/base';
import { expect } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';

const settleLimitMs = 600_000;

/** Waits until no operation is open but those that wait for the registry by its own word. */
export async function allSettled(db: Database): Promise<void> {
  for (let waited = 0; waited < settleLimitMs; waited += 50) {
    const { n } = await db.as(everyTenant).one<{ n: string }>(sql`
      select count(*) as n from operation where state in ('intended', 'sent', 'unknown')`);
    if (n === '0') return;
    await sleep(50);
  }
  const open = await db
    .as(everyTenant)
    .many(sql`select id, kind, state, attempts, steps from operation where state in ('intended', 'sent', 'unknown')`);
  throw new Error(`not settled within ${settleLimitMs} ms: ${JSON.stringify(open)}`);
}

export interface Statement {
  readonly entries: readonly { amount: string; command?: string; domain?: string }[];
}

/** Money and names agree: books balance, no hold is left, every live name was paid for once and every captured order has its name. */
export async function moneyAndNamesAgree(db: Database): Promise<void> {
  const { differences } = await verifyLedger(db);
  expect(differences).toEqual([]);
  const held = await db.as(everyTenant).many(sql`
    select a.id, a.balance from ledger_account a
    where a.kind = 'held' and a.balance <> 0
      and not exists (select from operation o where o.state = 'waiting_registry' and o.reseller_id = a.reseller_id)`);
  expect(held).toEqual([]);
  const unpaid = await db.as(everyTenant).many(sql`
    select d.id, d.name from domain d
    where d.state <> 'removed' and d.state <> 'pending'
      and (select count(*) from operation o where o.domain_id = d.id and o.kind in ('register', 'transfer') and o.state = 'done') <> 1`);
  expect(unpaid).toEqual([]);
}
