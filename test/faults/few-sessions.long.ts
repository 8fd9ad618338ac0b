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
 * A process that is paused for longer than its lease keeps its connection open. A registry that counts sessions then refuses the
 * replacement, which must not delay orders for long.
 */
test.each([2, 1])(
  'completes all orders with %d sessions while processes are paused past their leases and killed',
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
      // Its start configured the registry again, with its default number of sessions.
      await crowd.allow(sessions);
    }
    await crowd.endsWell(mark, (await Promise.all(buyers)).flat());
    await crowd.expectReconciled();
    expect(crowd.processes.every(({ isAlive }) => isAlive)).toBe(true);
  },
);
