import { expect, test } from 'vitest';
import { draw } from './draw/draw.ts';
import { countKinds, missingKinds } from './draw/kinds.ts';
import { freshSeeds } from './seeds.ts';

const commits = Array.from({ length: 30 }, (_, n) => `commit ${n}`);
/** More seeds would make the short run too long. */
const atMost = 3;

test.each(commits)('draws every kind of step from a few seeds of %s', (source) => {
  const scripts = [...freshSeeds(0, source)].map((seed) => draw(seed));
  expect(missingKinds(scripts), JSON.stringify([...countKinds(scripts)])).toEqual([]);
  expect(scripts.length).toBeLessThanOrEqual(atMost);
});
