import { formatMoney, MoneyError, money, parseMoney } from '@namehold/base';
import { badField, notFound, Refusal } from '../errors.ts';
import { type Actor, type House, writeWide } from '../house.ts';
import { creditNoteOf, documentOf } from './document.ts';
import { creditBill, documentsOfBills, findInvoice, lockBill } from './invoice.sql.ts';
import type { Invoice } from './invoice.ts';
import { sumsOf } from './issue.ts';
import { issue } from './issue-document.ts';
import { SellerFacts } from './seller-facts.ts';

export interface CreditOrder {
  /** Decimal; default: all that is left. */
  readonly amount?: string | undefined;
  readonly reason: string;
  /** The paper was wrong, not the sale: no money moves, and a right one is issued. */
  readonly reissue?: boolean | undefined;
}

export interface Credited {
  readonly note: Invoice;
  readonly reissued: Invoice | null;
}

/** What was issued does not change: a mistake is taken back by a credit note, with its money, or with another invoice in its place. */
export async function creditInvoice(house: House, actor: Actor, id: string, order: CreditOrder): Promise<Credited> {
  return writeWide(house, actor, async (tx) => {
    const { resellerId } = actor;
    const found = await findInvoice(tx, resellerId, id);
    if (!found || found.reseller_id !== resellerId) throw notFound('invoice');
    if (found.kind !== 'invoice' || found.number === null || found.bill_id === null)
      throw new Refusal('conflict', 'only an invoice that was issued to a customer can be credited', {
        facts: { kind: found.kind, state: found.state },
      });
    const bill = await lockBill(tx, resellerId, found.bill_id);
    // Again, under the lock of its bill.
    const documents = await documentsOfBills(tx, [found.bill_id]);
    const invoice = documents.find((each) => each.id === id)!;
    const { billed, back } = sumsOf(bill);
    const left = BigInt(invoice.total) - BigInt(invoice.credited);
    if (left === 0n)
      throw new Refusal('conflict', `${invoice.number} is credited already`, { facts: { state: invoice.state } });
    const amount = amountOf(order, invoice, left);
    const earlier = documents.filter(({ corrects_id }) => corrects_id === id);
    const sellers = new SellerFacts(tx);
    if (!order.reissue) {
      if (amount > billed - back) throw new Refusal('conflict', `${invoice.number} is just being credited: look again`);
      await creditBill(tx, house.clock.now(), resellerId, bill.bill_id, amount);
    }
    const made = creditNoteOf(house, invoice, earlier, amount, order.reason);
    const note = await issue(house, tx, sellers, made, { corrects: invoice, actor });
    if (!order.reissue) return { note, reissued: null };
    const again = await documentOf(house, sellers, bill, billed - back, true);
    if (again.waits_for !== null) throw new Refusal('conflict', `no other invoice can be issued: ${again.reason}`);
    return { note, reissued: await issue(house, tx, sellers, again, { bill, actor }) };
  });
}

function amountOf({ amount, reissue }: CreditOrder, { currency }: Invoice, left: bigint): bigint {
  if (amount === undefined) return left;
  if (reissue) throw badField('amount', 'is only for a part: a document that is issued anew is taken back whole');
  const read = readAmount(amount, currency);
  if (read <= 0n) throw badField('amount', 'must be more than zero');
  if (read > left)
    throw badField(
      'amount',
      `must not be more than what is left of it, ${formatMoney(money(left, currency))} ${currency}`,
    );
  return read;
}

function readAmount(text: string, currency: string): bigint {
  try {
    return parseMoney(text, currency).amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField('amount', error.message);
  }
}
