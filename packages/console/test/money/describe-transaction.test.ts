import { afterEach, describe, expect, test } from 'vitest';
import { locale } from '../../src/messages/locale.ts';
import { describeTransaction } from '../../src/money/describe-transaction.ts';

afterEach(() => {
  locale.value = 'en';
});

const generated = [
  'Registration of example.com for 1 year',
  'Registration of example.com for 10 years',
  'Renewal of example.com for 2 years',
  'Renewal of example.com by its registry on 2026-11-15',
  'Transfer of example.com',
  'Restore of example.com, with renewal for 1 year',
  'Restore of example.com',
  'Privacy protection of example.com for 1 year',
  'Trade of example.com',
  'Opening balance of the demo account',
  'Payment INV-2026-0001',
];

describe('describeTransaction', () => {
  test.each(generated)('translates "%s", with its values', (text) => {
    locale.value = 'id';
    const shown = describeTransaction(text);
    expect(shown).not.toBe(text);
    for (const [value] of text.matchAll(/example\.com|\d{4}-\d\d-\d\d|INV-\S+|\b(?:10|2)\b(?= years)/g))
      expect(shown).toContain(value);
  });

  test.each(generated)('shows "%s" unchanged in English', (text) => {
    expect(describeTransaction(text)).toBe(text);
  });

  test.each(['Restore of goodwill, as agreed', 'registration of example.com for 1 year', 'Deposit', '<b>bold</b>', ''])(
    'keeps the text of a user: "%s"',
    (text) => {
      locale.value = 'id';
      expect(describeTransaction(text)).toBe(text);
    },
  );

  test('shows internationalised domain names in Unicode, in each language', () => {
    const text = 'Transfer of xn--bcher-kva.example';
    expect(describeTransaction(text)).toBe('Transfer of bücher.example');
    locale.value = 'id';
    expect(describeTransaction(text)).toContain('bücher.example');
  });

  test('shows an invalid internationalised name as it is', () => {
    expect(describeTransaction('Transfer of xn--zzzzzz99999.example')).toBe('Transfer of xn--zzzzzz99999.example');
  });
});
