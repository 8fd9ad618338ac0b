import { everyTenant } from '@namehold/base';
import type { SlotLease, SlotLeases } from '@namehold/epp';
import type { House } from '../core/house.ts';
import { acquireSlot, releaseSlot, renewSlot } from '../core/registries/registry.sql.ts';

/** Sessions of a registry account are counted over all processes: each is a leased row. */
export function databaseSlots(house: House, registryId: string, owner: string): SlotLeases {
  return {
    async acquire(): Promise<SlotLease | null> {
      const { leaseMs } = house.config;
      const slot = await house.db.transaction(everyTenant, (tx) => acquireSlot(tx, registryId, owner, leaseMs));
      if (slot === undefined) return null;
      const lost = new AbortController();
      const timer = setInterval(() => {
        house.db
          .transaction(everyTenant, (tx) => renewSlot(tx, registryId, slot, owner, leaseMs))
          .then((kept) => {
            if (!kept) lost.abort();
          })
          // A database that is away for a moment does not end the session; the lease itself decides.
          .catch(() => undefined);
      }, leaseMs / 4).unref();
      return {
        id: `${registryId}/${slot}`,
        lost: lost.signal,
        async release() {
          clearInterval(timer);
          await house.db
            .transaction(everyTenant, (tx) => releaseSlot(tx, registryId, slot, owner))
            .catch(() => undefined);
        },
      };
    },
  };
}
