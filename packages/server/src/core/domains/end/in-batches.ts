import type { AppContext } from '../../app-context.ts';
import { forEachParallel, RunFailed } from '../../jobs/run-items.ts';

export const namesPerRun = 500;
/** In one round; the next round continues. */
const batchesPerRun = 20;
/** Domains of one registry that are processed in parallel. */
const concurrency = 4;

/**
 * Runs one batch after another, so that a round processes everything that came due at once. What is still due after it was processed
 * waits for the next round. Processed rows are excluded from the next read, so that those without effect (a lock, a refusal) do not
 * block the others. A failure ends the round only after all others were processed.
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
    await forEachParallel(ctx, concurrency, fresh, work).catch((error: unknown) => {
      if (!(error instanceof RunFailed)) throw error;
      failures.push(...error.failures);
    });
    if (fresh.length === 0 || due.length < namesPerRun) break;
  }
  if (failures.length > 0) throw new RunFailed(failures);
}
