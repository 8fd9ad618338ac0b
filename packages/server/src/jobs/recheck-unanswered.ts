import { recheckOrders } from '../core/reconciliation/recheck-orders.ts';
import type { Job } from './scheduler.ts';

/** What never answered may have arrived since. */
export const recheckUnansweredJob: Job = { name: 'look-again', everyMs: 30_000, run: recheckOrders };
