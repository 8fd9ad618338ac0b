import { type Tx, violatedConstraint } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound } from '../errors.ts';
import { beforeAndNow } from '../notices/notify-address-change.ts';
import { sameAddress } from '../reference/email.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { recordAddressChange } from './address-change.ts';
import { emailTaken } from './create.ts';
import { lockCustomer, updateCustomer } from './customer.sql.ts';
import type { Customer } from './customer.ts';
import { notifyAccessGranted } from './grant-access.ts';
import { refusePrivilegeEscalation } from './privilege-limits.ts';
import { findAccess } from './sign-in.sql.ts';

/** Replaces the whole address block: an optional line that is left out becomes empty. The password has its own calls. */
export async function changeCustomer(ctx: AppContext, actor: Actor, id: string, order: PartyInput): Promise<Customer> {
  const party = readParty(order);
  try {
    return await writeAsService(ctx, actor, async (tx) => {
      const before = await lockCustomer(tx, actor.resellerId, id);
      if (!before) throw notFound('customer');
      const after = await updateCustomer(tx, actor.resellerId, id, party);
      await audit(ctx, tx, actor, { action: 'customer.change', objectType: 'customer', objectId: id, before, after });
      if (!sameAddress(after.email, before.email)) await signInAddressChanged(ctx, tx, actor, before, after);
      return after;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'customer_email') throw emailTaken(party.email);
    throw error;
  }
}

/** The address is the login of the customer: who controls it can claim to be the customer, so it confers the access. */
async function signInAddressChanged(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  before: Customer,
  after: Customer,
): Promise<void> {
  await recordAddressChange(tx, actor, before, after);
  const { access } = (await findAccess(tx, actor.resellerId, after.id))!;
  if (access === 'none') return;
  refusePrivilegeEscalation(actor, access);
  const label = beforeAndNow(before.email, after.email);
  await notifyAccessGranted(ctx, tx, actor, { ...after, access }, 'address', before.email, label);
}
