import { type Database, everyTenant, inSnapshot } from '@namehold/base';
import {
  type Counts,
  countRows,
  dividedBills,
  dividedChains,
  foreignAccountEntries,
  foreignCurrencyEntries,
  type LedgerDifference,
  missingLevels,
  nextAccounts,
  nextTransactions,
  unbalancedTransactions,
  wrongAccounts,
  wrongBills,
  wrongDirections,
  wrongLines,
  wrongPayments,
  wrongRefundStatuses,
  wrongStatuses,
} from './verify.sql.ts';

export interface Verification {
  readonly counts: Counts;
  readonly differences: readonly LedgerDifference[];
}

const rules = [
  unbalancedTransactions,
  foreignCurrencyEntries,
  foreignAccountEntries,
  wrongStatuses,
  wrongBills,
  wrongDirections,
  wrongRefundStatuses,
  dividedChains,
  dividedBills,
  missingLevels,
  wrongPayments,
];

export const verifyLimits = { accountsPerSlice: 200, transactionsPerSlice: 5_000 };

/** Slice after slice; what a purchase or a fund writes, it writes in one transaction, so no slice sees half of one. */
export async function* ledgerDifferences(db: Database): AsyncGenerator<LedgerDifference> {
  for (let after = '0'; ; ) {
    const upTo = await nextAccounts(db.as(everyTenant), after, verifyLimits.accountsPerSlice);
    if (upTo === undefined) break;
    yield* await wrongAccounts(db.as(everyTenant), { after, upTo });
    yield* await wrongLines(db.as(everyTenant), { after, upTo });
    after = upTo;
  }
  for (let after = '0'; ; ) {
    const upTo = await nextTransactions(db.as(everyTenant), after, verifyLimits.transactionsPerSlice);
    if (upTo === undefined) return;
    const slice = { after, upTo };
    // Held only for a slice.
    yield* await inSnapshot(db, async (tx) => {
      const found: LedgerDifference[] = [];
      for (const rule of rules) found.push(...(await rule(tx, slice)));
      return found;
    });
    after = upTo;
  }
}

/** Recomputes everything from the entries and compares. Writes nothing; an empty list of differences means all is well. */
export async function verifyLedger(db: Database): Promise<Verification> {
  const differences: LedgerDifference[] = [];
  for await (const difference of ledgerDifferences(db)) differences.push(difference);
  return { counts: await countRows(db.as(everyTenant)), differences };
}
