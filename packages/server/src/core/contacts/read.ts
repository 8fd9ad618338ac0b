import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { findContact } from './contact.sql.ts';
import type { Contact } from './contact.ts';

export async function readContact(house: House, actor: Actor, customerId: string, id: string): Promise<Contact> {
  const contact = await findContact(house.db.as(actor.resellerId), actor.resellerId, customerId, id);
  if (!contact) throw notFound('contact');
  return contact;
}
