import { foldWaits } from '../core/series/fold-waits.ts';
import { foldNameMonths } from '../core/series/names.ts';
import type { Job } from './scheduler.ts';

/** What is drawn over time is counted beforehand. Safe in two processes: each takes what the other left. */
export const foldSeries: Job = {
  name: 'fold-series',
  everyMs: 60_000,
  async run(ctx) {
    await foldNameMonths(ctx);
    await foldWaits(ctx);
  },
};
