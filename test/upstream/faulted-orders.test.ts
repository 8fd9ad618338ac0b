import { expect, test } from 'vitest';
import { provenSeed, seedAt } from '../sim/seeds.ts';
import { faultedOrders } from './faulted-orders.ts';
import { dialectsOfOthers, upstreams } from './simulators/upstreams.ts';

test('every dialect has a row', () => {
  expect(Object.keys(upstreams).sort()).toEqual(dialectsOfOthers());
});

/** The long run tests all dialects; each commit one of them. */
const dialects = Object.keys(upstreams);
const dialect = process.env.FAULT_DIALECT ?? dialects[seedAt(1) % dialects.length]!;
const seed = Number(process.env.FAULT_SEED ?? provenSeed([1, 2, 3]));

test(`charges no order twice while answers are lost (FAULT_DIALECT=${dialect} FAULT_SEED=${seed})`, async () => {
  const run = await faultedOrders(dialect, seed, { orders: 48, wave: 24, agesAfter: 2 });
  expect(run.orders).toBe(48);
  if (process.env.FAULT_SEED) console.info(JSON.stringify(run));
  expect(run.done).toBeGreaterThan(30);
});
