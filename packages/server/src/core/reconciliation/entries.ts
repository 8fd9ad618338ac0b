import { allTenants, type Database } from '@namehold/postgres';
import type { SliceResult } from '../ledger/slices.ts';
import type { LedgerDifference } from '../ledger/verify.sql.ts';
import { type Difference, difference, type Repair } from './difference.ts';
import { type TransactionFacts, transactionFacts } from './entries.sql.ts';

/** Entries are append-only, for the service too: a program that may have caused the difference does not repair it. */
const manualOnly: Repair = {
  action: 'manual',
  message:
    'the ledger was changed outside of its functions: find the cause (database log, backup), then correct it as the owner of the database',
};

const rules: Readonly<Record<string, string>> = {
  'balance equals the sum of its entries': 'balance_sum',
  'each line has the balance of the entries up to it': 'line_balance',
  'no balance passes its limit': 'balance_limit',
  'each transaction sums to zero': 'transaction_sum',
  'an entry has the currency of its account': 'entry_currency',
  'an entry is on an account of its transaction': 'entry_account',
  'a status says what the entries say': 'status_entries',
  'a direction says what the entries say': 'direction_entries',
  'refunded means all of it': 'refund_status',
  'a bill says what the entries say': 'bill_entries',
  'a bill has the status of its purchase': 'divided_bill',
  'all levels of a purchase have one status': 'divided_purchase',
  'a payment is a deposit of who paid': 'payment_deposit',
  'no level of a purchase is missing': 'missing_level',
};

/** Compares the ledger with itself. */
export async function* compareEntries(
  db: Database,
  slices: AsyncGenerator<SliceResult<LedgerDifference>>,
): AsyncGenerator<SliceResult<Difference>> {
  for await (const { found, place } of slices) {
    const named: Difference[] = [];
    for (const each of found) named.push(await withFacts(db, each));
    yield { found: named, place };
  }
}

async function withFacts(db: Database, found: LedgerDifference): Promise<Difference> {
  const [noun, id] = found.subject.split(' ') as [string, string];
  const facts: Partial<TransactionFacts> =
    noun === 'transaction' ? ((await transactionFacts(db.as(allTenants), id)) ?? {}) : {};
  return difference('entries', { ...facts, ...found, rule: rules[found.rule] ?? found.rule }, manualOnly);
}
