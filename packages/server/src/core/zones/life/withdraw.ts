import { allTenants, type Tx } from '@namehold/base';
import type { AppContext } from '../../app-context.ts';
import { appendEvent } from '../../events/append.ts';
import { purgeClicks } from '../../forwarding/clicks.sql.ts';
import { purgeForwarding } from '../../forwarding/forwarding.sql.ts';
import { forwardingLimits } from '../../forwarding/rule.ts';
import { purgeMailCounts } from '../../mail-forwarding/counts.sql.ts';
import { purgeMail } from '../../mail-forwarding/mail-domain.sql.ts';
import type { Zone } from '../../model/zone.ts';
import { zoneLimits } from '../limits.ts';
import { purgeTombstones, setZoneState, zonesToWithdraw } from '../zone.sql.ts';

const batch = 100;

/**
 * Zones of domains that left are served for a grace time, so that the new operator can take over without a gap; then they are withdrawn.
 */
export async function withdrawZones(ctx: AppContext): Promise<number> {
  const now = ctx.clock.now();
  const removedBefore = new Date(now.getTime() - zoneLimits.withdrawGraceMs);
  await untilDone(ctx, (tx) => purgeForwarding(tx, removedBefore, batch));
  const countedBefore = new Date(ctx.wall.now().getTime() - forwardingLimits.clicksKeptMs);
  await untilDone(ctx, (tx) => purgeClicks(tx, countedBefore, batch));
  await untilDone(ctx, (tx) => purgeMail(tx, removedBefore, batch));
  await untilDone(ctx, (tx) => purgeMailCounts(tx, countedBefore, batch));
  const withdrawn = await untilDone(ctx, async (tx) => {
    const zones = await zonesToWithdraw(tx, removedBefore, batch);
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
  const zones = await untilDone(ctx, (tx) => purgeTombstones(tx, before, batch));
  if (zones > 0) ctx.log.info({ zones }, 'purged deleted and withdrawn zones');
  return zones;
}

async function untilDone(ctx: AppContext, step: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await ctx.db.transaction(allTenants, step);
    total += count;
    if (count < batch) return total;
  }
}
