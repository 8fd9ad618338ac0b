import { formatMoney, money } from '@namehold/base';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { positiveMoney } from '../ledger/fund.ts';
import { findExpected, findPayment, isImported, lockExpected, markCancelled } from './payment.sql.ts';
import type { ExpectedPayment } from './payment.ts';
import { plainText } from './plain-text.ts';
import { confirmedSince, type Receipt, receiveWithin } from './receive.ts';
import { settleOne } from './settle.ts';
import { paymentByOwnId } from './statement-line.sql.ts';

interface Confirmation {
  /** Default: the full outstanding amount. */
  readonly amount?: string | undefined;
  /** The bank's id of the entry: with it a second confirmation, or an import of the same entry, changes nothing. */
  readonly entryId?: string | undefined;
}

/** The seller confirms that the money is on its account. */
export async function confirmPayment(
  ctx: AppContext,
  actor: Actor,
  id: string,
  confirmation: Confirmation,
): Promise<Receipt> {
  const entryId = confirmation.entryId === undefined ? undefined : plainText(confirmation.entryId);
  if (entryId === '') throw badField('entryId', 'Must have a character that is shown.', 'required');
  ctx.failpoint('payment:before-confirm');
  const receipt = await writeAsService(ctx, actor, async (tx) => {
    const expected = await lockExpected(tx, actor.resellerId, { id });
    if (!expected) throw notFound('payment');
    const stated =
      confirmation.amount === undefined ? undefined : positiveMoney(confirmation.amount, expected.currency);
    const { provider, currency } = expected;
    // Identifies a repeated request if the entry has no id.
    const key = actor.idempotency && `key_${actor.idempotency.held.key}`;
    const eventId = entryId ?? key ?? ctx.ids.next('hand');
    const place = { resellerId: actor.resellerId, provider };
    const seen =
      (await findPayment(tx, actor.resellerId, provider, eventId)) ?? (await paymentByOwnId(tx, place, eventId));
    const isSeen = seen !== undefined;
    if (!isSeen && expected.state !== 'open' && (!entryId || !confirmation.amount)) throw closed(expected);
    const since = confirmedSince(ctx.clock.now());
    if (!isSeen && stated && !entryId && (await isImported(tx, { expectedId: id, amount: stated.amount, since })))
      throw new Refusal(
        'conflict',
        'A bank line of this amount was imported and credited for this payment. If this is another entry, send its entry_id.',
      );
    const missing = expected.amount - expected.received;
    if (!isSeen && missing <= 0n && confirmation.amount === undefined)
      throw badField('amount', 'Nothing is outstanding any more. Send the amount received.', 'required');
    const amount = confirmation.amount ?? formatMoney(money(seen?.amount ?? missing, currency));
    const made = await receiveWithin(ctx, tx, actor, {
      provider,
      eventId,
      wanted: { id },
      amount,
      currency,
      isManual: true,
    });
    if (made.fate === 'id_reused')
      throw badField(
        'entryId',
        'This entry was already recorded for another payment or amount. No money was moved.',
        'conflict',
      );
    if (made.fate === 'payer_deleted')
      throw new Refusal('conflict', 'The payer was deleted. Return the money and cancel the payment.');
    ctx.failpoint('payment:in-confirm');
    return made;
  });
  ctx.failpoint('payment:after-confirm');
  if (receipt.expected?.settlement !== 'due') return receipt;
  return { ...receipt, expected: await settleOne(ctx, receipt.expected) };
}

const closed = ({ state }: ExpectedPayment): Refusal =>
  new Refusal('conflict', `This payment is already ${state}. Record additional money as a deposit.`, {
    facts: { status: state },
  });

/** Cancels an expected payment. Money that still arrives goes to the payer's balance and is reported as late. */
export async function cancelPayment(ctx: AppContext, actor: Actor, id: string): Promise<ExpectedPayment> {
  return writeAsService(ctx, actor, async (tx) => {
    const seen = await findExpected(tx, actor.resellerId, id);
    // A sub-reseller can cancel what it announced. Only the payee can confirm that the money arrived.
    const expected = seen && (await lockExpected(tx, seen.reseller_id, { id }));
    if (!expected) throw notFound('payment');
    if (expected.state === 'cancelled') return expected;
    if (expected.state === 'paid') throw new Refusal('conflict', 'This payment is paid and cannot be cancelled.');
    const cancelled = await markCancelled(tx, id);
    await audit(ctx, tx, actor, {
      action: 'payment.cancel',
      objectType: 'payment',
      objectId: id,
      before: { state: expected.state },
      after: { state: cancelled.state },
    });
    return cancelled;
  });
}

export async function readPayment(ctx: AppContext, actor: Actor, id: string): Promise<ExpectedPayment> {
  const found = await findExpected(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!found) throw notFound('payment');
  return found;
}
