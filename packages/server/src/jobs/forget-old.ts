import { forgetOld } from '../core/retention/forget.ts';
import type { Job } from './clockwork.ts';

/** What the settings say is kept no longer. Safe in two processes: each takes what the other left. */
export const forgetOldJob: Job = {
  name: 'forget-old',
  everyMs: 3_600_000,
  async run(house) {
    const gone = await forgetOld(house);
    if (Object.values(gone).some((rows) => rows > 0)) house.log.info({ forgotten: gone }, 'old rows were forgotten');
  },
};
