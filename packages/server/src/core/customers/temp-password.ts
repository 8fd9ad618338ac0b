import { newTemporaryPassword } from '../accounts/password.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { type Actor, actingId, type House, write } from '../house.ts';
import { lockCustomer, setTemporaryPassword } from './customer.sql.ts';

export interface IssuedPassword {
  readonly id: string;
  readonly password: string;
  readonly expiresAt: Date;
}

/** Beside the own password, for three days of wall time; a second one ends the first. */
export async function issueCustomerPassword(house: House, actor: Actor, id: string): Promise<IssuedPassword> {
  const made = await newTemporaryPassword(house.ids, house.wall.now());
  return write(house, actor, async (tx) => {
    const customer = await lockCustomer(tx, actor.resellerId, id);
    if (!customer) throw badField('customer', 'customer not found', 'not_found');
    await setTemporaryPassword(tx, actor.resellerId, id, { ...made, by: actingId(actor) });
    await audit(house, tx, actor, {
      action: 'customer.temp_password',
      objectType: 'customer',
      objectId: id,
      after: { expires_at: made.expiresAt },
    });
    return { id, password: made.password, expiresAt: made.expiresAt };
  });
}
