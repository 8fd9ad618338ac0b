import { recheckOrders } from '../core/reconciliation/recheck-orders.ts';
import type { Job } from './scheduler.ts';

/** Checks unanswered commands again, because they may have arrived since. */
export const recheckUnansweredJob: Job = { name: 'look-again', everyMs: 30_000, run: recheckOrders };
