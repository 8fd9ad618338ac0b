import { expect, test } from 'vitest';
import { provenSeed, seedAt } from '../sim/seeds.ts';
import { accounts, dialectsWithRows } from './faulted/accounts.ts';
import { faultedOrders } from './faulted-orders.ts';

test('every dialect has a row', () => {
  expect(Object.keys(accounts).sort()).toEqual(dialectsWithRows());
});

/** The long run tests all dialects with new seeds; each commit one of them with a proven seed. Several seeds are separated by commas. */
const dialects = Object.keys(accounts);
const dialect = process.env.FAULT_DIALECT ?? dialects[seedAt(1) % dialects.length]!;
const seeds = process.env.FAULT_SEED?.split(',').map(Number) ?? [provenSeed([1, 2, 3])];
const runs = seeds.map((seed) => ({ seed, dialect }));

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
