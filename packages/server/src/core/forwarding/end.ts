import type { Tx } from '@namehold/base';
import type { Domain } from '../domains/domain.ts';
import { lifeEvent } from '../domains/life-event.ts';
import { appendEvent } from '../events/append.ts';
import type { Actor, House } from '../house.ts';
import { commitDraft } from '../zones/change/commit.ts';
import { ZoneDraft } from '../zones/change/draft.ts';
import type { Zone } from '../zones/zone.ts';
import { lockForwarding, saveForwarding } from './forwarding.sql.ts';
import { releaseHosts } from './records.ts';
import { activeHosts } from './rule.ts';

/** Forwarding ends with its zone: the owner's records are back in it first, so that a roll-back brings them and not ours. */
export async function endWithZone(house: House, tx: Tx, actor: Actor, domain: Domain, zone: Zone): Promise<Zone> {
  const { rules, version } = await lockForwarding(tx, domain);
  if (rules.length === 0) return zone;
  const draft = new ZoneDraft(tx, zone);
  await releaseHosts(draft, activeHosts(rules));
  const { zone: after } = await commitDraft(house, actor, draft, { kind: 'change', comment: 'URL forwarding ends' });
  await saveForwarding(tx, domain, [], { version, now: house.wall.now() });
  const event = lifeEvent(domain, 'forwarding.ended', { version: version + 1, cause: 'zone_deleted' });
  await appendEvent(house, tx, { ...event, requestId: actor.requestId });
  return after;
}
