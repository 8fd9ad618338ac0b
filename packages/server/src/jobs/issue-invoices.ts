import { closeMonths } from '../core/invoices/children.ts';
import { issueDue } from '../core/invoices/issue.ts';
import { retryWaiting } from '../core/invoices/waiting.ts';
import type { Job } from './scheduler.ts';

/** Bills get their documents. */
export const issueInvoices: Job = {
  name: 'issue-invoices',
  everyMs: 1_000,
  run: async (ctx) => {
    await issueDue(ctx);
  },
};

/** What waits for a rate of tax is tried again. */
export const retryInvoices: Job = { name: 'retry-invoices', everyMs: 60_000, run: retryWaiting };

/** Months that are over: invoices to sub-resellers. */
export const invoiceChildren: Job = { name: 'invoice-children', everyMs: 60_000, run: closeMonths };
