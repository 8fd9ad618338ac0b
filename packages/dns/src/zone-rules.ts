import { isSubdomain, labelsOf, lowerName, type Name, parentOf, ROOT } from './name.ts';
import { canonicalKey } from './name-order.ts';
import { decodeRdata } from './record.ts';
import type { RRset } from './rrset.ts';

/** A conflict between RRsets of one zone, and its location. */
export interface ZoneProblem {
  readonly name: Name;
  readonly type: string;
  readonly reason: string;
}

export interface ZoneCheckResult {
  readonly errors: readonly ZoneProblem[];
  readonly warnings: readonly ZoneProblem[];
}

interface ZoneRuleOptions {
  readonly minApexNameservers: number;
}

const DEFAULT_ZONE_RULES: ZoneRuleOptions = { minApexNameservers: 1 };

// RFC 4035 2.5: only these are allowed beside a CNAME.
const BESIDE_CNAME = new Set(['CNAME', 'RRSIG', 'NSEC']);
const AT_DELEGATION = new Set(['NS', 'DS', 'RRSIG', 'NSEC']);
const APEX_ONLY = new Set(['SOA', 'DNSKEY', 'CDS', 'CDNSKEY', 'NSEC3PARAM', 'CSYNC', 'ZONEMD']);

type Sets = Map<string, RRset>;

/** A name in a sentence, without the final dot. */
const plain = (name: Name) => (name === ROOT ? name : name.slice(0, -1));

class ZoneView {
  readonly origin: Name;
  readonly names = new Map<Name, Sets>();
  readonly errors: ZoneProblem[] = [];
  readonly warnings: ZoneProblem[] = [];
  #existing: Set<Name> | undefined;

  constructor(origin: Name) {
    this.origin = origin;
  }

  refuse(name: Name, type: string, reason: string): void {
    this.errors.push({ name, type, reason });
  }

  warn(name: Name, type: string, reason: string): void {
    this.warnings.push({ name, type, reason });
  }

  /** The closest name above `name` and below the origin with one of these types, if any. */
  above(name: Name, type: string): Name | undefined {
    let at = parentOf(name);
    while (at !== undefined && at !== this.origin && at !== ROOT) {
      if (this.names.get(at)?.has(type)) return at;
      at = parentOf(at);
    }
    return undefined;
  }

  /** RFC 4592 3.3: a name that does not exist is answered by the wildcard directly below the closest existing name above it. */
  wildcardFor(name: Name): Sets | undefined {
    const existing = this.#whatExists();
    if (existing.has(name)) return undefined;
    for (let at = parentOf(name); at !== undefined; at = parentOf(at))
      if (existing.has(at)) return this.names.get(at === ROOT ? '*.' : `*.${at}`);
    return undefined;
  }

  /** Names with records, and the empty names above them. */
  #whatExists(): Set<Name> {
    if (this.#existing) return this.#existing;
    const existing = new Set([this.origin]);
    for (const name of this.names.keys())
      for (let at: Name | undefined = name; at !== undefined && !existing.has(at); at = parentOf(at)) existing.add(at);
    this.#existing = existing;
    return existing;
  }
}

/** Checks all RRsets of one zone for RFC 1034 4.2, RFC 2181 and conflicts that nameservers refuse to load. Pure and linear. */
export function checkZone(
  origin: Name,
  rrsets: Iterable<RRset>,
  options: ZoneRuleOptions = DEFAULT_ZONE_RULES,
): ZoneCheckResult {
  const zone = new ZoneView(origin);
  for (const rrset of rrsets) place(zone, rrset);
  checkApex(zone, options);
  for (const [name, sets] of zone.names) {
    checkName(zone, name, sets);
    checkHidden(zone, name, sets);
    checkTargets(zone, name, sets);
  }
  return { errors: byName(zone.errors), warnings: byName(zone.warnings) };
}

/** The key of each name is computed once: a large zone can have as many problems as names. */
function byName(problems: readonly ZoneProblem[]): ZoneProblem[] {
  const keyed = problems.map((problem) => ({ problem, key: canonicalKey(problem.name) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ problem }) => problem);
}

function place(zone: ZoneView, rrset: RRset): void {
  if (!isSubdomain(rrset.name, zone.origin)) {
    zone.refuse(rrset.name, rrset.type, `The name is not in the zone ${plain(zone.origin)}.`);
    return;
  }
  let sets = zone.names.get(rrset.name);
  if (!sets) {
    sets = new Map();
    zone.names.set(rrset.name, sets);
  }
  if (sets.has(rrset.type)) zone.refuse(rrset.name, rrset.type, 'The record set is a duplicate.');
  sets.set(rrset.type, rrset);
}

function checkApex(zone: ZoneView, options: ZoneRuleOptions): void {
  const apex: Sets = zone.names.get(zone.origin) ?? new Map<string, RRset>();
  const soaCount = apex.get('SOA')?.records.length ?? 0;
  if (soaCount !== 1) zone.refuse(zone.origin, 'SOA', `The zone needs exactly one SOA record and has ${soaCount}.`);
  const nsCount = apex.get('NS')?.records.length ?? 0;
  if (nsCount < options.minApexNameservers) {
    const reason = `The domain itself has too few nameservers (${nsCount}, at least ${options.minApexNameservers}).`;
    zone.refuse(zone.origin, 'NS', reason);
  } else if (nsCount === 1) zone.warn(zone.origin, 'NS', 'The zone has only one nameserver. Two are recommended.');
  if (apex.has('CNAME')) {
    zone.refuse(
      zone.origin,
      'CNAME',
      'A CNAME is not allowed at the domain itself (@). Use A and AAAA records, or an HTTPS record.',
    );
  }
  if (apex.has('DS')) zone.refuse(zone.origin, 'DS', 'DS records of a zone belong in its parent zone.');
}

function checkName(zone: ZoneView, name: Name, sets: Sets): void {
  const labels = labelsOf(name);
  if (sets.has('CNAME') && name !== zone.origin) {
    const other = [...sets.keys()].find((type) => !BESIDE_CNAME.has(type));
    if (other !== undefined) {
      const reason = `This name also has records of type ${other}. A name with a CNAME cannot have other records.`;
      zone.refuse(name, 'CNAME', reason);
    }
  }
  for (const type of ['CNAME', 'DNAME']) {
    if ((sets.get(type)?.records.length ?? 0) > 1)
      zone.refuse(name, type, `Only one ${type} record is allowed per name.`);
  }
  if (name !== zone.origin) {
    for (const type of sets.keys())
      if (APEX_ONLY.has(type)) zone.refuse(name, type, `${type} records are allowed only at the domain itself (@).`);
    if (sets.has('DS') && !sets.has('NS'))
      zone.refuse(name, 'DS', 'A DS record is allowed only at a delegation. This name has no NS record.');
    if (sets.has('NS') && sets.has('DNAME'))
      zone.refuse(name, 'DNAME', 'A DNAME is not allowed at a delegation (a name with NS records).');
  }
  // RFC 4592 4.2 and 4.4: a wildcard NS or DNAME is undefined; BIND refuses the zone.
  if (labels[0] === '*') {
    for (const type of ['NS', 'DNAME', 'DS'])
      if (sets.has(type)) zone.refuse(name, type, `A wildcard name cannot have ${type} records.`);
  }
}

/** Records below a delegation or a DNAME are never answered. */
function checkHidden(zone: ZoneView, name: Name, sets: Sets): void {
  if (name === zone.origin) return;
  const dname = zone.above(name, 'DNAME') ?? (zone.names.get(zone.origin)?.has('DNAME') ? zone.origin : undefined);
  if (dname !== undefined) {
    // RFC 6672 2.4
    for (const type of sets.keys())
      zone.refuse(name, type, `No records are allowed below the DNAME of ${plain(dname)}.`);
    return;
  }
  const cut = zone.above(name, 'NS');
  for (const type of sets.keys()) {
    const glue = type === 'A' || type === 'AAAA';
    if (cut !== undefined && !glue)
      zone.warn(name, type, `The record is hidden below the delegation of ${plain(cut)}.`);
    else if (sets.has('NS') && !AT_DELEGATION.has(type) && !glue)
      zone.warn(name, type, 'The record is hidden by the delegation of this name.');
  }
}

function checkTargets(zone: ZoneView, name: Name, sets: Sets): void {
  for (const record of sets.get('MX')?.records ?? []) {
    checkHostTarget(zone, name, 'MX', lowerName(decodeRdata('MX', record.wire).exchange));
  }
  for (const record of sets.get('SRV')?.records ?? []) {
    const target = lowerName(decodeRdata('SRV', record.wire).target);
    if (isAlias(zone, target))
      zone.warn(name, 'SRV', `The target ${plain(target)} is a CNAME. Enter the name that it refers to.`);
  }
  for (const record of sets.get('NS')?.records ?? []) {
    checkHostTarget(zone, name, 'NS', lowerName(decodeRdata('NS', record.wire).target));
  }
  const target = sets.get('CNAME')?.records[0]?.text;
  if (target === undefined || !isSubdomain(target, zone.origin)) return;
  if (isAlias(zone, target)) zone.warn(name, 'CNAME', `The target ${plain(target)} is a CNAME too (a chain).`);
  else if (!covered(zone, target)) zone.warn(name, 'CNAME', `The target ${plain(target)} does not exist in the zone.`);
}

function isAlias(zone: ZoneView, target: Name): boolean {
  return zone.names.get(target)?.has('CNAME') === true;
}

/** Whether a record answers for the name: its own, a wildcard's, or a delegation above. */
function covered(zone: ZoneView, target: Name): boolean {
  return zone.names.has(target) || zone.above(target, 'NS') !== undefined || zone.wildcardFor(target) !== undefined;
}

function checkHostTarget(zone: ZoneView, name: Name, type: 'MX' | 'NS', target: Name): void {
  if (target === ROOT) return;
  if (/^\d+\.\d+\.\d+\.\d+\.$/.test(target)) {
    zone.refuse(name, type, `${plain(target)} is an IP address. Enter a host name.`);
    return;
  }
  if (!isSubdomain(target, zone.origin)) return;
  // RFC 2181 10.3: mail and delegation do not follow aliases.
  if (isAlias(zone, target)) {
    zone.refuse(name, type, `${plain(target)} is a CNAME. Enter the name that it refers to.`);
    return;
  }
  const here = zone.names.get(target);
  if (here?.has('A') || here?.has('AAAA') || wildcardAddress(zone, target)) return;
  const reason =
    type === 'MX'
      ? `The mail server ${plain(target)} has no A or AAAA record, so email cannot be delivered.`
      : `The nameserver ${plain(target)} has no A or AAAA record.`;
  if (type === 'NS' && isGlueNeeded(zone, name, target)) zone.refuse(name, type, reason);
  else if (type === 'NS') zone.warn(name, type, `${reason} The delegated zone must define it.`);
  else if (here?.has('NS') !== true && zone.above(target, 'NS') === undefined) zone.warn(name, type, reason);
}

const isCut = (zone: ZoneView, name: Name) => name !== zone.origin && zone.names.get(name)?.has('NS') === true;

/** Not if the nameserver is below another delegation, which is responsible for its address, nor if the delegation itself is hidden. */
function isGlueNeeded(zone: ZoneView, name: Name, target: Name): boolean {
  if (zone.above(name, 'NS') !== undefined) return false;
  if (name === zone.origin || isSubdomain(target, name)) return true;
  return zone.above(target, 'NS') === undefined && !isCut(zone, target);
}

function wildcardAddress(zone: ZoneView, target: Name): boolean {
  const wildcard = zone.wildcardFor(target);
  return wildcard?.has('A') === true || wildcard?.has('AAAA') === true;
}
