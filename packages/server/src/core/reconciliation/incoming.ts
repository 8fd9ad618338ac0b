import type { Database, Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import { type Difference, difference, type FoundRow, type Repair } from './difference.ts';
import {
  acceptChargeBack,
  acceptLine,
  acceptPayment,
  linesAgainstPayments,
  nextLines,
  uncreditedLines,
  uncreditedPayments,
  unmatchedChargeBacks,
} from './incoming.sql.ts';

const incomingLimits = {
  /**
   * Differences of one seller that are listed one by one, of the oldest and of the newest. The last of the oldest says how many lie
   * between.
   */
  namedPerEnd: 20,
};

export const incomingRepairs: Readonly<Record<string, Repair>> = {
  bank_line_differs: {
    action: 'manual',
    message:
      'the imported line and its credit differ: find out which was changed (database log, backup), then correct the balance with a fund or a debit note',
  },
  payment_without_line: {
    action: 'manual',
    message: 'the imported line of this credit was removed: find the cause (database log, backup)',
  },
  bank_line_uncredited: {
    action: 'accept',
    message:
      'money for a known payment was imported and not credited: confirm the payment by hand or import a corrected line, which settles it; if it was settled elsewhere or stays uncredited, accept it with the reason',
  },
  payment_uncredited: {
    action: 'accept',
    message:
      'the provider reported money that was not credited: look it up at the provider by its event; confirm the payment by hand with the amount that arrived, book a deposit, or return the money there; then accept, with the reason',
  },
  charge_back_unmatched: {
    action: 'accept',
    message:
      'find the payment that the provider took back: import or confirm it, and the charge-back follows; or debit the payer with a note, or bear the loss; then accept, with the reason',
  },
};

const ofDeletedPayer: Repair = {
  action: 'accept',
  message:
    'the payer is deleted, so the money cannot be credited or confirmed: pay it back, then accept with the reason',
};

const named = (rows: readonly FoundRow[]): Difference[] =>
  rows.map((row) => difference('entries', row, row.is_payer_deleted ? ofDeletedPayer : incomingRepairs[row.rule]!));

/** Lines of bank statements against credits. */
export const compareLines = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextLines, async (tx, slice) => named(await linesAgainstPayments(tx, slice)));

/** Bank lines, charge-backs and payments without a counterpart after the waiting time. These are few rows. */
export async function* compareUnmatched(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  toleranceSeconds: number,
): AsyncGenerator<SliceResult<Difference>> {
  const before = new Date(clock.now().getTime() - toleranceSeconds * 1_000);
  const rows = await inSlice(db, async (tx) => [
    ...(await uncreditedLines(tx, before, incomingLimits.namedPerEnd)),
    ...(await unmatchedChargeBacks(tx, before, incomingLimits.namedPerEnd)),
    ...(await uncreditedPayments(tx, before, incomingLimits.namedPerEnd)),
  ]);
  yield { found: named(rows), place: '' };
}

/** By rule: records the operator's decision about one of these differences. */
export const acceptIncoming: Readonly<Record<string, (tx: Tx, id: string, at: Date) => Promise<boolean>>> = {
  bank_line_uncredited: acceptLine,
  charge_back_unmatched: acceptChargeBack,
  payment_uncredited: acceptPayment,
};
