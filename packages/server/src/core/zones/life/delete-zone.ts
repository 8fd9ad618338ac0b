import type { Reader } from '@namehold/postgres';
import { type Actor, type AppContext, write } from '../../app-context.ts';
import { audit } from '../../audit/audit.ts';
import { notFound, Refusal } from '../../errors.ts';
import { appendEvent } from '../../events/append.ts';
import type { Domain } from '../../model/domain.ts';
import type { Zone } from '../../model/zone.ts';
import type { Expected } from '../../model/zone-task.ts';
import { requireExpected } from '../change/change-zone.ts';
import { zoneEnding } from '../effects.ts';
import { zoneLimits } from '../limits.ts';
import { lockZone, setZoneState } from '../zone.sql.ts';
import { apexNameservers } from './life.sql.ts';
import { ownNameservers } from './template.ts';

export interface ZoneDeleted {
  readonly zone: Zone;
  readonly restorableUntil: Date;
}

/** The zone is no longer served. Its content stays as a tombstone, and a roll-back restores it. */
export async function deleteZone(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: { readonly isConfirmed: boolean; readonly expected?: Expected | undefined },
): Promise<ZoneDeleted> {
  return write(ctx, actor, async (tx) => {
    const found = await lockZone(tx, domain.reseller_id, domain.id);
    if (found?.state !== 'active') throw notFound('zone');
    if (order.expected !== undefined) requireExpected(order.expected, found, []);
    const pointing = order.isConfirmed ? [] : await delegatedToUs(ctx, tx, domain, found);
    if (pointing.length > 0) {
      throw new Refusal(
        'conflict',
        `${domain.name} is still delegated to ${pointing.join(', ')}, which would stop answering. Send confirm=true to delete the zone anyway.`,
        {
          facts: { nameservers: pointing, confirm: 'true' },
        },
      );
    }
    const now = ctx.clock.now();
    await ctx.effects.run(zoneEnding, { ctx, tx, actor, domain });
    const zone = (await lockZone(tx, domain.reseller_id, domain.id))!;
    await setZoneState(tx, zone, 'deleted', now);
    await audit(ctx, tx, actor, {
      action: 'zone.delete',
      objectType: 'zone',
      objectId: domain.id,
      before: { name: domain.name, serial: zone.serial, records: zone.record_count },
    });
    await appendEvent(ctx, tx, {
      resellerId: domain.reseller_id,
      type: 'zone.deleted',
      objectId: domain.id,
      requestId: actor.requestId,
      payload: { domain_id: domain.id, domain_name: domain.name, serial: zone.serial },
    });
    return {
      zone: { ...zone, state: 'deleted', deleted_at: now },
      restorableUntil: new Date(now.getTime() + zoneLimits.tombstoneMs),
    };
  });
}

/** Nameservers of the delegation that serve this zone: ours by setting, or named in the zone itself. */
export async function delegatedToUs(
  ctx: AppContext,
  db: Reader,
  domain: Pick<Domain, 'state' | 'nameservers'>,
  zone: Zone,
): Promise<string[]> {
  if (domain.state === 'removed') return [];
  const serving = new Set([...ownNameservers(ctx.config), ...(await apexNameservers(db, zone))]);
  return domain.nameservers.filter((host) => serving.has(`${host}.`));
}
