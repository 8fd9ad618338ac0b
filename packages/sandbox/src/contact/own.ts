import type { Tx } from '@namehold/postgres';
import { refuse } from '../registry/refusal.ts';
import type { Call } from '../registry/registry.ts';
import { lockContact } from './contact.sql.ts';
import type { ContactRecord } from './record.ts';

/** Locks the contact. 2303 if it does not exist, 2201 if another registrar sponsors it. */
export async function lockOwnContact(tx: Tx, call: Call, handle: string): Promise<ContactRecord> {
  const contact = await lockContact(tx, handle);
  if (contact === undefined) refuse(2303, `contact ${handle} does not exist`);
  if (contact.sponsor !== call.clientId) refuse(2201, `contact ${handle} is another registrar's`);
  return contact;
}
