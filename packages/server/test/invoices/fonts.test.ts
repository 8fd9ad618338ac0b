import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { unsupportedCharacters } from '../../src/core/invoices/scripts.ts';
import { octetsOf, pieceFor } from '../../src/workers/pdf/fonts.ts';

interface Font {
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string): { readonly glyphs: readonly { readonly id: number }[] };
}
const { create } = createRequire(import.meta.url)('fontkit') as { create(octets: Buffer): Font };

const opened = new Map<string, Font>();
function fontOf(letter: string, face: 'regular' | 'bold'): Font {
  const piece = pieceFor(letter.codePointAt(0)!);
  const key = `${piece} ${face}`;
  if (!opened.has(key)) opened.set(key, create(octetsOf(piece, face)));
  return opened.get(key)!;
}

const names = {
  Latin: 'Łódź Đặng Müller',
  Greek: 'Αθήνα Ἀθῆναι',
  Cyrillic: 'Київ Ґалаґан',
  Armenian: 'Հայաստան ընկերություն',
  Georgian: 'საქართველოს კომპანია',
  Hebrew: 'ישראל',
  Arabic: 'شركة المثال',
  Ethiopic: 'ኢትዮጵያ ኩባንያ',
  Devanagari: 'उदाहरण कंपनी',
  Tamil: 'தமிழ் நிறுவனம் ஸ்ரீ கௌ க்ஷ',
  Thai: 'สมชาย',
  Han: '深圳市示例科技有限公司 龍',
  Hiragana: 'さくら',
  Katakana: 'カブシキ',
  Bopomofo: 'ㄅㄆㄇ',
  Hangul: '김철수 주식회사',
};

test.each(Object.entries(names))('has a font for every letter of a name in %s, and reports no character', (_, name) => {
  expect(unsupportedCharacters([name])).toBe('');
  for (const letter of name.replaceAll(' ', ''))
    for (const face of ['regular', 'bold'] as const)
      expect(fontOf(letter, face).hasGlyphForCodePoint(letter.codePointAt(0)!), letter).toBe(true);
  for (const word of name.split(' ')) expect(fontOf(word, 'regular').layout(word).glyphs.length).toBeGreaterThan(0);
});

test('reports characters without a font once each', () => {
  expect(unsupportedCharacters(['ភ្នំពេញ', 'ရန်ကုန်'])).toMatch(/^ភ.*ရ/u);
  expect(unsupportedCharacters(['Shop 🛍 🛍', 'Café ©®™ € № 100 %', 'a\u0301 می\u200cخواهم'])).toBe('🛍');
});
