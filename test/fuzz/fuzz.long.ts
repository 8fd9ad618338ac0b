import { expect, test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { fuzz } from './run.ts';

/** Continues an interrupted run: `FUZZ_ROUND=9`. */
const firstRound = Number(process.env.FUZZ_ROUND ?? 1) - 1;

test('answers 100,000 generated requests by the document, never with a 500', { timeout: 7_200_000 }, async () => {
  let total = 0;
  for (let round = firstRound; round < 10; round++) {
    const { requests, byStatus, failures, worstTurnMs } = await fuzz(10_000, 7_000_000 + round * 100_000);
    expect(failures).toEqual([]);
    expectNoBlock(worstTurnMs, `round ${round + 1}`);
    total += requests;
    console.log(
      `fuzz round ${round + 1}: ${requests} requests, ${JSON.stringify(byStatus)}, longest turn ${worstTurnMs.toFixed(0)} ms`,
    );
  }
  expect(total).toBeGreaterThanOrEqual((10 - firstRound) * 10_000);
});
