import { foldWaits } from '../core/series/fold-waits.ts';
import { foldNameMonths } from '../core/series/names.ts';
import type { Job } from './scheduler.ts';

/** Rolls up the time series of charts. Safe in several processes: each skips rows that another one has locked. */
export const foldSeries: Job = {
  name: 'fold-series',
  everyMs: 60_000,
  async run(ctx) {
    await foldNameMonths(ctx);
    await foldWaits(ctx);
  },
};
