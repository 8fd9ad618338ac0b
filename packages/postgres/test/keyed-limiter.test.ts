import { expect, test } from 'vitest';
import { KeyedLimiter } from '../src/pool/keyed-limiter.ts';

test('limits calls per key in order, does not delay other keys, and rejects after the wait limit', async () => {
  const lines = new KeyedLimiter(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const come = (whose: string, waitMs = 10_000) =>
    lines.withSlot(whose, waitMs, () => {
      begun.push(whose);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  const own = [come('a'), come('a'), come('a')];
  const other = come('b');
  await expect(come('a', 0)).rejects.toThrow('timeout exceeded');
  expect(begun).toEqual(['a', 'a', 'b']);
  ends[0]!();
  await own[0];
  await expect.poll(() => begun).toEqual(['a', 'a', 'b', 'a']);
  for (const end of ends) end();
  await Promise.all([...own, other]);
});

test('frees the place of a failed call', async () => {
  const lines = new KeyedLimiter(1);
  const failed = lines.withSlot('a', 0, () => Promise.reject(new Error('it failed')));
  const next = lines.withSlot('a', 10_000, () => Promise.resolve('done'));
  await expect(failed).rejects.toThrow('it failed');
  expect(await next).toBe('done');
});
