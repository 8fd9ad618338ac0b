import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

test('500 orders while the registry loses answers: none doubled, none lost, books equal to the cent', async () => {
  await faultedOrders(500, 20_261);
}, 240_000);
