import type { Database } from '@namehold/postgres';
import { bySlice, inSlice, type SliceResult, sliceLimits } from './slices.ts';
import {
  type AccountAddedUp,
  type AccountSoFar,
  addUp,
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
  wrongBills,
  wrongDirections,
  wrongPayments,
  wrongRefundStatuses,
  wrongStatuses,
} from './verify.sql.ts';

interface Verification {
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

/**
 * Accounts with a balance, all lines of each. An account with more lines than a slice is summed over several slices: lines are only
 * appended, in the order in which they are read (decision 0052), so earlier sums stay true. The balance is compared in the slice that
 * reaches the last line.
 */
export async function* compareAccounts(db: Database, from?: string): AsyncGenerator<SliceResult<LedgerDifference>> {
  let place: AccountsPlace = from === undefined ? { after: '0', open: [] } : (JSON.parse(from) as AccountsPlace);
  for (;;) {
    const result = await inSlice(db, async (tx) => {
      const open = place.open.length > 0 ? place.open : await nextAccounts(tx, place.after, sliceLimits.accounts);
      return open.length === 0 ? undefined : await addUp(tx, open, sliceLimits.linesOfAnAccount);
    });
    if (!result) return;
    const lastOpened = place.open.length > 0 ? place.after : result.at(-1)!.id;
    place = { after: lastOpened, open: result.filter((each) => !each.is_ended).map(carriedOn) };
    yield { found: result.flatMap(wrongAccount), place: JSON.stringify(place) };
  }
}

/** The last account that was started, and those with more lines. */
interface AccountsPlace {
  readonly after: string;
  readonly open: readonly AccountSoFar[];
}

const carriedOn = ({ id, at, entry, total, is_told, line }: AccountAddedUp): AccountSoFar => ({
  ...{ id, at, entry, total },
  is_told: is_told || line !== null,
});

/** Only the first wrong line is reported: all lines after it are wrong with it. */
function wrongAccount({ id, is_told, line, balance, limit }: AccountAddedUp): LedgerDifference[] {
  const result: readonly (readonly [string, string | null])[] = [
    ['balance equals the sum of its entries', balance],
    ['no balance passes its limit', limit],
    ['each line has the balance of the entries up to it', is_told ? null : line],
  ];
  return result.flatMap(([rule, detail]) => (detail === null ? [] : [{ rule, subject: `account ${id}`, detail }]));
}

/** A purchase or a fund is written in one transaction, so no slice sees half of one. */
export const compareTransactions = (db: Database, from = '0'): AsyncGenerator<SliceResult<LedgerDifference>> =>
  bySlice(db, from, nextTransactions, async (tx, slice) => {
    const found: LedgerDifference[] = [];
    for (const rule of rules) found.push(...(await rule(tx, slice)));
    return found;
  });

/** Recomputes everything from the entries and compares. Writes nothing; an empty list means no differences. */
export async function verifyLedger(db: Database): Promise<Verification> {
  const differences: LedgerDifference[] = [];
  for (const compare of [compareAccounts, compareTransactions])
    for await (const { found } of compare(db)) differences.push(...found);
  return { counts: await inSlice(db, countRows), differences };
}
