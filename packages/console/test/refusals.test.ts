import { describe, expect, test } from 'vitest';
import { refusalProblems } from '../../../tools/messages/refusals.ts';
import { refusalTexts, textOf } from '../src/messages/refusals-id.ts';

describe('textOf', () => {
  test.each([
    ['The name is empty.', 'Nama kosong.'],
    ['.id domains are registered for 1 to 5 years.', 'Domain .id didaftarkan untuk 1 sampai 5 tahun.'],
    ['info@a.example already exists.', 'info@a.example sudah ada.'],
    [
      'a.example is locked (unpaid). Turn off the domain lock first.',
      'a.example dikunci. Buka kunci domain terlebih dahulu.',
    ],
    [
      'a.example cannot be renewed: a transfer is in progress.',
      'a.example tidak dapat diperpanjang: transfer sedang berjalan.',
    ],
    ['A text of another service.', undefined],
  ])('returns for "%s" the text "%s"', (message, text) => {
    expect(textOf(message)).toBe(text);
  });
});

describe('the check of refusals', () => {
  test('finds no problem now', () => {
    expect(refusalProblems(refusalTexts)).toEqual([]);
  });

  test('finds a missing translation, a superfluous one and a lost placeholder', () => {
    const { 'The name is empty.': _, ...others } = refusalTexts;
    const changed = { ...others, 'No refusal says this.': 'Tidak ada.', '{} already exists.': 'Sudah ada.' };
    expect(refusalProblems(changed)).toEqual([
      'packages/base/src/names.ts: a refusal without an Indonesian text: The name is empty.',
      'no refusal has this text any more: No refusal says this.',
      'the translation has other placeholders: {} already exists.',
    ]);
  });
});
