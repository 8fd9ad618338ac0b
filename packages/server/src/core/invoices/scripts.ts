import { createRequire } from 'node:module';
import type { Invoice } from '../model/invoice.ts';

/** The packages of fonts, which are optional, and the scripts whose letters they show correctly. */
const fontPackages = {
  '@fontsource/noto-sans': ['Latin', 'Greek', 'Cyrillic', 'Devanagari'],
  '@fontsource/noto-sans-arabic': ['Arabic'],
  '@fontsource/noto-sans-thai': ['Thai'],
  '@fontsource/noto-sans-hebrew': ['Hebrew'],
  '@fontsource/noto-sans-tamil': ['Tamil'],
  '@fontsource/noto-sans-georgian': ['Georgian'],
  '@fontsource/noto-sans-armenian': ['Armenian'],
  '@fontsource/noto-sans-ethiopic': ['Ethiopic'],
  '@fontsource/gowun-dodum': ['Hangul'],
  '@embedpdf/fonts-sc': ['Han', 'Hiragana', 'Katakana', 'Bopomofo'],
} as const;
export type FontPackage = keyof typeof fontPackages;
const allPackages = Object.keys(fontPackages) as FontPackage[];

const require = createRequire(import.meta.url);

function isInstalled(name: FontPackage): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

export const installedFonts: readonly FontPackage[] = allPackages.filter(isInstalled);

/** Which letters PDF documents lack, and how to install their fonts; undefined: none. */
export function missingFonts(installed = installedFonts): string | undefined {
  const missing = allPackages.filter((name) => !installed.includes(name));
  if (missing.length === 0) return undefined;
  const scripts = missing.flatMap((name) => fontPackages[name]).join(', ');
  const install = `npm install --no-save ${missing.join(' ')}`;
  return `PDF documents lack letters of ${scripts}. Install their fonts: npm ci, or ${install}`;
}

/** Windows-1252: the letters of the fonts that every PDF reader has (ISO 32000-1, 9.6.2.2). */
export const builtIn = /[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\n]/u;

export function lettersOf(installed: readonly FontPackage[]): RegExp {
  const scripts = installed.flatMap((name) => fontPackages[name]);
  const common = installed.includes('@fontsource/noto-sans') ? ['Common', 'Inherited'] : [];
  return new RegExp(
    `${builtIn.source}|[${[...common, ...scripts].map((name) => `\\p{Script=${name}}`).join('')}]`,
    'u',
  );
}
const lettersOfInstalled = lettersOf(installedFonts);
const picture = /\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}]/u;
const mostListed = 20;

/** Characters of a text without a font: the PDF document shows a box or a question mark. */
export function unsupportedCharacters(texts: readonly string[], inFonts = lettersOfInstalled): string {
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
