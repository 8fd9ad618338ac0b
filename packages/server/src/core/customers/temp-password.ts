import { newTemporaryPassword } from '../accounts/password.ts';
import { type Actor, type AppContext, actingId, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField } from '../errors.ts';
import { lockCustomer, setTemporaryPassword } from './customer.sql.ts';
import { notifyAccessGranted } from './grant-access.ts';
import { refusePrivilegeEscalation } from './privilege-limits.ts';
import { findAccess } from './sign-in.sql.ts';

interface IssuedPassword {
  readonly id: string;
  readonly password: string;
  readonly expiresAt: Date;
}

/** Beside the own password, for three days of wall-clock time; a second one ends the first. */
export async function issueCustomerPassword(ctx: AppContext, actor: Actor, id: string): Promise<IssuedPassword> {
  const made = await newTemporaryPassword(ctx.ids, ctx.wall.now(), actor);
  return writeAsService(ctx, actor, async (tx) => {
    const customer = await lockCustomer(tx, actor.resellerId, id);
    const found = await findAccess(tx, actor.resellerId, id);
    if (!customer || !found) throw badField('customer', 'Customer not found.', 'not_found');
    refusePrivilegeEscalation(actor, found.access);
    await setTemporaryPassword(tx, actor.resellerId, id, { ...made, by: actingId(actor) });
    await audit(ctx, tx, actor, {
      action: 'customer.temp_password',
      objectType: 'customer',
      objectId: id,
      after: { expires_at: made.expiresAt },
    });
    // Without access it signs in nowhere here, and panels make many.
    if (found.access !== 'none')
      await notifyAccessGranted(ctx, tx, actor, { ...customer, access: found.access }, 'password');
    return { id, password: made.password, expiresAt: made.expiresAt };
  });
}
