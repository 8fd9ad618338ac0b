import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';

/** Repeats a step, each time in a transaction of its own, until it handles fewer rows than the batch. Returns the number of all rows. */
export async function untilDone(ctx: AppContext, batch: number, step: (tx: Tx) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await ctx.db.transaction(allTenants, step);
    total += count;
    if (count < batch) return total;
  }
}
