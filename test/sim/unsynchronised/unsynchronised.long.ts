import { expect, test } from 'vitest';
import { requestedSeeds } from '../seeds.ts';
import { playUnsynchronised } from './run.ts';

const count = 200;
const limitMs = 2 * 3_600_000;

test(
  `money and domains agree after 1 to 500 days without synchronisation, from ${count} seeds`,
  async () => {
    const wanted = requestedSeeds() ?? Array.from({ length: count }, (_, place) => place + 1);
    const { seeds, repaired } = await playUnsynchronised(wanted);
    console.log(`unsynchronised: repaired ${JSON.stringify(repaired)}`);
    expect(seeds).toBe(wanted.length);
  },
  limitMs,
);
