import type { Reader, Tx } from '@namehold/base';
import type { House } from '../house.ts';
import { type ExpectedPayment, type Payment, paymentLimits } from './payment.ts';
import { isSameEntry, type KnownEntry } from './statement-cells.ts';
import { readDate } from './statement-date.ts';
import {
  countUncredited,
  creditLine,
  type EntryPlace,
  type EntryRow,
  entriesOfOtherFormats,
  insertLine,
  type KeptLine,
  type PlacedLine,
  paymentOfLine,
  uncreditedLines,
} from './statement-line.sql.ts';

const legacyLine = /^line_[0-9a-f]{64}$/;

/** What is known of a credited entry; of one from an earlier release its id and its date alone. */
function knownEntry({ lines, event_id, entry_date }: EntryRow): KnownEntry {
  const ids = lines.flatMap(({ own_id }) => (own_id === null ? [] : [own_id]));
  return {
    dates: [...lines.map((line) => line.entry_date), entry_date === null ? null : readDate(entry_date, null).date],
    ownIds: legacyLine.test(event_id) ? ids : [...ids, event_id],
    cells: lines.map(({ cells }) => cells),
  };
}

/**
 * The payment that a line was credited as before: by its id, by all its cells and its position among equal lines of its file, or, where it was
 * imported in another format, by all columns that both have. Each line of a file finds another entry, so of n equal lines as many are new as there are
 * more than before.
 */
export async function recogniseLine(
  db: Reader,
  place: EntryPlace,
  expected: ExpectedPayment,
  line: PlacedLine,
  taken: ReadonlySet<string> = new Set(),
): Promise<Payment | undefined> {
  const seen = await paymentOfLine(db, place, line);
  if (seen || line.amount === null || line.currency !== expected.currency) return seen;
  const others = await entriesOfOtherFormats(db, place, expected.id, line, paymentLimits.comparedEntries);
  const same = others.filter((each) => !taken.has(each.id) && isSameEntry(line, knownEntry(each)));
  // The one of which most is known.
  const known = ({ lines, entry_date }: EntryRow) =>
    lines.reduce((sum, { cells }) => sum + Object.keys(cells).length, 0) + (entry_date === null ? 0 : 1);
  return same.sort((one, other) => known(other) - known(one) || one.id.localeCompare(other.id))[0];
}

/** In the transaction that credits the line, or finds that it was credited, or that it cannot be. */
export async function keepLine(
  house: House,
  tx: Tx,
  place: EntryPlace,
  expected: ExpectedPayment,
  line: PlacedLine,
  kept: KeptLine,
): Promise<void> {
  const limit = paymentLimits.uncreditedLines;
  if (kept.paymentId === null && (await countUncredited(tx, place.resellerId, limit)) >= limit) return;
  await insertLine(tx, place, expected.id, line, kept, house.clock.now());
  if (kept.paymentId === null) return;
  // The same line, imported before in a form in which it could not be credited.
  const open = await uncreditedLines(tx, expected.id, line, paymentLimits.comparedEntries);
  const same = open.find(({ own_id, entry_date, cells }) =>
    isSameEntry(
      { ...line, ownId: null },
      { dates: [entry_date], ownIds: own_id === null ? [] : [own_id], cells: [cells] },
    ),
  );
  if (same) await creditLine(tx, same.id, kept.paymentId);
}
