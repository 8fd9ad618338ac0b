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
  /** `name type` of the RRset. */
  readonly key: string;
  /** The record; undefined for the whole RRset. */
  readonly place: number | undefined;
  readonly field: string;
  readonly reason: string;
}

interface CheckResult {
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

type Built = { readonly set: RRset; readonly warnings: readonly Problem[] } | { readonly errors: readonly Problem[] };

const checked = new WeakMap<RRsetText, { readonly origin: Name; readonly built: Built }>();

/** The server's check of one RRset, cached by identity. */
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

/** In larger zones, only the server checks rules between RRsets. */
const wholeZoneSets = 2_000;

/** Checks edited RRsets and the rules between RRsets of the resulting zone. */
export function checkDraft(base: readonly RRsetText[], edits: Edits, origin: Name): CheckResult {
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  for (const set of Object.values(edits)) {
    if (set.records.length === 0) continue;
    const built = checkSet(set, origin);
    if ('errors' in built) errors.push(...built.errors);
    else warnings.push(...built.warnings);
  }
  // Without edits there is nothing to report.
  const isChecked = Object.keys(edits).length > 0 && base.length <= wholeZoneSets;
  if (errors.length > 0 || !isChecked) return { errors, warnings };
  const after = afterEdits(base, edits);
  const sets = after.flatMap((set) => {
    const built = checkSet(set, origin);
    return 'set' in built ? [built.set] : [];
  });
  const touched = new Set(Object.values(edits).map((set) => set.name));
  const checkResult = checkZone(origin, sets);
  // The service creates a zone with its SOA and nameservers.
  const isGiven = ({ name, type }: { readonly name: Name; readonly type: string }) =>
    base.length === 0 && name === origin && (type === 'SOA' || type === 'NS');
  const toProblems = (problems: typeof checkResult.errors) =>
    problems
      .filter(({ name }) => touched.has(name))
      .map(({ name, type, reason }) => problemOf(keyOf({ name, type }), 'zone', reason));
  return {
    errors: [...errors, ...toProblems(checkResult.errors.filter((each) => !isGiven(each)))],
    warnings: [...warnings, ...toProblems(checkResult.warnings)],
  };
}

/** The resulting zone as a zone file. Unreadable records become comments. */
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

/** Reads edits from the zone file. Managed records and the SOA stay unchanged. */
export function fromFile(base: readonly RRsetText[], text: string, origin: Name) {
  const read = readZoneFile(text, { origin, defaultTtlSeconds: 3_600 });
  const managedSets = base.filter((set) => set.managed_by !== undefined || set.type === 'SOA');
  const fixed = new Set(managedSets.map(keyOf));
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
