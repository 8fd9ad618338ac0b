import { createHash } from 'node:crypto';
import { paymentLimits } from './payment.ts';
import { plainText } from './plain-text.ts';
import { readAmount } from './read-amount.ts';
import { plainAmount } from './statement-amount.ts';
import { type DayOrder, isAmbiguous, isImpossible, isSameDay, readDate, readDay, readTime } from './statement-date.ts';

/** A line of a statement as in its file. */
export interface StatementRow {
  readonly amount: string;
  readonly currency: string | undefined;
  readonly date: string | undefined;
  readonly ownId: string | undefined;
  /** All other cells by column name, including the reference. */
  readonly others: ReadonlyMap<string, string>;
  readonly dayOrder: DayOrder;
}

/** How a line is recognised when it is exported again, perhaps in another format. */
export interface LineIdentity {
  /** Equal for lines whose normalised cells are all equal. */
  readonly key: string;
  /** Equal for lines that have the same columns. */
  readonly columnsKey: string;
  /** Hashes of cells by column name. */
  readonly cells: Readonly<Record<string, string>>;
  readonly ownId: string | null;
  readonly date: string | null;
  /** The date does not exist. */
  readonly isDateWrong: boolean;
  /** Null: cannot be read. */
  readonly amount: bigint | null;
  readonly currency: string;
}

/** The cell with the digits of the amount, which are the only known part of an amount that cannot be read. */
const amountDigits = 'amount digits';

/** An amount without its separators and the zeros at both ends; empty for zero. */
const significantDigits = (amount: string): string =>
  plainText(amount).replaceAll(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '');

/** Whether the amount of a line may be the one that another line has in a form that cannot be read. */
export const haveSameDigits = (one: LineIdentity['cells'], other: LineIdentity['cells']): boolean =>
  one[amountDigits] !== undefined && one[amountDigits] === other[amountDigits];

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const cellHashLength = 16;

/** Of a line that names an expected payment: a missing currency is that of the payment. */
export function identify(
  row: StatementRow,
  expected: { readonly id: string; readonly currency: string },
): LineIdentity {
  const currency = row.currency ?? expected.currency;
  const amount = readAmount(plainAmount(row.amount, expected.currency), expected.currency)?.amount ?? null;
  const dated = row.date === undefined ? undefined : readDate(row.date, row.dayOrder);
  const cells: Record<string, string> = {};
  for (const [name, value] of row.others)
    cells[name] = hashOf(plainCell(value, expected.currency)).slice(0, cellHashLength);
  if (dated?.time) cells['date time'] = hashOf(dated.time).slice(0, cellHashLength);
  const date = dated?.date.slice(0, paymentLimits.eventIdLength) ?? null;
  const names = Object.keys(cells).sort();
  // Not one of the names, because lines of earlier releases do not have it.
  const digits = significantDigits(row.amount);
  if (digits !== '') cells[amountDigits] = hashOf(digits).slice(0, cellHashLength);
  const columns = [
    ...names,
    ...(date === null ? [] : [isAmbiguous(date) ? 'date~' : 'date']),
    ...(row.ownId === undefined ? [] : ['id']),
  ];
  const columnsKey = hashOf(JSON.stringify(columns));
  const money = [expected.id, amount?.toString() ?? row.amount.replaceAll(/\s/g, ''), currency];
  const key = hashOf(
    JSON.stringify([...money, date, row.ownId ?? null, columnsKey, names.map((name) => cells[name]!)]),
  );
  const isDateWrong = row.date !== undefined && isImpossible(row.date, row.dayOrder);
  return { key, columnsKey, cells, ownId: row.ownId ?? null, date, isDateWrong, amount, currency };
}

/**
 * A cell without what another export of the same entry may write differently: blanks, thousands and decimal separators, date and time
 * formats, the case of a reference.
 */
function plainCell(text: string, currency: string): string {
  const bare = plainText(text);
  const time = readTime(bare);
  if (time) return time;
  const date = readDate(bare, null);
  const day = readDay(date.date, null);
  // In either order of day and month: with all other cells equal it is the same date.
  if (day) return `${inAnyOrder(day)}${date.time ? ` ${date.time}` : ''}`;
  const unsigned = bare.replace(/^[-−+]\s*/, '');
  if (/^\d[\d.,'’\s]*$/.test(unsigned)) return `${/^[-−]/.test(bare) ? '-' : ''}${plainNumber(unsigned, currency)}`;
  return bare.replaceAll(/\s/g, '').replace(lowerCaseReference, (letters) => letters.toUpperCase());
}

/** ISO 11649: a creditor reference is written in capitals; some exports have it in lower case. */
const lowerCaseReference = /rf(?=[^0-9a-z]*\d)/gi;

function inAnyOrder(day: string): string {
  const [year, ...rest] = isAmbiguous(day) ? [day.slice(6), day.slice(0, 2), day.slice(3, 5)] : day.split('-');
  return `${year}-${rest.sort().join('-')}`;
}

function plainNumber(text: string, currency: string): string {
  const plain = plainAmount(text, currency);
  if (plain === '' || !/^\d+(\.\d+)?$/.test(plain)) return text.replaceAll(/\D/g, '');
  return plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain;
}

/** An entry that was credited before, with all facts from its lines in other formats. */
export interface KnownEntry {
  readonly dates: readonly (string | null)[];
  readonly ownIds: readonly string[];
  readonly cells: readonly Readonly<Record<string, string>>[];
}

/** Whether a line is that entry, by all columns that both have; amount, currency and reference are already equal. */
export function isSameEntry(line: LineIdentity, entry: KnownEntry): boolean {
  if (!entry.dates.every((date) => isSameDay(line.date, date))) return false;
  const { ownId } = line;
  if (ownId !== null && entry.ownIds.some((known) => known !== ownId)) return false;
  return entry.cells.every((cells) =>
    Object.entries(line.cells).every(
      ([name, hash]) => name === amountDigits || cells[name] === undefined || cells[name] === hash,
    ),
  );
}
