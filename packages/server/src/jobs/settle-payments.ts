import { settlePayments } from '../core/payments/settle.ts';
import type { Job } from './scheduler.ts';

/** Pays bills whose money has arrived, including those that a stopped process left unpaid. */
export const settlePaymentsJob: Job = { name: 'settle-payments', everyMs: 15_000, run: settlePayments };
