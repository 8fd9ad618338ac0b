import { followVerifications } from '../core/verification/follow.ts';
import type { Job } from './scheduler.ts';

/** Reminds registrants to confirm, sets a hold on domains without confirmation, and removes it later. */
export const verifyRegistrantsJob: Job = { name: 'verify-holders', everyMs: 30_000, run: followVerifications };
