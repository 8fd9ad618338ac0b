import type { AppContext } from '../app-context.ts';
import type { Invoice, InvoiceLine, InvoiceTax } from '../model/invoice.ts';
import type { Charge, ChargedChild } from './children.sql.ts';
import type { MadeDocument } from './document.ts';
import type { SellerFacts } from './seller-facts.ts';
import { buyerOn, type TaxRate, taxFor, taxWithin } from './tax.ts';

/** The charges to a sub-reseller in a month, each line with the tax of its day; or the buyer and day for which a rate is missing. */
export async function chargedDocument(
  ctx: AppContext,
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
    created_at: ctx.clock.now(),
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

/** Groups lines of one rate: a rate may change within a month. */
function taxesOf(lines: readonly InvoiceLine[], rates: readonly Pick<InvoiceTax, 'name' | 'rate' | 'note'>[]) {
  const known = new Map(rates.map(({ name, rate, note }) => [rate, { name, rate, note }]));
  return [...known.values()].map((each): InvoiceTax => {
    return { ...each, ...sumsOf(lines.filter(({ tax_rate }) => tax_rate === each.rate)) };
  });
}

/** Credits parts of lines, by transaction, or the rest of them, with the same tax. */
export function chargeNoteOf(
  ctx: AppContext,
  invoice: Invoice,
  earlier: readonly Invoice[],
  parts: ReadonlyMap<string, bigint>,
  reason: string,
): MadeDocument {
  const before = new Map<string, { total: bigint; tax: bigint }>();
  for (const { transaction_id: id, total, tax } of earlier.flatMap((note) => note.lines)) {
    const sum = before.get(id) ?? { total: 0n, tax: 0n };
    before.set(id, { total: sum.total + BigInt(total), tax: sum.tax + BigInt(tax) });
  }
  const lines = invoice.lines.flatMap((line): InvoiceLine[] => {
    const amount = parts.get(line.transaction_id);
    if (amount === undefined) return [];
    const taken = before.get(line.transaction_id) ?? { total: 0n, tax: 0n };
    const leftTax = BigInt(line.tax) - taken.tax;
    const share = line.tax_rate === null ? 0n : taxWithin(amount, line.tax_rate);
    // The last credit note takes the remainder, to the cent.
    const tax = amount === BigInt(line.total) - taken.total || share > leftTax ? leftTax : share;
    return [{ ...line, net: (amount - tax).toString(), tax: tax.toString(), total: amount.toString() }];
  });
  const rates = new Set(lines.map(({ tax_rate }) => tax_rate));
  const { reseller_id, child_id, period, currency, seller, buyer } = invoice;
  return {
    kind: 'credit_note',
    reseller_id,
    customer_id: null,
    child_id,
    bill_id: null,
    period,
    corrects_id: invoice.id,
    reason,
    waits_for: null,
    currency,
    seller,
    buyer,
    lines,
    ...sumsOf(lines),
    taxes: taxesOf(
      lines,
      invoice.taxes.filter(({ rate }) => rates.has(rate)),
    ),
    created_at: ctx.clock.now(),
  };
}
