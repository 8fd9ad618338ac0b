import type { Tx } from '@namehold/postgres';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { untilDone } from '../../jobs/until-done.ts';
import type { Zone } from '../../model/zone.ts';
import { zoneLimits } from '../limits.ts';
import { purgeTombstones, setZoneState, zonesToWithdraw } from '../zone.sql.ts';

const batch = 100;

/** Domains that left before this are no longer served: the new operator had time to take over without a gap. */
export const withdrawnBefore = (ctx: AppContext): Date =>
  new Date(ctx.clock.now().getTime() - zoneLimits.withdrawGraceMs);

export async function withdrawZones(ctx: AppContext): Promise<number> {
  const now = ctx.clock.now();
  const withdrawn = await untilDone(ctx, batch, async (tx) => {
    const zones = await zonesToWithdraw(tx, withdrawnBefore(ctx), batch);
    for (const zone of zones) await withdrawZone(ctx, tx, zone, now);
    return zones.length;
  });
  if (withdrawn > 0) ctx.log.info({ zones: withdrawn }, 'withdrew zones of domains that left');
  return withdrawn;
}

async function withdrawZone(ctx: AppContext, tx: Tx, zone: Zone, now: Date): Promise<void> {
  await setZoneState(tx, zone, 'withdrawn', now);
  await appendEvent(ctx, tx, {
    resellerId: zone.reseller_id,
    type: 'zone.withdrawn',
    objectId: zone.domain_id,
    payload: { domain_id: zone.domain_id, domain_name: zone.name.slice(0, -1), serial: zone.serial },
  });
}

/** Purges expired tombstones with their content and journal. */
export async function purgeZones(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - zoneLimits.tombstoneMs);
  const zones = await untilDone(ctx, batch, (tx) => purgeTombstones(tx, before, batch));
  if (zones > 0) ctx.log.info({ zones }, 'purged deleted and withdrawn zones');
  return zones;
}
