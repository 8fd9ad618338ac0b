import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLease, ConnectionLeases } from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { acquireSlot, releaseSlot, renewSlot, wantedSlots, wantSlot } from '../core/registries/slot.sql.ts';

/** Interval at which a process checks whether another one waits for a session. */
const pollMs = 500;

interface Held {
  readonly lost: AbortController;
  readonly requested: AbortController;
}

/**
 * Sessions of a registry account are limited over all processes: each one is a leased row. No process keeps more than one session while
 * another has none, and it keeps the last one only while it is in use.
 */
export function databaseConnectionLeases(ctx: AppContext, registryId: string, owner: string): ConnectionLeases {
  const { leaseMs } = ctx.config;
  const held = new Map<number, Held>();
  let timer: NodeJS.Timeout | undefined;
  const yieldLease = async () => {
    const wanted = await wantedSlots(ctx.db.as(allTenants), registryId, owner);
    let kept = [...held.values()].filter(({ lost }) => !lost.signal.aborted).length;
    for (const slot of wanted) {
      const { lost, requested } = held.get(slot) ?? {};
      if (lost?.signal.aborted) continue;
      if (kept > 1) lost?.abort();
      else requested?.abort();
      kept -= 1;
    }
  };
  // A short database outage does not end a session; only the expiry of the lease does.
  const later = (work: () => Promise<void>, ms: number) =>
    setInterval(() => void work().catch(() => undefined), ms).unref();
  return {
    async acquire({ onlySpare } = { onlySpare: false }): Promise<ConnectionLease | null> {
      const slot = await ctx.db.transaction(allTenants, async (tx) => {
        // Skips an own lease that expired, because its session is still open.
        const free = await acquireSlot(tx, registryId, owner, leaseMs, [...held.keys()]);
        if (free === undefined) await wantSlot(tx, registryId, owner, onlySpare);
        return free;
      });
      if (slot === undefined) return null;
      const mine: Held = { lost: new AbortController(), requested: new AbortController() };
      held.set(slot, mine);
      timer ??= later(yieldLease, pollMs);
      let isReleased = false;
      const giveBack = () => ctx.db.transaction(allTenants, (tx) => releaseSlot(tx, registryId, slot, owner));
      const renew = async () => {
        const isKept = await ctx.db.transaction(allTenants, (tx) => renewSlot(tx, registryId, slot, owner, leaseMs));
        // A renewal that was in progress when the slot was released.
        if (isReleased) return giveBack();
        if (!isKept) mine.lost.abort();
      };
      const renewal = later(renew, leaseMs / 4);
      return {
        id: `${registryId}/${slot}`,
        lost: mine.lost.signal,
        requested: mine.requested.signal,
        async release() {
          isReleased = true;
          clearInterval(renewal);
          if (held.get(slot) === mine) held.delete(slot);
          if (held.size === 0) {
            clearInterval(timer);
            timer = undefined;
          }
          await giveBack().catch(() => undefined);
        },
      };
    },
  };
}

const waitLimitMs = 30_000;

/** For a short use of one session: the process with the most sessions releases one within seconds. */
export async function acquireWithin(slots: ConnectionLeases): Promise<ConnectionLease | null> {
  for (let waited = 0; waited < waitLimitMs; waited += pollMs) {
    const slot = await slots.acquire();
    if (slot) return slot;
    await sleep(pollMs);
  }
  return null;
}
