import { type Name, NameError, parseName, RecordError, relativeTo, TYPE_CODES } from '@namehold/dns/editor';
import { readToken } from './read-input.ts';

/** One RRset. In a draft, its records are as typed. */
export interface RRsetText {
  readonly name: Name;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly string[];
  readonly managed_by?: string | undefined;
}

/** Changed RRsets by `name type`, exactly as sent. An empty RRset is deleted. */
export type Edits = Readonly<Record<string, RRsetText>>;

export const defaultTtlSeconds = 3_600;

export interface Row {
  /** `name type position`. */
  readonly id: string;
  readonly set: RRsetText;
  readonly place: number;
  readonly text: string;
  readonly state: 'same' | 'added' | 'changed' | 'deleted';
}

export const keyOf = ({ name, type }: { readonly name: Name; readonly type: string }): string => `${name} ${type}`;

const indices = new WeakMap<readonly RRsetText[], ReadonlyMap<string, RRsetText>>();

/** RRsets by `name type`, cached by identity. */
export function indexed(sets: readonly RRsetText[]): ReadonlyMap<string, RRsetText> {
  const known = indices.get(sets);
  if (known) return known;
  const index = new Map(sets.map((set) => [keyOf(set), set]));
  indices.set(sets, index);
  return index;
}

/** The resulting RRsets, without deleted ones. */
export function afterEdits(base: readonly RRsetText[], edits: Edits): RRsetText[] {
  const known = indexed(base);
  const stay = base.map((set) => edits[keyOf(set)] ?? set);
  const come = Object.entries(edits).flatMap(([key, set]) => (known.has(key) ? [] : [set]));
  return [...come, ...stay].filter((set) => set.records.length > 0);
}

/** One row per record. Deleted records stay visible, and new RRsets come first. */
export function rowsOf(base: readonly RRsetText[], edits: Edits): Row[] {
  const known = indexed(base);
  const come = Object.entries(edits).flatMap(([key, set]) => (known.has(key) ? [] : rowsOfSet(undefined, set)));
  const rows = come;
  for (const [key, set] of known) {
    const now = edits[key];
    for (const row of now ? rowsOfSet(set, now) : rowsAsTheyAre(set)) rows.push(row);
  }
  return rows;
}

const untouched = new WeakMap<RRsetText, readonly Row[]>();

/** Cached rows of unchanged RRsets, which are most of a long zone. */
function rowsAsTheyAre(set: RRsetText): readonly Row[] {
  const known = untouched.get(set);
  if (known) return known;
  const key = keyOf(set);
  const rows = set.records.map((text, place): Row => ({ id: `${key} ${place}`, set, place, text, state: 'same' }));
  untouched.set(set, rows);
  return rows;
}

function rowsOfSet(before: RRsetText | undefined, now: RRsetText): Row[] {
  const key = keyOf(now);
  const old = new Set(before?.records);
  const remaining = new Set(now.records);
  const isOtherTtl = before !== undefined && before.ttl !== now.ttl && now.records.length > 0;
  const here = now.records.map((text, place): Row => {
    const state = !old.has(text) ? 'added' : isOtherTtl ? 'changed' : 'same';
    return { id: `${key} ${place}`, set: now, place, text, state };
  });
  const gone = (before?.records ?? []).filter((text) => !remaining.has(text));
  const struck = gone.map(
    (text, at): Row => ({ id: `${key} -${at + 1}`, set: before ?? now, place: -1, text, state: 'deleted' }),
  );
  // A replaced record is one changed row.
  if (before && gone.length > 0 && here.some((row) => row.state === 'added')) return paired(here, struck, before);
  return [...here, ...struck];
}

function paired(here: readonly Row[], struck: readonly Row[], before: RRsetText): Row[] {
  const left = [...struck];
  const rows = here.map((row) => {
    if (row.state !== 'added') return row;
    const same = left.findIndex((each) => each.text === before.records[row.place]);
    if (same < 0) return row;
    left.splice(same, 1);
    return { ...row, state: 'changed' as const };
  });
  return [...rows, ...left];
}

/** Sets an RRset. An RRset equal to the original is no edit. */
export function put(base: ReadonlyMap<string, RRsetText>, edits: Edits, set: RRsetText): Edits {
  const key = keyOf(set);
  const { [key]: _, ...others } = edits;
  const before = base.get(key);
  const isSame = before ? sameSet(before, set) : set.records.length === 0;
  return isSame ? others : { ...others, [key]: set };
}

export function sameSet(a: RRsetText, b: RRsetText): boolean {
  if (a.records.length === 0 && b.records.length === 0) return true;
  if (a.ttl !== b.ttl || a.records.length !== b.records.length) return false;
  const [left, right] = [a.records.toSorted(), b.records.toSorted()];
  return left.every((text, at) => text === right[at]);
}

export const present = (base: ReadonlyMap<string, RRsetText>, edits: Edits, key: string): RRsetText | undefined =>
  edits[key] ?? base.get(key);

/** Adds a record. In an existing RRset it takes the existing TTL unless another is given. */
export function addRecord(
  base: ReadonlyMap<string, RRsetText>,
  edits: Edits,
  record: { readonly name: Name; readonly type: string; readonly ttl?: number | undefined; readonly text: string },
): Edits {
  const found = present(base, edits, keyOf(record));
  const { name, type, text } = record;
  const ttl = record.ttl ?? found?.ttl ?? defaultTtlSeconds;
  const records = (found?.records ?? []).includes(text) ? found!.records : [...(found?.records ?? []), text];
  return put(base, edits, { ...found, name, type, ttl, records });
}

export function setText(base: ReadonlyMap<string, RRsetText>, edits: Edits, row: Row, text: string): Edits {
  const records = row.set.records.map((each, at) => (at === row.place ? text : each));
  return put(base, edits, { ...row.set, records: [...new Set(records)] });
}

export function removeRow(base: ReadonlyMap<string, RRsetText>, edits: Edits, row: Row): Edits {
  const now = present(base, edits, keyOf(row.set)) ?? row.set;
  return put(base, edits, { ...now, records: now.records.filter((text) => text !== row.text) });
}

/** Restores a deleted record. */
export function restoreRow(base: ReadonlyMap<string, RRsetText>, edits: Edits, row: Row): Edits {
  const now = present(base, edits, keyOf(row.set)) ?? row.set;
  return put(base, edits, {
    ...now,
    ttl: now.records.length > 0 ? now.ttl : row.set.ttl,
    records: [...now.records, row.text],
  });
}

export function setTtl(base: ReadonlyMap<string, RRsetText>, edits: Edits, set: RRsetText, ttl: number): Edits {
  const now = present(base, edits, keyOf(set)) ?? set;
  return put(base, edits, { ...now, ttl });
}

/** Moves a record to another name or type. */
export function moveRow(
  base: ReadonlyMap<string, RRsetText>,
  edits: Edits,
  row: Row,
  to: { readonly name: Name; readonly type: string },
): Edits {
  if (keyOf(to) === keyOf(row.set)) return edits;
  const without = removeRow(base, edits, row);
  return addRecord(base, without, {
    ...to,
    ttl: present(base, without, keyOf(to))?.ttl ?? row.set.ttl,
    text: row.text,
  });
}

/** Reads a name as typed: relative, full with or without dot, or @. Returns the reason if it is invalid. */
export function ownerOf(text: string, origin: Name): { readonly name: Name } | { readonly reason: string } {
  const typed = readToken(text).text;
  const full = origin.slice(0, -1);
  const written =
    typed === '' ? '@' : typed.toLowerCase() === full || typed.toLowerCase().endsWith(`.${full}`) ? `${typed}.` : typed;
  try {
    return { name: parseName(written, { origin }) };
  } catch (error) {
    if (error instanceof NameError || error instanceof RecordError) return { reason: error.reason };
    throw error;
  }
}

export const shownOwner = (name: Name, origin: Name): string => relativeTo(name, origin);

export const commonTypes: readonly string[] = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'NS',
  'HTTPS',
  'SVCB',
  'TLSA',
  'SSHFP',
  'PTR',
  'DS',
];
const notWritten = new Set([
  'SOA',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'ZONEMD',
  'OPT',
  'TSIG',
  'TKEY',
  'ANY',
  'AXFR',
  'IXFR',
  'MAILA',
  'MAILB',
]);
export const otherTypes: readonly string[] = Object.keys(TYPE_CODES)
  .filter((type) => !commonTypes.includes(type) && !notWritten.has(type))
  .sort();
export const offeredTypes: readonly string[] = [...commonTypes, ...otherTypes];
