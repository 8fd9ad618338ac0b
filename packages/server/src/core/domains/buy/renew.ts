import { badField, Refusal } from '../../errors.ts';
import { addYears, type Domain, utcDate, type With } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { requirePrivacyOffered } from '../change/privacy.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { markPeriod } from '../renewal/renewal.sql.ts';
import { heldName } from './held-name.ts';
import { asFee, type PremiumFees, queryRenewalFees, times } from './premium-fee.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';
import { renewWorkflow } from './renew-workflow.ts';

export interface RenewalOrder extends PurchaseOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly years: number;
  /** The UTC expiry date that the caller expects: the guard against renewing twice. Null if only the price is requested. */
  readonly currentDate: string | null;
  readonly privacy: boolean;
}

interface Checked {
  /** A domain with an expiry date. */
  readonly domain: With<'end_date'>;
  readonly premium: Pick<PremiumFees, 'class' | 'renew'> | null;
  /** The registry did not answer, so its price is not known. */
  readonly isUnrequested: boolean;
}

/** Renewal of an active domain. */
export const renew: Purchase<'renew', RenewalOrder, Checked> = {
  requested: ({ domainName, years, privacy }) => ({
    domain: domainName,
    customerId: undefined,
    years,
    currentDate: null,
    privacy,
    guard: {},
  }),
  async check(ctx, actor, order, mayQueryLater = false) {
    const found = await requireDomain(ctx, actor, order.domain, order.customerId);
    const rules = await rulesOf(ctx.db.as(actor.resellerId), found);
    const domain = requireRenewable(found, order, rules, ctx.clock.now());
    const requested = await queryRenewalFees(ctx, domain, rules, mayQueryLater);
    const isUnrequested = requested === 'not_queried';
    return { domain, premium: isUnrequested ? null : requested, isUnrequested };
  },
  // Of two concurrent renewals with the same current date only the first may proceed.
  async checkLocked(ctx, tx, actor, order, checked) {
    const locked = await lockOwn(tx, actor, checked.domain.id);
    const domain = requireRenewable(locked, order, await rulesOf(tx, locked), ctx.clock.now());
    return { ...checked, domain };
  },
  price: ({ years, privacy }, { domain, premium }) => ({
    kind: 'renew',
    domainName: domain.name,
    domainId: domain.id,
    customerId: domain.customer_id,
    tld: domain.tld,
    registryId: domain.registry_id,
    years,
    withPrivacy: privacy,
    ...(premium ? { premium: { class: premium.class, fee: times(premium.renew, years) } } : {}),
  }),
  subject: heldName,
  request: ({ years, privacy, automatic }, { domain, premium, isUnrequested }) => ({
    name: domain.name,
    years,
    from: domain.end_date.toISOString(),
    privacy,
    fee_per_year: premium && asFee(premium.renew),
    ...(isUnrequested ? { price_unasked: true } : {}),
    ...(automatic ? { automatic } : {}),
  }),
  async placed(tx, order, { domain }, operationId, now) {
    if (!order.automatic || (await markPeriod(tx, domain, operationId, now))) return;
    throw new Refusal('conflict', `${domain.name} was already auto-renewed for this term. Order the renewal manually.`);
  },
  workflow: renewWorkflow,
};

function requireRenewable(domain: Domain, order: RenewalOrder, rules: TldRules, now: Date): Checked['domain'] {
  requireAllowed(domain, 'renew');
  const { end_date } = domain;
  if (!end_date) throw new Refusal('conflict', `The expiry date of ${domain.name} is not known yet.`);
  if (order.currentDate !== null && order.currentDate !== utcDate(end_date))
    throw alreadyRenewed(domain.name, order.currentDate, end_date);
  // RFC 5731 3.2.3 leaves the limit to the registry, which answers 2105. The TLD's rule is checked before money is held.
  const reached = laterOf(end_date, order.years, domain.registry_expires_at);
  if (reached > addYears(now, rules.periods.max_years)) {
    throw badField(
      'years',
      `.${domain.tld} domains can be registered at most ${rules.periods.max_years} years ahead. ${order.years} more years would reach ${utcDate(reached)}.`,
      'too_many',
    );
  }
  if (order.privacy) requirePrivacyOffered(domain, rules);
  return { ...domain, end_date };
}

function alreadyRenewed(name: string, believed: string, endDate: Date): Refusal {
  const day = utcDate(endDate);
  return new Refusal('already_renewed', `${name} expires on ${day}, not on ${believed}.`, {
    errors: [{ field: 'currentDate', code: 'already_renewed', message: `Must be the current expiry date, ${day}.` }],
    facts: { expires: endDate },
    help: { action: 'renew_from', date: day },
  });
}

/** The registry's expiry date after the renewal: years that the registry auto-renewed count. */
function laterOf(endDate: Date, years: number, registryDate: Date | null): Date {
  const wanted = addYears(endDate, years);
  return registryDate && registryDate > wanted ? registryDate : wanted;
}
