import { remindOfData } from '../core/verification/remind-of-data.ts';
import type { Job } from './scheduler.ts';

/** The yearly reminder of the data of a registration. */
export const remindOfDataJob: Job = { name: 'remind-of-data', everyMs: 300_000, run: remindOfData };
