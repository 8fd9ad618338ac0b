import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { readCustomer } from '../customers/read.ts';
import type { Contact } from '../model/contact.ts';
import { listContacts } from '../tables/contact.sql.ts';
import { fieldsFor, readCriteria } from './eligibility.ts';

/**
 * The oldest active contact that qualifies gets all four roles: the contract has no call that sets another, and the first contact of a
 * customer is the customer itself in every panel.
 */
export async function readDefaultContact(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  text: string | undefined,
): Promise<Contact | undefined> {
  await readCustomer(ctx, actor, customerId);
  const criteria = text && (await readCriteria(ctx, text));
  const declared = criteria ? (await fieldsFor(ctx, ctx.db.as(allTenants), criteria))?.name : undefined;
  const { rows } = await listContacts(
    ctx.db.as(actor.resellerId),
    actor.resellerId,
    customerId,
    { status: 'Active', declared },
    { limit: 1, offset: 0 },
  );
  return rows[0];
}
