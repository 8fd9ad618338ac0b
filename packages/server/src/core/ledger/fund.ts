import { formatMoney, type Money, MoneyError, parseMoney } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import { findPayer, findReseller } from '../accounts/account.sql.ts';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { addTotalReceipts, type Posting, post } from './ledger.sql.ts';
import type { Transaction } from './ledger.ts';

export interface Charge {
  /** As text, in the selling currency of the account. */
  readonly amount: string;
  /** If given, it must be that currency. */
  readonly currency?: string | undefined;
  readonly description: string;
}

/** A parent credits a direct child: money that it received, or expects to receive, outside of the platform. */
export async function fundReseller(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  charge: Charge,
): Promise<Transaction> {
  return changeChild(ctx, actor, resellerId, charge, { posting: 'fund', receipts: 1n });
}

/** A charge without an order; refused if the balance and the credit limit do not cover it. */
export async function debitReseller(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  charge: Charge & { readonly subtractTotalReceipts?: boolean },
): Promise<Transaction> {
  return changeChild(ctx, actor, resellerId, charge, {
    posting: 'debit',
    receipts: charge.subtractTotalReceipts ? -1n : 0n,
  });
}

interface ChangeKind {
  readonly posting: Posting['posting'];
  readonly receipts: bigint;
}

async function changeChild(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  charge: Charge,
  kind: ChangeKind,
): Promise<Transaction> {
  // All tenants, because the event belongs to the child; ownership is in the WHERE and once more in ledger_post.
  return writeAsService(ctx, actor, async (tx) => {
    const find = kind.posting === 'fund' ? findReseller : findPayer;
    const child = await find(tx, actor.resellerId, resellerId);
    if (!child || child.parent_id !== actor.resellerId) throw notFound('reseller');
    const amount = chargedMoney(charge, child.selling_currency);
    return changeChildWithin(ctx, tx, actor, resellerId, kind, { ...charge, amount });
  });
}

/** The same inside a transaction of the caller, on the second database login. */
export async function changeChildWithin(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  resellerId: string,
  { posting, receipts }: ChangeKind,
  { amount, description }: { readonly amount: Money; readonly description: string },
): Promise<Transaction> {
  const posted = { posting, funderId: actor.resellerId, resellerId, amount, description };
  const transaction = await postMoney(ctx, tx, posted);
  if (receipts !== 0n) await addTotalReceipts(tx, resellerId, amount.amount * receipts);
  await audit(ctx, tx, actor, {
    action: posting === 'fund' ? 'reseller.fund' : 'reseller.debit_note',
    objectType: 'transaction',
    objectId: transaction.id,
    after: transaction,
  });
  await appendEvent(ctx, tx, {
    resellerId,
    type: posting === 'fund' ? 'balance.funded' : 'balance.debited',
    objectId: transaction.id,
    requestId: actor.requestId,
    payload: { transaction_id: transaction.id, amount: { amount: formatMoney(amount), currency: amount.currency } },
  });
  return transaction;
}

/** The posting alone, inside a transaction of the caller; also used by first-start data and the command line. */
export async function postMoney(ctx: Pick<AppContext, 'clock'>, tx: Tx, posting: Posting): Promise<Transaction> {
  const transaction = await post(tx, ctx.clock.now(), posting);
  if (transaction) return transaction;
  throw new Refusal(
    'insufficient_funds',
    `The balance does not cover a debit note of ${formatMoney(posting.amount)} ${posting.amount.currency}.`,
  );
}

/** Nothing is converted: an amount in another currency is refused. */
export function chargedMoney({ amount, currency }: Charge, kept: string): Money {
  if (currency !== undefined && currency.toUpperCase() !== kept)
    throw badField('currency', `Must be ${kept}, the currency of this account, or be left out.`);
  return positiveMoney(amount, kept);
}

export function positiveMoney(text: string, currency: string, field = 'amount'): Money {
  try {
    const amount = parseMoney(text, currency);
    if (amount.amount > 0n) return amount;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField(field, error.message);
  }
  throw badField(field, 'Must be more than zero.');
}
