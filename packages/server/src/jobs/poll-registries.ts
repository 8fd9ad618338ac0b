import { everyTenant } from '@namehold/base';
import { activeRegistries } from '../core/domains/compare/poll.sql.ts';
import { readPoll } from '../core/domains/compare/read-poll.ts';
import type { House } from '../core/house.ts';
import { endOverdueMaintenances } from '../core/registries/maintenance.ts';
import { type Job, notWhole } from './clockwork.ts';

/** A burst of answers that all say "messages wait" is one cue. */
const gatherMs = 200;
const reading = new WeakMap<House, Map<string, Promise<boolean>>>();

/** Reads now; a second call while one runs joins it. False: it was not read from here. */
export function pollNow(house: House, registryId: string): Promise<boolean> {
  const runs = reading.get(house) ?? new Map<string, Promise<boolean>>();
  reading.set(house, runs);
  let run = runs.get(registryId);
  if (!run) {
    run = readPoll(house, registryId).finally(() => runs.delete(registryId));
    runs.set(registryId, run);
  }
  return run;
}

const cued = new WeakMap<House, Set<string>>();

/** The registry said that messages wait. Never rejects. */
export function pollSoon(house: House, registryId: string): void {
  const waiting = cued.get(house) ?? new Set<string>();
  cued.set(house, waiting);
  if (waiting.has(registryId) || reading.get(house)?.has(registryId)) return;
  waiting.add(registryId);
  setTimeout(() => {
    waiting.delete(registryId);
    pollNow(house, registryId).catch((error: unknown) =>
      house.log.error({ err: error, registry_id: registryId }, 'the poll queue could not be read'),
    );
  }, gatherMs).unref();
}

/** Whose trouble it is, where one of many has some. */
const named = (registryId: string, error: unknown): Error =>
  new Error(`registry ${registryId}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });

export const pollRegistries: Job = {
  name: 'poll-registries',
  everyMs: 60_000,
  async run(house) {
    await endOverdueMaintenances(house);
    const registries = await activeRegistries(house.db.as(everyTenant));
    const runs = await Promise.allSettled(registries.map(({ id }) => pollNow(house, id)));
    for (const [at, run] of runs.entries()) if (run.status === 'rejected') throw named(registries[at]!.id, run.reason);
    return runs.every((run) => run.status === 'fulfilled' && run.value) ? undefined : notWhole;
  },
};
