import { protectOwed } from '../core/domains/buy/protect-new.ts';
import type { Job } from './clockwork.ts';

/** Theft protection that a new name is owed. */
export const protectNewNames: Job = { name: 'protect-new-names', everyMs: 60_000, run: protectOwed };
