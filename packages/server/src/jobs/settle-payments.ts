import { settlePayments } from '../core/payments/settle.ts';
import type { Job } from './scheduler.ts';

/** Bills whose money is there, and that a process left unpaid when it died. */
export const settlePaymentsJob: Job = { name: 'settle-payments', everyMs: 15_000, run: settlePayments };
