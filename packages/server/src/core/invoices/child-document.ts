import type { House } from '../house.ts';
import type { Charge, ChargedChild } from './children.sql.ts';
import type { MadeDocument } from './document.ts';
import type { Invoice, InvoiceLine, InvoiceTax } from './invoice.ts';
import type { SellerFacts } from './seller-facts.ts';
import { buyerOn, type TaxRate, taxFor, taxWithin } from './tax.ts';

/** What a child was charged in a month, each line with the tax of its day; or for what a rate is missing. */
export async function chargedDocument(
  house: House,
  sellers: SellerFacts,
  sellerId: string,
  { child_id, currency }: ChargedChild,
  month: string,
  charges: readonly Charge[],
): Promise<MadeDocument | string> {
  const [buyer, table] = [await sellers.seller(child_id), await sellers.taxes(sellerId)];
  const lines: InvoiceLine[] = [];
  const rates: TaxRate[] = [];
  for (const charge of charges) {
    const day = charge.charged_at.toISOString().slice(0, 10);
    const found = taxFor(table, buyer, day);
    if (found === 'missing') return buyerOn(buyer, day);
    if (found !== 'none') rates.push(found);
    lines.push(lineOf(charge, found === 'none' ? null : found.rate));
  }
  return {
    kind: 'invoice',
    reseller_id: sellerId,
    customer_id: null,
    child_id,
    bill_id: null,
    period: month,
    corrects_id: null,
    reason: null,
    waits_for: null,
    currency,
    seller: await sellers.seller(sellerId),
    buyer,
    lines,
    ...sumsOf(lines),
    taxes: taxesOf(lines, rates),
    created_at: house.clock.now(),
  };
}

function lineOf({ transaction_id, description, domain_name, amount }: Charge, rate: number | null): InvoiceLine {
  const tax = rate === null ? 0n : taxWithin(BigInt(amount), rate);
  const net = (BigInt(amount) - tax).toString();
  return { transaction_id, description, domain_name, net, tax: tax.toString(), total: amount, tax_rate: rate };
}

function sumsOf(lines: readonly InvoiceLine[]) {
  const sum = (of: 'net' | 'tax') => lines.reduce((total, line) => total + BigInt(line[of]), 0n).toString();
  return { net: sum('net'), tax: sum('tax') };
}

/** Lines of one rate together: a rate may change within a month. */
function taxesOf(lines: readonly InvoiceLine[], rates: readonly Pick<InvoiceTax, 'name' | 'rate' | 'note'>[]) {
  const known = new Map(rates.map(({ name, rate, note }) => [rate, { name, rate, note }]));
  return [...known.values()].map((each): InvoiceTax => {
    return { ...each, ...sumsOf(lines.filter(({ tax_rate }) => tax_rate === each.rate)) };
  });
}

/** Takes back a part of one line, or what is left of it, with the same tax. */
export function chargeNoteOf(
  house: House,
  invoice: Invoice,
  earlier: readonly Invoice[],
  transactionId: string,
  amount: bigint,
  left: bigint,
): MadeDocument {
  const of = (lines: readonly InvoiceLine[]) => lines.filter(({ transaction_id }) => transaction_id === transactionId);
  const line = of(invoice.lines)[0]!;
  const before = earlier.flatMap(({ lines }) => of(lines)).reduce((sum, { tax }) => sum + BigInt(tax), 0n);
  const leftTax = BigInt(line.tax) - before;
  const share = line.tax_rate === null ? 0n : taxWithin(amount, line.tax_rate);
  // The last one takes what the others left, to the cent.
  const tax = amount === left || share > leftTax ? leftTax : share;
  const lines = [{ ...line, net: (amount - tax).toString(), tax: tax.toString(), total: amount.toString() }];
  const { reseller_id, child_id, period, currency, seller, buyer } = invoice;
  return {
    kind: 'credit_note',
    reseller_id,
    customer_id: null,
    child_id,
    bill_id: null,
    period,
    corrects_id: invoice.id,
    reason: 'this part of the purchase was given back',
    waits_for: null,
    currency,
    seller,
    buyer,
    lines,
    ...sumsOf(lines),
    taxes: taxesOf(
      lines,
      invoice.taxes.filter(({ rate }) => rate === line.tax_rate),
    ),
    created_at: house.clock.now(),
  };
}
