import type { Tx } from '@namehold/base';
import { audit } from '../audit/audit.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { type Actor, type House, write } from '../house.ts';
import type { TldRules } from '../tlds/tld.ts';
import type { Domain } from './domain.ts';
import { lockOwn, requireDomain } from './find.ts';
import { lifeEvent } from './life-event.ts';
import { setPrivacy } from './privacy.sql.ts';
import { requireChangeable } from './require-changeable.ts';
import { rulesOf } from './sync.ts';

/** Clients look for these words. */
export function requirePrivacyOffered(domain: Pick<Domain, 'tld'>, rules: TldRules): void {
  if (rules.privacy_offered) return;
  throw new Refusal('domain_blocked', `privacy protect not available for .${domain.tld} domains`);
}

/** Switches bought privacy on or off. */
export async function switchPrivacy(
  house: House,
  actor: Actor,
  idOrName: string,
  customerId: string | undefined,
  on: boolean,
): Promise<Domain> {
  const found = await requireDomain(house, actor, idOrName, customerId);
  return write(house, actor, async (tx) => {
    const domain = await lockForPrivacy(tx, actor, found);
    const until = domain.privacy_until;
    if (on && (until === null || until <= house.clock.now())) {
      throw new Refusal(
        'conflict',
        `privacy protection of ${domain.name} is not paid for; buy it first: POST /v1/domains/${domain.id}/privacy_protection/buy`,
      );
    }
    const after = await setPrivacy(tx, domain.id, { enabled: on, until }, house.clock.now());
    await recordPrivacy(house, tx, actor, domain, after);
    return after;
  });
}

export async function lockForPrivacy(tx: Tx, actor: Actor, found: Domain): Promise<Domain> {
  const domain = await lockOwn(tx, actor, found.id);
  requirePrivacyOffered(domain, await rulesOf(tx, domain.tld));
  requireChangeable(domain);
  return domain;
}

export async function recordPrivacy(house: House, tx: Tx, actor: Actor, domain: Domain, after: Domain): Promise<void> {
  const facts = (row: Domain) => ({ privacy_enabled: row.privacy_enabled, privacy_until: row.privacy_until });
  await audit(house, tx, actor, {
    action: 'domain.privacy',
    objectType: 'domain',
    objectId: domain.id,
    before: facts(domain),
    after: facts(after),
  });
  const payload = { changed: ['privacy'], before: facts(domain), after: facts(after) };
  await appendEvent(house, tx, lifeEvent(domain, 'domain.updated', payload));
}
