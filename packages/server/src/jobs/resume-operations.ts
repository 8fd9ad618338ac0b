import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { type DueOperation, dueOperations, wakeWaiting } from '../core/operations/operation.sql.ts';

const resumeLimits = { all: 64, perRegistry: 16 };
/** Minimum time between two queries, so that operations that end at once because they cannot be claimed cause no busy loop. */
const queryPauseMs = 50;

const resumed = new WeakMap<AppContext, Map<string, DueOperation>>();
/** More operations were due than could be started. */
const hasMore = new WeakSet<AppContext>();

/**
 * Resumes every unfinished operation that is due, whichever process began it. It starts operations without waiting for them:
 * a hanging one keeps only its own slot, and a registry that does not respond keeps at most its share of the slots.
 */
export async function resumeOperations(ctx: AppContext): Promise<void> {
  const due = await dueOperations(ctx.db.as(allTenants), resumeLimits);
  hasMore.delete(ctx);
  for (const operation of due) begin(ctx, operation);
}

/** If no slot is free, the query runs again when an operation ends. */
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
    if (isTaken && hasMore.has(ctx)) void resumeNow(ctx);
  });
}

/** Never rejects. Returns false if only another process can run the operation now. */
async function resume(ctx: AppContext, { id, registry_id: registryId }: DueOperation): Promise<boolean> {
  const hasFreeSession = registryId === null || (await ctx.registries.hasFreeSession(registryId).catch(() => true));
  if (hasFreeSession) await ctx.engine.resume(id);
  return hasFreeSession;
}

const resuming = new WeakMap<AppContext, 'once' | 'again'>();

/** Slots that become free during a query cause only one more query. */
async function resumeNow(ctx: AppContext): Promise<void> {
  if (resuming.has(ctx)) return void resuming.set(ctx, 'again');
  try {
    do {
      resuming.set(ctx, 'once');
      await resumeOperations(ctx);
      await sleep(queryPauseMs, undefined, { ref: false });
    } while (resuming.get(ctx) === 'again');
  } catch (error) {
    ctx.log.warn({ err: error }, 'due operations could not be read, will retry');
  } finally {
    resuming.delete(ctx);
  }
}

/** NOTIFY from another process (`notify.sql.ts`). A process without a session leaves due work to a process that has one. */
export async function onResumeNotify(ctx: AppContext, payload: string): Promise<void> {
  const [what, of = '', id] = payload.split(' ');
  if (what === 'over') ctx.engine.onSettledElsewhere(of);
  else if (id !== undefined && (await ctx.registries.hasSession(of))) begin(ctx, { id, registry_id: of });
}

const waitPolicy = { pollMs: 50, polls: 1_200 };

/** Called after the business clock moved: operations that wait for a registry may be due. Returns true if nothing is due any more. */
export async function resumeWaiting(ctx: AppContext): Promise<boolean> {
  await wakeWaiting(ctx.db.autocommit(allTenants));
  for (let polled = 0; polled < waitPolicy.polls; polled += 1) {
    await resumeOperations(ctx);
    if ((resumed.get(ctx)?.size ?? 0) === 0) return true;
    await sleep(waitPolicy.pollMs);
  }
  return false;
}
