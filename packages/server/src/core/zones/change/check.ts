import {
  checkZone,
  decodeRdata,
  isSubdomain,
  lowerName,
  type Name,
  parentOf,
  type RRset,
  type ZoneCheckResult,
  type ZoneProblem,
} from '@namehold/dns';
import { namesAbove, type RRsetMap } from '../../model/zone.ts';
import { pointersTo, someNameBelow } from '../rrsets/rrset.sql.ts';
import { soaRRset } from '../soa.ts';
import { rrsetsOf } from './diff.ts';
import type { ZoneDraft } from './draft.ts';

/**
 * Checks the rules between RRsets on the part of the zone that the edits can have broken. The check is exact without reading the rest: a
 * rule depends on a name, the names above it, the targets of its NS, MX, SRV and CNAME with what covers them, and the apex. So these are
 * read for every edited name. If an edit removes a host's address or makes it an alias, the names that point to it are read too.
 */
export async function checkDraft(draft: ZoneDraft): Promise<ZoneCheckResult> {
  const origin = draft.zone.name;
  if (draft.isWhole) return validate(draft, draft.after());
  const edited = new Set(
    draft
      .rewrites()
      .flatMap(({ before, after }) => [before?.name, after?.name])
      .filter((name) => name !== undefined),
  );
  await draft.load([origin, ...edited]);
  const focus = new Set([origin, ...edited, ...(await dependants(draft, edited))]);
  await draft.load(focus);
  await loadTargets(draft, focus);
  const findings = within(validate(draft, draft.after()), focus);
  if (findings.errors.length === 0) return findings;
  // An existing error, such as missing glue, does not forbid an edit that leaves it unchanged.
  const known = new Set(validate(draft, draft.before()).errors.map(spelled));
  return { errors: findings.errors.filter((problem) => !known.has(spelled(problem))), warnings: findings.warnings };
}

const spelled = (problem: ZoneProblem) => `${problem.name} ${problem.type} ${problem.reason}`;

function validate(draft: ZoneDraft, sets: RRsetMap): ZoneCheckResult {
  return checkZone(draft.zone.name, [soaRRset({ ...draft.zone, ...draft.soa }), ...rrsetsOf(sets)]);
}

function within(findings: ZoneCheckResult, names: ReadonlySet<Name>): ZoneCheckResult {
  return {
    errors: findings.errors.filter((problem) => names.has(problem.name)),
    warnings: findings.warnings.filter((problem) => names.has(problem.name)),
  };
}

async function loadTargets(draft: ZoneDraft, focus: ReadonlySet<Name>): Promise<void> {
  const origin = draft.zone.name;
  const after = draft.after();
  const wanted = new Set<Name>();
  for (const name of focus) {
    for (const set of after.get(name)?.values() ?? []) {
      for (const target of targetsOf(set)) {
        if (!isSubdomain(target, origin)) continue;
        wanted.add(target);
        for (const above of namesAbove(target, origin)) wanted.add(above).add(`*.${above}`);
      }
    }
  }
  await draft.load(wanted);
}

function targetsOf(set: RRset): Name[] {
  switch (set.type) {
    case 'NS':
    case 'CNAME':
      return set.records.map((record) => record.text);
    case 'MX':
      return set.records.map((record) => lowerName(decodeRdata('MX', record.wire).exchange));
    case 'SRV':
      return set.records.map((record) => lowerName(decodeRdata('SRV', record.wire).target));
    default:
      return [];
  }
}

const hasAddress = (sets: ReadonlyMap<string, RRset> | undefined) =>
  sets?.has('A') === true || sets?.has('AAAA') === true;

/** Names that the edits may have broken without editing them. */
async function dependants(draft: ZoneDraft, edited: ReadonlySet<Name>): Promise<Name[]> {
  const [before, after] = [draft.before(), draft.after()];
  const hosts: Name[] = [];
  const parents: Name[] = [];
  const affected: Name[] = [];
  for (const name of edited) {
    const [old, now] = [before.get(name), after.get(name)];
    const lostAddress = hasAddress(old) && !hasAddress(now);
    const becameAlias = now?.has('CNAME') === true && old?.has('CNAME') !== true;
    // A wildcard answers for a host only as long as there are no records at the host's own name.
    const leftWildcard = (old?.size ?? 0) === 0 && (now?.size ?? 0) > 0 && !hasAddress(now);
    if (lostAddress || becameAlias || leftWildcard) hosts.push(name);
    if (lostAddress && name.startsWith('*.')) parents.push(parentOf(name)!);
    if (now?.has('DNAME') === true && old?.has('DNAME') !== true) {
      const below = (await someNameBelow(draft.tx, draft.zone.id, name)) ?? undefined;
      if (below !== undefined) affected.push(below);
    }
  }
  if (hosts.length === 0) return affected;
  const pointers = await pointersTo(draft.tx, draft.zone.id, hosts, parents);
  return [...affected, ...pointers.map((set) => set.name)];
}
