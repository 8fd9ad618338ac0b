import { fakeClock } from '@namehold/base';
import { expect, test } from 'vitest';
import { Breaker, breakerLimits } from '../../src/registries/breaker.ts';

const times = (n: number, work: () => void) => {
  for (let i = 0; i < n; i++) work();
};
const fresh = () => new Breaker(fakeClock('2026-03-01T12:00:00Z'));

test('a registry that takes commands and never answers opens it', () => {
  const breaker = fresh();
  times(breakerLimits.failures, () => breaker.answered({ kind: 'unknown', why: 'timeout' }));
  expect(breaker.isOpen).toBe(true);
});

test('an answer of any kind closes it, also one that says that the registry failed', () => {
  for (const answer of [{ kind: 'done' }, { kind: 'refused' }, { kind: 'unknown', why: 'server-error' as const }]) {
    const breaker = fresh();
    times(breakerLimits.failures, () => breaker.unsent('connect-failed'));
    expect(breaker.isOpen).toBe(true);
    breaker.answered(answer);
    expect(breaker.isOpen).toBe(false);
  }
});

test('our own journal, a full queue and a closing pool are not the fault of the registry', () => {
  const breaker = fresh();
  for (const why of ['journal-failed', 'no-slot', 'frame-too-large', 'closed'] as const) {
    times(breakerLimits.failures, () => breaker.unsent(why));
  }
  expect(breaker.isOpen).toBe(false);
});
