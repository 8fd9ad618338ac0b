import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants } from '@namehold/base';
import type { AppContext } from '../core/app-context.ts';
import { type DueOperation, dueOperations, wakeWaiting } from '../core/operations/operation.sql.ts';
import type { Job } from './scheduler.ts';

const resumeLimits = { all: 64, perRegistry: 16 };
/** The least time between two looks: what ends at once, because it cannot be claimed, must not be looked for without a pause. */
const lookPauseMs = 50;

const resumed = new WeakMap<AppContext, Map<string, DueOperation>>();
/** More was due than there was room for. */
const hasMore = new WeakSet<AppContext>();

/**
 * Owns every operation that is not final and past its due time, whichever process began it. It starts what is due and does not wait:
 * one that hangs keeps its own place, and those of one silent registry keep no more than the share of that registry.
 */
export const resumeOperations: Job = {
  name: 'resume-operations',
  everyMs: 1_000,
  async run(ctx) {
    const due = await dueOperations(ctx.db.as(allTenants), resumeLimits);
    hasMore.delete(ctx);
    for (const operation of due) begin(ctx, operation);
  },
};

/** Where there is no place for it, it is looked for again when one is done. */
function begin(ctx: AppContext, operation: DueOperation): void {
  const running = resumed.get(ctx) ?? new Map<string, DueOperation>();
  resumed.set(ctx, running);
  if (running.has(operation.id)) return;
  const ofRegistry = [...running.values()].filter((each) => each.registry_id === operation.registry_id);
  if (running.size >= resumeLimits.all || ofRegistry.length >= resumeLimits.perRegistry) {
    hasMore.add(ctx);
    return;
  }
  running.set(operation.id, operation);
  void resume(ctx, operation).then((isTaken) => {
    running.delete(operation.id);
    if (isTaken && hasMore.has(ctx)) void lookNow(ctx);
  });
}

/** Never rejects. False: only another process can do it now. */
async function resume(ctx: AppContext, { id, registry_id: registryId }: DueOperation): Promise<boolean> {
  const hasRoom = registryId === null || (await ctx.registries.hasRoom(registryId).catch(() => true));
  if (hasRoom) await ctx.engine.resume(id);
  return hasRoom;
}

const looking = new WeakMap<AppContext, 'once' | 'again'>();

/** However many places become free during a look, they are one more look. */
async function lookNow(ctx: AppContext): Promise<void> {
  if (looking.has(ctx)) return void looking.set(ctx, 'again');
  try {
    do {
      looking.set(ctx, 'once');
      await resumeOperations.run(ctx);
      await sleep(lookPauseMs, undefined, { ref: false });
    } while (looking.get(ctx) === 'again');
  } catch (error) {
    ctx.log.warn({ err: error }, 'what is due was not looked at; it will be soon');
  } finally {
    looking.delete(ctx);
  }
}

/** A word of another process (`words.sql.ts`). Who would have to ask for a session first leaves what is due to whoever has one. */
export async function onResumeNotify(ctx: AppContext, word: string): Promise<void> {
  const [what, of = '', id] = word.split(' ');
  if (what === 'over') ctx.engine.isOver(of);
  else if (id !== undefined && (await ctx.registries.hasSession(of))) begin(ctx, { id, registry_id: of });
}

const patience = { lookMs: 50, looks: 1_200 };

/** Business time was moved: what waits for a registry may have waited long enough. True: nothing is due any more. */
export async function resumeWaiting(ctx: AppContext): Promise<boolean> {
  await wakeWaiting(ctx.db.autocommit(allTenants));
  for (let looked = 0; looked < patience.looks; looked += 1) {
    await resumeOperations.run(ctx);
    if ((resumed.get(ctx)?.size ?? 0) === 0) return true;
    await sleep(patience.lookMs);
  }
  return false;
}
