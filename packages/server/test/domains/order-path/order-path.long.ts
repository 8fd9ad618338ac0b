import { expect, test } from 'vitest';
import { readAmong } from './among.ts';

/** To make them takes a quarter of an hour, and room for 13 GB where the tests have their database. */
const limit = { timeout: 3_600_000 };

test('an order reads a few rows of each table among a million', limit, async () => {
  expect(await readAmong(1_000_000)).toEqual([]);
});
