import { readCustomer } from '../customers/read.ts';
import type { Actor, House } from '../house.ts';
import { isExtraClass } from '../tlds/extra.ts';
import { type ContactFilter, listContacts } from './contact.sql.ts';
import type { Contact } from './contact.ts';
import { readCriteria } from './eligibility.ts';

export interface ContactSearch extends Omit<ContactFilter, 'declared'> {
  readonly eligibility?: string | undefined;
}

export async function searchContacts(
  house: House,
  actor: Actor,
  customerId: string,
  search: ContactSearch,
  page: { limit: number; offset: number },
): Promise<{ rows: Contact[]; total: number }> {
  await readCustomer(house, actor, customerId);
  const { eligibility, ...filter } = search;
  const criteria = eligibility && (await readCriteria(house, eligibility));
  const declared = criteria && isExtraClass(criteria) ? criteria : undefined;
  const db = house.db.as(actor.resellerId);
  return listContacts(db, actor.resellerId, customerId, { ...filter, declared }, page);
}
