import { remindOfData } from '../core/verification/remind-of-data.ts';
import type { Job } from './scheduler.ts';

/** Sends the yearly reminder to check the registration data. */
export const remindOfDataJob: Job = { name: 'remind-of-data', everyMs: 300_000, run: remindOfData };
