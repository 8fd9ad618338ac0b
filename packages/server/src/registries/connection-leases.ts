import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionLease, ConnectionLeases } from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import {
  acquireSessionLease,
  releaseSessionLease,
  renewSessionLease,
  requestedSessionLeases,
  requestSessionLease,
} from '../core/registries/slot.sql.ts';

/** Interval at which a process checks whether another one waits for a session. */
const pollMs = 500;

interface Held {
  readonly lost: AbortController;
  readonly requested: AbortController;
}

/**
 * Sessions of a registry account are limited over all processes: each one has a lease, a row of the table `registry_slot`. No process keeps more than one session while
 * another has none, and it keeps the last one only while it is in use.
 */
export function databaseConnectionLeases(ctx: AppContext, registryId: string, owner: string): ConnectionLeases {
  const { leaseMs } = ctx.config;
  const held = new Map<number, Held>();
  let timer: NodeJS.Timeout | undefined;
  const yieldLeases = async () => {
    const wanted = await requestedSessionLeases(ctx.db.as(allTenants), registryId, owner);
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
        const free = await acquireSessionLease(tx, registryId, owner, leaseMs, [...held.keys()]);
        if (free === undefined) await requestSessionLease(tx, registryId, owner, onlySpare);
        return free;
      });
      if (slot === undefined) return null;
      const mine: Held = { lost: new AbortController(), requested: new AbortController() };
      held.set(slot, mine);
      timer ??= later(yieldLeases, pollMs);
      let isReleased = false;
      const release = () => ctx.db.transaction(allTenants, (tx) => releaseSessionLease(tx, registryId, slot, owner));
      const renew = async () => {
        const isKept = await ctx.db.transaction(allTenants, (tx) =>
          renewSessionLease(tx, registryId, slot, owner, leaseMs),
        );
        // The lease was released while this renewal was in progress.
        if (isReleased) return release();
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
          await release().catch(() => undefined);
        },
      };
    },
  };
}

const waitLimitMs = 30_000;

/** For a short use of one session: the process with the most sessions releases one within seconds. */
export async function acquireWithin(leases: ConnectionLeases): Promise<ConnectionLease | null> {
  for (let waited = 0; waited < waitLimitMs; waited += pollMs) {
    const lease = await leases.acquire();
    if (lease) return lease;
    await sleep(pollMs);
  }
  return null;
}
