import { expect, test } from 'vitest';
import { readAmong } from './rows-read.ts';

test('reads less than 5,000 rows of each table for an order among 5,000 rows more', async () => {
  expect(await readAmong(5_000)).toEqual([]);
});
