import { protectOwed } from '../core/domains/buy/protect-new.ts';
import type { Job } from './scheduler.ts';

/** Sets theft protection on new domains that are still without it. */
export const protectNewDomainsJob: Job = { name: 'protect-new-names', everyMs: 60_000, run: protectOwed };
