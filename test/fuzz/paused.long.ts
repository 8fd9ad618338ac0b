import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { resume, suspend } from '../support/suspend.ts';
import { openTarget } from './target.ts';

/** A suspended machine or a moved container: missed work must not be caught up in one tick. */
const pauseMs = 150_000;

test('does not block when a paused process continues', { timeout: 600_000 }, async () => {
  const t = await openTarget();
  try {
    // A minute of changing load, because some figures cover the last minute.
    for (let n = 0; n < 600; n++) {
      for (let more = 0; more < n % 7; more++) await t.call('GET', '/v1/account/profile');
      await sleep((n * 37) % 150);
    }
    await t.service.watchStalls();
    suspend(t.service.pid);
    await sleep(pauseMs);
    resume(t.service.pid);
    for (let n = 0; n < 20; n++) {
      await t.call('GET', '/v1/account/profile');
      await sleep(100);
    }
    console.log(`after a pause of ${pauseMs} ms: longest tick ${t.service.worstTurnMs.toFixed(0)} ms`);
    expectNoBlock(t.service.worstTurnMs, 'continuing after a pause');
  } finally {
    await t.stop();
  }
});
