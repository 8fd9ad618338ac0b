import { protectOwed } from '../core/domains/buy/protect-new.ts';
import type { Job } from './scheduler.ts';

/** Theft protection that a new name is owed. */
export const protectNewDomainsJob: Job = { name: 'protect-new-names', everyMs: 60_000, run: protectOwed };
