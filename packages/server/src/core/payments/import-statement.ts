import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { badField } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import type { CsvRow } from '../pricing/csv.ts';
import { requireProvider } from './account.ts';
import { findByReferences, findPayment, ofDeletedPayers } from './payment.sql.ts';
import { type ExpectedPayment, type Fate, fates, type Payment, paymentLimits } from './payment.ts';
import { fateOf, fateOfSeen, receive } from './receive.ts';
import { referencesIn } from './reference.ts';
import { isOutgoing, plainAmount } from './statement-amount.ts';
import { identify, type StatementRow } from './statement-cells.ts';
import { dayOrderOf } from './statement-date.ts';
import type { PlacedLine } from './statement-line.sql.ts';
import { recogniseLine } from './statement-line.ts';
import { type Places, readTable } from './statement-table.ts';

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

interface ReadLine {
  readonly line: number;
  readonly amount: string;
  readonly references: readonly string[];
  readonly row: StatementRow;
  /** What it is for, and how it is recognised; undefined: nothing of this seller. */
  readonly found?: { readonly expected: ExpectedPayment; readonly placed: PlacedLine; readonly eventId: string };
}

/**
 * The statement of a bank: each line is told its fate, and those with a reference of ours are received. Each by itself: an import that was cut off is
 * made again, and what was received stays received once. Two lines that are the same in every cell are two payments, by their order in the file; of lines
 * that were imported before, only those are new that are more than before.
 */
export async function importStatement(
  house: House,
  actor: Actor,
  order: { readonly provider: string; readonly csv: string; readonly isDryRun: boolean },
): Promise<StatementReport> {
  requireProvider(house, order.provider);
  if (order.csv.length > paymentLimits.csvLength) throw badField('csv', 'is too long', 'too_long');
  const { rows, places, names } = readTable(order.csv.replace(/^\uFEFF/, ''));
  if (rows.length > paymentLimits.csvLines)
    throw badField('csv', `at most ${paymentLimits.csvLines} lines`, 'too_many');
  const read = await findExpected(house, actor, await readRows(rows, places, names));
  const tell = order.isDryRun ? await foreteller(house, actor, order.provider, read) : undefined;
  const lines: StatementReport['lines'][number][] = [];
  for (const each of read) lines.push(await lineOf(house, actor, order.provider, each, tell));
  const counts = Object.fromEntries(fates.map((fate) => [fate, lines.filter((line) => line.fate === fate).length]));
  return { counts: counts as Record<Fate, number>, lines };
}

/** So many cells between two turns of the event loop. */
const cellsATurn = 4_000;
/** Read by themselves: not among the other cells of a line. */
const ownColumns = new Set<string>(['amount', 'currency', 'date', 'id']);

async function readRows(rows: readonly CsvRow[], places: Places, names: readonly string[]): Promise<ReadLine[]> {
  const at = (fields: readonly string[], column: keyof Places) => fields[places[column] ?? -1]?.trim() ?? '';
  const dayOrder = dayOrderOf(rows.map(({ fields }) => at(fields, 'date')));
  const turn = eachTurn(cellsATurn);
  const read: ReadLine[] = [];
  for (const { line, fields } of rows) {
    const others = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const cell = fields[index]?.trim() ?? '';
      const isNamed = name !== '' && !name.startsWith(' #');
      if (!ownColumns.has(name) && (isNamed || cell !== '')) others.set(isNamed ? name : `#${index + 1}`, cell);
    }
    const row: StatementRow = {
      amount: at(fields, 'amount'),
      currency: at(fields, 'currency').toUpperCase() || undefined,
      date: at(fields, 'date') || undefined,
      ownId: at(fields, 'id').slice(0, paymentLimits.eventIdLength) || undefined,
      others,
      dayOrder,
    };
    read.push({ line, amount: row.amount, references: referencesIn(at(fields, 'reference')), row });
    await turn(names.length);
  }
  return read;
}

/** Others are served between. */
function eachTurn(size: number): (done: number) => Promise<void> {
  let sum = 0;
  return async (done) => {
    sum += done;
    if (sum < size) return;
    sum = 0;
    await setImmediate();
  };
}

/** Which payment each line is for, and its position among equal lines of the file. */
async function findExpected(house: House, actor: Actor, lines: readonly ReadLine[]): Promise<ReadLine[]> {
  const db = house.db.as(actor.resellerId);
  const references = [...new Set(lines.flatMap((line) => line.references))];
  const known = new Map((await findByReferences(db, actor.resellerId, references)).map((e) => [e.reference, e]));
  const alike = new Map<string, number>();
  const turn = eachTurn(cellsATurn);
  const placed: ReadLine[] = [];
  for (const line of lines) {
    // Two references in one line: a person must say which.
    const expected = line.references.length === 1 ? known.get(line.references[0]!) : undefined;
    if (!expected || isOutgoing(line.amount)) {
      placed.push(line);
      continue;
    }
    const identity = identify(line.row, expected);
    const nth = (alike.get(identity.key) ?? 0) + 1;
    alike.set(identity.key, nth);
    const hash = createHash('sha256').update(`${nth}\u0000${identity.key}`).digest('hex');
    placed.push({
      ...line,
      found: { expected, placed: { ...identity, nth }, eventId: identity.ownId ?? `line_${hash}` },
    });
    await turn(line.row.others.size);
  }
  return placed;
}

type Foretell = (line: ReadLine) => Promise<{ fate: Fate; paymentId: string | null }>;

async function lineOf(house: House, actor: Actor, provider: string, line: ReadLine, foretell: Foretell | undefined) {
  const shown = { line: line.line, reference: line.references[0] ?? null };
  if (isOutgoing(line.amount)) return { ...shown, fate: 'outgoing' as const, paymentId: null };
  if (!line.found) return { ...shown, fate: 'unknown_reference' as const, paymentId: null };
  if (foretell) return { ...shown, ...(await foretell(line)) };
  const { expected, placed, eventId } = line.found;
  const { idempotency: _, ...without } = actor;
  const amount = plainAmount(line.amount, expected.currency);
  const wanted = { reference: expected.reference };
  const telling = { provider, eventId, wanted, amount, currency: placed.currency, line: placed };
  const { fate } = await receive(house, without, telling);
  return { ...shown, fate, paymentId: expected.id };
}

/** What an import would do, with all that the lines before would have done. */
async function foreteller(house: House, actor: Actor, provider: string, lines: readonly ReadLine[]): Promise<Foretell> {
  const db = house.db.as(actor.resellerId);
  const { resellerId } = actor;
  const known = new Map(lines.flatMap(({ found }) => (found ? [[found.expected.id, found.expected] as const] : [])));
  const ownerless = await ofDeletedPayers(db, [...known.keys()]);
  const told = new Map<string, Pick<Payment, 'expected_id' | 'amount' | 'entry_date'>>();
  const taken = new Set<string>();
  return async ({ found }) => {
    const { placed, eventId } = found!;
    const expected = known.get(found!.expected.id)!;
    const paymentId = expected.id;
    const amount = placed.amount ?? undefined;
    const seen =
      told.get(eventId) ??
      (await findPayment(db, resellerId, provider, eventId)) ??
      (await recogniseLine(db, { resellerId, provider }, expected, placed, taken));
    if (seen) {
      if ('id' in seen) taken.add(seen.id as string);
      return { fate: fateOfSeen(seen, expected, amount, placed.date), paymentId };
    }
    if (placed.currency !== expected.currency) return { fate: 'wrong_currency', paymentId };
    if (amount === undefined) return { fate: 'wrong_amount', paymentId };
    if (ownerless.has(expected.id)) return { fate: 'payer_deleted', paymentId };
    told.set(eventId, { expected_id: expected.id, amount, entry_date: placed.date });
    const fate = fateOf(expected, amount);
    const received = expected.received + amount;
    const state = expected.state === 'open' && received >= expected.amount ? 'paid' : expected.state;
    known.set(expected.id, { ...expected, received, state });
    return { fate, paymentId };
  };
}
