import { allTenants } from '@namehold/postgres';
import { hideBy, toRegistryContact } from '../../core/domains/registry/ensure-contacts.ts';
import {
  handlesWithRemote,
  readContactsForRegistry,
  remoteContact,
} from '../../core/domains/registry/registry-contact.sql.ts';
import type { DomainOrder, RegistryContact } from '../../core/ports/registry.ts';
import { rulesOf } from '../../core/tlds/rules-of.ts';
import type { ContactData, ContactIds, Role } from './dialect.ts';
import { tldOf } from './roles.ts';
import type { Upstream } from './upstream.ts';

type Parties = Pick<DomainOrder, 'name' | 'registrant'> & { readonly contacts?: DomainOrder['contacts'] };

/** The contacts of an order with the upstream's ids, or why they cannot be resolved. */
export async function contactsOfOrder(
  u: Upstream,
  { name, registrant, contacts: others = {} }: Parties,
): Promise<{ readonly contacts: ContactIds; readonly contactData: ContactData } | string> {
  const contacts: Partial<Record<Role, string>> = {};
  for (const [role, handle] of Object.entries({ registrant, ...others })) {
    if (handle === undefined) continue;
    const id = await remoteContact(u.ctx.db.as(allTenants), u.id, handle);
    if (id === undefined) return `contact ${handle} does not exist at the upstream yet`;
    contacts[role as Role] = id;
  }
  const contactData = await contactDataOf(u, name, Object.values(contacts));
  return typeof contactData === 'string' ? contactData : { contacts, contactData };
}

/** For an upstream without contacts: the data of our contacts with these ids, or which one is missing. */
export async function contactDataOf(
  u: Upstream,
  name: string,
  ids: readonly (string | undefined)[],
): Promise<ContactData | string> {
  if (!u.dialect.contactIdOf) return {};
  const db = u.ctx.db.as(allTenants);
  const data: Record<string, RegistryContact> = {};
  const wanted = [...new Set(ids.filter((id) => id !== undefined))];
  for (const { remote_id, handle, contact_id, shown_as } of await handlesWithRemote(db, u.id, wanted)) {
    const [contact] = await readContactsForRegistry(db, u.id, [contact_id], shown_as);
    if (!contact || data[remote_id]) continue;
    const hide =
      shown_as === 'plain' ? undefined : hideBy(await rulesOf(db, { tld: tldOf(name), registry_id: u.id }), true);
    data[remote_id] = toRegistryContact(contact, handle, hide);
  }
  const missing = wanted.find((id) => !data[id]);
  return missing === undefined ? data : `contact ${missing} is not one of ours`;
}
