import type { Tx } from '@namehold/postgres';
import { isAnother } from '../actors.ts';
import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { shareCustomer } from '../customers/customer.sql.ts';
import type { customerCreated } from '../customers/effects.ts';
import type { EventAt } from '../effects.ts';
import { notFound } from '../errors.ts';
import { type Contact, contactFingerprint, latinForm } from '../model/contact.ts';
import type { Extra } from '../model/tld.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { findContactByFingerprint, insertContact } from '../tables/contact.sql.ts';
import { declare, readCriteria } from './eligibility.ts';

interface NewContact extends PartyInput {
  readonly eligibility?: string | undefined;
  readonly extra?: Extra | undefined;
}

/** The same data for the same customer return the existing contact: panels send one contact four times per order, and retry. */
export async function createContact(
  ctx: AppContext,
  actor: Actor,
  customerId: string,
  order: NewContact,
): Promise<Contact> {
  const criteria = order.eligibility && (await readCriteria(ctx, order.eligibility));
  const checked = { ...order, eligibility: criteria };
  return write(ctx, actor, (tx) => addContact(ctx, tx, actor, actor.resellerId, customerId, checked));
}

/** Panels that never create a contact order with the default one: the customer's own data at creation. */
export async function addFirstContact({
  ctx,
  tx,
  actor,
  customer,
  party,
}: EventAt<typeof customerCreated>): Promise<void> {
  await addContact(ctx, tx, actor, customer.reseller_id, customer.id, party);
}

/** Also used at first start. */
export async function addContact(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  resellerId: string,
  customerId: string,
  order: NewContact,
): Promise<Contact> {
  if (isAnother(actor, customerId) || !(await shareCustomer(tx, resellerId, customerId))) throw notFound('customer');
  const { alt_tel_cc_no: _, alt_tel_no: _1, mobile_cc_no: _2, mobile_no: _3, ...party } = readParty(order);
  const declared = await declare(ctx, tx, order.eligibility, order.extra ?? {});
  const content = { ...party, ...declared, latin: latinForm(party) };
  const fingerprint = contactFingerprint(content);
  const row = { ...content, fingerprint, reseller_id: resellerId, customer_id: customerId };
  const made = await insertContact(tx, row, ctx.clock.now());
  if (!made) {
    // The insert waited for the other writer, so its row can be read.
    const present = await findContactByFingerprint(tx, resellerId, customerId, fingerprint);
    // It was deleted between both statements: then a new one can be inserted.
    return present ?? addContact(ctx, tx, actor, resellerId, customerId, order);
  }
  await audit(ctx, tx, actor, {
    action: 'contact.create',
    objectType: 'contact',
    objectId: made.id,
    after: made,
    resellerId,
  });
  return made;
}
