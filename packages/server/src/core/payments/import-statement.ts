import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Actor, AppContext } from '../app-context.ts';
import { badField } from '../errors.ts';
import type { CsvRow } from '../pricing/csv.ts';
import { requireProvider } from './account.ts';
import { factsOfLines, type LineFacts } from './line-facts.sql.ts';
import { findByReferences, findPayment, ofDeletedPayers } from './payment.sql.ts';
import { type Payment, type PaymentResult, paymentLimits, paymentResults } from './payment.ts';
import { plainText } from './plain-text.ts';
import { resultOf, resultOfSeen } from './receive.ts';
import { type ReceivableLine, receiveLines } from './receive-lines.ts';
import { referencesIn } from './reference.ts';
import { isOutgoing } from './statement-amount.ts';
import { identify, type StatementRow } from './statement-cells.ts';
import { dayOrderOf, isSerial } from './statement-date.ts';
import { recogniseLine } from './statement-line.ts';
import { type Places, readTable } from './statement-table.ts';

export interface StatementReport {
  readonly counts: Readonly<Record<PaymentResult, number>>;
  /** One entry per line of the file, without the header. */
  readonly lines: readonly {
    readonly line: number;
    readonly fate: PaymentResult;
    readonly reference: string | null;
    readonly paymentId: string | null;
  }[];
}

interface ReadLine {
  readonly line: number;
  readonly amount: string;
  readonly references: readonly string[];
  readonly row: StatementRow;
  /** The payment it is for, and how it is recognised; undefined: not for this seller. */
  readonly found?: Omit<ReceivableLine, 'amount'>;
}

/**
 * Imports a bank statement: reports the outcome of each line, and receives those with a known reference. An interrupted import can be
 * repeated; received lines stay received once. Two lines with equal cells are two payments, by their position in the file. Of lines that
 * were imported before, only the additional ones are new.
 */
export async function importStatement(
  ctx: AppContext,
  actor: Actor,
  order: { readonly provider: string; readonly csv: string; readonly isDryRun: boolean },
): Promise<StatementReport> {
  requireProvider(ctx, order.provider);
  if (order.csv.length > paymentLimits.csvLength) throw badField('csv', 'The file is too long.', 'too_long');
  const { rows, places, names } = readTable(order.csv.replace(/^\uFEFF/, ''));
  if (rows.length > paymentLimits.csvLines)
    throw badField('csv', `Must have at most ${paymentLimits.csvLines} lines.`, 'too_many');
  const read = await findExpected(ctx, actor, await readRows(rows, places, names));
  const receivable = read.flatMap(({ amount, found }) => (found ? [{ amount, ...found }] : []));
  const become = await (order.isDryRun ? previewPayments : receiveLines)(ctx, actor, order.provider, receivable);
  let next = 0;
  const lines = read.map(
    (each) =>
      ({
        line: each.line,
        reference: each.references[0] ?? null,
        fate: isOutgoing(each.amount) ? 'outgoing' : each.found ? become[next++]! : 'unknown_reference',
        paymentId: each.found?.expected.id ?? null,
      }) satisfies StatementReport['lines'][number],
  );
  const counts = Object.fromEntries(
    paymentResults.map((fate) => [fate, lines.filter((line) => line.fate === fate).length]),
  );
  return { counts: counts as Record<PaymentResult, number>, lines };
}

/** Lines per lookup statement. */
const factsAtOnce = 200;
/** Cells processed before other requests get the event loop. */
const cellsPerTurn = 1_000;
/** Handled separately, not with the other cells of a line. */
const ownColumns = new Set<string>(['amount', 'currency', 'date', 'id']);

async function readRows(rows: readonly CsvRow[], places: Places, names: readonly string[]): Promise<ReadLine[]> {
  const at = (fields: readonly string[], column: keyof Places) => plainText(fields[places[column] ?? -1] ?? '');
  const serial = rows.find(({ fields }) => isSerial(at(fields, 'date')));
  if (serial)
    throw badField(
      'csv',
      `Line ${serial.line}, column date: ${at(serial.fields, 'date')} is the serial number of a spreadsheet. Format the column as a date such as 2026-11-18, and export the file again.`,
      'serial_date',
    );
  const dayOrder = dayOrderOf(rows.map(({ fields }) => at(fields, 'date')));
  const yieldTurn = yieldEvery(cellsPerTurn);
  const read: ReadLine[] = [];
  for (const { line, fields } of rows) {
    const others = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const cell = plainText(fields[index] ?? '');
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
    await yieldTurn(names.length);
  }
  return read;
}

/** Lets the event loop serve other requests. */
function yieldEvery(size: number): (done: number) => Promise<void> {
  let sum = 0;
  return async (done) => {
    sum += done;
    if (sum < size) return;
    sum = 0;
    await setImmediate();
  };
}

/** Which payment each line is for, and its position among equal lines of the file. */
async function findExpected(ctx: AppContext, actor: Actor, lines: readonly ReadLine[]): Promise<ReadLine[]> {
  const db = ctx.db.as(actor.resellerId);
  const references = [...new Set(lines.flatMap((line) => line.references))];
  const known = new Map((await findByReferences(db, actor.resellerId, references)).map((e) => [e.reference, e]));
  const alike = new Map<string, number>();
  const yieldIfDue = yieldEvery(cellsPerTurn);
  const placed: ReadLine[] = [];
  for (const line of lines) {
    // Two references in one line: a user must choose.
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
      found: {
        expected,
        found: {
          expectedId: expected.id,
          placed: { ...identity, nth },
          eventId: identity.ownId ?? `line_${hash}`,
        },
      },
    });
    await yieldIfDue(line.row.others.size);
  }
  return placed;
}

/** The outcome an import would have, including the effects of the lines before. */
async function previewPayments(
  ctx: AppContext,
  actor: Actor,
  provider: string,
  lines: readonly ReceivableLine[],
): Promise<PaymentResult[]> {
  const db = ctx.db.as(actor.resellerId);
  const { resellerId } = actor;
  const payments = new Map(lines.map(({ expected }) => [expected.id, expected]));
  const ownerless = await ofDeletedPayers(db, [...payments.keys()]);
  const reported = new Map<string, Pick<Payment, 'expected_id' | 'amount' | 'entry_date'>>();
  const taken = new Set<string>();
  const resultOfLine = async ({ found }: ReceivableLine, facts: LineFacts): Promise<PaymentResult> => {
    const { placed, eventId } = found;
    const expected = payments.get(found.expectedId)!;
    const amount = placed.amount ?? undefined;
    if (facts.isCredited) return 'already_seen';
    const known =
      reported.get(eventId) ?? (facts.isIdKnown ? await findPayment(db, resellerId, provider, eventId) : undefined);
    const isStored = facts.isIdKnown || facts.hasOtherEntries;
    const seen = known
      ? { payment: known, isConfirmation: false }
      : isStored && (await recogniseLine(db, { resellerId, provider }, expected, placed, taken));
    if (seen) {
      if ('id' in seen.payment) taken.add(seen.payment.id as string);
      return resultOfSeen(seen, expected, amount, placed.date);
    }
    if (placed.currency !== expected.currency) return 'wrong_currency';
    if (amount === undefined) return 'wrong_amount';
    if (placed.isDateWrong) return 'wrong_date';
    if (ownerless.has(expected.id)) return 'payer_deleted';
    reported.set(eventId, { expected_id: expected.id, amount, entry_date: placed.date });
    const fate = resultOf(expected, amount);
    const received = expected.received + amount;
    const state = expected.state === 'open' && received >= expected.amount ? 'paid' : expected.state;
    payments.set(expected.id, { ...expected, received, state });
    return fate;
  };
  const endAt = performance.now() + paymentLimits.importMs;
  const results: PaymentResult[] = [];
  for (let at = 0; at < lines.length && (at === 0 || performance.now() <= endAt); at += factsAtOnce) {
    const few = lines.slice(at, at + factsAtOnce);
    const facts = await factsOfLines(
      db,
      { resellerId, provider },
      few.map(({ found }) => found),
    );
    for (const [index, line] of few.entries()) results.push(await resultOfLine(line, facts[index]!));
  }
  return lines.map((_, index) => results[index] ?? 'not_processed');
}
