import { test } from 'vitest';
import { faultedOrders } from './faulted-orders.ts';

test('completes 10,000 orders once each, with equal balances, while the registry loses answers', async () => {
  await faultedOrders(10_000, 31_416);
}, 3_600_000);
