import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findCustomer, findPayer } from './customer.sql.ts';
import type { Customer } from './customer.ts';

/** For a customer every other one is not there. */
export const isAnother = ({ customerId }: Actor, id: string) => customerId !== undefined && customerId !== id;

export async function readCustomer(house: House, actor: Actor, id: string): Promise<Customer> {
  const customer = isAnother(actor, id)
    ? undefined
    : await findCustomer(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!customer) throw notFound('customer');
  return customer;
}

/** For what is about its money alone. */
export async function readPayer(house: House, actor: Actor, id: string): Promise<Customer> {
  const customer = isAnother(actor, id)
    ? undefined
    : await findPayer(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!customer) throw notFound('customer');
  return customer;
}
