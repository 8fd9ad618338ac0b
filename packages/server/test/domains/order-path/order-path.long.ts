import { expect, test } from 'vitest';
import { excessiveReads } from './rows-read.ts';

/** Their creation takes a quarter of an hour, and 13 GB for the test database. */
const limit = { timeout: 3_600_000 };

test('reads fewer than 5,000 rows of each table for an order among a million rows', limit, async () => {
  expect(await excessiveReads(1_000_000)).toEqual([]);
});
