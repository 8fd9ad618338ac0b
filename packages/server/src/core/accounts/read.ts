import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findReseller } from './account.sql.ts';
import type { Reseller } from './account.ts';

/** The caller itself or a direct child. */
export async function readReseller(house: House, actor: Actor, id: string): Promise<Reseller> {
  const reseller = await findReseller(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!reseller) throw notFound('reseller');
  return reseller;
}
