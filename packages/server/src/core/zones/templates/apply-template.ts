import { buildRRset } from '@namehold/dns';
import type { Domain } from '../../domains/domain.ts';
import { badField, Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import { changeZone, type Edited } from '../change/change-zone.ts';
import type { ZoneDraft } from '../change/draft.ts';
import { inFields } from '../change/problems.ts';
import { rrsetLimits, zoneDefaults } from '../limits.ts';
import { applyEdits, nameEdits } from '../rrsets/edit-rrsets.ts';
import type { Expected } from '../tasks.ts';
import { type StoredRRset, zoneName } from '../zone.ts';
import { fillIn, type Value } from './fill-in.ts';
import type { ZoneTemplate } from './template.ts';
import { requireTemplate } from './templates.ts';

export const conflictWays = ['replace', 'merge', 'skip'] as const;
export type ConflictWay = (typeof conflictWays)[number];

export interface ApplyOrder {
  readonly templateId: string;
  readonly values: readonly Value[];
  /** For every conflict that `choices` does not name. */
  readonly onConflict?: ConflictWay | undefined;
  readonly choices: readonly { readonly name: string; readonly type: string; readonly way: ConflictWay }[];
  readonly expected?: Expected | undefined;
  readonly isDryRun: boolean;
  readonly comment?: string | undefined;
}

type Wanted = ReturnType<typeof nameEdits>[number];

/** The zone has something else where the template wants to write. */
export interface Conflict {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly string[];
  /** What is there: the same RRset, or an alias and whatever it does not stand beside. */
  readonly present: readonly StoredRRset[];
  /** Records can stand side by side. */
  readonly canMerge: boolean;
  /** Null: nobody has said yet. */
  readonly way: ConflictWay | null;
}

export interface Applied {
  readonly template: ZoneTemplate;
  readonly conflicts: readonly Conflict[];
}

/** One change of the zone, with one entry in its history. A conflict that nobody has decided about is refused, and shown by a dry run. */
export async function applyTemplate(
  house: House,
  actor: Actor,
  domain: Domain,
  order: ApplyOrder,
): Promise<Edited<Applied>> {
  const template = await requireTemplate(house, actor, order.templateId);
  const origin = zoneName(domain.name);
  const wanted = nameEdits(fillIn(template, domain.name, order.values), origin);
  const choices = readChoices(order, origin);
  const about = [...new Set(wanted.map(({ owner }) => owner))];
  const { expected, isDryRun } = order;
  const options = { kind: 'template', expected, about, isDryRun, comment: order.comment ?? template.name } as const;
  return changeZone(house, actor, domain, options, async (draft) => {
    await draft.load(about);
    const found = wanted.map((edit) => ({ edit, conflict: conflictOf(draft, edit, order.onConflict, choices) }));
    const conflicts = found.flatMap(({ conflict }) => conflict ?? []);
    const open = conflicts.filter(({ way }) => way === null);
    if (open.length > 0 && !isDryRun) throw undecided(open);
    for (const { conflict } of found) if (conflict?.way === 'replace') makeRoom(draft, conflict);
    applyEdits(
      draft,
      found.flatMap(({ edit, conflict }) => editFor(edit, conflict)),
    );
    return { template, conflicts };
  });
}

/** By `owner type`. */
function readChoices({ choices }: ApplyOrder, origin: string): ReadonlyMap<string, ConflictWay> {
  const named = nameEdits(
    choices.map(({ name, type }) => ({ name, type })),
    origin,
  );
  return new Map(named.map(({ owner, kind }, at) => [`${owner} ${kind}`, choices[at]!.way]));
}

function conflictOf(
  draft: ZoneDraft,
  edit: Wanted,
  onConflict: ConflictWay | undefined,
  choices: ReadonlyMap<string, ConflictWay>,
): Conflict | undefined {
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
  const canMerge = kind !== 'CNAME' && present.every(({ type }) => type === kind);
  const chosen = choices.get(`${owner} ${kind}`);
  if (chosen === 'merge' && !canMerge)
    throw badField('choices', `${owner} ${kind} cannot stand beside what is there: replace or skip`);
  const way = chosen ?? (onConflict === 'merge' && !canMerge ? undefined : onConflict) ?? null;
  return { name: owner, type: kind, ttl: rrset.ttl, records, present, canMerge, way };
}

/** RFC 1034 3.6.2: an alias stands alone. Of the same type what is there already is in nobody's way. */
function inTheWay(draft: ZoneDraft, owner: string, kind: string, records: readonly string[]): StoredRRset[] {
  const there = [...(draft.before().get(owner)?.values() ?? [])];
  return there.filter((set) => {
    if (set.type !== kind) return set.type === 'CNAME' || kind === 'CNAME';
    const texts = new Set(set.records.map(({ text }) => text));
    return texts.size !== records.length || records.some((text) => !texts.has(text));
  });
}

function undecided(open: readonly Conflict[]): Refusal {
  const [{ name, type }] = open as [Conflict];
  return new Refusal(
    'conflict',
    `${open.length} RRsets of the zone are in the way, the first ${name} ${type}: say replace, merge or skip`,
    { facts: { conflicts: open.map((each) => ({ name: each.name, type: each.type })) } },
  );
}

function makeRoom(draft: ZoneDraft, { name, type, present }: Conflict): void {
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

/** Of these a name may have one alone: a second SPF is an error for every receiver (RFC 7208 4.5), and so it is with the others. */
const alone = /^"(v=(?:spf1|DMARC1|STSv1|TLSRPTv1))(?=[ ;"])/i;

function mergeRecords(present: readonly string[], wanted: readonly string[]): string[] {
  const ofKind = (text: string) => alone.exec(text)?.[1]?.toLowerCase();
  const brought = new Set(wanted.flatMap((text) => ofKind(text) ?? []));
  const stay = present.filter((text) => !brought.has(ofKind(text) ?? ''));
  return [...new Set([...stay, ...wanted])];
}
