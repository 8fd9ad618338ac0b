import { lookAgainOnce } from '../core/books/second-look.ts';
import type { Job } from './clockwork.ts';

/** What never answered may have arrived since. */
export const lookAgain: Job = { name: 'look-again', everyMs: 30_000, run: lookAgainOnce };
