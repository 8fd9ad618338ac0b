import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Crowd } from './few-sessions.ts';

/** Many times the pause below: a busy machine also delays the renewal of leases. */
const leaseMs = 10_000;
const pauseMs = 1_000;
const orders = 8;

let crowd: Crowd;
beforeAll(async () => {
  crowd = await Crowd.open(3, leaseMs);
});
afterAll(() => crowd.close());

test('completes all orders of three processes with two sessions, one killed and one paused', async () => {
  await crowd.allow(2);
  const others = [crowd.buy('two', 0, orders), crowd.buy('two', 2, orders)];
  // Accepted, and most of them not started.
  const left = await crowd.buy('two', 1, orders);
  await crowd.processes[1]!.kill();
  crowd.processes[2]!.pause();
  // Shorter than its lease: another session would exceed the limit.
  await sleep(pauseMs);
  crowd.processes[2]!.resume();
  await crowd.endsWell('two', [left, ...(await Promise.all(others))].flat());
  expect(await crowd.triedTooMany()).toBe(0);
});

test('executes the orders of three processes in the one that has the only session', async () => {
  await crowd.processes[1]!.start();
  await crowd.allow(1);
  const bought = await Promise.all([0, 1, 2].map((at) => crowd.buy('one', at, orders)));
  await crowd.endsWell('one', bought.flat());
  expect(await crowd.triedTooMany()).toBe(0);
  await crowd.expectReconciled();
});
