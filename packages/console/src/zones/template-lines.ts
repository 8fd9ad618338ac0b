import type { Schema } from '../api/shapes.ts';
import { asciiOf } from '../data/idn.ts';
import { type Edits, keyOf, put, type RRsetText } from './draft.ts';
import { readLines, readToken } from './read-input.ts';

type TemplateRRset = { name: string; type: string; ttl?: number; records: string[] };
export type Variable = Schema<'ZoneTemplateVariable'>;

/** `%{i}` is an SPF macro and not a variable, as in the API. */
const placeholder = /(?<!%)\{([a-z][a-z0-9_]*)\}/g;

/** Variables in order of appearance, without the domain itself. */
export function variablesIn(text: string): string[] {
  const found = new Set([...text.matchAll(placeholder)].map((match) => match[1]!));
  found.delete('domain');
  return [...found];
}

/** Records as editable lines. */
export function asLines(rrsets: readonly Schema<'ZoneTemplateRRset'>[]): string {
  return rrsets
    .flatMap(({ name, type, ttl, records }) =>
      records.map((text) => [name, ...(ttl === null ? [] : [ttl]), type, text].join(' ')),
    )
    .join('\n');
}

const recordLine = /^(\S+)\s+(?:(\d+)\s+)?(?:IN\s+)?([A-Za-z][A-Za-z0-9-]*)\s+(\S.*)$/i;

/** Reads records; lines of the same name and type are one RRset. Invalid lines are reported by number. */
export function readTemplateLines(typed: string): {
  readonly rrsets: TemplateRRset[];
  readonly unread: readonly number[];
  readonly doubt: string | undefined;
} {
  const { text, doubts } = readLines(typed);
  const sets = new Map<string, TemplateRRset>();
  const unread: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.trim().startsWith(';')) continue;
    const [, name, ttl, type, content] = recordLine.exec(line.trim()) ?? [];
    if (!name || !type || !content) {
      unread.push(at + 1);
      continue;
    }
    const key = `${name.toLowerCase()} ${type.toUpperCase()}`;
    const set = sets.get(key) ?? { name, type: type.toUpperCase(), records: [] };
    set.records.push(content);
    if (ttl) set.ttl = Number(ttl);
    sets.set(key, set);
  }
  return { rrsets: [...sets.values()], unread, doubt: doubts[0]?.sign };
}

/** Domain names without duplicates. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((name) => readToken(name).text.toLowerCase().replace(/\.$/, ''))
      .filter((name) => name !== '')
      .map((name) => asciiOf(name) ?? name),
  ),
];

/** The changed RRsets. */
export function editsOfChange(
  base: ReadonlyMap<string, RRsetText>,
  { added, deleted }: Pick<Schema<'ZoneChange'>, 'added' | 'deleted'>,
): Edits {
  let edits: Edits = {};
  for (const { name, type, ttl } of [...deleted, ...added]) {
    const key = keyOf({ name, type });
    if (edits[key]) continue;
    const gone = new Set(deleted.filter((each) => keyOf(each) === key).flatMap(({ records }) => records));
    const come = added.filter((each) => keyOf(each) === key);
    const stay = (base.get(key)?.records ?? []).filter((text) => !gone.has(text));
    const records = [...stay, ...come.flatMap((each) => each.records)];
    edits = put(base, edits, { name, type, ttl: come[0]?.ttl ?? base.get(key)?.ttl ?? ttl, records });
  }
  return edits;
}
