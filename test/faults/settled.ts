import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Database, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import type { RealService } from '../support/process.ts';
import { cents } from './statement.ts';

const settleLimitMs = 600_000;

/** Waits until no operation is open except those in which the registry itself is pending. */
export async function waitUntilSettled(db: Database): Promise<void> {
  for (let waited = 0; waited < settleLimitMs; waited += 50) {
    const { n } = await db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from operation where state in ('intended', 'sent', 'unknown')`);
    if (n === '0') return;
    await sleep(50);
  }
  const open = await db
    .as(allTenants)
    .many(sql`select id, kind, state, attempts, steps from operation where state in ('intended', 'sent', 'unknown')`);
  throw new Error(`not settled within ${settleLimitMs} ms: ${JSON.stringify(open)}`);
}

export interface Statement {
  readonly entries: readonly { kind?: string; amount: string; command?: string; domain?: string }[];
}

/** Every account adds up, and our debt to the registry for this domain is what it charged. */
export async function expectOwedAsCharged(db: Database, service: RealService, domain: string): Promise<void> {
  expect((await verifyLedger(db)).differences).toEqual([]);
  const { entries } = (await service.control('GET', `/statement?client=namehold&domain=${domain}`)) as Statement;
  let taken = 0n;
  for (const { kind, amount } of entries) taken += (kind === 'refund' ? -1n : 1n) * cents(amount);
  const { owed } = await db.as(allTenants).one<{ owed: string }>(sql`
    select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id and a.kind = 'registry_payable'
    join ledger_transaction t on t.id = e.transaction_id join domain d on d.id = t.domain_id where d.name = ${domain}`);
  expect(BigInt(owed), `owed for ${domain}, against the registry's statement`).toBe(taken);
}

/** Money and domains agree: balances match, no hold is left, every live domain was paid once and every captured order has its domain. */
export async function expectConsistent(db: Database): Promise<void> {
  const { differences } = await verifyLedger(db);
  expect(differences).toEqual([]);
  const held = await db.as(allTenants).many(sql`
    select a.id, a.balance from ledger_account a
    where a.kind = 'held' and a.balance <> 0
      and not exists (select from operation o where o.state = 'waiting_registry' and o.reseller_id = a.reseller_id)`);
  expect(held).toEqual([]);
  const unpaid = await db.as(allTenants).many(sql`
    select d.id, d.name from domain d
    where d.state not in ('removed', 'pending', 'unpaid')
      and (select count(*) from operation o where (o.domain_id = d.id or o.domain_id = any (d.former_ids)) and o.kind in ('register', 'transfer') and o.state = 'done') <> 1`);
  expect(unpaid).toEqual([]);
}
