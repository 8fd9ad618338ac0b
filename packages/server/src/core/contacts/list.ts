import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { readCustomer } from '../customers/read.ts';
import type { Contact } from '../model/contact.ts';
import { type ContactFilter, listContacts } from '../tables/contact.sql.ts';
import { fieldsFor, readCriteria } from './eligibility.ts';

interface ContactSearch extends Omit<ContactFilter, 'declared'> {
  readonly eligibility?: string | undefined;
}

export async function searchContacts(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  search: ContactSearch,
  page: { limit: number; offset: number },
): Promise<{ rows: Contact[]; total: number }> {
  await readCustomer(ctx, actor, customerId);
  const { eligibility, ...filter } = search;
  const criteria = eligibility && (await readCriteria(ctx, eligibility));
  const declared = criteria ? (await fieldsFor(ctx, ctx.db.as(allTenants), criteria))?.name : undefined;
  const db = ctx.db.as(actor.resellerId);
  return listContacts(db, actor.resellerId, customerId, { ...filter, declared }, page);
}
