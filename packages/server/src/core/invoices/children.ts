import { allTenants, type Tx } from '@namehold/postgres';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { invoiceLimits } from '../model/invoice.ts';
import { chargedDocument, chargeNoteOf } from './child-document.ts';
import {
  addCredited,
  type Charge,
  type ChargedChild,
  chargedChildren,
  insertCharges,
  lockInvoicedCharge,
  lockSeller,
  type Span,
  takeCharges,
} from './children.sql.ts';
import { refundReason } from './document.ts';
import { correctionsOf, type Due, findInvoice } from './invoice.sql.ts';
import { issue, issuePaid } from './issue-document.ts';
import { beginOf, monthOf, plusMonths } from './month.ts';
import { closeMonth, type MonthsBehind, monthsBehind } from './months.sql.ts';
import { SellerFacts } from './seller-facts.ts';

/** Transactions still being written at the end of a month get this much time. */
const closesAfterMs = 3_600_000;
/** A charge booked late, by a paused process, is found in the following months. */
const lookbackMonths = 3;
/** Per run; the next run continues. */
const monthsPerRun = 24;
const documentsPerMonth = 100_000;
/** Listed by name in one alarm. */
const ratesListed = 10;

/** Closes every past month for the sellers that want it: each sub-reseller that was charged in it gets its invoice. */
export async function closeMonths(ctx: AppContext): Promise<void> {
  const open = monthOf(new Date(ctx.clock.now().getTime() - closesAfterMs));
  const missing = new Map<string, string[]>();
  for (const span of await monthsBehind(ctx.db.as(allTenants), plusMonths(open, -1))) {
    const found = await closeSpan(ctx, span);
    missing.set(span.reseller_id, [...(missing.get(span.reseller_id) ?? []), ...found]);
  }
  for (const [sellerId, rates] of missing) await alarmMissingRates(ctx, sellerId, rates);
}

/** Stops at the first month that cannot be closed, and returns the missing rates. */
async function closeSpan(
  ctx: AppContext,
  { reseller_id, since, next, last }: MonthsBehind,
): Promise<readonly string[]> {
  for (let n = 0, month = next; n < monthsPerRun && month <= last; n += 1, month = plusMonths(month, 1)) {
    const lookbackFrom = plusMonths(month, -lookbackMonths);
    const span = { from: beginOf(lookbackFrom < since ? since : lookbackFrom), to: beginOf(plusMonths(month, 1)) };
    const missing = await closeOne(ctx, reseller_id, month, span);
    if (missing.length > 0) return missing;
    await ctx.db.transaction(allTenants, (tx) => closeMonth(tx, reseller_id, since, month));
  }
  return [];
}

/** A sub-reseller without a rate does not delay the invoices of others. */
async function closeOne(ctx: AppContext, sellerId: string, month: string, span: Span): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const child of await chargedChildren(ctx.db.as(allTenants), sellerId, span)) {
    for (let made = 0, more = true; more && made < documentsPerMonth; made += 1) {
      const next = await ctx.db.transaction(allTenants, (tx) => invoiceNext(ctx, tx, sellerId, child, month, span));
      if (typeof next === 'string') missing.push(`${next} (${child.child_id})`);
      more = next === true;
    }
  }
  return missing;
}

async function alarmMissingRates(ctx: AppContext, sellerId: string, missing: readonly string[]): Promise<void> {
  const key = `invoices:children:${sellerId}`;
  if (missing.length === 0) return clearAlarm(ctx, key);
  const others = missing.length - ratesListed;
  const rates = missing.slice(0, ratesListed).join(', ') + (others > 0 ? ` and ${others} more` : '');
  await raiseAlarm(ctx, {
    key,
    severity: 'warning',
    sentence: `invoices of reseller ${sellerId} to its sub-resellers cannot be issued: its tax table has no rate for ${rates}. The reseller must add it; then they are issued`,
    facts: { reseller_id: sellerId },
  });
}

/** Issues one document. Returns whether there was anything to invoice, or the missing rate. */
async function invoiceNext(
  ctx: AppContext,
  tx: Tx,
  sellerId: string,
  child: ChargedChild,
  month: string,
  span: Span,
): Promise<boolean | string> {
  await lockSeller(tx, sellerId);
  const charges = await takeCharges(tx, sellerId, child, span, invoiceLimits.lines);
  return charges.length === 0 ? false : issueTo(ctx, tx, new SellerFacts(tx), sellerId, child, month, charges);
}

async function issueTo(
  ctx: AppContext,
  tx: Tx,
  sellers: SellerFacts,
  sellerId: string,
  child: ChargedChild,
  month: string,
  charges: readonly Charge[],
): Promise<true | string> {
  const made = await chargedDocument(ctx, sellers, sellerId, child, month, charges);
  if (typeof made === 'string') return made;
  const invoice = await issuePaid(ctx, tx, sellers, made);
  await insertCharges(tx, invoice.id, charges);
  return true;
}

/** Refunds of a charge on an invoice get a credit note. */
export async function followCharge(ctx: AppContext, tx: Tx, charge: Due): Promise<void> {
  const invoiced = await lockInvoicedCharge(tx, charge.bill_id);
  if (!invoiced) return;
  const owed = BigInt(charge.captured) - BigInt(charge.refunded) - BigInt(invoiced.given);
  const tooMuch = BigInt(invoiced.uncredited) - (owed > 0n ? owed : 0n);
  if (tooMuch <= 0n) return;
  const invoice = (await findInvoice(tx, charge.reseller_id, invoiced.invoice_id))!;
  const earlier = await correctionsOf(tx, invoice.id);
  const parts = new Map([[charge.bill_id, tooMuch]]);
  const note = chargeNoteOf(ctx, invoice, earlier, parts, refundReason(owed <= 0n));
  await issue(ctx, tx, new SellerFacts(tx), note, { corrects: invoice });
  await addCredited(tx, invoice.id, parts, false);
}
