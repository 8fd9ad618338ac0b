import { tokenMark } from './notice.ts';

/**
 * The template language: `{{word}}` is a fact, `{{#word}}...{{/word}}` appears only if there is one, `{{^word}}...{{/word}}` only if
 * there is none. No loops, no lookups, no code: a text can only contain the facts of its notice.
 */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fact'; readonly variable: string }
  | {
      readonly kind: 'part';
      readonly variable: string;
      readonly isWithout: boolean;
      readonly pieces: readonly Piece[];
    };

export const templateLimits = { subjectLength: 200, bodyLength: 10_000, depth: 4 };

export class TemplateProblem extends Error {}

const mark = /\{\{([#^/]?)\s*([a-z_]{1,40})\s*\}\}/g;

/** Refuses unclosed, unopened, too deeply nested and unknown placeholders. */
export function readTemplate(text: string, variables: readonly string[]): readonly Piece[] {
  const open: { variable: string; isWithout: boolean; pieces: Piece[] }[] = [
    { variable: '', isWithout: false, pieces: [] },
  ];
  let at = 0;
  const addText = (end: number) => {
    const between = text.slice(at, end);
    if (/\{\{|\}\}/.test(between))
      throw new TemplateProblem('Contains {{ or }} that is not a placeholder such as {{domain}}.');
    if (between !== '') open.at(-1)!.pieces.push({ kind: 'text', text: between });
  };
  for (const found of text.matchAll(mark)) {
    const [whole, sign, variable] = found as unknown as [string, string, string];
    addText(found.index);
    at = found.index + whole.length;
    if (!variables.includes(variable))
      throw new TemplateProblem(`Unknown placeholder {{${variable}}}. Use ${variables.join(', ')}.`);
    if (sign === '') open.at(-1)!.pieces.push({ kind: 'fact', variable });
    else if (sign === '/') {
      const part = open.pop()!;
      if (part.variable !== variable || open.length === 0)
        throw new TemplateProblem(`Closes {{${variable}}}, which is not open.`);
      open.at(-1)!.pieces.push({ kind: 'part', ...part });
    } else {
      if (open.length > templateLimits.depth) throw new TemplateProblem('Conditions are nested too deeply.');
      open.push({ variable, isWithout: sign === '^', pieces: [] });
    }
  }
  addText(text.length);
  if (open.length > 1)
    throw new TemplateProblem(
      `The condition ${open.at(-1)!.variable} is not closed: add {{/${open.at(-1)!.variable}}}.`,
    );
  return open[0]!.pieces;
}

const linkMark = /\{\{\s*link\s*\}\}/;
const linkLine = /^[ \t]*\{\{\s*link\s*\}\}[ \t]*$/;

/** Whether the secret link is alone on its lines: within another URL it would be sent to that host, in a subject it would be logged. */
export const isLinkAlone = ({ subject, body }: { readonly subject: string; readonly body: string }): boolean =>
  !linkMark.test(subject) &&
  ![subject, body].some((text) => text.includes(tokenMark)) &&
  body.split('\n').every((line) => !linkMark.test(line) || linkLine.test(line));

/** Facts that every mail has. */
export const requiredFacts = (pieces: readonly Piece[]): string[] =>
  pieces.flatMap((piece) => (piece.kind === 'fact' ? [piece.variable] : []));

export function fillTemplate(pieces: readonly Piece[], facts: Readonly<Record<string, string>>): string {
  return pieces
    .map((piece) => {
      if (piece.kind === 'text') return piece.text;
      const fact = facts[piece.variable] ?? '';
      if (piece.kind === 'fact') return fact;
      return (fact === '') === piece.isWithout ? fillTemplate(piece.pieces, facts) : '';
    })
    .join('');
}
