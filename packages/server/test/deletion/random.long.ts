import { afterAll, beforeAll, test } from 'vitest';
import { runRandomly } from './random.ts';
import { DeletionService } from './world.ts';

let w: DeletionService;
beforeAll(async () => {
  w = await DeletionService.open();
});
afterAll(() => w.close());

test.each([1, 2, 3, 4])(
  'leaves no orphans after 250 concurrent deletions and uses at random moments: seed %i',
  (seed) => runRandomly(w, { seed, times: 250 }),
  1_800_000,
);
