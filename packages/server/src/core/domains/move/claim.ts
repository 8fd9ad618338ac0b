import { timingSafeEqual } from 'node:crypto';
import { NameError, normaliseName } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import { topAccountOf } from '../../accounts/account.sql.ts';
import { schedulerFor } from '../../actors.ts';
import { type Actor, type AppContext, writeAsService } from '../../app-context.ts';
import { recordAnswer } from '../../approvals/approval.sql.ts';
import { audit } from '../../audit/audit.ts';
import { findCustomer, shareCustomer } from '../../customers/customer.sql.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { MoveRequest } from '../../model/operation-kinds.ts';
import { placeOperation, throwInProgress } from '../../operations/order.ts';
import { lockDomain } from '../../tables/domain.sql.ts';
import { refundAttempt, takeGuess } from '../../users/guessing.sql.ts';
import { presentCode } from '../change/auth-code-policy.ts';
import { requireTakable } from './accept.ts';
import { findForClaim, giveTryBack, lockOffer, setTaker, takeTry } from './move.sql.ts';
import { type Move, moveLimits } from './move.ts';
import { readMove } from './read.ts';

const dayMinutes = 1_440;

/**
 * Counts a try before its code is checked: for the claiming account, and for the domain name with all accounts below the same top
 * account. A new sub-reseller gives no further tries at the domain, and other accounts cannot use up the tries of the rightful recipient.
 * Returns a function that undoes the count.
 */
async function countTry(ctx: AppContext, actor: Actor, name: string): Promise<() => Promise<void>> {
  const autocommit = ctx.db.autocommit(allTenants);
  const { wrongCodesPerDay: limit, wrongCodesPerName } = moveLimits;
  const top = await topAccountOf(ctx.db.as(allTenants), actor.resellerId);
  const bucket = `guess-move:${ctx.vault.fingerprint(`${top} ${name}`)}`;
  const waitMs = await takeGuess(autocommit, bucket, wrongCodesPerName, dayMinutes);
  if (waitMs > 0) throw tooMany(limit, Math.ceil(waitMs / 1_000));
  const tries = { resellerId: actor.resellerId, day: ctx.wall.now().toISOString().slice(0, 10), limit };
  if (!(await takeTry(autocommit, tries))) throw tooMany(limit, 3_600);
  return async () => {
    await giveTryBack(autocommit, tries);
    await refundAttempt(autocommit, bucket, wrongCodesPerName, dayMinutes);
  };
}

const tooMany = (limit: number, retryAfterSeconds: number) =>
  new Refusal('rate_limited', `At most ${limit} wrong codes a day are allowed. Try again tomorrow.`, {
    retryAfterSeconds,
  });

interface Claim {
  readonly domainName: string;
  readonly authCode: string;
  readonly customerId: string;
  readonly contacts: MoveRequest['contacts'];
}

/**
 * A move started by the receiving reseller with an auth code that the registrant got from the present reseller. It needs no offer, and
 * runs like any other move.
 */
export async function claimMove(ctx: AppContext, actor: Actor, claim: Claim, waitMs: number): Promise<Move> {
  if (!(await findCustomer(ctx.db.as(actor.resellerId), actor.resellerId, claim.customerId))) throw noCustomer();
  const giveBack = await countTry(ctx, actor, nameOf(claim.domainName));
  const found = await findClaimed(ctx, actor, claim);
  if (!found) throw unknown();
  await giveBack();
  const moveId = await place(ctx, actor, claim, found);
  await ctx.engine.startAndWait(found.reseller_id, moveId, waitMs);
  return readMove(ctx, actor, moveId);
}

const noCustomer = () => badField('customerId', 'Customer not found.', 'not_found');

/** One answer for all cases, because it must not reveal which domains are registered here and which of them have an auth code. */
const unknown = () =>
  badField('authCode', 'Wrong domain name or auth code, or the domain is not on this platform.', 'not_found');

async function findClaimed(ctx: AppContext, actor: Actor, claim: Claim): Promise<Domain | undefined> {
  const domain = await findForClaim(ctx.db.as(allTenants), actor.resellerId, nameOf(claim.domainName));
  return isItsCode(ctx, domain, claim.authCode) ? domain : undefined;
}

function nameOf(text: string): string {
  try {
    return normaliseName(text);
  } catch (error) {
    if (error instanceof NameError) return '';
    throw error;
  }
}

function isItsCode(ctx: AppContext, domain: Domain | undefined, given: string): boolean {
  const code = domain && presentCode(ctx, domain);
  const hash = (text: string) => Buffer.from(ctx.vault.fingerprint(`move:${text}`), 'hex');
  const isSame = timingSafeEqual(hash(code ?? ''), hash(given));
  return code !== undefined && isSame;
}

/**
 * An offer and its acceptance in one transaction. If the current reseller requires approval of its auth codes, that approval was given
 * when the code was shown.
 */
async function place(ctx: AppContext, actor: Actor, claim: Claim, found: Domain): Promise<string> {
  try {
    ctx.failpoint('move:before-order');
    return await writeAsService(ctx, actor, async (tx) => {
      const domain = await lockDomain(tx, found.reseller_id, found.id);
      if (domain?.state !== 'live' || !isItsCode(ctx, domain, claim.authCode)) throw unknown();
      if (!(await shareCustomer(tx, actor.resellerId, claim.customerId))) throw noCustomer();
      const id = await placeOffer(ctx, tx, actor, claim, domain);
      const offer = (await lockOffer(tx, actor.resellerId, id))!;
      await requireTakable(ctx, tx, offer);
      const response = { answer: 'given', by: null, at: ctx.clock.now(), wall: ctx.wall.now() } as const;
      await recordAnswer(tx, offer, response);
      await actor.idempotency?.follow(tx, id);
      await audit(ctx, tx, actor, {
        action: 'move.claim',
        objectType: 'operation',
        objectId: id,
        after: { domain_name: domain.name, new_customer_id: claim.customerId },
      });
      return id;
    });
  } catch (error) {
    throwInProgress(error);
  } finally {
    ctx.failpoint('move:after-order');
  }
}

async function placeOffer(ctx: AppContext, tx: Tx, actor: Actor, claim: Claim, domain: Domain): Promise<string> {
  const wanted = {
    new_reseller_id: actor.resellerId,
    new_customer_id: claim.customerId,
    contacts: claim.contacts,
    by: 'code',
  } as const;
  const until = new Date(ctx.clock.now().getTime() + ctx.config.approvalHours * 3_600_000).toISOString();
  const id = await placeOperation(ctx, tx, schedulerFor(domain, actor.requestId), {
    kind: 'move',
    domainId: domain.id,
    registryId: domain.registry_id,
    request: { name: domain.name, from_customer_id: domain.customer_id, ...wanted },
    approval: { change: 'move', wanted, scopes: [], asked_by: '', until, awaits: 'taker' },
  });
  await setTaker(tx, id);
  return id;
}
