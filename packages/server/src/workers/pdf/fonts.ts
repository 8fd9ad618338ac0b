import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unpackFont } from './woff.ts';

/** The subsets of Noto Sans, then fonts for further scripts. A document contains only the glyphs in use. */
const weights = { regular: '400', bold: '700' } as const;
export type Face = keyof typeof weights;

const require = createRequire(import.meta.url);

interface Piece {
  readonly name: string;
  /** First and last code point of each range. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly file: (face: Face) => string;
}

function piecesOf(font: string, names: readonly string[]): Piece[] {
  const unicode = require(`@fontsource/${font}/unicode.json`) as Record<string, string>;
  return names.map((name) => ({
    name: `${font}-${name}`,
    ranges: unicode[name]!.split(',').map(readRange),
    file: (face) => require.resolve(`@fontsource/${font}/files/${font}-${name}-${weights[face]}-normal.woff`),
  }));
}

/** `U+0460-052F` or `U+20B4`. */
function readRange(text: string): readonly [number, number] {
  const [from, to] = text.trim().slice(2).split('-') as [string, string?];
  return [Number.parseInt(from, 16), Number.parseInt(to ?? from, 16)];
}

const pieces: readonly Piece[] = [
  ...piecesOf('noto-sans', [
    'latin',
    'latin-ext',
    'vietnamese',
    'cyrillic',
    'cyrillic-ext',
    'greek',
    'greek-ext',
    'devanagari',
  ]),
  ...piecesOf('noto-sans-arabic', ['arabic']),
  ...piecesOf('noto-sans-thai', ['thai']),
  ...piecesOf('noto-sans-hebrew', ['hebrew']),
  ...piecesOf('noto-sans-tamil', ['tamil']),
  ...piecesOf('noto-sans-georgian', ['georgian']),
  ...piecesOf('noto-sans-armenian', ['armenian']),
  ...piecesOf('noto-sans-ethiopic', ['ethiopic']),
  // Korean, in one weight. Its package lists the ranges only in a hundred subsets.
  {
    name: 'korean',
    ranges: [
      [0x1100, 0x11ff],
      [0x3130, 0x318f],
      [0xac00, 0xd7a3],
    ],
    file: () => require.resolve('@fontsource/gowun-dodum/files/gowun-dodum-korean-400-normal.woff'),
  },
  // Chinese and Japanese, in one weight, with a box for missing glyphs. Its package lists no files.
  {
    name: 'han',
    ranges: [[0, 0x10ffff]],
    file: () => join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
  },
];

/** The font that has this character. */
export function pieceFor(codePoint: number): string {
  return pieces.find(({ ranges }) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to))!.name;
}

const kept = new Map<string, Buffer>();

/** Cached in each thread; an idle thread ends and frees it. */
export function octetsOf(name: string, face: Face): Buffer {
  const file = pieces.find((piece) => piece.name === name)!.file(face);
  const octets = kept.get(file) ?? unpackFont(readFileSync(file));
  kept.set(file, octets);
  return octets;
}
