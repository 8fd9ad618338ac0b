import { readCustomer } from '../customers/read.ts';
import type { Actor, House } from '../house.ts';
import { isExtraClass } from '../tlds/extra.ts';
import { listContacts } from './contact.sql.ts';
import type { Contact } from './contact.ts';
import { readCriteria } from './eligibility.ts';

/**
 * The oldest active contact that qualifies stands in all four roles: the contract has no call that sets another, and the first
 * contact of a customer is the customer itself in every panel.
 */
export async function readDefaultContact(
  house: House,
  actor: Actor,
  customerId: string,
  text: string | undefined,
): Promise<Contact | undefined> {
  await readCustomer(house, actor, customerId);
  const criteria = text && (await readCriteria(house, text));
  const declared = criteria && isExtraClass(criteria) ? criteria : undefined;
  const { rows } = await listContacts(
    house.db.as(actor.resellerId),
    actor.resellerId,
    customerId,
    { status: 'Active', declared },
    { limit: 1, offset: 0 },
  );
  return rows[0];
}
