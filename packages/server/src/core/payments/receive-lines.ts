import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { batchEvents } from '../events/append.ts';
import { type FoundLine, factsOfLines, type LineFacts } from './line-facts.sql.ts';
import { lockAll } from './payment.sql.ts';
import { type ExpectedPayment, type PaymentResult, paymentLimits } from './payment.ts';
import { receiveWithin } from './receive.ts';
import { settleOne } from './settle.ts';
import { plainAmount } from './statement-amount.ts';
import { placeKey } from './statement-line.sql.ts';

/** A line of a file that names an expected payment. */
export interface ReceivableLine {
  readonly amount: string;
  readonly expected: ExpectedPayment;
  readonly found: FoundLine;
}

/**
 * Receives lines, several in each transaction, so that an interrupted import can be repeated: received lines stay received once. Results
 * are in the order of the lines. Lines that are not started within `paymentLimits.importMs` are `not_processed`.
 */
export async function receiveLines(
  ctx: AppContext,
  actor: Actor,
  provider: string,
  lines: readonly ReceivableLine[],
): Promise<PaymentResult[]> {
  const endAt = performance.now() + paymentLimits.importMs;
  const results = lines.map((): PaymentResult => 'not_processed');
  const linesOfFile = new Set(lines.map(({ found }) => placeKey(found.placed)));
  // Sorted by payer, so that two imports lock in the same order; lines of one payment stay in the order of the file.
  const place = ({ expected }: ReceivableLine) => `${payerOf(expected)} ${expected.id}`;
  const order = [...lines.keys()].sort(
    (one, other) => compare(place(lines[one]!), place(lines[other]!)) || one - other,
  );
  for (let at = 0; at < order.length; at += paymentLimits.linesPerTransaction) {
    if (at > 0 && performance.now() > endAt) break;
    const few = order.slice(at, at + paymentLimits.linesPerTransaction);
    const done = await receiveTogether(
      ctx,
      actor,
      provider,
      few.map((index) => lines[index]!),
      linesOfFile,
    );
    for (const [place, index] of few.entries()) results[index] = done.results[place]!;
    // The job `settle-payments` settles the rest.
    for (const expected of done.due) if (performance.now() <= endAt) await settleOne(ctx, expected);
  }
  return results;
}

const payerOf = ({ customer_id, payer_id }: ExpectedPayment) => `${customer_id ?? ''} ${payer_id ?? ''}`;
const creditedResults = new Set<PaymentResult>(['matched', 'underpaid', 'overpaid', 'late']);
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

interface Received {
  readonly results: readonly PaymentResult[];
  readonly due: readonly ExpectedPayment[];
}

async function receiveTogether(
  ctx: AppContext,
  { idempotency: _, ...actor }: Actor,
  provider: string,
  lines: readonly ReceivableLine[],
  linesOfFile: ReadonlySet<string>,
): Promise<Received> {
  ctx.failpoint('payment:before-receive');
  const received = await ctx.db.transaction(allTenants, async (tx) => {
    batchEvents(tx);
    const made = await receiveAll(ctx, tx, actor, provider, lines, linesOfFile);
    ctx.failpoint('payment:in-receive');
    return made;
  });
  ctx.failpoint('payment:after-receive');
  return received;
}

async function receiveAll(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  provider: string,
  lines: readonly ReceivableLine[],
  linesOfFile: ReadonlySet<string>,
): Promise<Received> {
  const { resellerId } = actor;
  const payments = await lockAll(tx, resellerId, [...new Set(lines.map(({ expected }) => expected.id))]);
  const facts = await factsOfLines(
    tx,
    { resellerId, provider },
    lines.map(({ found }) => found),
  );
  const earlier = new Earlier();
  const results: PaymentResult[] = [];
  for (const [index, { amount, found }] of lines.entries()) {
    const known = facts[index]!;
    const expected = payments.get(found.expectedId)!;
    if (known.isCredited) {
      results.push('already_seen');
      continue;
    }
    const { eventId, placed } = found;
    const made = await receiveWithin(ctx, tx, actor, {
      provider,
      eventId,
      wanted: { id: expected.id },
      amount: plainAmount(amount, expected.currency),
      currency: placed.currency,
      line: placed,
      known: {
        expected,
        isUnseen: earlier.leavesUnseen(found, known),
        hasOpenLines: known.hasOpenLines,
        linesOfFile,
        isPayerShared: earlier.isCredited(expected),
        hasChargeBacks: known.hasChargeBacks,
      },
    });
    earlier.add(found);
    if (made.expected) payments.set(expected.id, made.expected);
    if (creditedResults.has(made.fate)) earlier.credited(expected);
    results.push(made.fate);
  }
  return { results, due: [...payments.values()].filter(({ settlement }) => settlement === 'due') };
}

/** Lines of the same transaction, which the facts do not include. */
class Earlier {
  readonly #ids = new Set<string>();
  readonly #formats = new Map<string, Set<string>>();
  readonly #payers = new Set<string>();

  add({ expectedId, eventId, placed }: FoundLine): void {
    this.#ids.add(eventId);
    const formats = this.#formats.get(expectedId) ?? new Set();
    this.#formats.set(expectedId, formats.add(placed.columnsKey));
  }

  credited(expected: ExpectedPayment): void {
    this.#payers.add(payerOf(expected));
  }

  isCredited(expected: ExpectedPayment): boolean {
    return this.#payers.has(payerOf(expected));
  }

  /** This line matches nothing that is stored or was received earlier in this transaction. */
  leavesUnseen({ expectedId, eventId, placed }: FoundLine, facts: LineFacts): boolean {
    const formats = [...(this.#formats.get(expectedId) ?? [])];
    const isOneFormat = formats.every((each) => each === placed.columnsKey);
    return !facts.isIdKnown && !facts.hasOtherEntries && isOneFormat && !this.#ids.has(eventId);
  }
}
