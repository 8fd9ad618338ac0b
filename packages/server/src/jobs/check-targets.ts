import { checkTargets } from '../core/forwarding/check-targets.ts';
import type { Job } from './scheduler.ts';

/** Checks that targets of web forwarding resolve, and that masked targets allow framing. */
export const checkTargetsJob: Job = { name: 'check-targets', everyMs: 2_000, run: checkTargets };
