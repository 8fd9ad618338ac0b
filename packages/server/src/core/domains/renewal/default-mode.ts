import { everyTenant } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { lockCustomer } from '../../customers/customer.sql.ts';
import { readCustomer } from '../../customers/read.ts';
import { notFound } from '../../errors.ts';
import { type Actor, type House, write, writeWide } from '../../house.ts';
import { refuseSingleHand } from './choose-mode.ts';
import type { RenewalMode } from './mode.ts';
import { readAccountMode, saveAccountMode, saveCustomerMode } from './renewal.sql.ts';

/** With what mode new names begin. Present ones keep theirs: no change of a default charges anybody for a name that is here already. */
export const readOwnDefault = (house: House, actor: Actor): Promise<RenewalMode> =>
  readAccountMode(house.db.as(actor.resellerId), actor.resellerId);

/** On the second login: no request may write what an account has chosen. */
export async function chooseOwnDefault(house: House, actor: Actor, mode: RenewalMode): Promise<RenewalMode> {
  await refuseSingleHand(house.db.as(everyTenant), actor, mode);
  return writeWide(house, actor, async (tx) => {
    const before = await readAccountMode(tx, actor.resellerId);
    await saveAccountMode(tx, actor.resellerId, mode);
    await audit(house, tx, actor, {
      action: 'account.renewal_mode',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { renewal_mode: before },
      after: { renewal_mode: mode },
    });
    return mode;
  });
}

/** Null: as the account has it. */
export const readCustomerDefault = async (house: House, actor: Actor, id: string): Promise<RenewalMode | null> =>
  (await readCustomer(house, actor, id)).renewal_mode;

export async function chooseCustomerDefault(
  house: House,
  actor: Actor,
  id: string,
  mode: RenewalMode | null,
): Promise<RenewalMode | null> {
  await refuseSingleHand(house.db.as(actor.resellerId), actor, mode);
  return write(house, actor, async (tx) => {
    const before = await lockCustomer(tx, actor.resellerId, id);
    if (!before) throw notFound('customer');
    await saveCustomerMode(tx, actor.resellerId, id, mode);
    await audit(house, tx, actor, {
      action: 'customer.renewal_mode',
      objectType: 'customer',
      objectId: id,
      before: { renewal_mode: before.renewal_mode },
      after: { renewal_mode: mode },
    });
    return mode;
  });
}
