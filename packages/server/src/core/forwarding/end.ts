import type { domainMovedToReseller } from '../domains/effects.ts';
import type { EventAt } from '../effects.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import { commitDraft } from '../zones/change/commit.ts';
import { ZoneDraft } from '../zones/change/draft.ts';
import type { zoneEnding } from '../zones/effects.ts';
import { lockZone } from '../zones/zone.sql.ts';
import { lockForwarding, moveForwarding, saveForwarding } from './forwarding.sql.ts';
import { releaseHosts } from './records.ts';
import { activeHosts } from './rule.ts';

/** The rules go with the domain to its new reseller. */
export const moveForwardingToReseller = ({ tx, from, to }: EventAt<typeof domainMovedToReseller>): Promise<void> =>
  moveForwarding(tx, from, to);

/** Ends forwarding when the zone ends. The owner's records are restored first, so that a roll-back contains them and not ours. */
export async function endWithZone({ ctx, tx, actor, domain }: EventAt<typeof zoneEnding>): Promise<void> {
  const { rules, version } = await lockForwarding(tx, domain);
  if (rules.length === 0) return;
  const draft = new ZoneDraft(tx, (await lockZone(tx, domain.reseller_id, domain.id))!);
  await releaseHosts(draft, activeHosts(rules));
  await commitDraft(ctx, actor, draft, { kind: 'change', comment: 'URL forwarding ends' });
  await saveForwarding(tx, domain, [], { version, now: ctx.wall.now() });
  const event = lifeEvent(domain, 'forwarding.ended', { version: version + 1, cause: 'zone_deleted' });
  await appendEvent(ctx, tx, { ...event, requestId: actor.requestId });
}
