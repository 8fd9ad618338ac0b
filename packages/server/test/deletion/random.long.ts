import { afterAll, beforeAll, test } from 'vitest';
import { runRandomly } from './random.ts';
import { DeletionWorld } from './world.ts';

let w: DeletionWorld;
beforeAll(async () => {
  w = await DeletionWorld.open();
});
afterAll(() => w.close());

test.each([1, 2, 3, 4])(
  '250 pairs at random moments leave no orphans: seed %i',
  (seed) => runRandomly(w, { seed, times: 250 }),
  1_800_000,
);
