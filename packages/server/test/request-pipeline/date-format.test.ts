import { expect, test } from 'vitest';
import { contractTime, instantText } from '../../src/http/wire.ts';

test.each([
  ['2026-11-17T14:22:53.987Z', '2026-11-17 14:22:53'],
  ['2000-02-29T00:00:00.000Z', '2000-02-29 00:00:00'],
  ['1999-12-31T23:59:59.999Z', '1999-12-31 23:59:59'],
  ['1000-01-01T00:00:00.000Z', '1000-01-01 00:00:00'],
  ['0044-03-15T12:00:00.000Z', '0044-03-15 12:00:00'],
  ['+012026-01-01T00:00:00.000Z', '+012026-01-01 00:00:00'],
])('writes %s to the second', (text, contract) => {
  expect(contractTime(new Date(text))).toBe(contract);
  expect(instantText(new Date(text))).toBe(`${contract.replace(' ', 'T')}Z`);
});

test('refuses to write an invalid date', () => {
  expect(() => contractTime(new Date('nonsense'))).toThrow(RangeError);
});
