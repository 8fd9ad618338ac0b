import { findPayer } from '../accounts/account.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Listed, Page } from '../page.ts';
import { selectTransaction, selectTransactions, type TransactionFilter } from './ledger.sql.ts';
import type { Transaction } from './ledger.ts';

type Filter = Omit<TransactionFilter, 'viewerId' | 'resellerId'>;

/** Of the caller itself, of one of its customers, or of a direct child; newest first. */
export async function listTransactions(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  filter: Filter,
  page: Page,
): Promise<Listed<Transaction>> {
  const db = ctx.db.as(actor.resellerId);
  if (resellerId !== actor.resellerId && !(await findPayer(db, actor.resellerId, resellerId)))
    throw notFound('reseller');
  return selectTransactions(db, { ...filter, viewerId: actor.resellerId, resellerId }, page);
}

export async function findTransaction(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  id: string,
  customerId?: string,
): Promise<Transaction> {
  const filter = {
    viewerId: actor.resellerId,
    resellerId,
    ids: [id],
    ...(customerId === undefined ? {} : { customerId }),
  };
  const isTheirs = actor.customerId === undefined || actor.customerId === customerId;
  const found = isTheirs ? await selectTransaction(ctx.db.as(actor.resellerId), filter) : undefined;
  if (!found) throw notFound('transaction');
  return found;
}
