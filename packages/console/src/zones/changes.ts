import type { Name } from '@namehold/dns/editor';
import { afterEdits, type Edits, indexed, keyOf, type RRsetText, sameSet } from './draft.ts';

export interface Change {
  readonly name: Name;
  readonly type: string;
  readonly before: RRsetText | undefined;
  readonly after: RRsetText | undefined;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function changesOf(base: readonly RRsetText[], edits: Edits): Change[] {
  const known = indexed(base);
  return Object.entries(edits).flatMap(([key, set]) => {
    const before = known.get(key);
    if (before ? sameSet(before, set) : set.records.length === 0) return [];
    const after = set.records.length > 0 ? set : undefined;
    const isOtherTtl = before !== undefined && after !== undefined && before.ttl !== after.ttl;
    const [old, now] = [new Set(before?.records), new Set(after?.records)];
    const removed = [...old].filter((text) => isOtherTtl || !now.has(text));
    const added = [...now].filter((text) => isOtherTtl || !old.has(text));
    return [{ name: set.name, type: set.type, before, after, removed, added }];
  });
}

interface Counts {
  readonly changed: number;
  readonly added: number;
  readonly deleted: number;
}

/** Counts records; a replaced record is one change. */
export function countChanges(changes: readonly Change[]): Counts {
  const counts = { changed: 0, added: 0, deleted: 0 };
  for (const { removed, added } of changes) {
    const both = Math.min(removed.length, added.length);
    counts.changed += both;
    counts.added += added.length - both;
    counts.deleted += removed.length - both;
  }
  return counts;
}

type Loss = 'mail' | 'website' | 'nameservers' | 'much';

const muchShare = 0.3;
const littleZone = 4;

/** Losses that require typing the name: email, website, delegation or a large part of the zone. */
export function lossesOf(base: readonly RRsetText[], edits: Edits, origin: Name): Loss[] {
  const losses: Loss[] = [];
  const goes = (type: string) =>
    edits[`${origin} ${type}`]?.records.length === 0 && base.some((set) => set.name === origin && set.type === type);
  if (goes('MX')) losses.push('mail');
  const isSite = (set: RRsetText) => set.name === origin && ['A', 'AAAA', 'HTTPS'].includes(set.type);
  const after = afterEdits(base, edits);
  if (base.some(isSite) && !after.some(isSite)) losses.push('website');
  const nameservers = (sets: readonly RRsetText[]) =>
    sets.find((set) => set.name === origin && set.type === 'NS')?.records ?? [];
  const now = new Set(nameservers(after));
  if (nameservers(base).some((host) => !now.has(host))) losses.push('nameservers');
  const total = base.reduce((sum, set) => sum + set.records.length, 0);
  const { deleted } = countChanges(changesOf(base, edits));
  if (total > littleZone && deleted > total * muchShare) losses.push('much');
  return losses;
}

/** The request body with complete RRsets. */
export function bodyOf(edits: Edits): { name: string; type: string; ttl?: number; records: string[] }[] {
  return Object.values(edits).map(({ name, type, ttl, records }) =>
    records.length > 0 ? { name, type, ttl, records: [...records] } : { name, type, records: [] },
  );
}

/** How long resolvers can return old records, in seconds: the longest old TTL. */
export const cachedSeconds = (changes: readonly Change[]): number =>
  changes.reduce((most, { before, removed }) => (before && removed.length > 0 ? Math.max(most, before.ttl) : most), 0);

interface Conflict {
  readonly key: string;
  readonly base: RRsetText | undefined;
  readonly theirs: RRsetText | undefined;
  readonly mine: RRsetText | undefined;
}

export interface Merged {
  /** Without the conflicting RRsets. */
  readonly edits: Edits;
  readonly conflicts: readonly Conflict[];
}

/** Merges RRsets changed on one side only. Those changed differently on both sides are conflicts. */
export function merge(base: readonly RRsetText[], theirs: readonly RRsetText[], edits: Edits): Merged {
  const [before, present] = [indexed(base), indexed(theirs)];
  const merged: Record<string, RRsetText> = {};
  const conflicts: Conflict[] = [];
  for (const [key, mine] of Object.entries(edits)) {
    const [was, is] = [before.get(key), present.get(key)];
    const isDirty = was && is ? !sameSet(was, is) : was !== is;
    const isAgreed = is ? sameSet(is, mine) : mine.records.length === 0;
    if (isAgreed) continue;
    if (!isDirty) merged[key] = mine;
    else conflicts.push({ key, base: was, theirs: is, mine: mine.records.length > 0 ? mine : undefined });
  }
  return { edits: merged, conflicts };
}

/** The edits between two zone contents, for a rollback or a replaced zone file. */
export function editsBetween(from: readonly RRsetText[], to: readonly RRsetText[]): Edits {
  const wanted = indexed(to);
  const edits: Record<string, RRsetText> = {};
  const isOwners = (set: RRsetText) => set.managed_by === undefined && set.type !== 'SOA';
  for (const set of from.filter(isOwners)) {
    const now = wanted.get(keyOf(set));
    if (!now) edits[keyOf(set)] = { ...set, records: [] };
    else if (!sameSet(set, now)) edits[keyOf(set)] = now;
  }
  const known = indexed(from);
  for (const set of to.filter(isOwners)) if (!known.has(keyOf(set))) edits[keyOf(set)] = set;
  return edits;
}

/** The start and end of the part that differs. */
export function differing(
  a: string,
  b: string,
): { readonly head: string; readonly a: string; readonly b: string; readonly tail: string } {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let end = 0;
  while (end < a.length - from && end < b.length - from && a.at(-1 - end) === b.at(-1 - end)) end++;
  return {
    head: a.slice(0, from),
    a: a.slice(from, a.length - end),
    b: b.slice(from, b.length - end),
    tail: a.slice(a.length - end),
  };
}
