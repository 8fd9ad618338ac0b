import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

const patienceMs = 300_000;

test.each([1, 20_260])(
  'ten years from seed %d agree with the model',
  async (seed) => {
    const { rounds, acts } = await simulate({ seed, years: 10 });
    expect(rounds).toBeGreaterThan(50);
    expect(acts).toBeGreaterThan(50);
  },
  patienceMs,
);
