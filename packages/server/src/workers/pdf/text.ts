import { allFonts, type Face, type Fonts } from './fonts.ts';

type Pdf = PDFKit.PDFDocument;

interface Style {
  readonly size?: number;
  readonly face?: Face;
  readonly colour?: string;
  readonly align?: 'left' | 'right';
}

interface Run {
  readonly piece: string;
  readonly text: string;
}

const rightToLeft = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** Characters between which a line may break without a space. */
const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const inherited = /[\p{M}\s\p{Cf}]/u;

/** Runs of one font; spaces and marks stay with the letter before them. */
function runsOf(fonts: Fonts, text: string): Run[] {
  const runs: { piece: string; text: string }[] = [];
  for (const letter of text) {
    const last = runs.at(-1);
    const piece = last && inherited.test(letter) ? last.piece : fonts.pieceFor(letter.codePointAt(0)!);
    const shown = fonts.shown(piece, letter);
    if (last?.piece === piece) last.text += shown;
    else runs.push({ piece, text: shown });
  }
  return rightToLeft.test(text) ? runs.reverse() : runs;
}

/** With features set, a run is shaped as a whole; otherwise joining letters are shaped word by word. */
const shaping = { features: ['kern', 'liga'] as PDFKit.Mixins.OpenTypeFeatures[], lineBreak: false } as const;

/** Writes text of one document and embeds only the fonts that it needs. */
export class Pen {
  readonly pdf: Pdf;
  readonly #fonts: Fonts;
  readonly #registered = new Set<string>();

  constructor(pdf: Pdf, fonts = allFonts) {
    this.pdf = pdf;
    this.#fonts = fonts;
  }

  #use(piece: string, { size = 9, face = 'regular' }: Style): void {
    const name = `${piece}-${face}`;
    if (!this.#registered.has(name)) {
      this.pdf.registerFont(name, this.#fonts.sourceOf(piece, face));
      this.#registered.add(name);
    }
    this.pdf.font(name).fontSize(size);
  }

  width(text: string, style: Style = {}): number {
    return runsOf(this.#fonts, text).reduce((sum, run) => {
      this.#use(run.piece, style);
      return sum + this.pdf.widthOfString(run.text, shaping);
    }, 0);
  }

  /** Prints one line and returns its height. */
  line(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const { size = 9, align = 'left', colour = '#111111' } = style;
    let at = align === 'right' ? x + width - this.width(text, style) : x;
    for (const run of runsOf(this.#fonts, text)) {
      this.#use(run.piece, style);
      // Aligned by base line, because fonts differ in their ascent.
      this.pdf.fillColor(colour).text(run.text, at, y + size, { ...shaping, baseline: 'alphabetic' });
      at += this.pdf.widthOfString(run.text, shaping);
    }
    return size * 1.4;
  }

  /** Prints wrapped lines up to a limit and returns their height. */
  block(text: string, x: number, y: number, width: number, style: Style & { readonly lines?: number } = {}): number {
    const lines = this.wrap(text, width, style);
    let height = 0;
    for (const line of lines) height += this.line(line, x, y + height, width, style);
    return height;
  }

  wrap(text: string, width: number, style: Style & { readonly lines?: number } = {}): string[] {
    const { lines: most = 6 } = style;
    const lines = text.split('\n').flatMap((paragraph) => this.#fill(paragraph, width, style));
    if (lines.length <= most) return lines;
    return [...lines.slice(0, most - 1), `${lines[most - 1]!.trimEnd()} …`];
  }

  #fill(paragraph: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    let line = '';
    for (const part of partsOf(paragraph)) {
      if (line !== '' && this.width((line + part).trimEnd(), style) > width) {
        lines.push(line.trimEnd());
        line = '';
      }
      // Cuts a word that is longer than a line.
      let rest = part;
      while (line === '' && this.width(rest.trimEnd(), style) > width) {
        const cut = this.#fitting(rest, width, style);
        lines.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      line += rest;
    }
    return [...lines, line.trimEnd()];
  }

  #fitting(text: string, width: number, style: Style): number {
    let [fits, tooMuch] = [1, text.length];
    while (tooMuch - fits > 1) {
      const middle = Math.floor((fits + tooMuch) / 2);
      if (this.width(text.slice(0, middle), style) > width) tooMuch = middle;
      else fits = middle;
    }
    // Never between the halves of a surrogate pair.
    return /[\uD800-\uDBFF]/.test(text[fits - 1]!) && fits > 1 ? fits - 1 : fits;
  }
}

/** Words with their trailing spaces; Chinese and Japanese characters one by one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const letter of text) {
    if (han.test(letter) && part !== '') {
      parts.push(part);
      part = '';
    }
    part += letter;
    if (letter === ' ' || han.test(letter)) {
      parts.push(part);
      part = '';
    }
  }
  return part === '' ? parts : [...parts, part];
}
