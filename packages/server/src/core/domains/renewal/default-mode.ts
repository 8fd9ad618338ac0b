import { allTenants } from '@namehold/postgres';
import { type Actor, type AppContext, write, writeAsService } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { lockCustomer } from '../../customers/customer.sql.ts';
import { readCustomer } from '../../customers/read.ts';
import { notFound } from '../../errors.ts';
import type { RenewalMode } from '../../model/domain.ts';
import { refuseSinglePrincipal } from './choose-mode.ts';
import { readAccountMode, saveAccountMode, saveCustomerMode } from './renewal.sql.ts';

/** The renewal mode of new domains. Existing domains keep theirs, so a changed default never causes a charge for them. */
export const readOwnDefault = (ctx: AppContext, actor: Actor): Promise<RenewalMode> =>
  readAccountMode(ctx.db.as(actor.resellerId), actor.resellerId);

/** With the login that bypasses row-level security, because a request may not write account settings. */
export async function chooseOwnDefault(ctx: AppContext, actor: Actor, mode: RenewalMode): Promise<RenewalMode> {
  await refuseSinglePrincipal(ctx.db.as(allTenants), actor, mode);
  return writeAsService(ctx, actor, async (tx) => {
    const before = await readAccountMode(tx, actor.resellerId);
    await saveAccountMode(tx, actor.resellerId, mode);
    await audit(ctx, tx, actor, {
      action: 'account.renewal_mode',
      objectType: 'reseller',
      objectId: actor.resellerId,
      before: { renewal_mode: before },
      after: { renewal_mode: mode },
    });
    return mode;
  });
}

/** Null: the default of the account. */
export const readCustomerDefault = async (ctx: AppContext, actor: Actor, id: string): Promise<RenewalMode | null> =>
  (await readCustomer(ctx, actor, id)).renewal_mode;

export async function chooseCustomerDefault(
  ctx: AppContext,
  actor: Actor,
  id: string,
  mode: RenewalMode | null,
): Promise<RenewalMode | null> {
  await refuseSinglePrincipal(ctx.db.as(actor.resellerId), actor, mode);
  return write(ctx, actor, async (tx) => {
    const before = await lockCustomer(tx, actor.resellerId, id);
    if (!before) throw notFound('customer');
    await saveCustomerMode(tx, actor.resellerId, id, mode);
    await audit(ctx, tx, actor, {
      action: 'customer.renewal_mode',
      objectType: 'customer',
      objectId: id,
      before: { renewal_mode: before.renewal_mode },
      after: { renewal_mode: mode },
    });
    return mode;
  });
}
