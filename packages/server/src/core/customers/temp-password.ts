import { newTemporaryPassword } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { type Actor, actingId, type House, writeWide } from '../house.ts';
import { lockCustomer, setTemporaryPassword } from './customer.sql.ts';
import { tellGranted } from './give-access.ts';
import { findAccess } from './sign-in.sql.ts';
import { refuseBeyondOwn } from './within-own.ts';

export interface IssuedPassword {
  readonly id: string;
  readonly password: string;
  readonly expiresAt: Date;
}

/** Beside the own password, for three days of wall time; a second one ends the first. */
export async function issueCustomerPassword(house: House, actor: Actor, id: string): Promise<IssuedPassword> {
  const made = await newTemporaryPassword(house.ids, house.wall.now());
  return writeWide(house, actor, async (tx) => {
    const customer = await lockCustomer(tx, actor.resellerId, id);
    const found = await findAccess(tx, actor.resellerId, id);
    if (!customer || !found) throw badField('customer', 'Customer not found.', 'not_found');
    refuseBeyondOwn(actor, found.access);
    await setTemporaryPassword(tx, actor.resellerId, id, { ...made, by: actingId(actor) });
    await audit(house, tx, actor, {
      action: 'customer.temp_password',
      objectType: 'customer',
      objectId: id,
      after: { expires_at: made.expiresAt },
    });
    // Without access it opens nothing here, and panels make many.
    if (found.access !== 'none') await tellGranted(house, tx, actor, { ...customer, access: found.access }, 'password');
    return { id, password: made.password, expiresAt: made.expiresAt };
  });
}
