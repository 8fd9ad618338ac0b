import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { badField } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { type CsvRow, parseCsv } from '../pricing/csv.ts';
import { requireProvider } from './account.ts';
import { findByReferences, seenEvents } from './payment.sql.ts';
import { type Fate, fates, paymentLimits } from './payment.ts';
import { fateOf, fateOfSeen, readAmount, receive } from './receive.ts';
import { referencesIn } from './reference.ts';
import { isOutgoing, plainAmount } from './statement-amount.ts';

export interface StatementReport {
  readonly counts: Readonly<Record<Fate, number>>;
  /** One entry a line of the file, the header left out. */
  readonly lines: readonly {
    readonly line: number;
    readonly fate: Fate;
    readonly reference: string | null;
    readonly paymentId: string | null;
  }[];
}

const columns = ['amount', 'reference', 'currency', 'date', 'id'] as const;
type Places = Partial<Record<(typeof columns)[number], number>>;

interface ReadLine {
  readonly line: number;
  readonly eventId: string;
  readonly amount: string;
  readonly currency: string | undefined;
  readonly references: readonly string[];
  /** As the bank wrote it. */
  readonly date: string | undefined;
}

/**
 * The statement of a bank: each line is told its fate, and those with a reference of ours are received. Each by itself: an import that was cut off is
 * made again, and what was received stays received once. Two lines that are the same in every cell are two payments, by their order in the file.
 */
export async function importStatement(
  house: House,
  actor: Actor,
  order: { readonly provider: string; readonly csv: string; readonly isDryRun: boolean },
): Promise<StatementReport> {
  requireProvider(house, order.provider);
  if (order.csv.length > paymentLimits.csvLength) throw badField('csv', 'is too long', 'too_long');
  const { rows, places } = readTable(order.csv.replace(/^\uFEFF/, ''));
  if (rows.length > paymentLimits.csvLines)
    throw badField('csv', `at most ${paymentLimits.csvLines} lines`, 'too_many');
  const read = await readRows(rows, places);
  const tell = order.isDryRun ? await foreteller(house, actor, order.provider, read) : undefined;
  const lines: StatementReport['lines'][number][] = [];
  for (const each of read) lines.push(await lineOf(house, actor, order.provider, each, tell));
  const counts = Object.fromEntries(fates.map((fate) => [fate, lines.filter((line) => line.fate === fate).length]));
  return { counts: counts as Record<Fate, number>, lines };
}

/** What banks write above the columns: their name, the account, the period, and `sep=;` for spreadsheets. */
const preambleLines = 20;
const separators = [';', '\t', ','];

/** The first line that names the columns, and how they are parted: where the comma stands in amounts, by a semicolon or a tab. */
function headerIn(text: string): { readonly offset: number; readonly line: number; readonly separator: string } {
  let offset = 0;
  for (let line = 0; line < preambleLines && offset < text.length; line += 1) {
    const end = text.indexOf('\n', offset);
    const head = text.slice(offset, end === -1 ? text.length : end);
    const separator = separators.find((sign) => {
      const names = head.split(sign).map((name) => name.replaceAll('"', '').trim().toLowerCase());
      return names.includes('amount') && names.includes('reference');
    });
    if (separator !== undefined) return { offset, line, separator };
    if (end === -1) break;
    offset = end + 1;
  }
  return { offset: 0, line: 0, separator: ',' };
}

function readTable(text: string): { readonly rows: readonly CsvRow[]; readonly places: Places } {
  const { offset, line: above, separator } = headerIn(text);
  const parsed = parseCsv(text.slice(offset), separator);
  if (!parsed) throw badField('csv', 'a quote is opened and never closed');
  const [header, ...rows] = parsed;
  const places = columnPlaces(header);
  const wide = rows.find(({ fields }) => fields.slice(header!.fields.length).some((cell) => cell.trim() !== ''));
  if (wide)
    throw badField(
      'csv',
      `line ${wide.line + above} has more cells than there are columns: what has the sign that parts them in it stands in quotes`,
    );
  return { rows: rows.map(({ line, fields }) => ({ line: line + above, fields })), places };
}

function columnPlaces(header: CsvRow | undefined): Places {
  const names = header?.fields.map((name) => name.trim().toLowerCase()) ?? [];
  const places: Places = {};
  for (const column of columns) {
    const place = names.indexOf(column);
    if (place !== names.lastIndexOf(column)) throw badField('csv', `column ${column} is there twice`);
    if (place !== -1) places[column] = place;
  }
  const missing = (['amount', 'reference'] as const).filter((column) => places[column] === undefined);
  if (missing.length > 0)
    throw badField(
      'csv',
      `the first line must name the columns; there are ${columns.join(', ')}; missing: ${missing.join(', ')}`,
    );
  return places;
}

/** So many rows in one turn: others are served between them. */
const rowsATurn = 200;

async function readRows(rows: readonly CsvRow[], places: Places): Promise<ReadLine[]> {
  const alike = new Map<string, number>();
  const read: ReadLine[] = [];
  for (const [index, { line, fields }] of rows.entries()) {
    const value = (column: keyof Places) => fields[places[column] ?? -1]?.trim() ?? '';
    const cells = columns.map(value).join('\u0000');
    const nth = (alike.get(cells) ?? 0) + 1;
    alike.set(cells, nth);
    const own = value('id').slice(0, paymentLimits.eventIdLength);
    read.push({
      line,
      eventId: own || `line_${createHash('sha256').update(`${nth}\u0000${cells}`).digest('hex')}`,
      amount: value('amount'),
      currency: value('currency').toUpperCase() || undefined,
      references: referencesIn(value('reference')),
      date: value('date').slice(0, paymentLimits.eventIdLength) || undefined,
    });
    if (index % rowsATurn === rowsATurn - 1) await setImmediate();
  }
  return read;
}

type Foretell = (line: ReadLine) => { fate: Fate; paymentId: string | null };

async function lineOf(house: House, actor: Actor, provider: string, line: ReadLine, foretell: Foretell | undefined) {
  const shown = { line: line.line, reference: line.references[0] ?? null };
  if (isOutgoing(line.amount)) return { ...shown, fate: 'outgoing' as const, paymentId: null };
  // Two references in one line: a person must say which.
  if (line.references.length !== 1) return { ...shown, fate: 'unknown_reference' as const, paymentId: null };
  if (foretell) return { ...shown, ...foretell(line) };
  const wanted = { reference: line.references[0]! };
  const [expected] = await findByReferences(house.db.as(actor.resellerId), actor.resellerId, line.references);
  const currency = line.currency ?? expected?.currency ?? '';
  const { idempotency: _, ...without } = actor;
  const amount = expected ? plainAmount(line.amount, expected.currency) : line.amount;
  const telling = { provider, eventId: line.eventId, wanted, amount, currency, date: line.date };
  const { fate } = await receive(house, without, telling);
  return { ...shown, fate, paymentId: expected?.id ?? null };
}

/** What an import would do, with all that the lines before would have done. */
async function foreteller(house: House, actor: Actor, provider: string, lines: readonly ReadLine[]): Promise<Foretell> {
  const db = house.db.as(actor.resellerId);
  const references = [...new Set(lines.flatMap((line) => line.references))];
  const known = new Map((await findByReferences(db, actor.resellerId, references)).map((e) => [e.reference, e]));
  const seen = await seenEvents(
    db,
    actor.resellerId,
    provider,
    lines.map((line) => line.eventId),
  );
  return (line) => {
    const expected = known.get(line.references[0]!);
    const paymentId = expected?.id ?? null;
    const amount = expected && readAmount(plainAmount(line.amount, expected.currency), expected.currency)?.amount;
    const before = seen.get(line.eventId);
    if (before) return { fate: fateOfSeen(before, expected, amount, line.date), paymentId };
    if (!expected) return { fate: 'unknown_reference', paymentId };
    if (line.currency !== undefined && line.currency !== expected.currency)
      return { fate: 'wrong_currency', paymentId };
    if (amount === undefined) return { fate: 'wrong_amount', paymentId };
    seen.set(line.eventId, { expected_id: expected.id, amount, entry_date: line.date ?? null });
    const fate = fateOf(expected, amount);
    const received = expected.received + amount;
    const state = expected.state === 'open' && received >= expected.amount ? 'paid' : expected.state;
    known.set(expected.reference, { ...expected, received, state });
    return { fate, paymentId };
  };
}
