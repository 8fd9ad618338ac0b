import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Crowd } from './few-sessions.ts';

const leaseMs = 4_000;
const orders = 30;
const count = 3;

let crowd: Crowd;
beforeAll(async () => {
  crowd = await Crowd.open(count, leaseMs);
});
afterAll(() => crowd.close());

/**
 * Whoever is paused for longer than its lease has its connection open all the same: a registry that counts sessions refuses the one
 * that is tried in its place, and nobody may be kept waiting for long by that.
 */
test.each([2, 1])(
  '%d sessions, and each process is paused for longer than its lease and then killed',
  async (sessions) => {
    await crowd.allow(sessions);
    const mark = `long${sessions}`;
    const buyers = Array.from({ length: count }, (_, at) => crowd.buy(mark, at, orders));
    for (const process of crowd.processes) {
      await sleep(1_000);
      process.pause();
      await sleep(leaseMs * 2);
      process.resume();
      await sleep(leaseMs);
      await process.kill();
      await process.start();
      // Its start has set the registry up again, with as many sessions as it has by itself.
      await crowd.allow(sessions);
    }
    await crowd.endsWell(mark, (await Promise.all(buyers)).flat());
    await crowd.expectReconciled();
    expect(crowd.processes.every(({ isAlive }) => isAlive)).toBe(true);
  },
);
