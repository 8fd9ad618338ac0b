import { lapseOrders } from '../core/domains/orders/cancel.ts';
import type { Job } from './clockwork.ts';

/** Orders that nobody paid in time. */
export const lapseOrdersJob: Job = {
  name: 'lapse-orders',
  everyMs: 60_000,
  run: async (house) => {
    await lapseOrders(house);
  },
};
