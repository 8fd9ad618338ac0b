import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billedFor, type TaxRate, taxFor, taxWithin } from '../../src/core/invoices/tax.ts';

const rate = (changes: Partial<TaxRate>): TaxRate => ({
  country_code: null,
  buyer: 'any',
  name: 'VAT',
  rate: 0,
  note: null,
  valid_from: '2020-01-01',
  valid_until: null,
  ...changes,
});
const privateIn = (country_code: string) => ({ country_code, tax_id: null });
const businessIn = (country_code: string) => ({ country_code, tax_id: 'X1' });

test('splits the same tax out of a bill as it adds to its net price, at every rate and price', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), fc.integer({ min: 0, max: 100_000 }), (price, thousandths) => {
      const billed = billedFor(price, rate({ rate: thousandths }), privateIn('DE'), '2026-01-01');
      expect(billed - taxWithin(billed, thousandths)).toBe(price);
    }),
    { seed: 4711, numRuns: 2_000 },
  );
});

test('rounds halves up, once', () => {
  // 10.50 with 5 %: 0.5 exactly, in the smallest unit.
  expect(billedFor(10n, rate({ rate: 5_000 }), privateIn('DE'), '2026-01-01')).toBe(11n);
  expect(taxWithin(1500n, 11_000)).toBe(149n);
  expect(taxWithin(21n, 100_000)).toBe(11n);
  expect(taxWithin(0n, 21_000)).toBe(0n);
});

test('prefers the rate of the own country and of the kind of buyer, and finds none for an early day', () => {
  const table = [
    rate({ country_code: 'ID', rate: 10_000, valid_until: '2022-03-31' }),
    rate({ country_code: 'ID', rate: 11_000, valid_from: '2022-04-01' }),
    rate({ country_code: 'DE', rate: 19_000, buyer: 'private', valid_from: '2021-01-01' }),
    rate({ country_code: 'DE', rate: 0, buyer: 'business', note: 'Reverse charge' }),
    rate({ rate: 0, note: 'Export' }),
  ];
  const at = (buyer: ReturnType<typeof privateIn> | ReturnType<typeof businessIn>, day: string) => {
    const found = taxFor(table, buyer, day);
    return typeof found === 'string' ? found : (found.note ?? found.rate);
  };
  expect(at(privateIn('ID'), '2022-03-31')).toBe(10_000);
  expect(at(businessIn('ID'), '2022-04-01')).toBe(11_000);
  expect(at(privateIn('DE'), '2026-01-01')).toBe(19_000);
  expect(at(businessIn('DE'), '2026-01-01')).toBe('Reverse charge');
  // Germany has rates of its own: none of them applies then, and the rate for all others is not for Germany.
  expect(at(privateIn('DE'), '2020-06-01')).toBe('missing');
  expect(at(privateIn('SG'), '2026-01-01')).toBe('Export');
  expect(at(privateIn('SG'), '2019-12-31')).toBe('missing');
  expect(taxFor([], privateIn('SG'), '2026-01-01')).toBe('none');
});
