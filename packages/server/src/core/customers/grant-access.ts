import type { Tx } from '@namehold/postgres';
import { newTemporaryPassword, noPasswordHash } from '../accounts/password.ts';
import { type Actor, type AppContext, actingId, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { notFound, Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { type Access, actingCustomerId, hasAccessLevel } from '../model/customer-access.ts';
import type { FactValue } from '../notices/kinds.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import { levelNames } from '../notices/security-topics.ts';
import { endRequestsOfSessions } from '../tables/waiting-requests.sql.ts';
import { type ExpectedVersion, requireVersion } from '../version.ts';
import { confirmAddress } from './address-change.ts';
import { lockCustomer, setTemporaryPassword } from './customer.sql.ts';
import type { Customer } from './customer.ts';
import { isPasswordOfWeaker, refusePrivilegeEscalation } from './privilege-limits.ts';
import { readCustomer } from './read.ts';
import { endCustomerPasswords, findAccess, revokeCustomerSessions, setAccess } from './sign-in.sql.ts';

export async function readAccess(ctx: AppContext, actor: Actor, id: string): Promise<Access> {
  const found = await findAccess(ctx.db.as(actor.resellerId), actor.resellerId, id);
  if (!found) throw notFound('customer');
  return found.access;
}

/**
 * Applies to open sessions at once; `none` ends them. A password known to a weaker key or user is removed: that key or user could
 * otherwise sign in with it and have access that it may not grant.
 */
export async function giveAccess(
  ctx: AppContext,
  actor: Actor,
  id: string,
  given: {
    readonly access: Access;
    /** The address of the customer, as the caller knows it. */
    readonly email?: string | undefined;
    readonly expected?: ExpectedVersion | undefined;
  },
): Promise<Access> {
  const { resellerId } = actor;
  const { access, email, expected } = given;
  return writeAsService(ctx, actor, async (tx) => {
    const customer = await lockCustomer(tx, resellerId, id);
    const before = customer && (await findAccess(tx, resellerId, id));
    if (!before) throw notFound('customer');
    refusePrivilegeEscalation(actor, access);
    requireVersion(expected, before.access);
    const isRaised = !hasAccessLevel(before.access, access);
    const former = isRaised ? await confirmAddress(tx, actor, customer, { access, email }) : null;
    await setAccess(tx, resellerId, id, access);
    const endsPassword = isRaised && (await isPasswordOfWeaker(tx, resellerId, id, access));
    if (endsPassword) {
      await endCustomerPasswords(tx, resellerId, id, noPasswordHash());
      await revokeCustomerSessions(tx, id, {}, ctx.wall.now());
    }
    // A change that the customer requested may be more than it may do now.
    if (!hasAccessLevel(access, before.access))
      await endRequestsOfSessions(tx, actingCustomerId(id), {}, ctx.wall.now());
    const after = { access, ...(endsPassword ? { password: 'ended' } : {}) };
    await audit(ctx, tx, actor, { action: 'customer.access', objectType: 'customer', objectId: id, before, after });
    const granted = { ...customer, access };
    if (isRaised) await notifyAccessGranted(ctx, tx, actor, granted, 'access', former);
    else if (access !== before.access) await notifyAccessReduced(ctx, tx, actor, granted, before.access);
    return access;
  });
}

const reduced = { en: 'The access of a customer was reduced', id: 'Akses seorang pelanggan telah dikurangi' };
const notices = {
  access: { en: 'A customer was given access', id: 'Akses untuk seorang pelanggan telah diberikan' },
  password: {
    en: 'A temporary password was created for a customer',
    id: 'Kata sandi sementara untuk seorang pelanggan telah dibuat',
  },
  address: {
    en: 'The email address with which a customer signs in was changed',
    id: 'Alamat email yang dipakai seorang pelanggan untuk masuk telah diubah',
  },
};

/** `former`: the address before a change that this grant confirms. */
const accessLabel = (email: string, access: Access, former: string | null) => ({
  en: `${email}, access level: ${levelNames[access].en}${former === null ? '' : `. The email address was changed from ${former}`}`,
  id: `${email}, tingkat akses: ${levelNames[access].id}${former === null ? '' : `. Alamat email diubah dari ${former}`}`,
});

/** To reduce access and change the address, no scope of the access is needed, so the owner must know. */
async function notifyAccessReduced(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { id, email, access }: Pick<Customer, 'id' | 'email'> & { readonly access: Access },
  before: Access,
): Promise<void> {
  const { resellerId, requestId, keyId, user } = actor;
  const label = {
    en: `${email}, access level before: ${levelNames[before].en}; now: ${levelNames[access].en}`,
    id: `${email}, tingkat akses sebelumnya: ${levelNames[before].id}; sekarang: ${levelNames[access].id}`,
  };
  const repeats = `customer ${id} reduced ${access}`;
  await notifyAccessChange(ctx, tx, actor, { resellerId, topic: 'customer_reduced', what: reduced, label, repeats });
  await appendEvent(ctx, tx, {
    resellerId,
    type: 'customer.access_reduced',
    objectId: id,
    requestId,
    payload: { customer_id: id, access, access_before: before, key_id: keyId, person_id: user?.id ?? null },
  });
}

/** Notifies the owner of the account by mail, and emits an event: there is a new way to sign in. */
export async function notifyAccessGranted(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  { id, email, access }: Pick<Customer, 'id' | 'email'> & { readonly access: Access },
  how: keyof typeof notices,
  former: string | null = null,
  label: FactValue = accessLabel(email, access, former),
): Promise<void> {
  const { resellerId, requestId, keyId, user } = actor;
  const topic = `customer_${access}` as const;
  const repeats = `customer ${id} ${how} ${access} ${email}`;
  await notifyAccessChange(ctx, tx, actor, { resellerId, topic, what: notices[how], label, repeats });
  await appendEvent(ctx, tx, {
    resellerId,
    type: 'customer.access_granted',
    objectId: id,
    requestId,
    payload: { customer_id: id, access, how, key_id: keyId, person_id: user?.id ?? null },
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

/** What a customer needs for its first sign-in: a temporary password, which it must replace with its own. */
export async function inviteCustomer(ctx: AppContext, actor: Actor, id: string): Promise<CustomerInvitation> {
  await readCustomer(ctx, actor, id);
  const made = await newTemporaryPassword(ctx.ids, ctx.wall.now(), actor);
  return writeAsService(ctx, actor, async (tx) => {
    const customer = await lockCustomer(tx, actor.resellerId, id);
    const found = await findAccess(tx, actor.resellerId, id);
    if (!customer || !found) throw notFound('customer');
    if (found.access === 'none') throw new Refusal('conflict', 'This customer has no access yet. Grant access first.');
    refusePrivilegeEscalation(actor, found.access);
    await setTemporaryPassword(tx, actor.resellerId, id, { ...made, by: actingId(actor) });
    const after = { expires_at: made.expiresAt };
    await audit(ctx, tx, actor, { action: 'customer.invite', objectType: 'customer', objectId: id, after });
    await notifyAccessGranted(ctx, tx, actor, { ...customer, access: found.access }, 'password');
    const { resellerId } = actor;
    const { password, expiresAt } = made;
    return { customerId: id, resellerId, email: customer.email, access: found.access, password, expiresAt };
  });
}
