import type { Invoice } from '../model/invoice.ts';

/** Scripts whose letters the PDF document shows correctly. */
const shown = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Ethiopic', 'Devanagari', 'Tamil'],
  ...['Thai', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'],
];
const inFonts = new RegExp(
  `[\\p{Script=Common}\\p{Script=Inherited}${shown.map((name) => `\\p{Script=${name}}`).join('')}]`,
  'u',
);
const picture = /\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}]/u;
const mostListed = 20;

/** Characters of a text without a font: the PDF document shows a box. */
export function unsupportedCharacters(texts: readonly string[]): string {
  const missing = new Set<string>();
  for (const letter of texts.join('')) if (!inFonts.test(letter) || picture.test(letter)) missing.add(letter);
  return [...missing].slice(0, mostListed).join('');
}

export function textsOf({ seller, buyer, lines, taxes, reason }: Invoice): string[] {
  const parties = [seller, buyer].flatMap(({ name, address, tax_id }) => [name, ...address, tax_id ?? '']);
  return [
    ...parties,
    ...lines.map(({ description }) => description),
    ...taxes.flatMap(({ name, note }) => [name, note ?? '']),
    reason ?? '',
  ];
}
