import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { readPoll } from '../core/domains/compare/read-poll.ts';
import { endOverdueMaintenances } from '../core/registries/maintenance.ts';
import { incomplete } from './scheduler.ts';

/** Several responses in a row that report waiting messages count as one notification. */
const gatherMs = 200;
const reading = new WeakMap<AppContext, Map<string, Promise<boolean>>>();

/** Polls at once; a second call joins a running one. Returns false if this process did not poll. */
export function pollNow(ctx: AppContext, registryId: string): Promise<boolean> {
  const runs = reading.get(ctx) ?? new Map<string, Promise<boolean>>();
  reading.set(ctx, runs);
  let run = runs.get(registryId);
  if (!run) {
    run = readPoll(ctx, registryId).finally(() => runs.delete(registryId));
    runs.set(registryId, run);
  }
  return run;
}

const cued = new WeakMap<AppContext, Set<string>>();

/** Called when a registry response reports waiting messages. Never rejects. */
export function pollSoon(ctx: AppContext, registryId: string): void {
  const waiting = cued.get(ctx) ?? new Set<string>();
  cued.set(ctx, waiting);
  if (waiting.has(registryId) || reading.get(ctx)?.has(registryId)) return;
  waiting.add(registryId);
  setTimeout(() => {
    waiting.delete(registryId);
    pollNow(ctx, registryId).catch((error: unknown) =>
      ctx.log.error({ err: error, registry_id: registryId }, 'poll failed, will retry'),
    );
  }, gatherMs).unref();
}

/** Adds the registry id, because the job covers several registries. */
const named = (registryId: string, error: unknown): Error =>
  new Error(`registry ${registryId}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });

export async function pollRegistries(ctx: AppContext): Promise<typeof incomplete | undefined> {
  await endOverdueMaintenances(ctx);
  const registries = await activeRegistries(ctx.db.as(allTenants));
  const runs = await Promise.allSettled(registries.map(({ id }) => pollNow(ctx, id)));
  for (const [at, run] of runs.entries()) if (run.status === 'rejected') throw named(registries[at]!.id, run.reason);
  return runs.every((run) => run.status === 'fulfilled' && run.value) ? undefined : incomplete;
}
