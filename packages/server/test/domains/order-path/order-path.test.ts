import { expect, test } from 'vitest';
import { excessiveReads } from './rows-read.ts';

test('reads fewer than 5,000 rows of each table for an order among 5,000 rows more', async () => {
  expect(await excessiveReads(5_000)).toEqual([]);
});
