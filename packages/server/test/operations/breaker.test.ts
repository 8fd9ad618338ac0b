import { afterEach, expect, test, vi } from 'vitest';
import { Breaker, breakerLimits } from '../../src/registries/breaker.ts';

const times = (n: number, work: () => void) => {
  for (let i = 0; i < n; i++) work();
};
const fresh = () => new Breaker();
afterEach(() => void vi.useRealTimers());

test('opens for a registry that accepts commands and never answers', () => {
  const breaker = fresh();
  times(breakerLimits.failures, () => breaker.answered({ kind: 'unknown', why: 'timeout' }));
  expect(breaker.isOpen).toBe(true);
});

test('closes after any answer, including one that reports a failure of the registry', () => {
  for (const answer of [{ kind: 'done' }, { kind: 'refused' }, { kind: 'unknown', why: 'server-error' as const }]) {
    const breaker = fresh();
    times(breakerLimits.failures, () => breaker.unsent('connect-failed'));
    expect(breaker.isOpen).toBe(true);
    breaker.answered(answer);
    expect(breaker.isOpen).toBe(false);
  }
});

test('does not count a failing journal, a full queue or a closing pool as failures of the registry', () => {
  const breaker = fresh();
  for (const why of ['journal-failed', 'no-session', 'frame-too-large', 'closed'] as const) {
    times(breakerLimits.failures, () => breaker.unsent(why));
  }
  expect(breaker.isOpen).toBe(false);
});

test('closes after its longest pause although the system clock was set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: new Date('2026-03-04T12:00:00Z') });
  const breaker = fresh();
  times(breakerLimits.failures, () => breaker.unsent('connect-failed'));
  expect(breaker.isOpen).toBe(true);
  vi.setSystemTime('2026-03-01T12:00:00Z');
  vi.advanceTimersByTime(breakerLimits.maxPauseMs);
  expect(breaker.isOpen).toBe(false);
});
