import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { findReseller } from './account.sql.ts';
import type { Reseller } from './account.ts';

/** The caller itself or a direct child. */
export async function readReseller(ctx: AppContext, actor: Actor, id: string): Promise<Reseller> {
  const reseller = await findReseller(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!reseller) throw notFound('reseller');
  return reseller;
}
