import { expect, test } from 'vitest';
import { seedAt } from '../sim/seeds.ts';
import { accounts, dialectsWithRows } from './faulted/accounts.ts';
import { faultedOrders } from './faulted-orders.ts';

test('every dialect has a row', () => {
  expect(Object.keys(accounts).sort()).toEqual(dialectsWithRows());
});

/** The long run tests all dialects; each commit one of them. Several seeds are separated by commas. */
const seeds = process.env.FAULT_SEED?.split(',').map(Number) ?? [seedAt(0)];
const dialects = Object.keys(accounts);
const runs = seeds.map((seed) => ({
  seed,
  dialect: process.env.FAULT_DIALECT ?? dialects[seed % dialects.length]!,
}));

test.each(runs)(
  'charges no order twice while answers are lost (FAULT_DIALECT=$dialect FAULT_SEED=$seed)',
  async ({ seed, dialect }) => {
    // A restore needs a third wave: the second one deletes aged domains.
    const run = await faultedOrders(dialect, seed, { orders: 48, wave: 16, agesAfter: 2 });
    expect(run.orders).toBe(48);
    if (process.env.FAULT_SEED) console.info(JSON.stringify({ seed, ...run }));
    expect(run.done).toBeGreaterThan(30);
  },
);
