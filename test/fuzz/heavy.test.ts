import { expect, test } from 'vitest';
import { blockLimitMs } from '../support/event-loop-block.ts';
import { sendHeavy } from './heavy.ts';
import { openTarget } from './target.ts';

test('a megabyte of anything is refused in few words and keeps nobody waiting', async () => {
  const t = await openTarget();
  try {
    expect(await sendHeavy(t, blockLimitMs)).toEqual([]);
  } finally {
    await t.stop();
  }
});
