import { allTenants, type Tx } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
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
import { givenBack } from './document.ts';
import { correctionsOf, type Due, findInvoice } from './invoice.sql.ts';
import { invoiceLimits } from './invoice.ts';
import { issue, issuePaid } from './issue-document.ts';
import { beginOf, monthOf, plusMonths } from './month.ts';
import { closeMonth, type MonthsBehind, monthsBehind } from './months.sql.ts';
import { SellerFacts } from './seller-facts.ts';

/** What is still being written when a month ends is waited for. */
const closesAfterMs = 3_600_000;
/** Who was charged late, by a process that stood still, is found in the months after. */
const lookbackMonths = 3;
/** In one run; the next one goes on. */
const monthsPerRun = 24;
const documentsPerMonth = 100_000;
/** In one alarm, by name. */
const ratesListed = 10;

/** Every month that is over is closed for the sellers that want it: each child that was charged in it gets its invoice. */
export async function closeMonths(ctx: AppContext): Promise<void> {
  const open = monthOf(new Date(ctx.clock.now().getTime() - closesAfterMs));
  const missing = new Map<string, string[]>();
  for (const span of await monthsBehind(ctx.db.as(allTenants), plusMonths(open, -1))) {
    const found = await closeSpan(ctx, span);
    missing.set(span.reseller_id, [...(missing.get(span.reseller_id) ?? []), ...found]);
  }
  for (const [sellerId, rates] of missing) await alarmMissingRates(ctx, sellerId, rates);
}

/** Up to the first month that could not be closed; which rates it lacks. */
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

/** One that lacks a rate keeps nobody else from its invoice. */
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
    sentence: `invoices of reseller ${sellerId} to its sub-resellers cannot be issued: its tax table has no rate for ${rates}. They are issued when it is there.`,
    facts: { reseller_id: sellerId },
  });
}

/** One document; whether there was something for one, or for what a rate is missing. */
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

/** What came back of a charge that stands on an invoice is on a credit note. */
export async function followCharge(ctx: AppContext, tx: Tx, charge: Due): Promise<void> {
  const invoiced = await lockInvoicedCharge(tx, charge.bill_id);
  if (!invoiced) return;
  const owed = BigInt(charge.captured) - BigInt(charge.refunded) - BigInt(invoiced.given);
  const tooMuch = BigInt(invoiced.standing) - (owed > 0n ? owed : 0n);
  if (tooMuch <= 0n) return;
  const invoice = (await findInvoice(tx, charge.reseller_id, invoiced.invoice_id))!;
  const earlier = await correctionsOf(tx, invoice.id);
  const parts = new Map([[charge.bill_id, tooMuch]]);
  const note = chargeNoteOf(ctx, invoice, earlier, parts, givenBack(owed <= 0n));
  await issue(ctx, tx, new SellerFacts(tx), note, { corrects: invoice });
  await addCredited(tx, invoice.id, parts, false);
}
