import { violatedConstraint } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { emailTaken } from './create.ts';
import { lockCustomer, updateCustomer } from './customer.sql.ts';
import type { Customer } from './customer.ts';

/** Replaces the whole address block: an optional line that is left out becomes empty. The password has its own calls. */
export async function changeCustomer(ctx: AppContext, actor: Actor, id: string, order: PartyInput): Promise<Customer> {
  const party = readParty(order);
  try {
    return await write(ctx, actor, async (tx) => {
      const before = await lockCustomer(tx, actor.resellerId, id);
      if (!before) throw notFound('customer');
      const after = await updateCustomer(tx, actor.resellerId, id, party);
      await audit(ctx, tx, actor, { action: 'customer.change', objectType: 'customer', objectId: id, before, after });
      return after;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'customer_email') throw emailTaken(party.email);
    throw error;
  }
}
