import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { lettersOf, missingFonts, unsupportedCharacters } from '../../src/core/invoices/scripts.ts';
import type { Invoice } from '../../src/core/model/invoice.ts';
import { allFonts, Fonts } from '../../src/workers/pdf/fonts.ts';
import { print } from '../../src/workers/pdf/print.ts';

interface Font {
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string): { readonly glyphs: readonly { readonly id: number }[] };
}
const { create } = createRequire(import.meta.url)('fontkit') as { create(octets: Buffer): Font };

const opened = new Map<string, Font>();
function fontOf(letter: string, face: 'regular' | 'bold'): Font {
  const piece = allFonts.pieceFor(letter.codePointAt(0)!);
  const key = `${piece} ${face}`;
  if (!opened.has(key)) opened.set(key, create(allFonts.sourceOf(piece, face) as Buffer));
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

test('shows western letters and the bases of others without any font package, and names what is missing', async () => {
  const none = new Fonts([]);
  const party = { address: ['Łódź 1', 'Rüdesheim'], country_code: 'DE', tax_id: null, email: null };
  const invoice = {
    kind: 'invoice',
    number: 'INV-1',
    issued_on: '2026-01-31',
    issued_at: new Date(0),
    created_at: new Date(0),
    currency: 'EUR',
    seller: { ...party, name: 'Müller & Söhne – „Domains“' },
    buyer: { ...party, name: 'Şirket 深圳 Żółw' },
    lines: [],
    taxes: [],
    ...{ net: '0', tax: '0', total: '0', paid: '0', credited: '0', due_on: null, period: null, reason: null },
  } as unknown as Invoice;
  const pdf = await print({ invoice, correctsNumber: null, footer: null, logo: null }, none);
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' });
  for (const shown of ['Müller & Söhne – „Domains“', 'Sirket ?? Zó?w', 'Rüdesheim']) expect(text).toContain(shown);
  expect(unsupportedCharacters(['Müller Şirket 深圳 €'], lettersOf([]))).toBe('Ş深圳');
  expect(missingFonts([])).toContain('@fontsource/noto-sans-thai');
  expect(missingFonts(['@fontsource/noto-sans'])).not.toMatch(/Latin|Greek/);
  expect(missingFonts()).toBeUndefined();
});
