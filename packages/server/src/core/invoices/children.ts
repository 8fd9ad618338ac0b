import { everyTenant, type Tx } from '@namehold/base';
import { clearAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { House } from '../house.ts';
import { chargedDocument, chargeNoteOf } from './child-document.ts';
import {
  addCredited,
  type Charge,
  type ChargedChild,
  chargedChildren,
  closeMonth,
  insertCharges,
  lockInvoicedCharge,
  lockSeller,
  type Span,
  sellersBehind,
  takeCharges,
} from './children.sql.ts';
import { correctionsOf, type Due, findInvoice } from './invoice.sql.ts';
import { invoiceLimits } from './invoice.ts';
import { issue } from './issue-document.ts';
import { SellerFacts } from './seller-facts.ts';

/** What is still being written when a month ends is waited for. */
const closesAfterMs = 3_600_000;
/** Who was charged late, by a process that stood still, is found in the months after. */
const looksBackMonths = 3;
/** In one run; the next one goes on. */
const monthsPerRun = 24;
const documentsPerMonth = 100_000;

const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

function plusMonths(month: string, count: number): string {
  const at = new Date(`${month}T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + count);
  return monthOf(at);
}

const beginOf = (month: string): Date => new Date(`${month}T00:00:00Z`);

/** Every month that is over is closed for the sellers that want it: each child that was charged in it gets its invoice. */
export async function closeMonths(house: House): Promise<void> {
  const open = monthOf(new Date(house.clock.now().getTime() - closesAfterMs));
  const last = plusMonths(open, -1);
  for (const { reseller_id, month } of await sellersBehind(house.db.as(everyTenant), last)) {
    let isDone = true;
    for (let n = 0, at = month; n < monthsPerRun && isDone && at <= last; n += 1, at = plusMonths(at, 1))
      isDone = await closeOne(house, reseller_id, at);
  }
}

/** False where it could not be: it is told, and tried again. */
async function closeOne(house: House, sellerId: string, month: string): Promise<boolean> {
  const key = `invoices:children:${sellerId}`;
  const span = { from: beginOf(plusMonths(month, -looksBackMonths)), to: beginOf(plusMonths(month, 1)) };
  for (let made = 0, more = true; more && made < documentsPerMonth; made += 1) {
    const next = await house.db.transaction(everyTenant, (tx) => invoiceNext(house, tx, sellerId, month, span));
    if (typeof next === 'string') {
      await raiseAlarm(house, {
        key,
        severity: 'warning',
        sentence: `the invoices of reseller ${sellerId} to its sub-resellers for ${month.slice(0, 7)} cannot be issued: ${next}. They are issued when it is there.`,
        facts: { reseller_id: sellerId, month },
      });
      return false;
    }
    more = next;
  }
  await house.db.transaction(everyTenant, (tx) => closeMonth(tx, sellerId, month));
  await clearAlarm(house, key);
  return true;
}

/** One document; whether there was something for one, or why not. */
async function invoiceNext(
  house: House,
  tx: Tx,
  sellerId: string,
  month: string,
  span: Span,
): Promise<boolean | string> {
  await lockSeller(tx, sellerId);
  const sellers = new SellerFacts(tx);
  const { child_invoices_since } = await sellers.settings(sellerId);
  if (child_invoices_since === null) return false;
  const since = beginOf(child_invoices_since);
  const within = { from: span.from < since ? since : span.from, to: span.to };
  const [child] = await chargedChildren(tx, sellerId, within);
  if (!child) return false;
  const charges = await takeCharges(tx, sellerId, child, within, invoiceLimits.lines);
  return charges.length === 0 ? false : issueTo(house, tx, sellers, sellerId, child, month, charges);
}

async function issueTo(
  house: House,
  tx: Tx,
  sellers: SellerFacts,
  sellerId: string,
  child: ChargedChild,
  month: string,
  charges: readonly Charge[],
): Promise<true | string> {
  const made = await chargedDocument(house, sellers, sellerId, child, month, charges);
  if (typeof made === 'string') return made;
  const total = BigInt(made.net) + BigInt(made.tax);
  // What a child is charged it has paid before.
  const bill = { status: 'completed', captured: total.toString(), settled_at: house.clock.now() };
  const invoice = await issue(house, tx, sellers, made, { bill });
  await insertCharges(tx, invoice.id, charges);
  return true;
}

/** What came back of a charge that stands on an invoice is on a credit note. */
export async function followCharge(house: House, tx: Tx, charge: Due): Promise<void> {
  const invoiced = await lockInvoicedCharge(tx, charge.bill_id);
  if (!invoiced) return;
  const tooMuch = BigInt(invoiced.standing) - (BigInt(charge.captured) - BigInt(charge.refunded));
  if (tooMuch <= 0n) return;
  const invoice = (await findInvoice(tx, charge.reseller_id, invoiced.invoice_id))!;
  const earlier = await correctionsOf(tx, invoice.id);
  const note = chargeNoteOf(house, invoice, earlier, charge.bill_id, tooMuch, BigInt(invoiced.standing));
  await issue(house, tx, new SellerFacts(tx), note, { corrects: invoice });
  await addCredited(tx, charge.bill_id, tooMuch);
}
