import type { Tx } from '@namehold/postgres';
import { type Actor, actingId } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { Access } from '../model/customer-access.ts';
import { sameAddress } from '../reference/email.ts';
import { findUnconfirmedAddress, setAddressBy } from './address-change.sql.ts';
import type { Customer } from './customer.ts';
import { mayGrant, mayGrantBy } from './privilege-limits.ts';

/** Null: the caller may grant every access, so an address that it sets or confirms needs no other confirmation. */
const vouchedBy = (actor: Actor): string | null => (mayGrant(actor, 'order') ? null : actingId(actor));

/** A change back to the confirmed address needs no confirmation. */
export async function recordAddressChange(tx: Tx, actor: Actor, before: Customer, after: Customer): Promise<void> {
  const { resellerId } = actor;
  const pending = await findUnconfirmedAddress(tx, resellerId, after.id);
  const confirmed = pending?.email_before ?? before.email;
  const by = sameAddress(confirmed, after.email) ? null : vouchedBy(actor);
  await setAddressBy(tx, resellerId, after.id, { by, before: confirmed });
}

/**
 * The address is the login of the customer. If a principal that may not grant this access changed it, the caller must repeat it.
 * Returns the address before the change; null: it was not changed.
 */
export async function confirmAddress(
  tx: Tx,
  actor: Actor,
  { id, email: present }: Customer,
  { access, email }: { readonly access: Access; readonly email: string | undefined },
): Promise<string | null> {
  if (email !== undefined && !sameAddress(email, present))
    throw badField('email', `The email address of the customer is ${present}.`, 'unconfirmed');
  const change = await findUnconfirmedAddress(tx, actor.resellerId, id);
  if (!change) return null;
  const { scopes, email_before: before } = change;
  if (email === undefined && (scopes === null || !mayGrantBy(scopes, access))) throw unconfirmed(before, present);
  if (email !== undefined) await setAddressBy(tx, actor.resellerId, id, { by: vouchedBy(actor), before });
  return before;
}

function unconfirmed(before: string, present: string): Refusal {
  const problem = {
    field: 'email',
    code: 'unconfirmed',
    message: `The email address of the customer was changed from ${before} to ${present} by a key or user that may not grant this access. If ${present} belongs to the customer, confirm it with the field email. Otherwise change the address back first.`,
  };
  return new Refusal('conflict', problem.message, { errors: [problem] });
}
