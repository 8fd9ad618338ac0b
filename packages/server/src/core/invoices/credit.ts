import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { notFound, Refusal } from '../errors.ts';
import { creditChild } from './credit-child.ts';
import { type Credited, type CreditOrder, checkOrder, leftOf } from './credit-order.ts';
import { creditNoteOf, documentOf } from './document.ts';
import { creditBill, documentsOfBills, findInvoice, lockBill } from './invoice.sql.ts';
import { sumsOf } from './issue.ts';
import { issue } from './issue-document.ts';
import { SellerFacts } from './seller-facts.ts';

/** An issued document does not change: a mistake is corrected by a credit note, with its money, or with a replacement invoice. */
export async function creditInvoice(ctx: AppContext, actor: Actor, id: string, order: CreditOrder): Promise<Credited> {
  return writeAsService(ctx, actor, async (tx) => {
    const found = await findInvoice(tx, actor.resellerId, id);
    if (!found || found.reseller_id !== actor.resellerId) throw notFound('invoice');
    checkOrder(order, found.currency);
    if (found.kind !== 'invoice' || found.number === null)
      throw new Refusal('conflict', 'Only an issued invoice can be credited.', {
        facts: { kind: found.kind, state: found.state },
      });
    return found.bill_id === null
      ? creditChild(ctx, tx, actor, id, order)
      : creditCustomer(ctx, tx, actor, { id, billId: found.bill_id }, order);
  });
}

async function creditCustomer(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { id, billId }: { readonly id: string; readonly billId: string },
  order: CreditOrder,
): Promise<Credited> {
  const bill = await lockBill(tx, actor.resellerId, billId);
  // Checked again under the lock of its bill.
  const documents = await documentsOfBills(tx, [billId]);
  const invoice = documents.find((each) => each.id === id)!;
  const { billed, back } = sumsOf(bill);
  const amount = leftOf(order, invoice);
  const earlier = documents.filter(({ corrects_id }) => corrects_id === id);
  const sellers = new SellerFacts(tx);
  if (!order.reissue) {
    if (amount > billed - back)
      throw new Refusal('conflict', `${invoice.number} is being credited by another request. Read it again.`);
    await creditBill(tx, ctx.clock.now(), actor.resellerId, bill.bill_id, amount);
  }
  const made = creditNoteOf(ctx, invoice, earlier, amount, order.reason);
  const note = await issue(ctx, tx, sellers, made, { corrects: invoice, actor });
  if (!order.reissue) return { note, reissued: null };
  const again = await documentOf(ctx, sellers, bill, billed - back, true);
  if (again.waits_for !== null)
    throw new Refusal('conflict', `The replacement invoice cannot be issued: ${again.reason}.`);
  return { note, reissued: await issue(ctx, tx, sellers, again, { bill, actor }) };
}
