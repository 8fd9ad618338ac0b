import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayName, NameError, normaliseName } from '../../src/names.ts';

const range = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
const latin = fc.oneof(range(0x61, 0x7a), range(0x30, 0x39), fc.constant('-'), range(0xdf, 0x17f));
/** Each script with its own difficulties: joining letters, two kinds of digits, marks, letters that map to others. */
const scripts = [
  latin,
  range(0x370, 0x3ff),
  range(0x400, 0x52f),
  range(0x590, 0x5f4),
  range(0x600, 0x6ff),
  range(0x900, 0x97f),
  range(0xe00, 0xe5b),
  range(0x3040, 0x30ff),
  range(0x4e00, 0x4eff),
  range(0xac00, 0xacff),
  range(0x10330, 0x1034a),
];
/** Characters that are allowed only next to certain others, or nowhere. */
const traps = fc.constantFrom(
  ...[
    '\u200c',
    '\u200d',
    '\u00b7',
    '\u0375',
    '\u05f3',
    '\u05f4',
    '\u30fb',
    '\u0640',
    '\u0301',
    '\u0308',
    '\u094d',
    '\u0327',
  ],
  ...[
    '\u0660',
    '\u0669',
    '\u06f0',
    '\u06f9',
    '\u200e',
    '\u2028',
    '\u00ad',
    '\ufe0f',
    '\u{1f4a9}',
    '_',
    '\u2044',
    '\u1e9e',
    '\u0130',
  ],
);
const label = fc.oneof(
  ...scripts.map((letter) =>
    fc
      .array(
        fc.oneof({ arbitrary: letter, weight: 8 }, { arbitrary: latin, weight: 1 }, { arbitrary: traps, weight: 1 }),
        {
          minLength: 1,
          maxLength: 9,
        },
      )
      .map((letters) => letters.join('')),
  ),
);
/** An A-label made by another encoder, unchanged or with an extra letter. */
const aLabel = fc.tuple(label, fc.constantFrom('', 'a', '-', '0')).map(([text, more]) => {
  try {
    return new URL(`http://${text}.example`).hostname.split('.')[0]! + more;
  } catch {
    return `xn--${more}`;
  }
});
const name = fc.array(fc.oneof({ arbitrary: label, weight: 4 }, { arbitrary: aLabel, weight: 1 }), {
  minLength: 1,
  maxLength: 2,
});

const stored = (input: string): string | null => {
  try {
    return normaliseName(input);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    return null;
  }
};

function independentResults(names: readonly string[]): (string | null)[] {
  const script = fileURLToPath(new URL('independent-idna.py', import.meta.url));
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', [script], {
    input: JSON.stringify(names),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the independent IDNA implementation failed: ${stderr}`);
  return JSON.parse(stdout);
}

test('normalises 1,000 hostile names like an independent implementation of RFC 5891', () => {
  const names = fc.sample(name, { seed: 5892, numRuns: 1_000 }).map((labels) => `${labels.join('.')}.com`);
  const theirs = independentResults(names);
  const differing = names.flatMap((each, index) => {
    const ours = stored(each);
    return ours === theirs[index] ? [] : [{ name: each, ours, theirs: theirs[index] }];
  });
  expect(differing).toEqual([]);
  const taken = theirs.filter((each) => each !== null);
  expect(taken.length).toBeGreaterThan(200);
  expect(names.length - taken.length).toBeGreaterThan(200);
  for (const each of taken) expect(stored(displayName(each))).toBe(each);
});
