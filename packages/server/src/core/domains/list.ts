import { NameError, normaliseName } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { findCustomerByEmail } from '../customers/customer.sql.ts';
import type { Listed, Page } from '../page.ts';
import { type DomainFilter, type DomainOrder, listOwners, pageOfDomains, rulesOfEach } from './list.sql.ts';
import { type ShownDomain, shownDomain } from './read.ts';

type DomainSearch = Omit<DomainFilter, 'name' | 'namePrefix'> & {
  readonly customerEmail?: string | undefined;
  readonly domainName?: string | undefined;
  readonly isExactName?: boolean | undefined;
  readonly resellerId?: string | undefined;
  readonly resellerEmail?: string | undefined;
  readonly showChildOrders?: boolean | undefined;
};

const nothing: Listed<ShownDomain> = { rows: [], total: 0 };

export async function searchDomains(
  ctx: AppContext,
  actor: Actor,
  search: DomainSearch,
  page: Page,
  order?: DomainOrder,
): Promise<Listed<ShownDomain>> {
  const db = ctx.db.as(actor.resellerId);
  const named = filterOf(search);
  const filter = named && ownOf(actor, await ofCustomer(db, actor, named, search.customerEmail));
  if (!filter) return nothing;
  const resellerIds = await ownersOf(ctx, actor, search);
  if (resellerIds.length === 0) return nothing;
  const now = ctx.clock.now();
  const { rows, ...listed } = await pageOfDomains(db, { resellerIds, filter, now }, page, order);
  const rulesFor = await rulesOfEach(db, rows);
  return { rows: rows.map((row) => shownDomain(row, rulesFor(row), now)), ...listed };
}

/** Undefined: nothing can match. */
function filterOf(search: DomainSearch): DomainFilter | undefined {
  const { domainName: name, isExactName, customerEmail: _email, ...rest } = search;
  const { resellerId: _id, resellerEmail: _resellerEmail, showChildOrders: _children, ...filter } = rest;
  // A client looks up a domain without a match and then renews the last row, so a page without a match must be empty.
  if (isExactName && name === undefined) return undefined;
  if (name === undefined) return filter;
  if (!isExactName) return { ...filter, namePrefix: prefixOf(name) };
  try {
    return { ...filter, name: normaliseName(name) };
  } catch (error) {
    if (error instanceof NameError) return undefined;
    throw error;
  }
}

/** A customer sees only its own domains, whatever the filter. */
function ownOf({ customerId }: Actor, filter: DomainFilter | undefined): DomainFilter | undefined {
  if (customerId === undefined || !filter) return filter;
  return filter.customerId === undefined || filter.customerId === customerId ? { ...filter, customerId } : undefined;
}

/** An email address identifies one customer: it is resolved to the id first. */
async function ofCustomer(
  db: Reader,
  actor: Actor,
  filter: DomainFilter,
  email: string | undefined,
): Promise<DomainFilter | undefined> {
  if (email === undefined) return filter;
  const customer = await findCustomerByEmail(db, actor.resellerId, email);
  if (!customer || (filter.customerId !== undefined && filter.customerId !== customer.id)) return undefined;
  return { ...filter, customerId: customer.id };
}

/** The prefix of a domain name in its stored form, as far as it can be normalised. */
function prefixOf(text: string): string {
  try {
    return normaliseName(text);
  } catch (error) {
    if (error instanceof NameError) return text.trim().toLowerCase();
    throw error;
  }
}

async function ownersOf(ctx: AppContext, actor: Actor, search: DomainSearch): Promise<readonly string[]> {
  if (actor.customerId !== undefined) return [actor.resellerId];
  const { resellerId, resellerEmail: email, showChildOrders } = search;
  if (resellerId === undefined && email === undefined && !showChildOrders) return [actor.resellerId];
  return listOwners(ctx.db.as(actor.resellerId), actor.resellerId, {
    withChildren: showChildOrders ?? false,
    resellerId,
    email,
  });
}
