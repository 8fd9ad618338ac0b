import { everyTenant, type Tx } from '@namehold/base';
import { appendEvent } from '../../events/append.ts';
import { forgetClicks } from '../../forwarding/clicks.sql.ts';
import { forgetForwarding } from '../../forwarding/forwarding.sql.ts';
import { forwardingLimits } from '../../forwarding/rule.ts';
import type { House } from '../../house.ts';
import { forgetMailCounts } from '../../mail-forwarding/counts.sql.ts';
import { forgetMail } from '../../mail-forwarding/mail-domain.sql.ts';
import { zoneLimits } from '../limits.ts';
import { purgeTombstones, setZoneState, zonesToWithdraw } from '../zone.sql.ts';
import type { Zone } from '../zone.ts';

const batch = 100;

/** Zones of names that left us are served for a grace time, so that the new operator can take over without a gap; then no longer. */
export async function withdrawZones(house: House): Promise<number> {
  const now = house.clock.now();
  const removedBefore = new Date(now.getTime() - zoneLimits.withdrawGraceMs);
  await untilDone(house, (tx) => forgetForwarding(tx, removedBefore, batch));
  const countedBefore = new Date(house.wall.now().getTime() - forwardingLimits.clicksKeptMs);
  await untilDone(house, (tx) => forgetClicks(tx, countedBefore, batch));
  await untilDone(house, (tx) => forgetMail(tx, removedBefore, batch));
  await untilDone(house, (tx) => forgetMailCounts(tx, countedBefore, batch));
  return untilDone(house, async (tx) => {
    const zones = await zonesToWithdraw(tx, removedBefore, batch);
    for (const zone of zones) await withdrawZone(house, tx, zone, now);
    return zones.length;
  });
}

async function withdrawZone(house: House, tx: Tx, zone: Zone, now: Date): Promise<void> {
  await setZoneState(tx, zone, 'withdrawn', now);
  await appendEvent(house, tx, {
    resellerId: zone.reseller_id,
    type: 'zone.withdrawn',
    objectId: zone.domain_id,
    payload: { domain_id: zone.domain_id, domain_name: zone.name.slice(0, -1), serial: zone.serial },
  });
}

/** Tombstones whose time is over, with their content and journal. */
export async function purgeZones(house: House): Promise<number> {
  const before = new Date(house.clock.now().getTime() - zoneLimits.tombstoneMs);
  return untilDone(house, (tx) => purgeTombstones(tx, before, batch));
}

async function untilDone(house: House, step: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await house.db.transaction(everyTenant, step);
    total += count;
    if (count < batch) return total;
  }
}
