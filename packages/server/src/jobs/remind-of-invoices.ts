import { remindOfInvoices } from '../core/invoices/remind.ts';
import type { Job } from './scheduler.ts';

/** Reminds of unpaid invoices, on the days that the seller set. */
export const remindOfInvoicesJob: Job = { name: 'remind-of-invoices', everyMs: 600_000, run: remindOfInvoices };
