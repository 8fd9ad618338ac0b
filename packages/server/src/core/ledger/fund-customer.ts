import { formatMoney, type Money } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { appendEvent } from '../events/append.ts';
import { type Charge, chargedMoney, postMoney } from './fund.ts';
import { addCustomerReceipts, type Posting } from './ledger.sql.ts';
import type { Transaction } from './ledger.ts';

/** A customer as its reseller has just read it; that read has checked its ownership. */
interface ChargedCustomer {
  readonly customerId: string;
  /** The currency of its balance. */
  readonly currency: string;
}

export async function fundCustomer(
  ctx: AppContext,
  actor: Actor,
  customer: ChargedCustomer,
  charge: Charge,
): Promise<Transaction> {
  return changeCustomer(ctx, actor, customer, charge, { posting: 'fund', receipts: 1n });
}

export async function debitCustomer(
  ctx: AppContext,
  actor: Actor,
  customer: ChargedCustomer,
  charge: Charge & { readonly subtractTotalReceipts?: boolean },
): Promise<Transaction> {
  const receipts = charge.subtractTotalReceipts ? -1n : 0n;
  return changeCustomer(ctx, actor, customer, charge, { posting: 'debit', receipts });
}

interface ChangeKind {
  readonly posting: Posting['posting'];
  readonly receipts: bigint;
}

async function changeCustomer(
  ctx: AppContext,
  actor: Actor,
  { customerId, currency }: ChargedCustomer,
  charge: Charge,
  kind: ChangeKind,
): Promise<Transaction> {
  const given = { amount: chargedMoney(charge, currency), description: charge.description };
  return writeAsService(ctx, actor, (tx) => changeWithin(ctx, tx, actor, customerId, kind, given));
}

/** The same inside a transaction of the caller, on the second database login. */
export async function changeWithin(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  customerId: string,
  { posting, receipts }: ChangeKind,
  { amount, description }: { readonly amount: Money; readonly description: string },
): Promise<Transaction> {
  const { resellerId } = actor;
  const posted = { posting, funderId: resellerId, resellerId, customerId, amount, description };
  const transaction = await postMoney(ctx, tx, posted);
  if (receipts !== 0n) await addCustomerReceipts(tx, resellerId, customerId, amount.amount * receipts);
  const action = posting === 'fund' ? 'customer.fund' : 'customer.debit_note';
  await audit(ctx, tx, actor, { action, objectType: 'transaction', objectId: transaction.id, after: transaction });
  await appendEvent(ctx, tx, {
    resellerId,
    type: posting === 'fund' ? 'customer.funded' : 'customer.debited',
    objectId: customerId,
    requestId: actor.requestId,
    payload: {
      transaction_id: transaction.id,
      amount: { amount: formatMoney(amount), currency: amount.currency },
    },
  });
  return transaction;
}
