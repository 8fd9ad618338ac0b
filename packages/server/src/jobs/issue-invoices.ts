import { closeMonths } from '../core/invoices/children.ts';
import { issueDue } from '../core/invoices/issue.ts';
import { retryWaiting } from '../core/invoices/waiting.ts';
import type { Job } from './scheduler.ts';

/** Issues the documents of bills. */
export const issueInvoices: Job = {
  name: 'issue-invoices',
  everyMs: 1_000,
  run: async (ctx) => {
    await issueDue(ctx);
  },
};

/** Retries documents that wait for a tax rate. */
export const retryInvoices: Job = { name: 'retry-invoices', everyMs: 60_000, run: retryWaiting };

/** Issues invoices to sub-resellers for completed months. */
export const invoiceChildren: Job = { name: 'invoice-children', everyMs: 60_000, run: closeMonths };
