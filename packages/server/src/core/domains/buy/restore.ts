import type { Queryable, Tx } from '@namehold/base';
import { Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import type { RestoreRequest } from '../../operations/kinds.ts';
import { asInProgress } from '../../operations/order.ts';
import { draftQuote, type QuoteDraft } from '../../quotes/draft.ts';
import type { PriceGuard } from '../../quotes/guard.ts';
import type { Domain } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { placePurchase } from './place-purchase.ts';
import { asFee, askPremiumFees, type PremiumFees, plus } from './premium-fee.ts';

export interface RestoreOrder {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly guard: PriceGuard;
}

interface CheckedRestore {
  readonly domain: Domain;
  readonly premium: PremiumFees | null;
}

export async function orderRestore(house: House, actor: Actor, order: RestoreOrder): Promise<string> {
  const checked = await checkRestore(house, actor, order);
  try {
    house.point('restore:before-order');
    return await house.db.transaction(actor.resellerId, (tx) => placeRestore(house, tx, actor, order, checked));
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('restore:after-order');
  }
}

/** The price of it, for a dry run. */
export async function draftRestore(house: House, actor: Actor, order: RestoreOrder): Promise<QuoteDraft> {
  const checked = await checkRestore(house, actor, order);
  return draftOf(house, house.db.as(actor.resellerId), actor, checked);
}

async function checkRestore(house: House, actor: Actor, order: RestoreOrder): Promise<CheckedRestore> {
  const domain = await requireDomain(house, actor, order.domain, order.customerId);
  requireRestorable(domain);
  return { domain, premium: await askPremiumFees(house, domain) };
}

const whyNot: Partial<Record<Domain['state'], string>> = {
  live: 'it is not deleted',
  pending: 'its registration is not finished',
  pending_restore: 'its restore is under way',
  pending_delete: 'its redemption period is over, and it is about to be dropped',
  pending_transfer: 'a transfer is under way',
  removed: 'it is no longer here',
};

function requireRestorable(domain: Domain): void {
  if (domain.state === 'redemption') return;
  throw new Refusal('conflict', `${domain.name} cannot be restored: ${whyNot[domain.state]}`, {
    facts: { domain_state: domain.state },
  });
}

/** A name that ran out before or while it was deleted comes back for one more year, which is paid with the restore. */
export function restoreRenews(domain: Pick<Domain, 'registry_expires_at'>, now: Date): boolean {
  return domain.registry_expires_at !== null && domain.registry_expires_at <= now;
}

function premiumPrice(premium: PremiumFees | null, renews: boolean) {
  if (!premium?.restore) return undefined;
  return renews ? plus(premium.restore, premium.renew) : premium.restore;
}

function draftOf(house: House, db: Queryable, actor: Actor, { domain, premium }: CheckedRestore): Promise<QuoteDraft> {
  const now = house.clock.now();
  const renews = restoreRenews(domain, now);
  const fee = premiumPrice(premium, renews);
  return draftQuote(db, {
    resellerId: actor.resellerId,
    at: now,
    kind: 'restore',
    domainName: domain.name,
    domainId: domain.id,
    tld: domain.tld,
    years: 1,
    // A premium name has both prices in the one line that follows the registry's fee.
    withRenewal: renews && fee === undefined,
    ...(premium && fee ? { premium: { class: premium.class, fee } } : {}),
  });
}

async function placeRestore(house: House, tx: Tx, actor: Actor, order: RestoreOrder, checked: CheckedRestore) {
  const domain = await lockOwn(tx, actor, checked.domain.id);
  requireRestorable(domain);
  const renews = restoreRenews(domain, house.clock.now());
  const fee = premiumPrice(checked.premium, renews);
  const request: RestoreRequest = {
    name: domain.name,
    with_renewal: renews,
    fee: fee ? asFee(fee) : null,
    deleted_at: domain.deleted_at!.toISOString(),
  };
  return placePurchase(house, tx, actor, {
    kind: 'restore',
    domain,
    draft: await draftOf(house, tx, actor, { ...checked, domain }),
    guard: order.guard,
    years: 1,
    description: `Restore of ${domain.name}${renews ? ', with renewal for 1 year' : ''}`,
    request,
  });
}
