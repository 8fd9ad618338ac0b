import type { AppContext } from '../app-context.ts';
import type { Invoice, InvoiceLine, InvoiceTax } from '../model/invoice.ts';
import type { DueBill } from './invoice.sql.ts';
import type { SellerFacts } from './seller-facts.ts';
import { findBuyer } from './settings.sql.ts';
import { missingRate, type TaxFound, taxFor, taxWithin } from './tax.ts';

/** A document before it has a number. */
export type MadeDocument = Omit<
  Invoice,
  | 'id'
  | 'state'
  | 'series'
  | 'place'
  | 'number'
  | 'issued_at'
  | 'issued_on'
  | 'due_on'
  | 'settled_at'
  | 'paid'
  | 'credited'
  | 'total'
>;

/** The document of a customer's bill, with the tax of the day of the sale; before the sale with today's tax. */
export async function documentOf(
  ctx: AppContext,
  sellers: SellerFacts,
  bill: DueBill,
  billed: bigint,
  isSold: boolean,
): Promise<MadeDocument> {
  const { reseller_id, customer_id, currency } = bill;
  const now = ctx.clock.now();
  const day = ((isSold ? bill.sold_at : null) ?? now).toISOString().slice(0, 10);
  const buyer = await findBuyer(sellers.db, reseller_id, customer_id);
  const tax = taxFor(await sellers.taxes(reseller_id), buyer, day);
  const line = lineOf(bill, billed, tax);
  return {
    kind: 'invoice',
    reseller_id,
    customer_id,
    child_id: null,
    bill_id: bill.bill_id,
    period: null,
    corrects_id: null,
    reason: tax === 'missing' ? missingRate(buyer, day) : null,
    waits_for: isSold ? (tax === 'missing' ? 'tax_rate' : null) : 'order',
    currency,
    seller: await sellers.seller(reseller_id),
    buyer,
    ...summed([line], tax),
    created_at: now,
  };
}

/** The ledger amount includes tax; the line splits it once. */
function lineOf(
  sold: Pick<DueBill, 'bill_id' | 'description' | 'domain_name'>,
  total: bigint,
  tax: TaxFound,
): InvoiceLine {
  const rate = typeof tax === 'string' ? null : tax.rate;
  const taxed = rate === null ? 0n : taxWithin(total, rate);
  return {
    transaction_id: sold.bill_id,
    description: sold.description,
    domain_name: sold.domain_name,
    net: (total - taxed).toString(),
    tax: taxed.toString(),
    total: total.toString(),
    tax_rate: rate,
  };
}

/** All lines of a document have one buyer and one day, so one tax. */
function summed(lines: readonly InvoiceLine[], found: TaxFound) {
  const sum = (of: 'net' | 'tax') => lines.reduce((total, line) => total + BigInt(line[of]), 0n).toString();
  const [net, tax] = [sum('net'), sum('tax')];
  const taxes: InvoiceTax[] =
    typeof found === 'string' ? [] : [{ name: found.name, rate: found.rate, note: found.note, net, tax }];
  return { lines, taxes, net, tax };
}

/** The reason of an automatic credit note. */
export const refundReason = (isWhole: boolean): string =>
  `${isWhole ? 'the purchase' : 'this part of the purchase'} was refunded`;

/** Credits a part of an invoice, or the rest of it, with the same tax. */
export function creditNoteOf(
  ctx: AppContext,
  invoice: Invoice,
  earlier: readonly Invoice[],
  amount: bigint,
  reason: string,
): MadeDocument {
  const [first] = invoice.lines;
  const left = BigInt(invoice.total) - BigInt(invoice.credited);
  const leftTax = BigInt(invoice.tax) - earlier.reduce((sum, note) => sum + BigInt(note.tax), 0n);
  const [rate] = invoice.taxes;
  const share = rate ? taxWithin(amount, rate.rate) : 0n;
  // The last credit note takes the remainder, to the cent.
  const tax = amount === left || share > leftTax ? leftTax : share;
  const net = (amount - tax).toString();
  const { reseller_id, customer_id, child_id, bill_id, period, currency, seller, buyer } = invoice;
  return {
    kind: 'credit_note',
    reseller_id,
    customer_id,
    child_id,
    bill_id,
    period,
    corrects_id: invoice.id,
    reason,
    waits_for: null,
    currency,
    seller,
    buyer,
    net,
    tax: tax.toString(),
    lines: [{ ...first!, net, tax: tax.toString(), total: amount.toString() }],
    taxes: invoice.taxes.map((each) => ({ ...each, net, tax: tax.toString() })),
    created_at: ctx.clock.now(),
  };
}
