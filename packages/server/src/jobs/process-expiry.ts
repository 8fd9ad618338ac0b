import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { processRegistry } from '../core/domains/end/expire.ts';
import { sendExpiryReminders } from '../core/domains/end/expiry-reminders.ts';
import { incomplete } from './scheduler.ts';

/** A slow registry must not delay the next round for the others. */
const roundLimitMs = 10_000;
const following = new WeakMap<AppContext, Map<string, Promise<void>>>();

function follow(ctx: AppContext, registryId: string): Promise<void> {
  const runs = following.get(ctx) ?? new Map<string, Promise<void>>();
  following.set(ctx, runs);
  let run = runs.get(registryId);
  if (!run) {
    run = processRegistry(ctx, registryId)
      .catch((error: unknown) =>
        ctx.log.error({ err: error, registry_id: registryId }, 'domains of a registry could not be processed'),
      )
      .finally(() => runs.delete(registryId));
    runs.set(registryId, run);
  }
  return run;
}

/**
 * Processes the dates of each registry: sends reminders, places auto-renew orders, applies expiry, deletes domains that were not renewed,
 * and ends deleted ones.
 */
export async function processExpiry(ctx: AppContext): Promise<typeof incomplete | undefined> {
  const reminded = await Promise.allSettled([sendExpiryReminders(ctx)]);
  const registries = await activeRegistries(ctx.db.as(allTenants));
  const all = Promise.all(registries.map(({ id }) => follow(ctx, id)));
  const timeout = new AbortController();
  const isWhole = await Promise.race([
    all.then(() => true),
    sleep(roundLimitMs, false, { ref: false, signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  for (const each of reminded) if (each.status === 'rejected') throw each.reason;
  return isWhole ? undefined : incomplete;
}
