import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

const orders = process.env.NAMEHOLD_TESTS === 'long' ? 200 : 60;

test(`completes ${orders} orders once each, with equal balances, while the registry loses answers`, async () => {
  await faultedOrders(orders, 20_261);
});
