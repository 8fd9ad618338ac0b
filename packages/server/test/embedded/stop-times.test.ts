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

test('names each of the parts that are stopped at the same time', () => {
  let now = 0;
  const times = new StopTimes(() => now);
  times.begin('requests');
  now = 10;
  const ended = times.begin('edge', 'hidden primary', 'metrics');
  now = 12;
  ended('metrics');
  now = 3_010;
  ended('edge');
  expect(times.current).toBe('hidden primary');
  now = 5_010;
  times.begin('operations');
  expect(times.facts()).toEqual({
    took_ms: 5_010,
    parts_ms: { requests: 10, edge: 3_000, 'hidden primary': 5_000, metrics: 2, operations: 0 },
  });
});
