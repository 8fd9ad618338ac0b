import { expect, test } from 'vitest';
import { readAmong } from './among.ts';

/** Their creation takes a quarter of an hour, and 13 GB for the test database. */
const limit = { timeout: 3_600_000 };

test('an order reads a few rows of each table among a million', limit, async () => {
  expect(await readAmong(1_000_000)).toEqual([]);
});
