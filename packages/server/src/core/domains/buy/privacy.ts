import { badField, Refusal } from '../../errors.ts';
import { addYears, type Domain, utcDate } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import { rulesOf } from '../../tlds/rules-of.ts';
import { requireAllowed } from '../allowed/require-allowed.ts';
import { requirePrivacyOffered } from '../change/privacy.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { lifePolicy } from '../lifecycle.ts';
import { heldName } from './held-name.ts';
import { privacyWorkflow } from './privacy-workflow.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';

interface PrivacyOrder extends PurchaseOrder {
  /** Id or domain name. */
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly years: number;
}

interface Checked {
  readonly domain: Domain;
  readonly term: Term;
}

interface Term {
  readonly from: Date;
  readonly until: Date;
}

/** Privacy protection for an active domain. */
export const privacy: Purchase<'buy_privacy', PrivacyOrder, Checked> = {
  requested: ({ domainName, years }) => ({ domain: domainName, customerId: undefined, years, guard: {} }),
  async check(ctx, actor, order) {
    const domain = await requireDomain(ctx, actor, order.domain, order.customerId);
    const rules = await rulesOf(ctx.db.as(actor.resellerId), domain);
    return { domain, term: termFor(domain, order, rules, ctx.clock.now()) };
  },
  // Of two concurrent purchases for the same term only the first may proceed.
  async checkLocked(ctx, tx, actor, order, { domain: before }) {
    const domain = await lockOwn(tx, actor, before.id);
    if (domain.privacy_until?.getTime() !== before.privacy_until?.getTime())
      throw new Refusal('conflict', `The privacy protection of ${domain.name} was just changed. Nothing was ordered.`);
    return { domain, term: termFor(domain, order, await rulesOf(tx, domain), ctx.clock.now()) };
  },
  price: ({ years }, { domain }) => ({
    kind: 'privacy',
    domainName: domain.name,
    domainId: domain.id,
    customerId: domain.customer_id,
    tld: domain.tld,
    registryId: domain.registry_id,
    years,
  }),
  subject: heldName,
  request: ({ years }, { domain, term }) => ({
    name: domain.name,
    years,
    from: term.from.toISOString(),
    until: term.until.toISOString(),
  }),
  workflow: privacyWorkflow,
};

function termFor(domain: Domain, order: PrivacyOrder, rules: TldRules, now: Date): Term {
  requirePrivacyOffered(domain, rules);
  requireAllowed(domain, 'update');
  if (domain.registrant_contact_id === null) {
    throw new Refusal('conflict', `The registrant of ${domain.name} is not known here. Set its contacts first.`);
  }
  return termOf(domain, order.years, now);
}

/** From the end of the time already bought, at most to the end of the domain's term. No time is bought twice or beyond the term. */
function termOf(domain: Pick<Domain, 'name' | 'end_date' | 'privacy_until'>, years: number, now: Date): Term {
  const end = domain.end_date;
  if (!end) throw new Refusal('conflict', `The expiry date of ${domain.name} is not known yet.`);
  const bought = domain.privacy_until && domain.privacy_until > now ? domain.privacy_until : undefined;
  const from = bought ?? now;
  if (end.getTime() - from.getTime() <= lifePolicy.sameExpiryMs) {
    const why = bought ? `is already paid until ${utcDate(bought)}` : 'cannot last longer than the domain';
    throw new Refusal(
      'conflict',
      `Privacy protection of ${domain.name} ${why}, and the domain expires on ${utcDate(end)}. Renew the domain with privacy protection.`,
    );
  }
  let left = 1;
  while (addYears(from, left) < end) left += 1;
  if (years > left) {
    throw badField(
      'years',
      `${domain.name} expires on ${utcDate(end)}, so at most ${left} more years of privacy protection can be bought.`,
      'too_many',
    );
  }
  const until = addYears(from, years);
  return { from, until: until < end ? until : end };
}
