import { setTimeout as sleep } from 'node:timers/promises';
import { everyTenant } from '@namehold/base';
import type { House } from '../core/house.ts';
import { type DueOperation, dueOperations, wakeWaiting } from '../core/operations/operation.sql.ts';
import type { Job } from './clockwork.ts';

const resumeLimits = { all: 64, perRegistry: 16 };
/** The least time between two looks: what ends at once, because it cannot be claimed, must not be looked for without a pause. */
const lookPauseMs = 50;

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
  async run(house) {
    const due = await dueOperations(house.db.as(everyTenant), resumeLimits);
    hasMore.delete(house);
    for (const operation of due) begin(house, operation);
  },
};

/** Where there is no place for it, it is looked for again when one is done. */
function begin(house: House, operation: DueOperation): void {
  const running = resumed.get(house) ?? new Map<string, DueOperation>();
  resumed.set(house, running);
  if (running.has(operation.id)) return;
  const ofRegistry = [...running.values()].filter((each) => each.registry_id === operation.registry_id);
  if (running.size >= resumeLimits.all || ofRegistry.length >= resumeLimits.perRegistry) {
    hasMore.add(house);
    return;
  }
  running.set(operation.id, operation);
  void resume(house, operation).then((isTaken) => {
    running.delete(operation.id);
    if (isTaken && hasMore.has(house)) void lookNow(house);
  });
}

/** Never rejects. False: only another process can do it now. */
async function resume(house: House, { id, registry_id: registryId }: DueOperation): Promise<boolean> {
  const hasRoom = registryId === null || (await house.registries.hasRoom(registryId).catch(() => true));
  if (hasRoom) await house.engine.resume(id);
  return hasRoom;
}

const looking = new WeakMap<House, 'once' | 'again'>();

/** However many places become free during a look, they are one more look. */
async function lookNow(house: House): Promise<void> {
  if (looking.has(house)) return void looking.set(house, 'again');
  try {
    do {
      looking.set(house, 'once');
      await resumeOperations.run(house);
      await sleep(lookPauseMs, undefined, { ref: false });
    } while (looking.get(house) === 'again');
  } catch (error) {
    house.log.warn({ err: error }, 'what is due was not looked at; it will be soon');
  } finally {
    looking.delete(house);
  }
}

/** A word of another process (`words.sql.ts`). Who would have to ask for a session first leaves what is due to whoever has one. */
export async function hear(house: House, word: string): Promise<void> {
  const [what, of = '', id] = word.split(' ');
  if (what === 'over') house.engine.isOver(of);
  else if (id !== undefined && (await house.registries.hasSession(of))) begin(house, { id, registry_id: of });
}

const patience = { lookMs: 50, looks: 1_200 };

/** Business time was moved: what waits for a registry may have waited long enough. True: nothing is due any more. */
export async function resumeWaiting(house: House): Promise<boolean> {
  await wakeWaiting(house.db.alone(everyTenant));
  for (let looked = 0; looked < patience.looks; looked += 1) {
    await resumeOperations.run(house);
    if ((resumed.get(house)?.size ?? 0) === 0) return true;
    await sleep(patience.lookMs);
  }
  return false;
}
