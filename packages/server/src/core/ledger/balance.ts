import { money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { findPayer } from '../accounts/account.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { readBalance, readCustomerBalance } from './ledger.sql.ts';
import type { Balance } from './ledger.ts';

/** Of the caller or of a direct child, in its selling currency. */
export async function balanceOf(ctx: AppContext, actor: Actor, resellerId: string): Promise<Balance> {
  const db = ctx.db.as(actor.resellerId);
  const reseller = await findPayer(db, actor.resellerId, resellerId);
  if (!reseller) throw notFound('reseller');
  return balance(db, actor.resellerId, resellerId, reseller.selling_currency);
}

export async function balance(db: Reader, viewerId: string, resellerId: string, currency: string): Promise<Balance> {
  const read = await readBalance(db, viewerId, resellerId, currency);
  return {
    available: money(read.available, currency),
    held: money(read.held, currency),
    creditLimit: money(read.creditLimit, currency),
  };
}

/** A customer has no credit. */
export async function customerBalance(
  db: Reader,
  resellerId: string,
  customerId: string,
  currency: string,
): Promise<Balance> {
  const { available, held } = await readCustomerBalance(db, resellerId, customerId, currency);
  return { available: money(available, currency), held: money(held, currency), creditLimit: money(0n, currency) };
}
