import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

test('10,000 orders while the registry loses answers: no duplicates, no losses, balances equal to the cent', async () => {
  await faultedOrders(10_000, 31_416);
}, 3_600_000);
