import { money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { Refusal } from '../errors.ts';
import { changeChildWithin } from '../ledger/fund.ts';
import type { Invoice } from '../model/invoice.ts';
import { chargedDocument, chargeNoteOf } from './child-document.ts';
import { addCredited, lockCharges, moveCharges, type OpenCharge } from './children.sql.ts';
import { type Credited, type CreditOrder, leftOf } from './credit-order.ts';
import { correctionsOf, findInvoice } from './invoice.sql.ts';
import { issue, issuePaid } from './issue-document.ts';
import { SellerFacts } from './seller-facts.ts';

/**
 * Credits an invoice to a sub-reseller. The credited amount is a deposit; with `reissue` the charges move to another invoice and no
 * money moves.
 */
export async function creditChild(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  id: string,
  order: CreditOrder,
): Promise<Credited> {
  const charges = await lockCharges(tx, actor.resellerId, id);
  // Checked again under the locks of its charges.
  const invoice = (await findInvoice(tx, actor.resellerId, id))!;
  const amount = leftOf(order, invoice);
  if (charges.some((each) => BigInt(each.amount) > BigInt(each.owed)))
    throw new Refusal('conflict', `${invoice.number} is being credited by another request. Read it again.`);
  const parts = partsOf(charges, amount);
  const sellers = new SellerFacts(tx);
  const made = chargeNoteOf(ctx, invoice, await correctionsOf(tx, id), parts, order.reason);
  const note = await issue(ctx, tx, sellers, made, { corrects: invoice, actor });
  await addCredited(tx, id, parts, !order.reissue);
  if (order.reissue) return { note, reissued: await issueAgain(ctx, tx, sellers, actor, invoice, charges) };
  await changeChildWithin(
    ctx,
    tx,
    actor,
    invoice.child_id!,
    { posting: 'fund', receipts: 0n },
    { amount: money(amount, invoice.currency), description: `Credit note ${note.number} for ${invoice.number}` },
  );
  return { note, reissued: null };
}

/** Starting with the first line. */
function partsOf(charges: readonly OpenCharge[], amount: bigint): ReadonlyMap<string, bigint> {
  const parts = new Map<string, bigint>();
  let left = amount;
  for (const charge of charges) {
    const part = BigInt(charge.amount) < left ? BigInt(charge.amount) : left;
    if (part > 0n) parts.set(charge.transaction_id, part);
    left -= part;
  }
  return parts;
}

async function issueAgain(
  ctx: AppContext,
  tx: Tx,
  sellers: SellerFacts,
  actor: Actor,
  invoice: Invoice,
  charges: readonly OpenCharge[],
): Promise<Invoice> {
  const uncredited = charges.filter(({ amount }) => amount !== '0');
  const child = { child_id: invoice.child_id!, currency: invoice.currency };
  const made = await chargedDocument(ctx, sellers, actor.resellerId, child, invoice.period!, uncredited);
  if (typeof made === 'string')
    throw new Refusal('conflict', `The replacement invoice cannot be issued: your tax table has no rate for ${made}.`);
  const again = await issuePaid(ctx, tx, sellers, made, actor);
  await moveCharges(tx, invoice.id, again.id, uncredited);
  return again;
}
