import type { Tx } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import type { Domain } from '../model/domain.ts';
import type { Zone } from '../model/zone.ts';
import { commitDraft } from '../zones/change/commit.ts';
import { ZoneDraft } from '../zones/change/draft.ts';
import { lockForwarding, saveForwarding } from './forwarding.sql.ts';
import { releaseHosts } from './records.ts';
import { activeHosts } from './rule.ts';

/** Ends forwarding when the zone ends. The owner's records are restored first, so that a roll-back contains them and not ours. */
export async function endWithZone(ctx: AppContext, tx: Tx, actor: Actor, domain: Domain, zone: Zone): Promise<Zone> {
  const { rules, version } = await lockForwarding(tx, domain);
  if (rules.length === 0) return zone;
  const draft = new ZoneDraft(tx, zone);
  await releaseHosts(draft, activeHosts(rules));
  const { zone: after } = await commitDraft(ctx, actor, draft, { kind: 'change', comment: 'URL forwarding ends' });
  await saveForwarding(tx, domain, [], { version, now: ctx.wall.now() });
  const event = lifeEvent(domain, 'forwarding.ended', { version: version + 1, cause: 'zone_deleted' });
  await appendEvent(ctx, tx, { ...event, requestId: actor.requestId });
  return after;
}
