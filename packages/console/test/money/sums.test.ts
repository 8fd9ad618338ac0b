import { seededRandom } from '@namehold/base';
import { describe, expect, test } from 'vitest';
import { placesOf, textOf, wholeOf } from '../../src/money/sums.ts';

describe('wholeOf', () => {
  test.each([
    ['0', 2, 0n],
    ['12.39', 2, 1_239n],
    ['12.3', 2, 1_230n],
    ['12', 0, 12n],
    ['12', 3, 12_000n],
    ['-0.50', 2, -50n],
    ['-12.345', 3, -12_345n],
    ['', 2, 0n],
    ['250000.00', 2, 25_000_000n],
    ['99999999999999999999.99', 2, 9_999_999_999_999_999_999_999n],
  ])('reads %s with %i places', (amount, places, whole) => {
    expect(wholeOf(amount, places)).toBe(whole);
  });
});

describe('textOf', () => {
  test.each([
    [0n, 2, '0.00'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [-1_239n, 2, '-12.39'],
    [12n, 0, '12'],
    [-12n, 0, '-12'],
    [1n, 3, '0.001'],
  ])('writes %s with %i places', (sum, places, text) => {
    expect(textOf(sum, places)).toBe(text);
  });

  test('is read back as the same sum, for 500 sums of any sign and number of places', () => {
    const random = seededRandom(34);
    for (let n = 0; n < 500; n += 1) {
      const places = Math.floor(random() * 4);
      const sum = BigInt(Math.floor((random() - 0.5) * 10 ** (1 + Math.floor(random() * 15))));
      const text = textOf(sum, places);
      expect([wholeOf(text, places), placesOf(text)]).toEqual([sum, places]);
    }
  });
});

test('sums of decimal texts have no rounding error', () => {
  const whole = ['0.10', '0.20', '0.30'].reduce((sum, each) => sum + wholeOf(each, 2), 0n);
  expect(textOf(whole, 2)).toBe('0.60');
});
