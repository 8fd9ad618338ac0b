import { type Database, everyTenant, sql } from '@namehold/base';
import {
  type Counts,
  countRows,
  type Difference,
  dividedChains,
  foreignCurrencyEntries,
  passedLimits,
  unbalancedTransactions,
  wrongBalances,
  wrongRefundStatuses,
  wrongStatuses,
} from './verify.sql.ts';

export interface Verification {
  readonly counts: Counts;
  readonly differences: readonly Difference[];
}

const rules = [
  wrongBalances,
  passedLimits,
  unbalancedTransactions,
  foreignCurrencyEntries,
  wrongStatuses,
  wrongRefundStatuses,
  dividedChains,
];

/** Recomputes everything from the entries and compares. Writes nothing; an empty list of differences means all is well. */
export async function verifyLedger(db: Database): Promise<Verification> {
  return db.transaction(everyTenant, async (tx) => {
    // One snapshot for all rules: a purchase that commits in between must not look like a difference.
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    const differences: Difference[] = [];
    for (const rule of rules) differences.push(...(await rule(tx)));
    return { counts: await countRows(tx), differences };
  });
}
