import { createHash } from 'node:crypto';

/** One SQL statement with its values. Static templates carry a name, so that the server plans them once a connection. */
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

const names = new WeakMap<TemplateStringsArray, string>();

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value && 'values' in value;
}

function compile(strings: TemplateStringsArray, parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  let fixed = true;
  const append = (piece: unknown): string => {
    if (piece instanceof Raw) {
      fixed = false;
      return piece.text;
    }
    if (isSql(piece)) {
      fixed = false;
      const offset = values.length;
      values.push(...piece.values);
      return piece.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
    }
    values.push(piece);
    return `$${values.length}`;
  };
  const text = strings.reduce((out, s, i) => out + s + (i < parts.length ? append(parts[i]) : ''), '');
  if (!fixed) return { text, values };
  let name = names.get(strings);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(strings, name);
  }
  return { text, values, name };
}

/** `sql\`select * from domain where id = ${id}\``: every value becomes a parameter, every nested `sql` is spliced in. */
export const sql = Object.assign((strings: TemplateStringsArray, ...parts: unknown[]): Sql => compile(strings, parts), {
  /** An identifier or keyword chosen by our own code; never text from outside. */
  raw: (text: string): unknown => new Raw(text),
  join(pieces: readonly Sql[], separator: string): Sql {
    const values: unknown[] = [];
    const texts = pieces.map((piece) => {
      const offset = values.length;
      values.push(...piece.values);
      return piece.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
    });
    return { text: texts.join(separator), values };
  },
});
