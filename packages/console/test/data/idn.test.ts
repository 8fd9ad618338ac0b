import { domainToASCII, domainToUnicode } from 'node:url';
import { seededRandom } from '@namehold/base';
import { describe, expect, test } from 'vitest';
import { asciiOf, isMixed, unicodeOf } from '../../src/data/idn.ts';

describe('unicodeOf', () => {
  test.each([
    ['example.com', 'example.com'],
    ['xn--mnchen-3ya.de', 'münchen.de'],
    ['xn--80ak6aa92e.com', 'аррӏе.com'],
    ['www.xn--wgv71a119e.jp', 'www.日本語.jp'],
    ['xn--4dbrk0ce', 'ישראל'],
    // Not Punycode, or another name than what it decodes to.
    ['xn--', 'xn--'],
    ['xn--a', 'xn--a'],
    ['xn--0', 'xn--0'],
    ['xn--99999999999.com', 'xn--99999999999.com'],
    ['xn--example-.com', 'xn--example-.com'],
  ])('%s is %s', (ascii, unicode) => expect(unicodeOf(ascii)).toBe(unicode));

  test('decodes random labels like Node, and the result converts back', () => {
    const random = seededRandom(3_492);
    const alphabets = ['abcdefghijk-0123456789', 'äöüßéçñ', 'абвгдежз', 'αβγδε', '日本語中国', 'กขคง', 'हिन्दी'];
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
    let decoded = 0;
    for (let n = 0; n < 400; n++) {
      const letters = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick([...pick(alphabets)]));
      const ascii = domainToASCII(`${letters.join('')}.example`);
      if (!ascii) continue;
      if (ascii.includes('xn--')) decoded += 1;
      expect(unicodeOf(ascii)).toBe(domainToUnicode(ascii));
      expect(asciiOf(unicodeOf(ascii))).toBe(ascii);
    }
    expect(decoded).toBeGreaterThan(200);
  });

  test('returns hostile labels unchanged instead of failing', () => {
    const random = seededRandom(492);
    for (let n = 0; n < 400; n++) {
      const label = Array.from({ length: 1 + Math.floor(random() * 60) }, () => Math.floor(random() * 36).toString(36));
      const name = `xn--${label.join('')}`;
      const shown = unicodeOf(name);
      expect(shown === name || asciiOf(shown) === name).toBe(true);
    }
  });
});

describe('isMixed', () => {
  test.each([
    ['example.com', false],
    ['münchen.de', false],
    ['пример.com', false],
    ['раypal.com', true],
    ['аррle.example', true],
    ['日本語カナ.jp', false],
    ['αpple.example', true],
    ['a.б', false],
  ])('%s: %s', (name, mixed) => expect(isMixed(name)).toBe(mixed));
});
