import { remindOfInvoices } from '../core/invoices/remind.ts';
import type { Job } from './scheduler.ts';

/** Unpaid invoices, on the days that their sellers set. */
export const remindOfInvoicesJob: Job = { name: 'remind-of-invoices', everyMs: 600_000, run: remindOfInvoices };
