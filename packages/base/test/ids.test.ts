import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base32, seededRandom, systemIds } from '../src/ids.ts';

describe('ids', () => {
  test('sort by creation time', async () => {
    const made: string[] = [];
    for (let i = 0; i < 20; i++) {
      made.push(systemIds.next('op'));
      await sleep(2);
    }
    expect([...made].sort()).toEqual(made);
  });

  test('have their prefix, a fixed length and unambiguous letters', () => {
    const made = Array.from({ length: 2_000 }, () => systemIds.next('op'));
    for (const id of made) expect(id).toMatch(/^op_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(new Set(made).size).toBe(made.length);
  });

  test('keep the order of the bytes in base32 and can be decoded', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (a, b) => {
          const order = Buffer.compare(a, b);
          const [x, y] = [base32(a), base32(b)];
          expect(x < y ? -1 : x > y ? 1 : 0).toBe(order);
        },
      ),
      { seed: 11, numRuns: 1_000 },
    ));
});

describe('random text', () => {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

  test('has the requested length and alphabet', () =>
    fc.assert(
      fc.property(fc.nat(200), (length) => {
        const made = systemIds.text(length, alphabet);
        expect(made).toHaveLength(length);
        for (const letter of made) expect(alphabet).toContain(letter);
      }),
      { seed: 5, numRuns: 100 },
    ));

  // 100 letters: a plain remainder would give the first 56 of them half again as often as the rest (3 of 256 against 2).
  test('uses all letters with equal probability', () => {
    const letters = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const counts = new Map<string, number>();
    const draws = 200_000;
    for (const letter of systemIds.text(draws, letters)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(100);
    const expected = draws / 100;
    const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    // 99 degrees of freedom: beyond 190 once in about ten million runs; the remainder alone would give some 8,000.
    expect(chiSquare).toBeLessThan(190);
  });

  test('accepts an alphabet of one letter, and refuses an empty one and one of more than 256', () => {
    expect(systemIds.text(3, 'x')).toBe('xxx');
    expect(() => systemIds.text(3, '')).toThrow(RangeError);
    expect(() => systemIds.text(3, 'x'.repeat(257))).toThrow(RangeError);
  });
});

test('generates the same sequence from the same seed, and another from another seed', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 50 }, random);
  };
  expect(draw(42)).toEqual(draw(42));
  expect(draw(42)).not.toEqual(draw(43));
  expect(draw(1).every((x) => x >= 0 && x < 1)).toBe(true);
});
