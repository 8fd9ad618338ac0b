import { isAnother } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { findCustomer, findPayer } from './customer.sql.ts';
import type { Customer } from './customer.ts';

export async function readCustomer(ctx: AppContext, actor: Actor, id: string): Promise<Customer> {
  const customer = isAnother(actor, id)
    ? undefined
    : await findCustomer(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!customer) throw notFound('customer');
  return customer;
}

/** For reads of its money only. */
export async function readPayer(ctx: AppContext, actor: Actor, id: string): Promise<Customer> {
  const customer = isAnother(actor, id)
    ? undefined
    : await findPayer(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!customer) throw notFound('customer');
  return customer;
}
