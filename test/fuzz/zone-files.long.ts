import { expect, test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { fuzzZoneFiles } from './zone-files.ts';

test('reads or refuses 10,000 generated zone files without a crash, a 500 or an event-loop block', {
  timeout: 3_600_000,
}, async () => {
  let total = 0;
  for (let round = 0; round < 5; round++) {
    const { files, checked, byStatus, failures, worstTurnMs } = await fuzzZoneFiles(2_000, 9_000_000 + round);
    console.log(
      `zone files ${round + 1}: ${JSON.stringify(byStatus)}, ${checked} given to checkers, longest tick ${worstTurnMs.toFixed(0)} ms`,
    );
    expect(failures).toEqual([]);
    expectNoBlock(worstTurnMs, `round ${round + 1}`);
    total += files;
  }
  expect(total).toBe(10_000);
});
