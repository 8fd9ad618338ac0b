import {
  buildRRset,
  checkZone,
  type Name,
  NameError,
  RecordError,
  type RRset,
  RRsetError,
  readZoneFile,
  writeZoneFile,
} from '@namehold/dns/editor';
import { afterEdits, type Edits, keyOf, type RRsetText } from './draft.ts';

export interface Problem {
  /** `name type` of the RRset it is about. */
  readonly key: string;
  /** Which record; undefined: the RRset as a whole. */
  readonly place: number | undefined;
  readonly field: string;
  readonly reason: string;
}

export interface Verdict {
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const placed = /^records\[(\d+)\](?:\.(.+))?$/;

function problemOf(key: string, field: string, reason: string): Problem {
  const [, place, part] = placed.exec(field) ?? [];
  return place === undefined
    ? { key, place: undefined, field, reason }
    : { key, place: Number(place), field: part ?? 'data', reason };
}

export type Built =
  | { readonly set: RRset; readonly warnings: readonly Problem[] }
  | { readonly errors: readonly Problem[] };

const checked = new WeakMap<RRsetText, { readonly origin: Name; readonly built: Built }>();

/** The very check of the server, on one RRset. One that did not change is not checked again. */
export function checkSet(set: RRsetText, origin: Name): Built {
  const known = checked.get(set);
  if (known?.origin === origin) return known.built;
  const built = build(set, origin);
  checked.set(set, { origin, built });
  return built;
}

function build(set: RRsetText, origin: Name): Built {
  const key = keyOf(set);
  try {
    const { rrset, warnings } = buildRRset(
      { name: set.name, type: set.type, ttl: set.ttl, records: set.records },
      { origin, dotless: 'absolute-if-dotted' },
    );
    return { set: rrset, warnings: warnings.map(({ field, reason }) => problemOf(key, field, reason)) };
  } catch (error) {
    if (error instanceof RRsetError)
      return { errors: error.problems.map(({ field, reason }) => problemOf(key, field, reason)) };
    if (error instanceof RecordError) return { errors: [problemOf(key, error.field, error.reason)] };
    if (error instanceof NameError) return { errors: [problemOf(key, 'name', error.reason)] };
    throw error;
  }
}

/** Beyond this the rules between RRsets are left to the server's dry run: they read the whole zone. */
const wholeZoneSets = 2_000;

/** Everything that is edited, and the rules between RRsets of the zone as it would be. */
export function checkDraft(base: readonly RRsetText[], edits: Edits, origin: Name): Verdict {
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  for (const set of Object.values(edits)) {
    if (set.records.length === 0) continue;
    const built = checkSet(set, origin);
    if ('errors' in built) errors.push(...built.errors);
    else warnings.push(...built.warnings);
  }
  // Nothing is edited: nothing to say about it.
  const isJudged = Object.keys(edits).length > 0 && base.length <= wholeZoneSets;
  if (errors.length > 0 || !isJudged) return { errors, warnings };
  const after = afterEdits(base, edits);
  const sets = after.flatMap((set) => {
    const built = checkSet(set, origin);
    return 'set' in built ? [built.set] : [];
  });
  const touched = new Set(Object.values(edits).map((set) => set.name));
  const verdict = checkZone(origin, sets);
  const told = (problems: typeof verdict.errors) =>
    problems
      .filter(({ name }) => touched.has(name))
      .map(({ name, type, reason }) => problemOf(keyOf({ name, type }), 'zone', reason));
  return { errors: [...errors, ...told(verdict.errors)], warnings: [...warnings, ...told(verdict.warnings)] };
}

/** The zone as it would be, as a zone file. What cannot be read yet stands in it as a comment. */
export function asFile(base: readonly RRsetText[], edits: Edits, origin: Name): string {
  const good: RRset[] = [];
  const bad: string[] = [];
  for (const set of afterEdits(base, edits)) {
    const built = checkSet(set, origin);
    if ('set' in built) good.push(built.set);
    else bad.push(...set.records.map((text) => `; not read: ${set.name} ${set.ttl} IN ${set.type} ${text}`));
  }
  return writeZoneFile(origin, good) + bad.map((line) => `${line}\n`).join('');
}

/** From the text view back to edits. What services keep and the SOA are not the owner's to write, and stay. */
export function fromFile(base: readonly RRsetText[], text: string, origin: Name) {
  const read = readZoneFile(text, { origin, defaultTtlSeconds: 3_600 });
  const kept = base.filter((set) => set.managed_by !== undefined || set.type === 'SOA');
  const fixed = new Set(kept.map(keyOf));
  const wanted = new Map<string, RRsetText>();
  for (const set of read.rrsets) {
    if (fixed.has(keyOf(set)) || set.type === 'SOA') continue;
    wanted.set(keyOf(set), {
      name: set.name,
      type: set.type,
      ttl: set.ttl,
      records: set.records.map((record) => record.text),
    });
  }
  const edits: Record<string, RRsetText> = Object.fromEntries(wanted);
  for (const set of base) {
    const key = keyOf(set);
    if (!fixed.has(key) && !wanted.has(key)) edits[key] = { ...set, records: [] };
  }
  return { edits: edits as Edits, errors: read.errors, warnings: read.warnings };
}
