import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { lockRollUp, nextHour, purgeWaits, rolledUpTo, rollUpJournal } from './waits.sql.ts';

export const waitPolicy = {
  /** An hour is rolled up when the last of its commands must be answered or given up. */
  settledAfterMs: 30 * 60_000,
  /** Until the job runs, hours are read from the journal; older ones wait for it. */
  liveMs: 3 * 3_600_000,
  keptDays: 400,
  hoursPerRun: 100,
  purgedPerRun: 5_000,
};

const hourMs = 3_600_000;

/** Past hours of the journal become rows of `wait_hour`. */
export async function rollUpWaits(ctx: AppContext): Promise<void> {
  const now = ctx.wall.now().getTime();
  const oldest = new Date(now - waitPolicy.keptDays * dayMs);
  for (let count = 0; count < waitPolicy.hoursPerRun; count += 1) {
    const isDone = await ctx.db.transaction(allTenants, async (tx) => {
      if (!(await lockRollUp(tx))) return true;
      const from = (await rolledUpTo(tx)) ?? oldest;
      const hour = await nextHour(tx, from);
      if (!hour || hour.getTime() + hourMs + waitPolicy.settledAfterMs > now) return true;
      await rollUpJournal(tx, hour, new Date(hour.getTime() + hourMs));
      return false;
    });
    if (isDone) break;
  }
  await ctx.db.transaction(allTenants, (tx) => purgeWaits(tx, oldest, waitPolicy.purgedPerRun));
}
