import { followTargets } from '../core/mail-forwarding/follow-targets.ts';
import type { Job } from './scheduler.ts';

/** Requests consent of the owners of mail targets, and ends requests that expired. */
export const followMailTargets: Job = { name: 'follow-mail-targets', everyMs: 30_000, run: followTargets };
