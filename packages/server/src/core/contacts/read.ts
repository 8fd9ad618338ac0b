import { isAnother } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import type { Contact } from '../model/contact.ts';
import { type AddressRow, findAddress } from '../notices/notice.sql.ts';
import { findContact } from '../tables/contact.sql.ts';

export async function readContact(ctx: AppContext, actor: Actor, customerId: string, id: string): Promise<Contact> {
  const contact = isAnother(actor, customerId)
    ? undefined
    : await findContact(ctx.db.as(actor.resellerId), actor.resellerId, customerId, id);
  if (!contact) throw notFound('contact');
  return contact;
}

/** Includes the state of its address: confirmed, or bouncing. */
export async function readReachableContact(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  id: string,
): Promise<{ contact: Contact; address: AddressRow | undefined }> {
  const contact = await readContact(ctx, actor, customerId, id);
  return { contact, address: await findAddress(ctx.db.as(actor.resellerId), actor.resellerId, contact.email) };
}
