import { followSts } from '../core/mail-forwarding/follow-mta-sts.ts';
import type { Job } from './scheduler.ts';

/** Policies about TLS of names whose mail is forwarded: enforced when they were tried long enough, taken back when that is not safe. */
export const followMtaSts: Job = { name: 'follow-mta-sts', everyMs: 30_000, run: followSts };
