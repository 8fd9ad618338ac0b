import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type Invoice, invoiceLimits } from '../model/invoice.ts';
import { followCharge } from './children.ts';
import { creditNoteOf, documentOf, type MadeDocument, refundReason } from './document.ts';
import {
  type Due,
  type DueBill,
  deleteDue,
  documentsOfBills,
  insertInvoice,
  takeDueBills,
  updateDraft,
} from './invoice.sql.ts';
import { issue } from './issue-document.ts';
import { SellerFacts } from './seller-facts.ts';
import { updateMissingRatesAlarm } from './waiting.ts';

/** Updates the documents of every due bill: a draft while it is not sold, then an invoice, and a credit note for refunds. */
export async function issueDue(ctx: AppContext): Promise<number> {
  let done = 0;
  const concerned = new Set<string>();
  for (let after = '0'; done < invoiceLimits.perBatch; ) {
    const bills = await takeBatch(ctx, after, concerned);
    const last = bills.at(-1);
    if (!last) break;
    done += bills.length;
    after = last.bill_id;
  }
  for (const resellerId of concerned) await updateMissingRatesAlarm(ctx, resellerId);
  return done;
}

/** If one of many fails, the others are done one by one; the failed one stays due and is reported. */
async function takeBatch(ctx: AppContext, after: string, concerned: Set<string>): Promise<readonly Due[]> {
  let due: readonly Due[] = [];
  const take = (from: string, limit: number) =>
    ctx.db.transaction(allTenants, async (tx) => {
      const taken = await takeDueBills(tx, from, limit);
      if (limit > 1) due = taken;
      await bringUpToDate(ctx, tx, taken, concerned);
    });
  try {
    await take(after, invoiceLimits.perTransaction);
  } catch (error) {
    ctx.log.warn({ err: error }, 'issuing documents in bulk failed; issuing them one by one');
    for (const { bill_id } of due)
      await take((BigInt(bill_id) - 1n).toString(), 1).catch((err: unknown) =>
        ctx.log.error({ err, bill_id }, 'issuing the documents of a bill failed; will retry'),
      );
  }
  return due;
}

async function bringUpToDate(ctx: AppContext, tx: Tx, due: readonly Due[], concerned: Set<string>): Promise<void> {
  if (due.length === 0) return;
  const ids = due.map(({ bill_id }) => bill_id);
  await deleteDue(tx, ids);
  const documents = await documentsOfBills(tx, ids);
  const sellers = new SellerFacts(tx);
  for (const bill of due) {
    if (!isBill(bill)) {
      await followCharge(ctx, tx, bill);
      continue;
    }
    const own = documents.filter(({ bill_id }) => bill_id === bill.bill_id);
    const before = own.find(({ state }) => state === 'draft')?.waits_for;
    const after = await followBill(ctx, tx, sellers, bill, own);
    if (before === 'tax_rate' || after === 'tax_rate') concerned.add(bill.reseller_id);
  }
}

/** A customer's bill; otherwise a charge to a sub-reseller. */
const isBill = (due: Due): due is DueBill => due.customer_id !== null;

/** The billed amount, and the refunded part. */
export function sumsOf(bill: DueBill): { readonly billed: bigint; readonly back: bigint } {
  const isPaid = bill.status === 'completed' || bill.status === 'refunded';
  const credited = BigInt(bill.credited);
  return {
    billed: isPaid ? BigInt(bill.captured) + credited : BigInt(bill.amount),
    back: credited + BigInt(bill.refunded),
  };
}

const isIssued = ({ number }: Invoice) => number !== null;

/** Returns what the draft waits for, if it stays a draft. */
async function followBill(
  ctx: AppContext,
  tx: Tx,
  sellers: SellerFacts,
  bill: DueBill,
  documents: readonly Invoice[],
): Promise<string | undefined> {
  const { billed, back } = sumsOf(bill);
  const draft = documents.find(({ state }) => state === 'draft');
  const issued = documents.filter(isIssued);
  const isSold = bill.purchase_status === 'completed' || bill.purchase_status === 'refunded';
  if (issued.length === 0) {
    if (billed === 0n || (!isSold && bill.status === 'cancelled')) {
      if (draft) await updateDraft(tx, draft.id, { state: 'void', settled_at: ctx.clock.now(), waits_for: null });
      return undefined;
    }
    const made = await documentOf(ctx, sellers, bill, billed, isSold);
    if (made.waits_for !== null) {
      await keepDraft(ctx, tx, draft, made);
      return made.waits_for;
    }
    issued.push(await issue(ctx, tx, sellers, made, { draft, bill }));
  }
  const sum = (kind: Invoice['kind']) =>
    issued.filter((each) => each.kind === kind).reduce((total, each) => total + BigInt(each.total), 0n);
  const tooMuch = sum('invoice') - sum('credit_note') - (billed - back);
  const uncredited = issued.findLast(({ kind, state }) => kind === 'invoice' && state !== 'credited');
  if (tooMuch > 0n && uncredited) {
    const earlier = issued.filter(({ corrects_id }) => corrects_id === uncredited.id);
    const reason = refundReason(bill.purchase_status === 'refunded');
    await issue(ctx, tx, sellers, creditNoteOf(ctx, uncredited, earlier, tooMuch, reason), { corrects: uncredited });
  }
  return undefined;
}

async function keepDraft(ctx: AppContext, tx: Tx, draft: Invoice | undefined, made: MadeDocument): Promise<void> {
  if (draft) await updateDraft(tx, draft.id, made);
  else await insertInvoice(tx, { ...made, ...unissued, id: ctx.ids.next('doc') });
}

const unissued = {
  state: 'draft',
  series: null,
  place: null,
  number: null,
  issued_at: null,
  issued_on: null,
  due_on: null,
  settled_at: null,
  paid: '0',
  credited: '0',
} as const;
