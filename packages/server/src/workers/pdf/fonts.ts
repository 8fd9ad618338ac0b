import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { builtIn, type FontPackage, installedFonts } from '../../core/invoices/scripts.ts';
import { unpackFont } from './woff.ts';

/** The subsets of Noto Sans, then fonts for further scripts. A document contains only the glyphs in use. */
const weights = { regular: '400', bold: '700' } as const;
export type Face = keyof typeof weights;

const require = createRequire(import.meta.url);

interface Piece {
  readonly package: FontPackage;
  readonly name: string;
  /** First and last code point of each range. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly file: (face: Face) => string;
}

type NotoFont = Extract<FontPackage, `@fontsource/noto${string}`> extends `@fontsource/${infer Name}` ? Name : never;

function piecesOf(font: NotoFont, names: readonly string[]): Piece[] {
  if (!installedFonts.includes(`@fontsource/${font}`)) return [];
  const unicode = require(`@fontsource/${font}/unicode.json`) as Record<string, string>;
  return names.map((name) => ({
    package: `@fontsource/${font}`,
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
    package: '@fontsource/gowun-dodum',
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
    package: '@embedpdf/fonts-sc',
    name: 'han',
    ranges: [[0, 0x10ffff]],
    file: () => join(dirname(require.resolve('@embedpdf/fonts-sc')), '../fonts/NotoSansHans-Regular.otf'),
  },
];

/** Fonts of the installed packages. Without them, Helvetica of the PDF reader shows the letters of western Europe. */
export class Fonts {
  readonly #pieces: readonly Piece[];
  readonly #kept = new Map<string, Buffer>();

  constructor(installed: readonly FontPackage[]) {
    this.#pieces = pieces.filter((piece) => installed.includes(piece.package));
  }

  /** The font that has this character. */
  pieceFor(codePoint: number): string {
    const has = ({ ranges }: Piece) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to);
    return this.#pieces.find(has)?.name ?? builtInName;
  }

  /** The octets of a font, or the name of one that is built in. Cached in each thread; an idle thread ends and frees it. */
  sourceOf(name: string, face: Face): Buffer | string {
    if (name === builtInName) return face === 'bold' ? 'Helvetica-Bold' : 'Helvetica';
    const file = this.#pieces.find((piece) => piece.name === name)!.file(face);
    const octets = this.#kept.get(file) ?? unpackFont(readFileSync(file));
    this.#kept.set(file, octets);
    return octets;
  }

  /** What the font prints for this letter: built-in fonts lack most, and a letter without its accent is better than none. */
  shown(name: string, letter: string): string {
    if (name !== builtInName || builtIn.test(letter)) return letter;
    const base = letter.normalize('NFD')[0]!;
    return builtIn.test(base) ? base : '?';
  }
}
const builtInName = 'built-in';

export const allFonts = new Fonts(installedFonts);
