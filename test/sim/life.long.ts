import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

const patienceMs = 600_000;

/** `SIM_SEEDS=1,7,100-150`; without it a hundred. */
function seeds(): number[] {
  return (process.env.SIM_SEEDS ?? '1000-1099').split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

test.each(seeds())(
  'ten years from seed %d agree with the model',
  async (seed) => {
    expect((await simulate({ seed, years: 10 })).rounds).toBeGreaterThan(50);
  },
  patienceMs,
);
