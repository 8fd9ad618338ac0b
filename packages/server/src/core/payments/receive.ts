import type { Money } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { changeChildWithin } from '../ledger/fund.ts';
import { changeWithin } from '../ledger/fund-customer.ts';
import { ledgerLimits } from '../ledger/ledger.ts';
import { applyChargeBacks } from './charge-back.ts';
import {
  addReceived,
  findPayment,
  identifyConfirmation,
  insertPayment,
  lockExpected,
  markPaid,
  sharePayer,
} from './payment.sql.ts';
import { type ExpectedPayment, type Payment, type PaymentResult, paymentLimits } from './payment.ts';
import { readAmount } from './read-amount.ts';
import { factsOf, recordPayment, recordUnmatched } from './record-payment.ts';
import { settleOne } from './settle.ts';
import type { LineIdentity } from './statement-cells.ts';
import { isSameDay, readDate } from './statement-date.ts';
import { type EntryPlace, paymentByOwnId } from './statement-line.sql.ts';
import { keepLine, type Recognised, recogniseLine, settleByConfirmation, settleCorrected } from './statement-line.ts';

/** Received money or a charge-back, from any source. */
export interface PaymentReport {
  readonly provider: string;
  /** The provider's id of it: a second report with it changes nothing. */
  readonly eventId: string;
  readonly wanted: { readonly id: string } | { readonly reference: string };
  readonly amount: string;
  readonly currency: string;
  /** Of a bank statement: recognised by all its cells if the entry has no id. */
  readonly line?: (LineIdentity & { readonly nth: number }) | undefined;
  /** Facts that the caller has looked up in this transaction, for many lines at once. */
  readonly known?: KnownPayment;
  /** A user of the seller has confirmed it. */
  readonly isManual?: boolean;
  /** Stored even if it belongs to no payment, so that it is reported once. */
  readonly keepUnmatched?: boolean;
}

interface KnownPayment {
  /** Locked, in its present state. */
  readonly expected: ExpectedPayment;
  /** No stored row can be this line. */
  readonly isUnseen: boolean;
  /** Earlier imports, or earlier transactions of this one, left lines of its payment uncredited. */
  readonly hasOpenLines: boolean;
  /** All lines of the file, by `placeKey`. */
  readonly linesOfFile: ReadonlySet<string>;
  /** The payer is locked and not deleted. */
  readonly isPayerShared: boolean;
  /** Charge-backs wait for money of its payment. */
  readonly hasChargeBacks: boolean;
}

export interface Receipt {
  readonly fate: PaymentResult;
  readonly expected: ExpectedPayment | null;
  readonly payment: Payment | null;
}

type SeenPayment = Pick<Recognised, 'isConfirmation'> & {
  readonly payment: Pick<Payment, 'expected_id' | 'amount' | 'entry_date'>;
};

const nothing = (fate: PaymentResult, expected: ExpectedPayment | null = null): Receipt => ({
  fate,
  expected,
  payment: null,
});

/** Credits the payer's balance in one transaction, each event once; then pays the bills it was for. */
export async function receive(ctx: AppContext, actor: Actor, report: PaymentReport): Promise<Receipt> {
  ctx.failpoint('payment:before-receive');
  const receipt = await ctx.db.transaction(allTenants, async (tx) => {
    const made = await receiveWithin(ctx, tx, actor, report);
    ctx.failpoint('payment:in-receive');
    return made;
  });
  ctx.failpoint('payment:after-receive');
  if (receipt.expected?.settlement !== 'due') return receipt;
  const expected = await settleOne(ctx, receipt.expected);
  return { ...receipt, expected };
}

/** The same inside a transaction of the caller, on the second database login; the bills are left to `settleOne`. */
export async function receiveWithin(ctx: AppContext, tx: Tx, actor: Actor, report: PaymentReport): Promise<Receipt> {
  const { resellerId } = actor;
  const { provider, eventId, known } = report;
  const expected = known?.expected ?? (await lockExpected(tx, resellerId, report.wanted));
  // Checked after the lock: of two concurrent reports the second sees the first.
  const { line } = report;
  const entry = { resellerId, provider, eventId };
  const amount = expected ? readAmount(report.amount, expected.currency) : undefined;
  const found = known?.isUnseen ? undefined : await findSeen(ctx, tx, entry, expected, report, amount);
  if (found) {
    const { payment } = found;
    const fate = resultOfSeen(found, expected, amount?.amount, line?.date ?? null);
    if (expected && line) {
      await keepLine(ctx, tx, entry, expected, line, { fate, paymentId: fate === 'id_reused' ? null : payment.id });
      // An entry from an earlier statement does not correct the uncredited line: both may have been in that statement.
      if (fate === 'already_confirmed' && known?.hasOpenLines)
        await settleCorrected(tx, expected, line, known.linesOfFile, payment.id);
    }
    return { fate, expected: expected ?? null, payment };
  }
  if (!expected) return unmatched(ctx, tx, actor, report, 'unknown_reference');
  const wrong = findMismatch(report, expected, amount);
  if (wrong || !amount) {
    if (line) await keepLine(ctx, tx, entry, expected, line, { fate: wrong!, paymentId: null });
    return unmatched(ctx, tx, actor, report, wrong!);
  }
  // The payer is deleted and cannot use the money, so nothing is credited: the payee has to return it.
  if (!known?.isPayerShared && !(await sharePayer(tx, expected))) {
    if (line) await keepLine(ctx, tx, entry, expected, line, { fate: 'payer_deleted', paymentId: null });
    return unmatched(ctx, tx, actor, report, 'payer_deleted', { amount: amount.amount });
  }
  const transactionId = await deposit(ctx, tx, actor, expected, amount);
  const fate = resultOf(expected, amount.amount);
  const payment: Payment = {
    id: ctx.ids.next('rcp'),
    reseller_id: resellerId,
    provider,
    event_id: eventId,
    expected_id: expected.id,
    fate,
    reference: expected.reference,
    amount: amount.amount,
    currency: amount.currency,
    transaction_id: transactionId,
    received_at: ctx.clock.now(),
    entry_date: line?.date ?? null,
    from_line: line !== undefined,
    is_charge_back: false,
    accepted_at: null,
  };
  if (!(await insertPayment(tx, payment))) throw new Error(`payment ${eventId} was reported twice at the same time`);
  if (line) {
    await keepLine(ctx, tx, entry, expected, line, { fate, paymentId: payment.id });
    if (known?.hasOpenLines) await settleCorrected(tx, expected, line, known.linesOfFile, payment.id);
  } else if (report.isManual) await settleByConfirmation(tx, expected, payment);
  const added = await addReceived(tx, expected.id, amount.amount);
  const isPaid = added.state === 'open' && added.received >= added.amount;
  const after = isPaid ? await markPaid(tx, expected.id, ctx.clock.now()) : added;
  const { facts, shown } = factsOf(after, payment);
  const sums = { received: shown(after.received), expected: shown(after.amount) };
  await recordPayment(ctx, tx, actor, after, payment, {
    type: 'payment.received',
    payload: { ...facts, ...sums, fate },
  });
  if (known?.hasChargeBacks === false) return { fate, expected: after, payment };
  const chargedBack = await applyChargeBacks(ctx, tx, actor, after);
  return { fate, expected: chargedBack.after, payment };
}

function findMismatch({ currency, line }: PaymentReport, expected: ExpectedPayment, amount: Money | undefined) {
  if (currency !== expected.currency) return 'wrong_currency';
  if (!amount) return 'wrong_amount';
  return line?.isDateWrong ? 'wrong_date' : undefined;
}

/** Manual confirmations from this time on may be of the money that is reported now. */
export const confirmedSince = (now: Date): Date =>
  new Date(now.getTime() - paymentLimits.confirmedAheadDays * 86_400_000);

/** The earlier event of this money, if any. */
async function findSeen(
  ctx: AppContext,
  tx: Tx,
  entry: EntryPlace & { readonly eventId: string },
  expected: ExpectedPayment | undefined,
  { line, keepUnmatched, currency }: PaymentReport,
  amount: Money | undefined,
): Promise<Recognised | undefined> {
  const { resellerId, provider, eventId } = entry;
  const payment = await findPayment(tx, resellerId, provider, eventId);
  if (payment) return { payment, isConfirmation: false };
  if (line) return expected && recogniseLine(tx, entry, expected, line);
  const ofLine = await paymentByOwnId(tx, entry, eventId);
  if (ofLine) return { payment: ofLine, isConfirmation: false };
  if (!keepUnmatched || !expected || !amount || currency !== expected.currency) return undefined;
  const confirmed = { expectedId: expected.id, amount: amount.amount, since: confirmedSince(ctx.clock.now()) };
  const identified = await identifyConfirmation(tx, confirmed, entry);
  return identified && { payment: identified, isConfirmation: true };
}

/** The same id with another amount or day is another entry, and it is unknown which of them the id belongs to: a user must check. */
export function resultOfSeen(
  { payment: seen, isConfirmation }: SeenPayment,
  expected: ExpectedPayment | undefined,
  amount: bigint | undefined,
  date: string | null,
): PaymentResult {
  // Earlier releases stored dates as the bank wrote them.
  const seenDate = seen.entry_date === null ? null : readDate(seen.entry_date, null).date;
  const isSame = seen.expected_id === expected?.id && seen.amount === amount && isSameDay(seenDate, date);
  if (seen.expected_id !== null && !isSame) return 'id_reused';
  return isConfirmation ? 'already_confirmed' : 'already_seen';
}

export function resultOf(expected: ExpectedPayment, amount: bigint): 'matched' | 'underpaid' | 'overpaid' | 'late' {
  if (expected.state !== 'open') return 'late';
  const missing = expected.amount - expected.received;
  return amount === missing ? 'matched' : amount < missing ? 'underpaid' : 'overpaid';
}

async function deposit(ctx: AppContext, tx: Tx, actor: Actor, e: ExpectedPayment, amount: Money): Promise<string> {
  const description = `Payment ${e.reference}: ${e.description}`.slice(0, ledgerLimits.descriptionLength);
  const kind = { posting: 'fund', receipts: 1n } as const;
  const { idempotency: _, ...without } = actor;
  const made =
    e.customer_id === null
      ? await changeChildWithin(ctx, tx, without, e.payer_id!, kind, { amount, description })
      : await changeWithin(ctx, tx, without, e.customer_id, kind, { amount, description });
  return made.id;
}

/** The payer is unknown: nothing moves. If the provider reports each event only once, it is stored and the seller is notified. */
export async function unmatched(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  report: PaymentReport,
  fate: PaymentResult,
  { isChargeBack = false, amount }: { readonly isChargeBack?: boolean; readonly amount?: bigint } = {},
): Promise<Receipt> {
  if (!report.keepUnmatched) return nothing(fate);
  const reference = 'reference' in report.wanted ? report.wanted.reference : null;
  const payment: Payment = {
    id: ctx.ids.next('rcp'),
    reseller_id: actor.resellerId,
    provider: report.provider,
    event_id: report.eventId,
    expected_id: null,
    fate,
    reference,
    amount: amount ?? null,
    currency: report.currency,
    transaction_id: null,
    received_at: ctx.clock.now(),
    entry_date: report.line?.date ?? null,
    from_line: false,
    is_charge_back: isChargeBack,
    accepted_at: null,
  };
  if (!(await insertPayment(tx, payment))) return nothing('already_seen');
  await recordUnmatched(ctx, tx, actor, payment);
  return { fate, expected: null, payment };
}
