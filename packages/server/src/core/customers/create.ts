import { type Tx, violatedConstraint } from '@namehold/postgres';
import { hashChosen } from '../accounts/chosen-password.ts';
import { hashPassword } from '../accounts/password.ts';
import { type Actor, type AppContext, actingId, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { findCustomerByEmail, insertCustomer } from './customer.sql.ts';
import type { Customer } from './customer.ts';
import { customerCreated } from './effects.ts';

interface NewCustomer extends PartyInput {
  readonly password: string;
}

export async function createCustomer(ctx: AppContext, actor: Actor, order: NewCustomer): Promise<Customer> {
  const { email } = readParty(order);
  const passwordHash = await (actor.user
    ? hashChosen(order.password, email, 'password', actor)
    : hashPassword(order.password, actor));
  try {
    return await write(ctx, actor, (tx) => addCustomer(ctx, tx, actor, actor.resellerId, order, passwordHash));
  } catch (error) {
    if (violatedConstraint(error) === 'customer_email') throw emailTaken(order.email);
    throw error;
  }
}

/** Also used at first start. The password is hashed beforehand: hashing is too slow for a transaction. */
export async function addCustomer(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  resellerId: string,
  order: PartyInput,
  passwordHash: string,
): Promise<Customer> {
  const party = readParty(order);
  const present = await findCustomerByEmail(tx, resellerId, party.email);
  if (present) throw emailTaken(party.email, present.id);
  const by = actingId(actor);
  const customer = await insertCustomer(tx, {
    ...party,
    reseller_id: resellerId,
    password_hash: passwordHash,
    password_by: by === null ? [] : [by],
    password_maker: actor.keyId,
    created_at: ctx.clock.now(),
  });
  await audit(ctx, tx, actor, {
    action: 'customer.create',
    objectType: 'customer',
    objectId: customer.id,
    after: customer,
    resellerId,
  });
  await ctx.effects.run(customerCreated, { ctx, tx, actor, customer, party: order });
  return customer;
}

/** A customer signs in with the address, and panels look customers up by it: one customer per address. */
export function emailTaken(email: string, id?: string): Refusal {
  const owner = id ? `Customer ${id}` : 'Another customer';
  return new Refusal('already_exists', `email: ${owner} already uses the address ${email}.`, {
    errors: [{ field: 'email', code: 'taken', message: `${owner} already uses this address.` }],
  });
}
