import { purgeOld } from '../core/retention/purge.ts';
import type { Job } from './scheduler.ts';

/** Deletes rows after their retention time. Safe in several processes: each skips rows that another one has locked. */
export const purgeOldJob: Job = {
  name: 'forget-old',
  everyMs: 3_600_000,
  async run(ctx) {
    const gone = await purgeOld(ctx);
    if (Object.values(gone).some((rows) => rows > 0)) ctx.log.info({ purged: gone }, 'purged old rows');
  },
};
