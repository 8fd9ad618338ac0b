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
  const text = order.csv.replace(/^\uFEFF/, '');
  const parsed = parseCsv(text, separatorIn(text));
  if (!parsed) throw badField('csv', 'a quote is opened and never closed');
  const [header, ...rows] = parsed;
  const places = columnPlaces(header);
  if (rows.length > paymentLimits.csvLines)
    throw badField('csv', `at most ${paymentLimits.csvLines} lines`, 'too_many');
  const read = await readRows(rows, places);
  const tell = order.isDryRun ? await foreteller(house, actor, order.provider, read) : undefined;
  const lines: StatementReport['lines'][number][] = [];
  for (const each of read) lines.push(await lineOf(house, actor, order.provider, each, tell));
  const counts = Object.fromEntries(fates.map((fate) => [fate, lines.filter((line) => line.fate === fate).length]));
  return { counts: counts as Record<Fate, number>, lines };
}

/** Where the comma stands in amounts, banks part columns by a semicolon or a tab. */
function separatorIn(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/));
  return [';', '\t'].find((sign) => header.includes(sign)) ?? ',';
}

/** `1.234,50` and `1,234.50` as `1234.50`. With three figures behind the only sign nobody can tell which it is: left as it came. */
function plainAmount(text: string): string {
  if (/^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d{1,2}$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^[+-]?\d{1,3}(,\d{3})+\.\d{1,2}$/.test(text)) return text.replaceAll(',', '');
  return text;
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
      amount: plainAmount(value('amount')),
      currency: value('currency').toUpperCase() || undefined,
      references: referencesIn(value('reference')),
    });
    if (index % rowsATurn === rowsATurn - 1) await setImmediate();
  }
  return read;
}

type Foretell = (line: ReadLine) => { fate: Fate; paymentId: string | null };

async function lineOf(house: House, actor: Actor, provider: string, line: ReadLine, foretell: Foretell | undefined) {
  const shown = { line: line.line, reference: line.references[0] ?? null };
  if (/^-/.test(line.amount)) return { ...shown, fate: 'outgoing' as const, paymentId: null };
  // Two references in one line: a person must say which.
  if (line.references.length !== 1) return { ...shown, fate: 'unknown_reference' as const, paymentId: null };
  if (foretell) return { ...shown, ...foretell(line) };
  const wanted = { reference: line.references[0]! };
  const [expected] = await findByReferences(house.db.as(actor.resellerId), actor.resellerId, line.references);
  const currency = line.currency ?? expected?.currency ?? '';
  const { idempotency: _, ...without } = actor;
  const telling = { provider, eventId: line.eventId, wanted, amount: line.amount, currency };
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
    const amount = expected && readAmount(line.amount, expected.currency)?.amount;
    const before = seen.get(line.eventId);
    if (before) return { fate: fateOfSeen(before, expected, amount), paymentId };
    if (!expected) return { fate: 'unknown_reference', paymentId };
    if (line.currency !== undefined && line.currency !== expected.currency)
      return { fate: 'wrong_currency', paymentId };
    if (amount === undefined) return { fate: 'wrong_amount', paymentId };
    seen.set(line.eventId, { expected_id: expected.id, amount });
    const fate = fateOf(expected, amount);
    const received = expected.received + amount;
    const state = expected.state === 'open' && received >= expected.amount ? 'paid' : expected.state;
    known.set(expected.reference, { ...expected, received, state });
    return { fate, paymentId };
  };
}
