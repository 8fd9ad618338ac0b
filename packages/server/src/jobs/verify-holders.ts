import { followVerifications } from '../core/verification/follow.ts';
import type { Job } from './clockwork.ts';

/** Reminders of holders, holds for want of their confirmation, and the end of those. */
export const verifyHolders: Job = { name: 'verify-holders', everyMs: 30_000, run: followVerifications };
