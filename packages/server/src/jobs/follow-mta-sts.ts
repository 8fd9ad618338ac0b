import { followSts } from '../core/mail-forwarding/follow-mta-sts.ts';
import type { Job } from './scheduler.ts';

/** MTA-STS policies of domains with mail forwarding: enforces a policy after its test period, and withdraws it when it is not safe. */
export const followMtaSts: Job = { name: 'follow-mta-sts', everyMs: 30_000, run: followSts };
