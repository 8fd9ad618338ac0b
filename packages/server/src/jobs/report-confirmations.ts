import { reportToRegistries } from '../core/verification/report-to-registries.ts';
import type { Job } from './scheduler.ts';

/** Reports registrants' confirmations to the registries that require it. */
export const reportConfirmationsJob: Job = { name: 'tell-confirmations', everyMs: 30_000, run: reportToRegistries };
