import { newTemporaryPassword } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { type Actor, actingId, type House, write } from '../house.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import type { Access } from './access.ts';
import { lockCustomer, setTemporaryPassword } from './customer.sql.ts';
import { readCustomer } from './read.ts';
import { findAccess, setAccess } from './sign-in.sql.ts';

export async function readAccess(house: House, actor: Actor, id: string): Promise<Access> {
  const found = await findAccess(house.db.as(actor.resellerId), actor.resellerId, id);
  if (!found) throw notFound('customer');
  return found.access;
}

/** Counts for sessions that are open, too, within five seconds; `none` ends them. */
export async function giveAccess(
  house: House,
  actor: Actor,
  id: string,
  { access, expected }: { readonly access: Access; readonly expected?: ExpectedVersion | undefined },
): Promise<Access> {
  return write(house, actor, async (tx) => {
    if (!(await lockCustomer(tx, actor.resellerId, id))) throw notFound('customer');
    const before = (await findAccess(tx, actor.resellerId, id)) ?? null;
    requireVersion(expected, before?.access);
    await setAccess(tx, actor.resellerId, id, access);
    const after = { access };
    await audit(house, tx, actor, { action: 'customer.access', objectType: 'customer', objectId: id, before, after });
    return access;
  });
}

export interface CustomerInvitation {
  readonly customerId: string;
  readonly resellerId: string;
  readonly email: string;
  readonly access: Access;
  readonly password: string;
  readonly expiresAt: Date;
}

/** What a customer needs for its first sign-in. The password is a temporary one: with it one of its own must be chosen. */
export async function inviteCustomer(house: House, actor: Actor, id: string): Promise<CustomerInvitation> {
  await readCustomer(house, actor, id);
  const made = await newTemporaryPassword(house.ids, house.wall.now());
  return write(house, actor, async (tx) => {
    const customer = await lockCustomer(tx, actor.resellerId, id);
    const found = await findAccess(tx, actor.resellerId, id);
    if (!customer || !found) throw notFound('customer');
    if (found.access === 'none')
      throw new Refusal('conflict', 'this customer may do nothing yet: give it access first');
    await setTemporaryPassword(tx, actor.resellerId, id, { ...made, by: actingId(actor) });
    const after = { expires_at: made.expiresAt };
    await audit(house, tx, actor, { action: 'customer.invite', objectType: 'customer', objectId: id, after });
    const { resellerId } = actor;
    const { password, expiresAt } = made;
    return { customerId: id, resellerId, email: customer.email, access: found.access, password, expiresAt };
  });
}
