import { followTargets } from '../core/mail-forwarding/follow-targets.ts';
import type { Job } from './scheduler.ts';

/** Owners of addresses that forwarded mail shall go to: asked where it was owed, and waited for no longer than they have. */
export const followMailTargets: Job = { name: 'follow-mail-targets', everyMs: 30_000, run: followTargets };
