import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMoney,
  exponentOf,
  formatMoney,
  isCurrency,
  MoneyError,
  money,
  parseMoney,
  percentOf,
} from '../src/money.ts';

const runs = { seed: 27, numRuns: 500 };
const currencies = ['USD', 'EUR', 'IDR', 'JPY', 'KRW', 'BHD', 'TND', 'IQD', 'HUF'];
const currency = fc.constantFrom(...currencies);
const storable = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });

describe('text and minor units', () => {
  test('give the same amount after formatting and parsing', () =>
    fc.assert(
      fc.property(storable, currency, (amount, code) => {
        const value = money(amount, code);
        expect(parseMoney(formatMoney(value), code)).toEqual(value);
      }),
      runs,
    ));

  test('give the same text after parsing and formatting', () =>
    fc.assert(
      fc.property(fc.nat(), fc.nat(9_999), currency, (whole, part, code) => {
        const digits = exponentOf(code);
        const fraction = String(part).padStart(4, '0').slice(0, digits);
        const text = digits === 0 ? String(whole) : `${whole}.${fraction}`;
        expect(formatMoney(parseMoney(text, code))).toBe(text);
      }),
      runs,
    ));

  test('refuse an extra digit unless it is a zero, without rounding', () =>
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 9 }), currency, (whole, digit, code) => {
        const zeros = '0'.repeat(exponentOf(code));
        expect(() => parseMoney(`${whole}.${zeros}${digit}`, code)).toThrow(MoneyError);
        expect(parseMoney(`${whole}.${zeros}0`, code)).toEqual(parseMoney(String(whole), code));
      }),
      runs,
    ));

  test('are added exactly in their currency', () =>
    fc.assert(
      fc.property(storable, storable, currency, (a, b, code) => {
        const sum = addMoney(money(a, code), money(b, code));
        expect(sum).toEqual({ amount: a + b, currency: code });
        expect(addMoney(sum, money(-b, code)).amount).toBe(a);
      }),
      runs,
    ));

  test('keep the last digit of 2^53 + 1', () => {
    const amount = 2n ** 53n + 1n;
    expect(formatMoney(money(amount, 'USD'))).toBe('90071992547409.93');
    expect(parseMoney('90071992547409.93', 'USD').amount).toBe(amount);
    expect(parseMoney('9007199254740.993', 'BHD').amount).toBe(amount);
  });

  test('fit the database up to the largest amount that can be written', () => {
    const largest = parseMoney(`${'9'.repeat(15)}.999`, 'BHD').amount;
    expect(largest < 2n ** 63n).toBe(true);
    expect(() => parseMoney('1'.repeat(16), 'BHD')).toThrow(MoneyError);
  });

  test.each([
    ['11.50', 1150n],
    ['11.5', 1150n],
    ['11', 1100n],
    ['0', 0n],
    ['0.01', 1n],
    ['-0.01', -1n],
    ['-0', 0n],
    ['007', 700n],
    [' 3.00 ', 300n],
    ['1.500000', 150n],
  ])('%j USD is read as %d cents', (text, cents) => expect(parseMoney(text, 'USD').amount).toBe(cents));

  test.each(['', ' ', '.', '.5', '5.', '1,50', '1.000,00', '1e3', '0x10', '+5', '--5', '1.5.0', 'NaN', 'Infinity'])(
    '%j is refused as an amount',
    (text) => expect(() => parseMoney(text, 'USD')).toThrow(MoneyError),
  );
  test.each(['11.505', '0.001', '٣', '１１', '1_000', '1 000', '$5', '5 USD', '1.0000000'])(
    '%j is refused as an amount in USD',
    (text) => expect(() => parseMoney(text, 'USD')).toThrow(MoneyError),
  );
});

describe('currencies', () => {
  // ISO 4217, including currencies for which the runtime's display figures differ.
  test.each([
    ['USD', 2],
    ['EUR', 2],
    ['IDR', 2],
    ['HUF', 2],
    ['PKR', 2],
    ['COP', 2],
    ['LBP', 2],
    ['IQD', 3],
    ['JPY', 0],
    ['KRW', 0],
    ['VND', 0],
    ['ISK', 0],
    ['XOF', 0],
    ['BHD', 3],
    ['KWD', 3],
    ['TND', 3],
  ])('%s has %d digits after the decimal point', (code, digits) => expect(exponentOf(code)).toBe(digits));

  test.each(['', 'usd', 'US', 'USDT', 'XXX1', 'ZZZ', '$', '__proto__'])('%j is refused as a currency', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(() => exponentOf(code)).toThrow(MoneyError);
    expect(() => parseMoney('1', code)).toThrow(MoneyError);
  });

  test('are refused in a sum of two different ones', () =>
    expect(() => addMoney(money(1n, 'USD'), money(1n, 'EUR'))).toThrow(MoneyError));
});

describe('percentages', () => {
  test('are rounded once, half away from zero, by at most half a unit', () =>
    fc.assert(
      fc.property(storable, fc.integer({ min: -100_000, max: 100_000 }), (amount, basisPoints) => {
        const exact = amount * BigInt(basisPoints);
        const result = percentOf(amount, basisPoints);
        const off = result * 10_000n - exact;
        expect(off <= 5_000n && off >= -5_000n).toBe(true);
        expect(percentOf(-amount, basisPoints)).toBe(-result);
        expect(percentOf(amount, 10_000)).toBe(amount);
      }),
      runs,
    ));

  test.each([
    [1000n, 1250, 125n],
    [1n, 5_000, 1n],
    [1n, 4_999, 0n],
    [-1n, 5_000, -1n],
    [333n, 3_333, 111n],
    [0n, 1_500, 0n],
    [2n ** 60n, 10_001, 1_153_036_796_757_307_661n],
  ])('%d at %d basis points is %d', (amount, basisPoints, result) =>
    expect(percentOf(amount, basisPoints)).toBe(result),
  );

  test.each([12.5, Number.NaN, Number.POSITIVE_INFINITY])('%d basis points are refused', (basisPoints) =>
    expect(() => percentOf(100n, basisPoints)).toThrow(RangeError),
  );
});
