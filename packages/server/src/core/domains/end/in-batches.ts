import type { AppContext } from '../../app-context.ts';
import { inTurns, RoundFailed } from '../../jobs/turns.ts';

export const namesPerRun = 500;
/** In one round; the next one goes on. */
const batchesPerRun = 20;
/** Names of one registry that are asked about side by side. */
const lanes = 4;

/**
 * One batch after another, so that a round catches up with whatever came due at once; what is still due after its turn is left for the next
 * round. Where nothing may come of a turn (a lock, a registry's no) those that had theirs are left out of what is read, so that they keep no other waiting. A turn that fails
 * ends the round only when all others had theirs.
 */
export async function inBatches<T extends { readonly id: string }>(
  ctx: Pick<AppContext, 'log'>,
  read: (seen: readonly string[]) => Promise<readonly T[]>,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const seen = new Set<string>();
  const failures: { id: string; error: unknown }[] = [];
  for (let batch = 0; batch < batchesPerRun; batch += 1) {
    const due = await read([...seen]);
    const fresh = due.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    await inTurns(ctx, lanes, fresh, work).catch((error: unknown) => {
      if (!(error instanceof RoundFailed)) throw error;
      failures.push(...error.failures);
    });
    if (fresh.length === 0 || due.length < namesPerRun) break;
  }
  if (failures.length > 0) throw new RoundFailed(failures);
}
