import { followVerifications } from '../core/verification/follow.ts';
import type { Job } from './scheduler.ts';

/** Reminders of holders, holds for want of their confirmation, and the end of those. */
export const verifyRegistrantsJob: Job = { name: 'verify-holders', everyMs: 30_000, run: followVerifications };
