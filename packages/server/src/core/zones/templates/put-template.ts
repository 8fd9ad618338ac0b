import { buildRRset, checkRRset, type Name, type RRset } from '@namehold/dns';
import { badField } from '../../errors.ts';
import type { StoredRRset } from '../../model/zone.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { inFields } from '../change/problems.ts';
import { rrsetLimits, zoneDefaults } from '../limits.ts';
import { applyEdits, nameEdits } from '../rrsets/edit-rrsets.ts';
import type { TemplateRRset } from './template.ts';

export const conflictWays = ['replace', 'merge', 'skip'] as const;
export type ConflictWay = (typeof conflictWays)[number];

type Wanted = ReturnType<typeof nameEdits>[number];

/** The zone already has other records at a name of the template. */
export interface Conflict {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly string[];
  /** The existing records: the same RRset, or those that cannot coexist with a CNAME. */
  readonly present: readonly StoredRRset[];
  /** The records can be merged. */
  readonly canMerge: boolean;
  /** Null: not decided. */
  readonly way: ConflictWay | null;
}

export interface Decided {
  /** For every conflict that `choices` does not name. */
  readonly onConflict?: ConflictWay | undefined;
  /** By `owner type`, with the field of the request. */
  readonly choices: ReadonlyMap<string, { readonly way: ConflictWay; readonly field: string }>;
}

/** Puts the filled-in RRsets of a template on the draft. In an undecided conflict the existing records stay. Returns all conflicts. */
export async function putTemplate(
  draft: ZoneDraft,
  filled: readonly TemplateRRset[],
  decided: Decided,
): Promise<Conflict[]> {
  const wanted = nameEdits(filled, draft.zone.name);
  await draft.load(wanted.map(({ owner }) => owner));
  const found = wanted.map((edit) => ({ edit, conflict: conflictOf(draft, edit, decided) }));
  for (const { conflict } of found) if (conflict?.way === 'replace') removeConflicting(draft, conflict);
  applyEdits(
    draft,
    found.flatMap(({ edit, conflict }) => editFor(edit, conflict)),
  );
  return found.flatMap(({ conflict }) => conflict ?? []);
}

function conflictOf(draft: ZoneDraft, edit: Wanted, { onConflict, choices }: Decided): Conflict | undefined {
  const { owner, kind, field } = edit;
  const { rrset } = inFields(
    (part) => `${field}.${part}`,
    () =>
      buildRRset(
        { name: owner, type: kind, ttl: edit.ttl ?? zoneDefaults.ttlSeconds, records: edit.records ?? [] },
        { origin: draft.zone.name, dotless: 'absolute-if-dotted' },
        rrsetLimits,
      ),
  );
  const records = rrset.records.map(({ text }) => text);
  const present = inTheWay(draft, owner, kind, records);
  if (present.length === 0) return undefined;
  const canMerge = present.every(({ type }) => type === kind) && areCompatible(rrset, present, draft.zone.name);
  const chosen = choices.get(`${owner} ${kind}`);
  if (chosen?.way === 'merge' && !canMerge)
    throw badField(
      `${chosen.field}.way`,
      `${owner} ${kind} cannot coexist with the existing records. Send replace or skip.`,
    );
  const way = chosen?.way ?? (onConflict === 'merge' && !canMerge ? undefined : onConflict) ?? null;
  return { name: owner, type: kind, ttl: rrset.ttl, records, present, canMerge, way };
}

/** Refuses a second CNAME, and a null MX beside another MX (RFC 7505 3). */
function areCompatible(rrset: RRset, present: readonly RRset[], origin: Name): boolean {
  const there = present.flatMap(({ records }) => records);
  const texts = mergeRecords(
    there.map(({ text }) => text),
    rrset.records.map(({ text }) => text),
  );
  const byText = new Map([...there, ...rrset.records].map((record) => [record.text, record]));
  const records = texts.map((text) => byText.get(text)!);
  return checkRRset({ ...rrset, records }, origin, rrsetLimits).length === 0;
}

/** RFC 1034 3.6.2: a CNAME excludes all other types. Records of the same type conflict only if they differ. */
function inTheWay(draft: ZoneDraft, owner: string, kind: string, records: readonly string[]): StoredRRset[] {
  const there = [...(draft.before().get(owner)?.values() ?? [])];
  return there.filter((set) => {
    if (set.type !== kind) return set.type === 'CNAME' || kind === 'CNAME';
    const texts = new Set(set.records.map(({ text }) => text));
    return texts.size !== records.length || records.some((text) => !texts.has(text));
  });
}

function removeConflicting(draft: ZoneDraft, { name, type, present }: Conflict): void {
  for (const set of present) if (set.type !== type) draft.remove(name, set.type, 'rrsets');
}

function editFor(edit: Wanted, conflict: Conflict | undefined): Wanted[] {
  switch (conflict?.way) {
    case undefined:
    case 'replace':
      return [{ ...edit, action: 'replace' }];
    case 'merge': {
      const [{ ttl, records }] = conflict.present as [StoredRRset];
      const merged = mergeRecords(
        records.map(({ text }) => text),
        conflict.records,
      );
      return [{ ...edit, action: 'replace', ttl, records: merged }];
    }
    case 'skip':
    case null:
      return [];
  }
}

/** A name may have only one record of these: a second SPF is an error for every receiver (RFC 7208 4.5), likewise for the others. */
const alone = /^"(v=(?:spf1|DMARC1|STSv1|TLSRPTv1))(?=[ ;"])/i;

function mergeRecords(present: readonly string[], wanted: readonly string[]): string[] {
  const ofKind = (text: string) => alone.exec(text)?.[1]?.toLowerCase();
  const brought = new Set(wanted.flatMap((text) => ofKind(text) ?? []));
  const stay = present.filter((text) => !brought.has(ofKind(text) ?? ''));
  return [...new Set([...stay, ...wanted])];
}
