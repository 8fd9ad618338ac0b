import { expect, test } from 'vitest';
import { StopTimes } from '../../src/stop-times.ts';

test('assigns all of the stop time to a named part', () => {
  let now = 100;
  const times = new StopTimes(() => now);
  for (const [name, ms] of [
    ['requests', 25_000],
    ['operations', 900],
    ['other processes that use the embedded parts', 2_000],
  ] as const) {
    times.begin(name);
    expect(times.current).toBe(name);
    now += ms;
  }
  expect(times.facts()).toEqual({
    took_ms: 27_900,
    parts_ms: { requests: 25_000, operations: 900, 'other processes that use the embedded parts': 2_000 },
  });
});
