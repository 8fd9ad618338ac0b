import { readCustomer } from '../customers/read.ts';
import { badField } from '../errors.ts';
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
  const found = await listContacts(
    house.db.as(actor.resellerId),
    actor.resellerId,
    customerId,
    { ...filter, declared },
    page,
  );
  // The contract's one exception to "no match is []": panels make the fitting contact only where this call is refused. Not 404,
  // because they drop the text of a 404.
  if (criteria && found.total === 0) {
    throw badField('eligibility', `no contact of this customer qualifies for .${criteria}; create one`, 'no_match');
  }
  return found;
}
