import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

const orders = process.env.NAMEHOLD_TESTS === 'long' ? 200 : 60;

test(`${orders} orders while the registry loses answers: no duplicates, no losses, balances equal to the cent`, async () => {
  await faultedOrders(orders, 20_261);
});
