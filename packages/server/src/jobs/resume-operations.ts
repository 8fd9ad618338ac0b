import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant } from '@namehold/base';
import type { House } from '../core/house.ts';
import { type DueOperation, dueOperations, wakeWaiting } from '../core/operations/operation.sql.ts';
import type { Job } from './clockwork.ts';

const resumeLimits = { all: 64, perRegistry: 16 };

/** Somebody waits for what another process has handed on: its word may be lost, or there was no room when it came. */
const look = { ms: 250, soonMs: 25 };

const resumed = new WeakMap<House, Map<string, DueOperation>>();
/** More was due than there was room for. */
const hasMore = new WeakSet<House>();

/**
 * Owns every operation that is not final and past its due time, whichever process began it. It starts what is due and does not wait:
 * one that hangs keeps its own place, and those of one silent registry keep no more than the share of that registry.
 */
export const resumeOperations: Job = {
  name: 'resume-operations',
  everyMs: 1_000,
  looksAfterMs: (house) => (hasMore.has(house) ? look.soonMs : look.ms),
  async run(house) {
    const running = resumed.get(house) ?? new Map<string, DueOperation>();
    resumed.set(house, running);
    const due = await dueOperations(house.db.as(everyTenant), resumeLimits);
    hasMore.delete(house);
    for (const operation of due) {
      if (running.has(operation.id)) continue;
      const ofRegistry = [...running.values()].filter((each) => each.registry_id === operation.registry_id);
      if (running.size >= resumeLimits.all || ofRegistry.length >= resumeLimits.perRegistry) {
        hasMore.add(house);
        continue;
      }
      running.set(operation.id, operation);
      void resume(house, operation).finally(() => running.delete(operation.id));
    }
  },
};

/** Never rejects. What only another process can do now is left to that one. */
async function resume(house: House, { id, registry_id: registryId }: DueOperation): Promise<void> {
  const hasRoom = registryId === null || (await house.registries.hasRoom(registryId).catch(() => true));
  if (!hasRoom) return;
  await house.engine.start(id);
}

const looking = new WeakMap<House, 'once' | 'again'>();

/** However many words come during a look, they are one more look. */
async function lookNow(house: House): Promise<void> {
  if (looking.has(house)) return void looking.set(house, 'again');
  try {
    do {
      looking.set(house, 'once');
      await resumeOperations.run(house);
    } while (looking.get(house) === 'again');
  } catch (error) {
    house.log.warn({ err: error }, 'what is due was not looked at; it will be soon');
  } finally {
    looking.delete(house);
  }
}

/** A word of another process (`words.sql.ts`). Who would have to ask for a session first leaves what is due to whoever has one. */
export async function hear(house: House, word: string): Promise<void> {
  const [what, of = ''] = word.split(' ');
  if (what === 'over') house.engine.isOver(of);
  else if (await house.registries.hasSession(of)) await lookNow(house);
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
