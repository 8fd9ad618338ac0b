import { expect, test } from 'vitest';
import { playSeeds } from './run.ts';
import { askedSeeds, freshSeeds, shrinkRuns } from './seeds.ts';

/** Fresh seeds for so long; a failure is made small within a few runs more. */
const freshMs = 105_000;
const patienceMs = 3_600_000;

test(
  'money and names agree with the judge, from fresh seeds',
  async () => {
    let played = 0;
    for await (const { seed, orders, slowestMs } of playSeeds(askedSeeds() ?? freshSeeds(freshMs), {
      shrinkRuns: shrinkRuns(10),
    })) {
      played += 1;
      console.log(`seed ${seed} agrees: ${orders} orders, slowest settlement ${Math.round(slowestMs)} ms`);
    }
    expect(played).toBeGreaterThan(0);
  },
  patienceMs,
);
