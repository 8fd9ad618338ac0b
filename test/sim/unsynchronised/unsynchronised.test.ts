import { expect, test } from 'vitest';
import { requestedSeeds } from '../seeds.ts';
import { playUnsynchronised } from './run.ts';

/** A transfer after an automatic renewal; a lost renewal and a transfer; a restore that was reverted. */
const seeds = [1, 2, 3, 4];

test('money and domains agree after 1 to 500 days without synchronisation', async () => {
  const wanted = requestedSeeds() ?? seeds;
  expect((await playUnsynchronised(wanted)).seeds).toBe(wanted.length);
});
