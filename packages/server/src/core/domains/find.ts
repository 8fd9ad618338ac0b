import { NameError, normaliseName } from '@namehold/base';
import type { Tx } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Domain } from '../model/domain.ts';
import { findDomain, findDomainByName, lockDomain } from '../tables/domain.sql.ts';

/** By id or by domain name. If a customer is given, the domain must belong to it. */
export async function requireDomain(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId?: string,
): Promise<Domain> {
  const db = ctx.db.as(actor.resellerId);
  const found = /^\d{1,18}$/.test(idOrName)
    ? await findDomain(db, actor.resellerId, idOrName, actor.customerId)
    : await byName(ctx, actor, idOrName);
  if (!found || (customerId !== undefined && found.customer_id !== customerId)) throw notFound('domain');
  return asSeenBy(actor, found);
}

/** The locked row, unchanged until the transaction ends. A domain that no longer belongs to the caller is not found. */
export async function lockOwn(tx: Tx, actor: Actor, id: string): Promise<Domain> {
  const domain = await lockDomain(tx, actor.resellerId, id, actor.customerId);
  if (!domain) throw notFound('domain');
  return asSeenBy(actor, domain);
}

/** The reasons are notes of the reseller. */
const asSeenBy = ({ customerId }: Actor, domain: Domain): Domain =>
  customerId === undefined ? domain : { ...domain, locked_reason: null, suspended_reason: null };

async function byName(ctx: AppContext, actor: Actor, text: string): Promise<Domain | undefined> {
  try {
    const db = ctx.db.as(actor.resellerId);
    return await findDomainByName(db, actor.resellerId, normaliseName(text), actor.customerId);
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}
