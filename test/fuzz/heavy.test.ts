import { expect, test } from 'vitest';
import { blockLimitMs } from '../support/event-loop-block.ts';
import { sendHeavy } from './heavy.ts';
import { openTarget } from './target.ts';

test('refuses a megabyte of any kind quickly without blocking others', async () => {
  const t = await openTarget();
  try {
    expect(await sendHeavy(t, blockLimitMs)).toEqual([]);
  } finally {
    await t.stop();
  }
});
