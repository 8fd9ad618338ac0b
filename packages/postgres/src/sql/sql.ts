import { createHash } from 'node:crypto';

/** One SQL statement with its values. Static templates have a name, so that the server plans them once per connection. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
}

class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Only objects made by this file are spliced in. An object in a caller's JSON that happens to have `text` and `values` stays a value. */
class Statement implements Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string;
  constructor(text: string, values: readonly unknown[], name?: string) {
    this.text = text;
    this.values = values;
    if (name !== undefined) this.name = name;
  }
}

/** Each name is a prepared statement on every connection; beyond this many texts, further statements are unnamed. */
const maxNamedTexts = 2_000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < maxNamedTexts) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}

function renumber(piece: Sql, offset: number): string {
  return offset === 0 ? piece.text : piece.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
}

/** A statement built from pieces of our own code and the values between them. */
export const fixedSql = (strings: readonly string[], parts: readonly unknown[]): Sql => compile(strings, parts, true);

function compile(strings: readonly string[], parts: readonly unknown[], isKept = false): Sql {
  const values: unknown[] = [];
  let fixed = true;
  const append = (piece: unknown): string => {
    if (piece instanceof Raw) return piece.text;
    if (piece instanceof Statement) {
      fixed &&= isKept && piece.name !== undefined;
      const text = renumber(piece, values.length);
      values.push(...piece.values);
      return text;
    }
    values.push(piece);
    return `$${values.length}`;
  };
  const text = strings.reduce((out, s, i) => out + s + (i < parts.length ? append(parts[i]) : ''), '');
  return new Statement(text, values, fixed ? nameOf(text) : undefined);
}

/** `sql\`select name from domain where id = ${id}\``: every value becomes a parameter, every nested statement is spliced in. */
export const sql = Object.assign((strings: TemplateStringsArray, ...parts: unknown[]): Sql => compile(strings, parts), {
  /** The same for nested statements that are one of a few texts: the whole is still a named statement. */
  kept: (strings: TemplateStringsArray, ...parts: unknown[]): Sql => compile(strings, parts, true),
  /** An identifier or keyword chosen by our own code; never external input. */
  raw: (text: string): unknown => new Raw(text),
  join(pieces: readonly Sql[], separator: string): Sql {
    const values: unknown[] = [];
    const texts = pieces.map((piece) => {
      if (!(piece instanceof Statement)) throw new TypeError('only statements made by sql can be joined');
      const text = renumber(piece, values.length);
      values.push(...piece.values);
      return text;
    });
    return new Statement(texts.join(separator), values);
  },
});
