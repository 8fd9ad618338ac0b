import { expect, test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { fuzzZoneFiles } from './zone-files.ts';

test('120 generated zone files: accepted or refused with their lines, no 500, no event-loop block', async () => {
  const { files, byStatus, failures, worstTurnMs } = await fuzzZoneFiles(120, 20_261_115);
  console.log(`zone files: ${files}, ${JSON.stringify(byStatus)}, longest turn ${worstTurnMs.toFixed(0)} ms`);
  expect(failures).toEqual([]);
  expectNoBlock(worstTurnMs, '120 generated zone files');
  // Files that are all refused at the first word prove little.
  expect(byStatus['200'] ?? 0).toBeGreaterThan(files / 10);
});
