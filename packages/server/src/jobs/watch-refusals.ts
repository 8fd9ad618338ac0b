import { watchRefusals } from '../core/refusals/count.ts';
import type { Job } from './scheduler.ts';

export const watchRefusalsJob: Job = { name: 'watch-refusals', everyMs: 30_000, run: watchRefusals };
