import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant } from '@namehold/base';
import type { House } from '../core/house.ts';
import { type DueOperation, dueOperations, wakeWaiting } from '../core/operations/operation.sql.ts';
import type { Job } from './clockwork.ts';

const resumeLimits = { all: 64, perRegistry: 16 };

/** Somebody waits for what another process has handed on, and after the first there mostly are more. */
const look = { ms: 250, soonMs: 25, soonForMs: 3_000 };

const resumed = new WeakMap<House, Map<string, DueOperation>>();
const soonUntil = new WeakMap<House, number>();

/**
 * Owns every operation that is not final and past its due time, whichever process began it. It starts what is due and does not wait:
 * one that hangs keeps its own place, and those of one silent registry keep no more than the share of that registry.
 */
export const resumeOperations: Job = {
  name: 'resume-operations',
  everyMs: 1_000,
  looksAfterMs: (house) => (performance.now() < (soonUntil.get(house) ?? 0) ? look.soonMs : look.ms),
  async run(house) {
    const running = resumed.get(house) ?? new Map<string, DueOperation>();
    resumed.set(house, running);
    const due = await dueOperations(house.db.as(everyTenant), resumeLimits);
    for (const operation of due) {
      const ofRegistry = [...running.values()].filter((each) => each.registry_id === operation.registry_id);
      if (running.has(operation.id) || running.size >= resumeLimits.all) continue;
      if (ofRegistry.length >= resumeLimits.perRegistry) continue;
      running.set(operation.id, operation);
      void resume(house, operation).finally(() => running.delete(operation.id));
    }
  },
};

/** Never rejects. What only another process can do now is left to that one. */
async function resume(house: House, { id, registry_id: registryId, is_untried }: DueOperation): Promise<void> {
  const hasRoom = registryId === null || (await house.registries.hasRoom(registryId).catch(() => true));
  if (!hasRoom) return;
  if (is_untried) soonUntil.set(house, performance.now() + look.soonForMs);
  await house.engine.start(id);
}

const patience = { lookMs: 50, looks: 1_200 };

/** Business time was moved: what waits for a registry may have waited long enough. True: nothing is due any more. */
export async function resumeWaiting(house: House): Promise<boolean> {
  await wakeWaiting(house.db.alone(everyTenant));
  for (let looked = 0; looked < patience.looks; looked += 1) {
    await resumeOperations.run(house);
    if (resumed.get(house)?.size === 0) return true;
    await sleep(patience.lookMs);
  }
  return false;
}
