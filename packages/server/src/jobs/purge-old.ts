import { purgeOld } from '../core/retention/purge.ts';
import type { Job } from './scheduler.ts';

/** What the settings say is kept no longer. Safe in two processes: each takes what the other left. */
export const purgeOldJob: Job = {
  name: 'forget-old',
  everyMs: 3_600_000,
  async run(ctx) {
    const gone = await purgeOld(ctx);
    if (Object.values(gone).some((rows) => rows > 0)) ctx.log.info({ forgotten: gone }, 'old rows were forgotten');
  },
};
