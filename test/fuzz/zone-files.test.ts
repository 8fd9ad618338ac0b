import { expect, test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { fuzzZoneFiles } from './zone-files.ts';

test('reads or refuses 120 generated zone files with line numbers, without a 500 or a block', async () => {
  const { files, byStatus, failures, worstTurnMs } = await fuzzZoneFiles(120, 20_261_115);
  console.log(`zone files: ${files}, ${JSON.stringify(byStatus)}, longest turn ${worstTurnMs.toFixed(0)} ms`);
  expect(failures).toEqual([]);
  expectNoBlock(worstTurnMs, '120 generated zone files');
  // Files that are all refused at the first word prove little.
  expect(byStatus['200'] ?? 0).toBeGreaterThan(files / 10);
});
