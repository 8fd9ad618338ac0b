import { allTenants } from '@namehold/postgres';
import { readSecurity } from '../../accounts/security.sql.ts';
import { schedulerFor } from '../../actors.ts';
import { type Actor, type AppContext, actingId } from '../../app-context.ts';
import { findWaitingCode } from '../../approvals/approval.sql.ts';
import { audit } from '../../audit/audit.ts';
import { badField, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import { forEachParallel } from '../../jobs/run-items.ts';
import type { Domain } from '../../model/domain.ts';
import type { Operation } from '../../model/operation.ts';
import { minuteText, notifyRegistrant } from '../../notices/notify-recipients.ts';
import { findOpenOperation } from '../../operations/operation.sql.ts';
import { findDomain } from '../../tables/domain.sql.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { refuseUnpaidRenewal } from '../end/overdue.ts';
import { requireDomain } from '../find.ts';
import { refuseAmbiguous, sendNewAuthCode } from '../transfer-in/new-auth-code.ts';
import { isWaitingForCode } from '../transfer-in/policy.ts';
import { checkCode, presentCode } from './auth-code-policy.ts';
import { orderUpdate } from './order-update.ts';
import { changeEvent } from './place-change.ts';
import { dropCodesOfLeft, expiredAuthCodes, takeCodeShowing } from './update-domain.sql.ts';

/** A principal that may read an auth code may also approve that it is read. */
export const readingScopes = ['domains:auth_code', 'domains:write'];

type CodeOrOperation = { readonly code: string } | { readonly operationId: string };

/** RFC 9154: a code exists only while it is needed. Returns the valid code, or the operation that creates one. */
export async function requestAuthCode(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
): Promise<CodeOrOperation> {
  const domain = await requireDomain(ctx, actor, idOrName, customerId);
  // Control panels read the code for every domain page. A domain that is not registered yet has none, which is no error.
  if (domain.state === 'pending' || domain.state === 'unpaid') return { code: '' };
  requireAllowed(domain, 'update');
  refuseUnpaidRenewal(domain);
  const present = presentCode(ctx, domain);
  const code = present === undefined ? undefined : await giveCode(ctx, actor, domain, present);
  if (code !== undefined) return { code };
  const db = ctx.db.as(actor.resellerId);
  const { second_yes: kinds } = await readSecurity(db, actor.resellerId);
  const requestedBy = actingId(actor);
  const isGuarded = requestedBy !== null && kinds.includes('auth_code');
  const waiting = isGuarded ? await findWaitingCode(db, domain.id, requestedBy, ctx.clock.now()) : undefined;
  const open = await findOpenOperation(db, domain.id);
  // Concurrent requests get the same code.
  const joined = waiting ?? (open && isCodeOrder(open) ? open.id : undefined);
  if (joined !== undefined) return { operationId: joined };
  const registry = await ctx.registries.of(domain.registry_id);
  try {
    const operationId = await orderUpdate(ctx, actor, {
      domain: domain.id,
      customerId,
      change: 'auth_code',
      scopes: readingScopes,
      secrets: { auth_code: registry.newAuthCode(domain.name) },
      wanted(row) {
        if (!isGuarded && presentCode(ctx, row) !== undefined) throw new MadeMeanwhile();
        return { authCode: 'set' };
      },
    });
    return { operationId };
  } catch (error) {
    if (!(error instanceof MadeMeanwhile)) throw error;
    const made = await requireDomain(ctx, actor, domain.id, customerId);
    const theirs = presentCode(ctx, made);
    const shown = theirs === undefined ? undefined : await giveCode(ctx, actor, made, theirs);
    if (shown === undefined) throw new Refusal('conflict', 'The auth code is no longer valid. Request it again.');
    return { code: shown };
  }
}

/** Between the read and the lock another request created a code: that code is returned, because a second one would invalidate it. */
class MadeMeanwhile extends Error {}

const isCodeOrder = ({ kind, request }: Operation): boolean => kind === 'update' && request.wanted.authCode === 'set';

/** Called when the operation is done. */
export async function madeCode(ctx: AppContext, actor: Actor, operation: Operation): Promise<string> {
  const { reseller_id: resellerId, domain_id: domainId } = operation;
  const domain = domainId === null ? undefined : await findDomain(ctx.db.as(resellerId), resellerId, domainId);
  const present = domain && presentCode(ctx, domain);
  const code = present === undefined ? undefined : await giveCode(ctx, actor, domain!, present);
  if (code === undefined)
    throw new Refusal('conflict', 'The auth code is no longer valid or was already shown. Request it again.');
  return code;
}

/**
 * The code is enough to transfer the domain away, so the event and the audit entry are written before it is returned. If the account
 * requires approvals, each approval allows one reading; undefined: none is left.
 */
async function giveCode(ctx: AppContext, actor: Actor, domain: Domain, code: string): Promise<string | undefined> {
  return ctx.db.transaction(allTenants, async (tx) => {
    const { second_yes: kinds } = await readSecurity(tx, actor.resellerId);
    const isFree = !kinds.includes('auth_code');
    if (!isFree && !(await takeCodeShowing(tx, actor.resellerId, domain.id, actingId(actor), ctx.clock.now())))
      return undefined;
    await audit(ctx, tx, actor, { action: 'domain.code_given', objectType: 'domain', objectId: domain.id });
    await notifyRegistrant(ctx, tx, domain, {
      kind: 'auth_code_given',
      facts: { at: minuteText(ctx.clock.now()) },
    });
    await appendEvent(ctx, tx, changeEvent(actor, domain, 'domain.auth_code_given', {}));
    return code;
  });
}

export async function setAuthCode(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
  code: string,
): Promise<string> {
  // The contract has one call for both: the code of a domain that we sponsor, and a new code for a transfer in.
  if (actor.customerId === undefined) {
    const domain = await requireDomain(ctx, actor, idOrName, customerId);
    await refuseAmbiguous(ctx, actor, { domain: idOrName, customerId }, domain);
    if (isWaitingForCode(await findOpenOperation(ctx.db.as(actor.resellerId), domain.id)))
      return sendNewAuthCode(ctx, actor, { domain: domain.id, customerId, authCode: code });
  }
  await refuseForeignCode(ctx, actor, idOrName, customerId);
  return orderUpdate(ctx, actor, {
    domain: idOrName,
    customerId,
    change: 'auth_code',
    secrets: { auth_code: code },
    wanted(domain, rules) {
      refuseUnpaidRenewal(domain);
      checkCode(code, rules);
      return { authCode: 'set' };
    },
  });
}

/** A code of our own cannot be set where the registry makes the codes. */
async function refuseForeignCode(
  ctx: AppContext,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
): Promise<void> {
  const { name, registry_id } = await requireDomain(ctx, actor, idOrName, customerId);
  const { authCode } = (await ctx.registries.of(registry_id)).capabilitiesOf(name);
  if (authCode.madeBy === 'upstream')
    throw badField('authCode', 'The registry makes the auth codes of this TLD. Read the code instead.');
}

const codesPerRun = 100;

/** Removes expired codes at the registry and here. */
export async function expireAuthCodes(ctx: AppContext): Promise<number> {
  await dropCodesOfLeft(ctx.db.autocommit(allTenants));
  const expired = await expiredAuthCodes(ctx.db.as(allTenants), ctx.clock.now(), codesPerRun);
  let ordered = 0;
  await forEachParallel(ctx, 1, expired, async (domain) => {
    try {
      const id = await orderUpdate(ctx, schedulerFor(domain, 'expire-auth-codes'), {
        domain: domain.id,
        customerId: undefined,
        change: 'auth_code',
        action: 'withdraw_code',
        wanted: () => ({ authCode: 'unset' }),
      });
      ordered += 1;
      await ctx.engine.start(id);
    } catch (error) {
      // Another operation is open on the domain: the next run tries again.
      if (!(error instanceof Refusal)) throw error;
    }
  });
  return ordered;
}
