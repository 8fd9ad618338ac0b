import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { expectNoBlock } from '../support/event-loop-block.ts';
import { openTarget } from './target.ts';

/** A machine that sleeps, a container that is moved: what was missed is not made up for in one go. */
const pauseMs = 150_000;

test('a process that was paused does not stand still when it goes on', { timeout: 600_000 }, async () => {
  const t = await openTarget();
  try {
    // A minute of changing load: what keeps figures of the last minute has them.
    for (let n = 0; n < 600; n++) {
      for (let more = 0; more < n % 7; more++) await t.call('GET', '/v1/account/profile');
      await sleep((n * 37) % 150);
    }
    await t.service.watchStalls();
    process.kill(t.service.pid, 'SIGSTOP');
    await sleep(pauseMs);
    process.kill(t.service.pid, 'SIGCONT');
    for (let n = 0; n < 20; n++) {
      await t.call('GET', '/v1/account/profile');
      await sleep(100);
    }
    console.log(`after a pause of ${pauseMs} ms: longest turn ${t.service.worstTurnMs.toFixed(0)} ms`);
    expectNoBlock(t.service.worstTurnMs, 'going on after a pause');
  } finally {
    await t.stop();
  }
});
