import type { Queryable, Tx } from '@namehold/base';
import { audit } from '../../audit/audit.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { hold } from '../../ledger/hold.ts';
import type { PrivacyRequest } from '../../operations/kinds.ts';
import { asInProgress, placeOperation } from '../../operations/order.ts';
import { draftQuote, type QuoteDraft } from '../../quotes/draft.ts';
import { type PriceGuard, passPriceGuard } from '../../quotes/guard.ts';
import { requireChangeable } from '../allowed/require-changeable.ts';
import { requirePrivacyOffered } from '../change/privacy.ts';
import { rulesOf } from '../compare/sync.ts';
import { addYears, type Domain, utcDate } from '../domain.ts';
import { lockOwn, requireDomain } from '../find.ts';
import { lifePolicy } from '../lifecycle.ts';

export interface PrivacyOrder {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly years: number;
  readonly guard: PriceGuard;
}

/** Transaction A: everything that can be known to be wrong is said before money moves. */
export async function buyPrivacy(house: House, actor: Actor, order: PrivacyOrder): Promise<string> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  try {
    house.point('buy_privacy:before-order');
    return await house.db.transaction(actor.resellerId, (tx) => place(house, tx, actor, found, order));
  } catch (error) {
    asInProgress(error);
  } finally {
    house.point('buy_privacy:after-order');
  }
}

/** What it would cost, for a dry run. */
export async function draftPrivacy(house: House, actor: Actor, order: PrivacyOrder): Promise<QuoteDraft> {
  const found = await requireDomain(house, actor, order.domain, order.customerId);
  return house.db.transaction(actor.resellerId, async (tx) => {
    const domain = await lockForPrivacy(tx, actor, found);
    termOf(domain, order.years, house.clock.now());
    return draftOf(house, tx, actor, domain, order.years);
  });
}

async function place(house: House, tx: Tx, actor: Actor, found: Domain, order: PrivacyOrder): Promise<string> {
  const domain = await lockForPrivacy(tx, actor, found);
  const now = house.clock.now();
  const term = termOf(domain, order.years, now);
  const draft = await draftOf(house, tx, actor, domain, order.years);
  const request: PrivacyRequest = {
    name: domain.name,
    years: order.years,
    from: term.from.toISOString(),
    until: term.until.toISOString(),
  };
  const operationId = await placeOperation(house, tx, actor, {
    kind: 'buy_privacy',
    domainId: domain.id,
    registryId: domain.registry_id,
    request,
    async transactionId(id) {
      await passPriceGuard(tx, { resellerId: actor.resellerId, operationId: id, now }, draft, order.guard);
      return hold(house, tx, {
        levels: draft.levels,
        operationId: id,
        domainId: domain.id,
        description: `Privacy protection of ${domain.name} for ${order.years} ${order.years === 1 ? 'year' : 'years'}`,
        action: 'privacy',
        years: order.years,
        type: 'privacy_protect',
        ...(draft.cost ? { registryCost: draft.cost } : {}),
      });
    },
  });
  await audit(house, tx, actor, {
    action: 'domain.privacy',
    objectType: 'domain',
    objectId: domain.id,
    before: { privacy_until: domain.privacy_until },
    after: { ...request, operation_id: operationId },
  });
  return operationId;
}

async function lockForPrivacy(tx: Tx, actor: Actor, found: Domain): Promise<Domain> {
  const domain = await lockOwn(tx, actor, found.id);
  requirePrivacyOffered(domain, await rulesOf(tx, domain.tld));
  requireChangeable(domain);
  if (domain.registrant_contact_id === null) {
    throw new Refusal('conflict', `the holder of ${domain.name} is not known here: set its contacts first`);
  }
  return domain;
}

/** From the end of what is bought already to the end of the name at most: no time is bought twice, and none that the name does not have. */
export function termOf(domain: Domain, years: number, now: Date): { readonly from: Date; readonly until: Date } {
  const end = domain.end_date;
  if (!end) throw new Refusal('conflict', `the expiry of ${domain.name} is not known yet`);
  const from = domain.privacy_until && domain.privacy_until > now ? domain.privacy_until : now;
  if (end.getTime() - from.getTime() <= lifePolicy.sameExpiryMs) {
    throw new Refusal(
      'conflict',
      `privacy protection of ${domain.name} is bought until ${utcDate(from)}, and the name ends on ${utcDate(end)}: renew the name, with privacy protection`,
    );
  }
  let left = 1;
  while (addYears(from, left) < end) left += 1;
  if (years > left) {
    throw badField(
      'years',
      `${domain.name} ends on ${utcDate(end)}: at most ${left} more years of privacy protection`,
      'too_many',
    );
  }
  const bought = addYears(from, years);
  return { from, until: bought < end ? bought : end };
}

function draftOf(house: House, db: Queryable, actor: Actor, domain: Domain, years: number): Promise<QuoteDraft> {
  return draftQuote(db, {
    resellerId: actor.resellerId,
    at: house.clock.now(),
    kind: 'privacy',
    domainName: domain.name,
    domainId: domain.id,
    tld: domain.tld,
    years,
  });
}
