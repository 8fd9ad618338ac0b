import { allTenants } from '@namehold/base';
import type { AppContext } from '../core/app-context.ts';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { readPoll } from '../core/domains/compare/read-poll.ts';
import { endOverdueMaintenances } from '../core/registries/maintenance.ts';
import { incomplete, type Job } from './scheduler.ts';

/** A burst of answers that all say "messages wait" is one cue. */
const gatherMs = 200;
const reading = new WeakMap<AppContext, Map<string, Promise<boolean>>>();

/** Reads now; a second call while one runs joins it. False: it was not read from here. */
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

/** The registry said that messages wait. Never rejects. */
export function pollSoon(ctx: AppContext, registryId: string): void {
  const waiting = cued.get(ctx) ?? new Set<string>();
  cued.set(ctx, waiting);
  if (waiting.has(registryId) || reading.get(ctx)?.has(registryId)) return;
  waiting.add(registryId);
  setTimeout(() => {
    waiting.delete(registryId);
    pollNow(ctx, registryId).catch((error: unknown) =>
      ctx.log.error({ err: error, registry_id: registryId }, 'the poll queue could not be read'),
    );
  }, gatherMs).unref();
}

/** Whose trouble it is, where one of many has some. */
const named = (registryId: string, error: unknown): Error =>
  new Error(`registry ${registryId}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });

export const pollRegistries: Job = {
  name: 'poll-registries',
  everyMs: 60_000,
  async run(ctx) {
    await endOverdueMaintenances(ctx);
    const registries = await activeRegistries(ctx.db.as(allTenants));
    const runs = await Promise.allSettled(registries.map(({ id }) => pollNow(ctx, id)));
    for (const [at, run] of runs.entries()) if (run.status === 'rejected') throw named(registries[at]!.id, run.reason);
    return runs.every((run) => run.status === 'fulfilled' && run.value) ? undefined : incomplete;
  },
};
