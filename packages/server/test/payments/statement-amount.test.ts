import { expect, test } from 'vitest';
import { isOutgoing, plainAmount } from '../../src/core/payments/statement-amount.ts';

test.each([
  ['1234.50', 'USD', '1234.50'],
  ['1,234.50', 'USD', '1234.50'],
  ['1.234,50', 'EUR', '1234.50'],
  ['1.234.567', 'IDR', '1234567'],
  ['1,234,567', 'IDR', '1234567'],
  ['1.234.567,89', 'IDR', '1234567.89'],
  ['1 234,50', 'EUR', '1234.50'],
  ['1\u202f234,50', 'EUR', '1234.50'],
  ['1\u00a0234\u00a0567', 'EUR', '1234567'],
  ["1'234.50", 'CHF', '1234.50'],
  ['1’234’567.50', 'CHF', '1234567.50'],
  ['+1234.50', 'USD', '1234.50'],
  ['1234.50 CR', 'USD', '1234.50'],
  ['1.234,50CR', 'IDR', '1234.50'],
  ['Rp1.234,50', 'IDR', '1234.50'],
  ['Rp. 1.234.567', 'IDR', '1234567'],
  ['IDR 1.234.567,00', 'IDR', '1234567.00'],
  ['12,50 €', 'EUR', '12.50'],
  ['12,345', 'JPY', '12345'],
  ['12.000', 'JPY', '12000'],
  ['¥12,345', 'JPY', '12345'],
  ['1,234.567', 'KWD', '1234.567'],
])('reads %s in %s as %s', (text, currency, plain) => {
  expect([plainAmount(text, currency), isOutgoing(text)]).toEqual([plain, false]);
});

test.each([
  ['1,234', 'USD'],
  ['1.234', 'IDR'],
  ['1.500', 'IDR'],
  ['1,23,456', 'USD'],
  ['1.234,567', 'USD'],
  ['1 23', 'USD'],
  ["1'234 567", 'CHF'],
  ['$1', 'IDR'],
  ['EUR 5', 'USD'],
  ['1e3', 'USD'],
  ['', 'USD'],
])('does not read %s in %s', (text, currency) => {
  expect(plainAmount(text, currency)).not.toMatch(/^\d+(\.\d+)?$/);
});

test.each(['-1234.50', '−12', '1234.50-', '(1234.50)', 'Rp-1.234', '12,00 DR', '1.500,00 DB'])(
  'reads %s as an outgoing amount',
  (text) => {
    expect(isOutgoing(text)).toBe(true);
  },
);
