import { allTenants } from '@namehold/postgres';
import { hideBy, toRegistryContact } from '../../core/domains/registry/ensure-contacts.ts';
import {
  contactsOfName,
  handlesWithRemote,
  readContactsForRegistry,
} from '../../core/domains/registry/registry-contact.sql.ts';
import type { RegistryContact } from '../../core/ports/registry.ts';
import { rulesOf } from '../../core/tlds/rules-of.ts';
import type { ContactData, ContactIds } from './dialect.ts';
import type { Upstream } from './upstream.ts';

const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** For an upstream without contacts: those of a domain in our records, because a transfer has no handles. */
export async function transferContacts(
  u: Upstream,
  name: string,
): Promise<{ readonly contacts: ContactIds; readonly contactData: ContactData } | undefined> {
  const { contactIdOf } = u.dialect;
  if (!contactIdOf) return undefined;
  const db = u.ctx.db.as(allTenants);
  const { isPrivate, ...roles } = await contactsOfName(db, u.id, name);
  const hide = hideBy(await rulesOf(db, tldOf(name)), isPrivate);
  const wanted = Object.values(roles).filter((id) => id !== null);
  const found = new Map((await readContactsForRegistry(db, u.id, wanted)).map((contact) => [contact.id, contact]));
  const contacts: Record<string, string> = {};
  const contactData: Record<string, RegistryContact> = {};
  for (const [role, contactId] of Object.entries(roles)) {
    const contact = contactId === null ? undefined : found.get(contactId);
    if (!contact) continue;
    const data = toRegistryContact(contact, contact.handle ?? '', hide);
    const id = contactIdOf(data);
    contacts[role] = id;
    contactData[id] = data;
  }
  return { contacts, contactData };
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
    const hide = shown_as === 'plain' ? undefined : hideBy(await rulesOf(db, tldOf(name)), true);
    data[remote_id] = toRegistryContact(contact, handle, hide);
  }
  const missing = wanted.find((id) => !data[id]);
  return missing === undefined ? data : `contact ${missing} is not one of ours`;
}
