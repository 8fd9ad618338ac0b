import { expect, test } from 'vitest';
import { accounts } from './faulted/accounts.ts';
import { faultedOrders } from './faulted-orders.ts';

const orders = Number(process.env.FAULT_ORDERS ?? 10_000);
const wave = Number(process.env.FAULT_WAVE ?? 2_000);
const progress = (text: string) => console.info(text);
const wanted = process.env.FAULT_DIALECT;

test.each(Object.keys(accounts).filter((dialect) => wanted === undefined || dialect === wanted))(
  `charges none of ${orders} faulted orders twice, and loses no domain, at %s`,
  async (dialect) => {
    const run = await faultedOrders(dialect, 31_416, { orders, wave, agesAfter: 2, progress });
    console.info(JSON.stringify(run));
    expect(run.orders).toBe(orders);
    // Openprovider blocks an account for this.
    if (run.mostIdentical !== undefined) expect(run.mostIdentical).toBeLessThan(300);
    expect(run.done / orders).toBeGreaterThan(0.85);
  },
  3_600_000,
);
