import { addDays } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { schedulerFor } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import type { Invoice } from '../model/invoice.ts';
import { formatted } from './amounts.ts';
import type { MadeDocument } from './document.ts';
import { creditInvoice, type DueBill, insertInvoice, takePlace, updateDraft } from './invoice.sql.ts';
import { numberOf, seriesOf } from './number.ts';
import type { SellerFacts } from './seller-facts.ts';

interface Occasion {
  readonly draft?: Invoice | undefined;
  /** Of a customer's invoice. */
  readonly bill?: Pick<DueBill, 'status' | 'captured' | 'settled_at'>;
  /** Of a credit note. */
  readonly corrects?: Invoice;
  readonly actor?: Actor;
}

/** With its number, in the transaction that allocates it. */
export async function issue(
  ctx: AppContext,
  tx: Tx,
  sellers: SellerFacts,
  made: MadeDocument,
  { draft, bill, corrects, actor }: Occasion,
): Promise<Invoice> {
  const now = ctx.clock.now();
  const settings = await sellers.settings(made.reseller_id);
  const issuedOn = now.toISOString().slice(0, 10);
  const isNote = made.kind === 'credit_note';
  const series = seriesOf(isNote ? settings.credit_prefix : settings.prefix, issuedOn);
  const place = await takePlace(tx, made.reseller_id, series);
  const isPaid = bill === undefined || bill.status === 'completed' || bill.status === 'refunded';
  const row = {
    ...made,
    series,
    place,
    number: numberOf(series, place),
    issued_at: now,
    issued_on: issuedOn,
    // Charges to a sub-reseller are already paid.
    due_on: isNote || made.child_id !== null ? issuedOn : addDays(now, settings.due_days).toISOString().slice(0, 10),
    state: isPaid ? 'paid' : 'open',
    settled_at: isPaid ? (bill?.settled_at ?? now) : null,
    paid: bill && isPaid ? smaller(bill.captured, BigInt(made.net) + BigInt(made.tax)) : '0',
    credited: '0',
  } as const;
  const id = draft?.id ?? ctx.ids.next('doc');
  if (draft) await updateDraft(tx, id, row);
  else await insertInvoice(tx, { ...row, id });
  const issued: Invoice = { ...row, id, total: (BigInt(row.net) + BigInt(row.tax)).toString() };
  if (corrects) await creditInvoice(tx, corrects.id, BigInt(issued.total), now);
  await recordIssued(ctx, tx, actor ?? schedulerFor(issued, 'issue-invoices'), issued);
  return issued;
}

/** Charges to a sub-reseller are already paid. */
export function issuePaid(
  ctx: AppContext,
  tx: Tx,
  sellers: SellerFacts,
  made: MadeDocument,
  actor?: Actor,
): Promise<Invoice> {
  const captured = (BigInt(made.net) + BigInt(made.tax)).toString();
  const bill = { status: 'completed', captured, settled_at: ctx.clock.now() };
  return issue(ctx, tx, sellers, made, { bill, ...(actor ? { actor } : {}) });
}

const smaller = (minor: string, most: bigint): string => (BigInt(minor) < most ? minor : most.toString());

async function recordIssued(ctx: AppContext, tx: Tx, actor: Actor, issued: Invoice): Promise<void> {
  const { number, kind, customer_id, child_id, corrects_id, bill_id } = issued;
  const total = formatted(issued.total, issued.currency);
  await audit(ctx, tx, actor, {
    action: kind === 'invoice' ? 'invoice.issue' : 'credit_note.issue',
    objectType: 'invoice',
    objectId: issued.id,
    after: { number, customer_id, child_id, transaction_id: bill_id, corrects_id, total, reason: issued.reason },
  });
  const event = { resellerId: issued.reseller_id, objectId: issued.id, requestId: actor.requestId };
  const payload = { number: number!, customer_id, reseller_id: child_id, transaction_id: bill_id, total };
  await (kind === 'invoice'
    ? appendEvent(ctx, tx, { ...event, type: 'invoice.issued', payload: { ...payload, due_on: issued.due_on! } })
    : appendEvent(ctx, tx, {
        ...event,
        type: 'credit_note.issued',
        payload: { ...payload, corrects_id: corrects_id! },
      }));
}
