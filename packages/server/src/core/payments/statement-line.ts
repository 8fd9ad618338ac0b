import type { Reader, Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type ExpectedPayment, type Payment, paymentLimits } from './payment.ts';
import { haveSameDigits, isSameEntry, type KnownEntry } from './statement-cells.ts';
import { earliestDay, readDate } from './statement-date.ts';
import {
  countUncredited,
  type EntryPlace,
  type EntryRow,
  entriesOfOtherFormats,
  insertLine,
  type KeptLine,
  type PlacedLine,
  paymentOfLine,
  placeKey,
  settleLine,
  type UncreditedLine,
  uncreditedLines,
} from './statement-line.sql.ts';

const legacyLine = /^line_[0-9a-f]{64}$/;
/** Internal ids for manual confirmations that name no entry of the bank. */
const generatedId = /^(hand|key)_/;

/** Reported by a user or a notice, and not seen in an imported statement so far. */
const isConfirmation = ({ lines, entry_date, event_id }: EntryRow): boolean =>
  lines.length === 0 && entry_date === null && !legacyLine.test(event_id);

/** The money arrived when it was confirmed, or shortly after if the user relied on the payer's receipt. */
function canBeConfirmed(line: PlacedLine, { received_at }: Payment): boolean {
  const day = line.date === null ? undefined : earliestDay(line.date);
  const latest = received_at.getTime() + paymentLimits.confirmedAheadDays * dayMs;
  return day === undefined || Date.parse(day) <= latest;
}
const dayMs = 86_400_000;

/** Facts about a credited entry; of one from an earlier release only its id and its date. */
function knownEntry({ lines, event_id, entry_date }: EntryRow): KnownEntry {
  const ids = lines.flatMap(({ own_id }) => (own_id === null ? [] : [own_id]));
  return {
    dates: [...lines.map((line) => line.entry_date), entry_date === null ? null : readDate(entry_date, null).date],
    ownIds: legacyLine.test(event_id) || generatedId.test(event_id) ? ids : [...ids, event_id],
    cells: lines.map(({ cells }) => cells),
  };
}

export interface Recognised {
  readonly payment: Payment;
  /** It was confirmed manually or by a notice, and this is its first line. */
  readonly isConfirmation: boolean;
}

/**
 * Finds the payment that a line was credited as before: by its id; by all its cells and its position among equal lines; or, if it was
 * imported in another format, by all columns that both have. Each line matches another entry, so of n equal lines only the additional
 * ones are new. Manual confirmations match by amount; each accounts for one line.
 */
export async function recogniseLine(
  db: Reader,
  place: EntryPlace,
  expected: ExpectedPayment,
  line: PlacedLine,
  taken: ReadonlySet<string> = new Set(),
): Promise<Recognised | undefined> {
  const seen = await paymentOfLine(db, place, line);
  if (seen) return { payment: seen, isConfirmation: false };
  if (line.amount === null || line.currency !== expected.currency) return undefined;
  const others = await entriesOfOtherFormats(db, place, expected.id, line, paymentLimits.comparedEntries);
  const same = others.filter(
    (each) =>
      !taken.has(each.id) &&
      isSameEntry(line, knownEntry(each)) &&
      (!isConfirmation(each) || canBeConfirmed(line, each)),
  );
  // The one with the most known facts.
  const known = ({ lines, entry_date }: EntryRow) =>
    lines.reduce((sum, { cells }) => sum + Object.keys(cells).length, 0) + (entry_date === null ? 0 : 1);
  const [best] = same.sort((one, other) => known(other) - known(one) || one.id.localeCompare(other.id));
  return best && { payment: best, isConfirmation: isConfirmation(best) };
}

/** Runs in the transaction that credits the line, or finds that it was credited or cannot be. */
export async function keepLine(
  ctx: AppContext,
  tx: Tx,
  place: EntryPlace,
  expected: ExpectedPayment,
  line: PlacedLine,
  kept: KeptLine,
): Promise<void> {
  const limit = paymentLimits.uncreditedLines;
  if (kept.paymentId === null && (await countUncredited(tx, place.resellerId, limit)) >= limit) return;
  await insertLine(tx, place, expected.id, line, kept, ctx.clock.now());
}

/**
 * A line that is now credited or linked to a confirmation settles the uncredited line of an earlier import that it corrects. A line that
 * is still in the file was not corrected: it is another entry. Nor was one whose unreadable amount has other digits, or is zero.
 */
export async function settleCorrected(
  tx: Tx,
  expected: ExpectedPayment,
  line: PlacedLine,
  linesOfFile: ReadonlySet<string>,
  paymentId: string,
): Promise<void> {
  if (line.amount === null) return;
  const open = await uncreditedLines(tx, expected.id, line.amount, paymentLimits.comparedEntries);
  // The bank's id, or a date that does not exist, may be what was corrected.
  const datesOf = ({ fate, entry_date }: UncreditedLine) => (fate === 'wrong_date' ? [] : [entry_date]);
  const corrected = open.find(
    (each) =>
      !linesOfFile.has(placeKey(each)) &&
      (each.fate !== 'wrong_amount' || haveSameDigits(line.cells, each.cells)) &&
      isSameEntry({ ...line, ownId: null }, { dates: datesOf(each), ownIds: [], cells: [each.cells] }),
  );
  if (corrected) await settleLine(tx, corrected.id, paymentId);
}

/** A manual confirmation after an uncredited line settles that line: the oldest, and one per confirmation. */
export async function settleByConfirmation(tx: Tx, expected: ExpectedPayment, payment: Payment): Promise<void> {
  const [oldest] = await uncreditedLines(tx, expected.id, payment.amount!, 1);
  if (oldest) await settleLine(tx, oldest.id, payment.id);
}
