/**
 * Script combinations allowed in one label (UTS 39 5.2, "highly restrictive"): one script alone, or Latin with the scripts of Chinese,
 * Japanese or Korean. A Cyrillic letter among Latin ones only serves to deceive.
 */
const together: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Bopomofo',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
];
const tests = scripts.map((name) => ({ name, expression: new RegExp(`\\p{scx=${name}}`, 'u') }));
const common = /[\p{scx=Common}\p{scx=Inherited}]/u;

/** The scripts of a label (U-label) that must not be combined; undefined if the combination is allowed. */
export function mixedScripts(label: string): readonly string[] | undefined {
  const found = new Set<string>();
  for (const letter of label) {
    if (common.test(letter) && !/\p{L}/u.test(letter)) continue;
    const of = tests.filter(({ expression }) => expression.test(letter)).map(({ name }) => name);
    // A letter of several scripts (a long vowel mark) belongs to the script of its neighbours.
    if (of.length === 1) found.add(of[0]!);
    else if (of.length === 0) found.add('another script');
  }
  const isAllowed = found.size <= 1 || together.some((set) => [...found].every((name) => set.includes(name)));
  return isAllowed ? undefined : [...found].sort();
}
