import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant } from '@namehold/base';
import type { SlotLease, SlotLeases } from '@namehold/epp';
import type { House } from '../core/house.ts';
import { acquireSlot, releaseSlot, renewSlot, wantedSlots, wantSlot } from '../core/registries/slot.sql.ts';

/** So soon a process gives up a session that another one waits for. */
const lookMs = 1_000;

/** Sessions of a registry account are counted over all processes: each is a leased row. No process keeps them all while another waits. */
export function databaseSlots(house: House, registryId: string, owner: string): SlotLeases {
  const { leaseMs } = house.config;
  const held = new Map<number, AbortController>();
  let look: NodeJS.Timeout | undefined;
  const giveWay = async () => {
    const wanted = await wantedSlots(house.db.as(everyTenant), registryId, owner);
    for (const slot of wanted) held.get(slot)?.abort();
  };
  // A database that is away for a moment does not end a session; the lease itself decides.
  const later = (work: () => Promise<void>, ms: number) =>
    setInterval(() => void work().catch(() => undefined), ms).unref();
  return {
    async acquire(): Promise<SlotLease | null> {
      const slot = await house.db.transaction(everyTenant, async (tx) => {
        const free = await acquireSlot(tx, registryId, owner, leaseMs);
        if (free === undefined) await wantSlot(tx, registryId, owner);
        return free;
      });
      if (slot === undefined) return null;
      const lost = new AbortController();
      held.set(slot, lost);
      look ??= later(giveWay, lookMs);
      const renew = async () => {
        const isKept = await house.db.transaction(everyTenant, (tx) => renewSlot(tx, registryId, slot, owner, leaseMs));
        if (!isKept) lost.abort();
      };
      const renewal = later(renew, leaseMs / 4);
      return {
        id: `${registryId}/${slot}`,
        lost: lost.signal,
        async release() {
          clearInterval(renewal);
          if (held.get(slot) === lost) held.delete(slot);
          if (held.size === 0) {
            clearInterval(look);
            look = undefined;
          }
          await house.db
            .transaction(everyTenant, (tx) => releaseSlot(tx, registryId, slot, owner))
            .catch(() => undefined);
        },
      };
    },
  };
}

const patienceMs = 30_000;

/** For who wants one session for a moment: who holds most of them gives one up within seconds. */
export async function slotWithin(slots: SlotLeases): Promise<SlotLease | null> {
  for (let waited = 0; waited < patienceMs; waited += lookMs) {
    const slot = await slots.acquire();
    if (slot) return slot;
    await sleep(lookMs);
  }
  return null;
}
