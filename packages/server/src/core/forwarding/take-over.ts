import type { EventAt } from '../effects.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import { keeperOf } from '../zones/change/guard-managed.ts';
import { giveUp } from '../zones/change/managed-records.ts';
import type { recordsTakenOver } from '../zones/effects.ts';
import { lockForwarding, saveForwarding } from './forwarding.sql.ts';
import { ownerOf, webKeeper } from './records.ts';
import { activeHosts } from './rule.ts';

/**
 * Ends forwarding at names where the owner sets own records, before these are put on the draft. Replaced records are not restored beside
 * them; they are in the history of the zone.
 */
export async function takeOver(taken: EventAt<typeof recordsTakenOver>): Promise<void> {
  const { ctx, actor, domain, draft, places } = taken;
  const kept = places.filter(({ owner, kind }) => keeperOf(draft, owner, kind) === webKeeper.service);
  const names = [...new Set(kept.map(({ owner }) => owner))];
  if (names.length === 0) return;
  await giveUp(draft, webKeeper, names);
  const { rules, version } = await lockForwarding(draft.tx, domain);
  const left = rules.filter((rule) => !names.includes(ownerOf(rule.host, draft)));
  if (left.length === rules.length) return;
  await saveForwarding(draft.tx, domain, left, { version, now: ctx.wall.now() });
  const hosts = activeHosts(left);
  const event =
    hosts.length > 0
      ? lifeEvent(domain, 'forwarding.changed', { version: version + 1, hosts, rules: left.length })
      : lifeEvent(domain, 'forwarding.ended', { version: version + 1, cause: 'taken_over' });
  await appendEvent(ctx, draft.tx, { ...event, requestId: actor.requestId });
}
