import { checkTargets } from '../core/forwarding/check-targets.ts';
import type { Job } from './scheduler.ts';

/** Whether targets of forwarding resolve, and let themselves be framed where they are masked. */
export const checkTargetsJob: Job = { name: 'check-targets', everyMs: 2_000, run: checkTargets };
