import { dayMs } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { lockRollUp, nextHour, purgeResponseTimes, rolledUpTo, rollUpJournal } from './response-times.sql.ts';

export const responseTimePolicy = {
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
export async function rollUpResponseTimes(ctx: AppContext): Promise<void> {
  const now = ctx.wall.now().getTime();
  const oldest = new Date(now - responseTimePolicy.keptDays * dayMs);
  for (let count = 0; count < responseTimePolicy.hoursPerRun; count += 1) {
    const isDone = await ctx.db.transaction(allTenants, async (tx) => {
      if (!(await lockRollUp(tx))) return true;
      const from = (await rolledUpTo(tx)) ?? oldest;
      const hour = await nextHour(tx, from);
      if (!hour || hour.getTime() + hourMs + responseTimePolicy.settledAfterMs > now) return true;
      await rollUpJournal(tx, hour, new Date(hour.getTime() + hourMs));
      return false;
    });
    if (isDone) break;
  }
  await ctx.db.transaction(allTenants, (tx) => purgeResponseTimes(tx, oldest, responseTimePolicy.purgedPerRun));
}
