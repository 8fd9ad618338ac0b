import { expect, test } from 'vitest';
import { stallLimitMs } from '../support/stall.ts';
import { sendHeavy } from './heavy.ts';
import { openTarget } from './target.ts';

test('a megabyte of anything is refused in few words and keeps nobody waiting', async () => {
  const t = await openTarget();
  try {
    expect(await sendHeavy(t, stallLimitMs)).toEqual([]);
  } finally {
    await t.stop();
  }
});
