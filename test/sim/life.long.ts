import { expect, test } from 'vitest';
import { drawn, playScripts } from './run.ts';
import { askedSeeds, shrinkRuns } from './seeds.ts';

const first = 1;
const count = 500;
const patienceMs = 12 * 3_600_000;

test(
  'money and names agree with the judge, from 500 seeds',
  async () => {
    const seeds = askedSeeds() ?? Array.from({ length: count }, (_, n) => first + n);
    let played = 0;
    for await (const { seed } of playScripts(drawn(seeds), { shrinkRuns: shrinkRuns(60) })) {
      played += 1;
      if (played % 10 === 0) console.log(`seed ${seed} agrees, as did the ${played - 1} before it`);
    }
    expect(played).toBe(seeds.length);
  },
  patienceMs,
);
