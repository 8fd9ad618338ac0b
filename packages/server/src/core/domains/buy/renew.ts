import { parseMoney, type Queryable, type Tx } from '@namehold/base';
import { badField, Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import type { RenewRequest } from '../../operations/kinds.ts';
import { asInProgress } from '../../operations/order.ts';
import { draftQuote, type QuoteDraft } from '../../quotes/draft.ts';
import type { PriceGuard } from '../../quotes/guard.ts';
import type { TldRules } from '../../tlds/tld.ts';
import { requirePrivacyOffered } from '../change/privacy.ts';
import { rulesOf } from '../compare/sync.ts';
import { addYears, type Domain, utcDate } from '../domain.ts';
import { lockOwn, requireDomain, requireLive } from '../find.ts';
import { isRenewedUnpaid, wholeYears } from '../lifecycle.ts';
import type { RegistryFee } from '../registry/registry.ts';
import { placePurchase } from './place-purchase.ts';
import { asFee, askPremiumFees, type PremiumFees, times } from './premium-fee.ts';

export interface RenewalOrder {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly years: number;
  /** The expiry that the caller believes in: the guard against renewing twice. */
  readonly currentDate: Date;
  readonly privacy: boolean;
  readonly guard: PriceGuard;
}

interface CheckedRenewal {
  readonly domain: Domain;
  readonly premium: PremiumFees | null;
}

export async function orderRenewal(house: House, actor: Actor, order: RenewalOrder): Promise<string> {
  const checked = await checkRenewal(house, actor, order);
  try {
    house.point('renew:before-order');
    return await house.db.transaction(actor.resellerId, (tx) => placeRenewal(house, tx, actor, order, checked));
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('renew:after-order');
  }
}

/** The price of it, for a dry run. */
export async function draftRenewal(house: House, actor: Actor, order: RenewalOrder): Promise<QuoteDraft> {
  const checked = await checkRenewal(house, actor, order);
  return draftOf(house, house.db.as(actor.resellerId), actor, order, checked);
}

/** Everything that can be known to be wrong before money moves. */
async function checkRenewal(house: House, actor: Actor, order: RenewalOrder): Promise<CheckedRenewal> {
  const domain = await requireDomain(house, actor, order.domain, order.customerId);
  const rules = await rulesOf(house.db.as(actor.resellerId), domain.tld);
  requireRenewable(domain, order, rules, house.clock.now());
  if (order.privacy) requirePrivacyOffered(domain, rules);
  return { domain, premium: await askPremiumFees(house, domain) };
}

function requireRenewable(domain: Domain, order: RenewalOrder, rules: TldRules, now: Date): void {
  requireLive(domain);
  if (!domain.end_date) throw new Refusal('conflict', `the expiry of ${domain.name} is not known yet`);
  if (utcDate(order.currentDate) !== utcDate(domain.end_date)) {
    const expected = domain.end_date.toISOString().slice(0, 19).replace('T', ' ');
    throw new Refusal(
      'already_renewed',
      `current_date is ${utcDate(order.currentDate)}, but ${domain.name} expires on ${expected}: send current_date=${utcDate(domain.end_date)} to renew from there`,
      {
        errors: [{ field: 'current_date', code: 'already_renewed', message: `must be ${utcDate(domain.end_date)}` }],
        facts: { expected_current_date: expected },
      },
    );
  }
  const status = domain.registry_status.find((each) => /^(client|server)RenewProhibited$/.test(each));
  if (status) {
    const setter = status.startsWith('server') ? 'the registry' : 'us';
    throw new Refusal('domain_blocked', `${domain.name} cannot be renewed: ${status}, set by ${setter}`);
  }
  // RFC 5731 3.2.3 leaves the limit to the registry, which answers 2105; the TLD's own rule says so before money is held.
  const reached = addYears(laterOf(domain.end_date, order.years, domain.registry_expires_at), 0);
  if (reached > addYears(now, rules.periods.max_years)) {
    throw badField(
      'years',
      `.${domain.tld} is held for at most ${rules.periods.max_years} years ahead; ${order.years} more would reach ${utcDate(reached)}`,
      'too_many',
    );
  }
}

/** Where the registry's date will stand: the years it has added by itself count. */
function laterOf(endDate: Date, years: number, registryDate: Date | null): Date {
  const wanted = addYears(endDate, years);
  return registryDate && registryDate > wanted ? registryDate : wanted;
}

function draftOf(house: House, db: Queryable, actor: Actor, order: RenewalOrder, checked: CheckedRenewal) {
  const { domain, premium } = checked;
  return draftQuote(db, {
    resellerId: actor.resellerId,
    at: house.clock.now(),
    kind: 'renew',
    domainName: domain.name,
    domainId: domain.id,
    tld: domain.tld,
    years: order.years,
    withPrivacy: order.privacy,
    ...(premium ? { premium: { class: premium.class, fee: times(premium.renew, order.years) } } : {}),
  });
}

async function placeRenewal(house: House, tx: Tx, actor: Actor, order: RenewalOrder, checked: CheckedRenewal) {
  // Again under the lock: of two renewals at once with one current_date only the first may go on.
  const domain = await lockOwn(tx, actor, checked.domain.id);
  requireRenewable(domain, order, await rulesOf(tx, domain.tld), house.clock.now());
  const request: RenewRequest = {
    name: domain.name,
    years: order.years,
    from: domain.end_date!.toISOString(),
    privacy: order.privacy,
    fee_per_year: checked.premium && asFee(checked.premium.renew),
  };
  return placePurchase(house, tx, actor, {
    kind: 'renew',
    domain,
    draft: await draftOf(house, tx, actor, order, checked),
    guard: order.guard,
    years: order.years,
    description: `Renewal of ${domain.name} for ${order.years} ${order.years === 1 ? 'year' : 'years'}`,
    request,
  });
}

/** Years still to be bought at the registry: what it added by itself is part of what the reseller pays for. */
export function yearsToSend(request: Pick<RenewRequest, 'from' | 'years'>, registryDate: Date | null): number {
  const from = new Date(request.from);
  if (!registryDate || !isRenewedUnpaid(from, registryDate)) return request.years;
  return Math.max(0, request.years - wholeYears(from, registryDate));
}

export function feeFor(request: RenewRequest, years: number): RegistryFee | undefined {
  const fee = request.fee_per_year;
  return fee === null ? undefined : asFee(times(parseMoney(fee.amount, fee.currency), years));
}

/** The new end of the paid term: the registry's date, unless that has run ahead of what was paid. */
export function paidUntil(request: Pick<RenewRequest, 'from' | 'years'>, registryDate: Date | null): Date {
  const from = new Date(request.from);
  const paid = addYears(from, request.years);
  if (!registryDate) return paid;
  return wholeYears(from, registryDate) > request.years ? paid : registryDate;
}
