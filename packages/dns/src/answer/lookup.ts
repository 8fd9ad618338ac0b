import { RCODE } from '../code.ts';
import { MAX_NAME_OCTETS } from '../name.ts';
import { TYPE_CODES } from '../type/type-code.ts';
import { isBelow, type NameKey, parentKey, WILDCARD_LABEL } from './name-key.ts';
import type { ResponseBuffer } from './response.ts';
import { QUESTION_NAME_AT, type ServedSet } from './served-set.ts';
import type { ServedNode, ServedZone } from './served-zone.ts';

/** The limit of BIND (PowerDNS: 10, Knot: 5, NSD: all). The resolver follows a longer chain itself. */
const MAX_ALIAS_STEPS = 11;

/** The name that is being looked up, and its position in the answer. */
interface LookupTarget {
  readonly key: NameKey;
  readonly at: number;
}

/** RFC 4035 2.5: the only types allowed beside a CNAME. A query for one of them does not follow the alias. */
const BESIDE_ALIAS = new Set<number>([TYPE_CODES.NSEC, TYPE_CODES.RRSIG]);

/** RFC 1034 4.3.2 with RFC 4592 (wildcards) and RFC 6672 (DNAME): fills the answer. An alias is followed within its zone. */
export function lookup(zone: ServedZone, key: NameKey, type: number, out: ResponseBuffer): void {
  let target: LookupTarget | undefined = { key, at: QUESTION_NAME_AT };
  let seen: NameKey[] | undefined;
  out.authoritative = true;
  out.originAt = QUESTION_NAME_AT + key.length - zone.key.length;
  for (let step = 0; step <= MAX_ALIAS_STEPS; step++) {
    const from: NameKey = target.key;
    target = answerIn(zone, target, type, out, step > 0);
    if (!target || out.full || !isBelow(target.key, zone.key)) return;
    seen = [...(seen ?? []), from];
    if (seen.includes(target.key)) return;
  }
}

/** Returns the next name of an alias. */
function answerIn(
  zone: ServedZone,
  target: LookupTarget,
  type: number,
  out: ResponseBuffer,
  followed: boolean,
): LookupTarget | undefined {
  if (zone.hasCuts) {
    const cut = findCut(zone, target.key, type);
    if (cut?.set.code === TYPE_CODES.DNAME) return rename(zone, cut.key, cut.set, target, type, out);
    if (cut) {
      refer(zone, cut.key, cut.set, target, out, followed);
      return undefined;
    }
  }
  const node = zone.node(target.key) ?? findWildcard(zone, target.key);
  if (!node) {
    out.rcode = RCODE.NXDOMAIN;
    putNegative(zone, out);
    return undefined;
  }
  return answerFrom(zone, node, target, type, out);
}

/** The delegation or DNAME above the name that is nearest to the apex. */
function findCut(zone: ServedZone, key: NameKey, type: number): { key: NameKey; set: ServedSet } | undefined {
  const way: NameKey[] = [];
  for (let at = key; at.length >= zone.key.length; at = parentKey(at)) way.push(at);
  for (let index = way.length - 1; index >= 0; index--) {
    const at = way[index]!;
    const node = zone.node(at);
    if (!node) return undefined;
    const isQueryName = index === 0;
    const ns = at === zone.key ? undefined : node.find(TYPE_CODES.NS);
    // RFC 4035 3.1.4.1: the DS belongs to the parent's side of the delegation.
    if (ns && !(isQueryName && type === TYPE_CODES.DS)) return { key: at, set: ns };
    const dname = isQueryName ? undefined : node.find(TYPE_CODES.DNAME);
    if (dname) return { key: at, set: dname };
  }
  return undefined;
}

/** RFC 4592 3.3.1: only the wildcard directly below the closest existing name applies. */
function findWildcard(zone: ServedZone, key: NameKey): ServedNode | undefined {
  let encloser = parentKey(key);
  while (!zone.node(encloser)) encloser = parentKey(encloser);
  return zone.node(WILDCARD_LABEL + encloser);
}

function answerFrom(
  zone: ServedZone,
  node: ServedNode,
  target: LookupTarget,
  type: number,
  out: ResponseBuffer,
): LookupTarget | undefined {
  // RFC 8482 4.1: one RRset is enough for ANY.
  const set = type === TYPE_CODES.ANY ? node.sets[0] : node.find(type);
  if (set) {
    out.put('answer', set, target.at, target.key);
    return undefined;
  }
  const alias = node.find(TYPE_CODES.CNAME);
  if (!alias || BESIDE_ALIAS.has(type)) {
    putNegative(zone, out);
    return undefined;
  }
  const start = out.put('answer', alias, target.at, target.key);
  const aliased = alias.targets[0];
  return start < 0 || !aliased ? undefined : { key: aliased.key, at: start + aliased.at };
}

function putNegative(zone: ServedZone, out: ResponseBuffer): void {
  out.put('authority', zone.negativeSoa, out.originAt, zone.key);
}

function rename(
  zone: ServedZone,
  owner: NameKey,
  dname: ServedSet,
  target: LookupTarget,
  type: number,
  out: ResponseBuffer,
): LookupTarget | undefined {
  const ownerAt = owner === zone.key ? out.originAt : target.at + target.key.length - owner.length;
  if (out.put('answer', dname, ownerAt, owner) < 0) return undefined;
  const renamed = target.key.slice(0, target.key.length - owner.length) + dname.targets[0]!.key;
  if (renamed.length > MAX_NAME_OCTETS) {
    out.rcode = RCODE.YXDOMAIN;
    return undefined;
  }
  const inZone = isBelow(renamed, zone.key) ? renamed.length - zone.key.length : renamed.length;
  const at = out.putAlias(target.at, dname.ttl, renamed, inZone, TYPE_CODES.CNAME);
  // The query is for the alias itself.
  return at < 0 || type === TYPE_CODES.CNAME ? undefined : { key: renamed, at };
}

/** A referral: the NS of the delegation, and the addresses of its nameservers in this zone. */
function refer(
  zone: ServedZone,
  cut: NameKey,
  ns: ServedSet,
  target: LookupTarget,
  out: ResponseBuffer,
  followed: boolean,
): void {
  // After an alias of ours the answer stays authoritative for that alias.
  if (!followed) out.authoritative = false;
  const start = out.put('authority', ns, target.at + target.key.length - cut.length, cut);
  if (start < 0) return;
  for (const target of ns.targets) {
    if (!isBelow(target.key, zone.key)) continue;
    const node = zone.node(target.key);
    for (const code of [TYPE_CODES.A, TYPE_CODES.AAAA]) {
      const glue = node?.find(code);
      if (glue) out.put('additional', glue, start + target.at, target.key);
    }
  }
}
