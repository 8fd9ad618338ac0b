import { expireOrders } from '../core/domains/orders/cancel.ts';
import type { Job } from './scheduler.ts';

/** Cancels orders that were not paid in time. */
export const expireOrdersJob: Job = {
  name: 'lapse-orders',
  everyMs: 60_000,
  run: async (ctx) => {
    await expireOrders(ctx);
  },
};
