import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

test('200 orders while the registry loses answers: none doubled, none lost, books equal to the cent', async () => {
  await faultedOrders(200, 20_261);
});
