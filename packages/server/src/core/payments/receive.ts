import { everyTenant, type Money, type Tx } from '@namehold/base';
import type { Actor, House } from '../house.ts';
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
import { type ExpectedPayment, type Fate, type Payment, paymentLimits } from './payment.ts';
import { readAmount } from './read-amount.ts';
import { settleOne } from './settle.ts';
import type { LineIdentity } from './statement-cells.ts';
import { isSameDay, readDate } from './statement-date.ts';
import { type EntryPlace, paymentByOwnId } from './statement-line.sql.ts';
import { keepLine, type Recognised, recogniseLine, settleByConfirmation, settleCorrected } from './statement-line.ts';
import { factsOf, tell, tellUnmatched } from './tell.ts';

/** Money that came in, or was taken back, told by whomever. */
export interface Telling {
  readonly provider: string;
  /** By which it is known there: a second telling with it changes nothing. */
  readonly eventId: string;
  readonly wanted: { readonly id: string } | { readonly reference: string };
  readonly amount: string;
  readonly currency: string;
  /** Of a bank's statement: recognised by all its cells, where the entry has no id. */
  readonly line?: (LineIdentity & { readonly nth: number }) | undefined;
  /** What the caller has looked up in this transaction, for many at once. */
  readonly known?: KnownOfTelling;
  /** A person of the seller has seen it. */
  readonly isByHand?: boolean;
  /** Kept even where it belongs to nothing, so that it is told of once. */
  readonly keepUnmatched?: boolean;
}

export interface KnownOfTelling {
  /** Locked, as it stands now. */
  readonly expected: ExpectedPayment;
  /** Nothing that is stored can be this line. */
  readonly isUnseen: boolean;
  /** Lines of its payment were not credited by earlier imports, or by earlier transactions of this one. */
  readonly hasOpenLines: boolean;
  /** All lines of the file, by `placeKey`. */
  readonly linesOfFile: ReadonlySet<string>;
  /** Who pays is locked and not deleted. */
  readonly isPayerShared: boolean;
  /** Charge-backs wait for money of its payment. */
  readonly hasChargeBacks: boolean;
}

export interface Receipt {
  readonly fate: Fate;
  readonly expected: ExpectedPayment | null;
  readonly payment: Payment | null;
}

type SeenPayment = Pick<Recognised, 'isConfirmation'> & {
  readonly payment: Pick<Payment, 'expected_id' | 'amount' | 'entry_date'>;
};

const nothing = (fate: Fate, expected: ExpectedPayment | null = null): Receipt => ({ fate, expected, payment: null });

/** Onto the payer's balance, in one transaction, each once; then the bills that it was for. */
export async function receive(house: House, actor: Actor, telling: Telling): Promise<Receipt> {
  house.point('payment:before-receive');
  const receipt = await house.db.transaction(everyTenant, async (tx) => {
    const made = await receiveWithin(house, tx, actor, telling);
    house.point('payment:in-receive');
    return made;
  });
  house.point('payment:after-receive');
  if (receipt.expected?.settlement !== 'due') return receipt;
  const expected = await settleOne(house, receipt.expected);
  return { ...receipt, expected };
}

/** The same inside a transaction of the caller's, on the second login; the bills are left to `settleOne`. */
export async function receiveWithin(house: House, tx: Tx, actor: Actor, telling: Telling): Promise<Receipt> {
  const { resellerId } = actor;
  const { provider, eventId, known } = telling;
  const expected = known?.expected ?? (await lockExpected(tx, resellerId, telling.wanted));
  // Behind the lock: of two at once the second sees the first.
  const { line } = telling;
  const entry = { resellerId, provider, eventId };
  const amount = expected ? readAmount(telling.amount, expected.currency) : undefined;
  const found = known?.isUnseen ? undefined : await findSeen(house, tx, entry, expected, telling, amount);
  if (found) {
    const { payment } = found;
    const fate = fateOfSeen(found, expected, amount?.amount, line?.date ?? null);
    if (expected && line) {
      await keepLine(house, tx, entry, expected, line, { fate, paymentId: fate === 'id_reused' ? null : payment.id });
      // An entry that an earlier statement had shown corrects nothing: it may have been beside the uncredited line.
      if (fate === 'already_confirmed' && known?.hasOpenLines)
        await settleCorrected(tx, expected, line, known.linesOfFile, payment.id);
    }
    return { fate, expected: expected ?? null, payment };
  }
  if (!expected) return unmatched(house, tx, actor, telling, 'unknown_reference');
  const wrong = whatIsWrong(telling, expected, amount);
  if (wrong || !amount) {
    if (line) await keepLine(house, tx, entry, expected, line, { fate: wrong!, paymentId: null });
    return unmatched(house, tx, actor, telling, wrong!);
  }
  // Nobody could use it there, and nobody would look for it: whoever is paid gives it back.
  if (!known?.isPayerShared && !(await sharePayer(tx, expected))) {
    if (line) await keepLine(house, tx, entry, expected, line, { fate: 'payer_deleted', paymentId: null });
    return unmatched(house, tx, actor, telling, 'payer_deleted');
  }
  const transactionId = await deposit(house, tx, actor, expected, amount);
  const fate = fateOf(expected, amount.amount);
  const payment: Payment = {
    id: house.ids.next('rcp'),
    reseller_id: resellerId,
    provider,
    event_id: eventId,
    expected_id: expected.id,
    fate,
    reference: expected.reference,
    amount: amount.amount,
    currency: amount.currency,
    transaction_id: transactionId,
    received_at: house.clock.now(),
    entry_date: line?.date ?? null,
    from_line: line !== undefined,
    is_charge_back: false,
    accepted_at: null,
  };
  if (!(await insertPayment(tx, payment))) throw new Error(`payment ${eventId} was told twice at once`);
  if (line) {
    await keepLine(house, tx, entry, expected, line, { fate, paymentId: payment.id });
    if (known?.hasOpenLines) await settleCorrected(tx, expected, line, known.linesOfFile, payment.id);
  } else if (telling.isByHand) await settleByConfirmation(tx, expected, payment);
  const added = await addReceived(tx, expected.id, amount.amount);
  const isPaid = added.state === 'open' && added.received >= added.amount;
  const after = isPaid ? await markPaid(tx, expected.id, house.clock.now()) : added;
  const { facts, shown } = factsOf(after, payment);
  const sums = { received: shown(after.received), expected: shown(after.amount) };
  await tell(house, tx, actor, after, payment, { type: 'payment.received', payload: { ...facts, ...sums, fate } });
  if (known?.hasChargeBacks === false) return { fate, expected: after, payment };
  const chargedBack = await applyChargeBacks(house, tx, actor, after);
  return { fate, expected: chargedBack.after, payment };
}

function whatIsWrong({ currency, line }: Telling, expected: ExpectedPayment, amount: Money | undefined) {
  if (currency !== expected.currency) return 'wrong_currency';
  if (!amount) return 'wrong_amount';
  return line?.isDateWrong ? 'wrong_date' : undefined;
}

/** Confirmations by hand from here on may be of the money that is told now. */
export const confirmedSince = (now: Date): Date =>
  new Date(now.getTime() - paymentLimits.confirmedAheadDays * 86_400_000);

/** What this money was told as before, if it was. */
async function findSeen(
  house: House,
  tx: Tx,
  entry: EntryPlace & { readonly eventId: string },
  expected: ExpectedPayment | undefined,
  { line, keepUnmatched, currency }: Telling,
  amount: Money | undefined,
): Promise<Recognised | undefined> {
  const { resellerId, provider, eventId } = entry;
  const payment = await findPayment(tx, resellerId, provider, eventId);
  if (payment) return { payment, isConfirmation: false };
  if (line) return expected && recogniseLine(tx, entry, expected, line);
  const ofLine = await paymentByOwnId(tx, entry, eventId);
  if (ofLine) return { payment: ofLine, isConfirmation: false };
  if (!keepUnmatched || !expected || !amount || currency !== expected.currency) return undefined;
  const confirmed = { expectedId: expected.id, amount: amount.amount, since: confirmedSince(house.clock.now()) };
  const identified = await identifyConfirmation(tx, confirmed, entry);
  return identified && { payment: identified, isConfirmation: true };
}

/** The same id with other money, or of another day, is another entry, and nobody knows which of both the id is of: a person must look. */
export function fateOfSeen(
  { payment: seen, isConfirmation }: SeenPayment,
  expected: ExpectedPayment | undefined,
  amount: bigint | undefined,
  date: string | null,
): Fate {
  // Earlier releases kept dates as the bank wrote them.
  const seenDate = seen.entry_date === null ? null : readDate(seen.entry_date, null).date;
  const isSame = seen.expected_id === expected?.id && seen.amount === amount && isSameDay(seenDate, date);
  if (seen.expected_id !== null && !isSame) return 'id_reused';
  return isConfirmation ? 'already_confirmed' : 'already_seen';
}

export function fateOf(expected: ExpectedPayment, amount: bigint): 'matched' | 'underpaid' | 'overpaid' | 'late' {
  if (expected.state !== 'open') return 'late';
  const missing = expected.amount - expected.received;
  return amount === missing ? 'matched' : amount < missing ? 'underpaid' : 'overpaid';
}

async function deposit(house: House, tx: Tx, actor: Actor, e: ExpectedPayment, amount: Money): Promise<string> {
  const description = `Payment ${e.reference}: ${e.description}`.slice(0, ledgerLimits.descriptionLength);
  const kind = { posting: 'fund', receipts: 1n } as const;
  const { idempotency: _, ...without } = actor;
  const made =
    e.customer_id === null
      ? await changeChildWithin(house, tx, without, e.payer_id!, kind, { amount, description })
      : await changeWithin(house, tx, without, e.customer_id, kind, { amount, description });
  return made.id;
}

/** Nobody's that we know: nothing moves. Where the provider tells each only once, it is kept and the seller hears of it. */
export async function unmatched(
  house: House,
  tx: Tx,
  actor: Actor,
  telling: Telling,
  fate: Fate,
  { isChargeBack = false } = {},
): Promise<Receipt> {
  if (!telling.keepUnmatched) return nothing(fate);
  const reference = 'reference' in telling.wanted ? telling.wanted.reference : null;
  const payment: Payment = {
    id: house.ids.next('rcp'),
    reseller_id: actor.resellerId,
    provider: telling.provider,
    event_id: telling.eventId,
    expected_id: null,
    fate,
    reference,
    amount: null,
    currency: telling.currency,
    transaction_id: null,
    received_at: house.clock.now(),
    entry_date: telling.line?.date ?? null,
    from_line: false,
    is_charge_back: isChargeBack,
    accepted_at: null,
  };
  if (!(await insertPayment(tx, payment))) return nothing('already_seen');
  await tellUnmatched(house, tx, actor, payment);
  return { fate, expected: null, payment };
}
