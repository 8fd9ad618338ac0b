import { reportToRegistries } from '../core/verification/report-to-registries.ts';
import type { Job } from './scheduler.ts';

/** What holders confirmed here is handed on to the registries that ask for it. */
export const reportConfirmationsJob: Job = { name: 'tell-confirmations', everyMs: 30_000, run: reportToRegistries };
