import { allTenants } from '@namehold/postgres';
import { hideBy, toRegistryContact } from '../../core/domains/registry/ensure-contacts.ts';
import { handlesWithRemote, readContactsForRegistry } from '../../core/domains/registry/registry-contact.sql.ts';
import type { RegistryContact } from '../../core/ports/registry.ts';
import { rulesOf } from '../../core/tlds/rules-of.ts';
import type { ContactData } from './dialect.ts';
import type { Upstream } from './upstream.ts';

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
    const hide = shown_as === 'plain' ? undefined : hideBy(await rulesOf(db, name.slice(name.indexOf('.') + 1)), true);
    data[remote_id] = toRegistryContact(contact, handle, hide);
  }
  const missing = wanted.find((id) => !data[id]);
  return missing === undefined ? data : `contact ${missing} is not one of ours`;
}
