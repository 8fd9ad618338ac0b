import { DnsError } from '../error.ts';
import type { Name } from '../name.ts';
import { decodeRdata } from '../record.ts';
import type { RRset } from '../rrset.ts';
import { TYPE_CODES, typeCode } from '../type/type-code.ts';
import { type NameKey, nameKey, parentKey } from './name-key.ts';
import { layOut, type ServedSet, servedOctets } from './served-set.ts';

let version = 1;

/** Increases with every change of any zone in this thread. Data of an older version may be out of date. */
export const zoneVersion = () => version;

export function zonesChanged(): void {
  version++;
}

/** A name that exists, with records or only with names below it (RFC 4592 2.2.2). */
export class ServedNode {
  readonly sets: ServedSet[] = [];
  childCount = 0;

  find(code: number): ServedSet | undefined {
    for (const set of this.sets) if (set.code === code) return set;
    return undefined;
  }
}

/** One zone in memory, prepared for answering. Changes take effect at once, between two answers. */
export class ServedZone {
  readonly origin: Name;
  readonly key: NameKey;
  readonly #nodes = new Map<NameKey, ServedNode>();
  /** Delegations and DNAMEs; without any, the path from the apex is not walked. */
  #cutCount = 0;
  #soa: ServedSet | undefined;
  #negativeSoa: ServedSet | undefined;
  #serial = 0;

  constructor(origin: Name, rrsets: Iterable<RRset>) {
    this.origin = origin;
    this.key = nameKey(origin);
    this.#nodes.set(this.key, new ServedNode());
    const all = [...rrsets];
    const slab = new Uint8Array(all.reduce((sum, rrset) => sum + servedOctets(rrset), 0));
    let at = 0;
    for (const rrset of all) {
      const set = layOut(rrset, this.key, slab, at);
      at = set.to;
      this.#place(rrset, set);
    }
    // Compressed names need less than was reserved.
    const exact = slab.slice(0, at);
    for (const node of this.#nodes.values()) for (const set of node.sets) if (set.slab === slab) set.slab = exact;
    if (!this.#soa) throw new DnsError(`zone ${origin} has no SOA`);
  }

  get serial(): number {
    return this.#serial;
  }

  get nameCount(): number {
    return this.#nodes.size;
  }

  get hasCuts(): boolean {
    return this.#cutCount > 0;
  }

  /** The SOA with the TTL of negative answers (RFC 2308 5). */
  get negativeSoa(): ServedSet {
    return this.#negativeSoa!;
  }

  node(key: NameKey): ServedNode | undefined {
    return this.#nodes.get(key);
  }

  /** Adds the RRset or replaces the one of its name and type. */
  put(rrset: RRset): void {
    zonesChanged();
    this.#place(rrset, layOut(rrset, this.key, new Uint8Array(servedOctets(rrset)), 0));
  }

  /** Removes an RRset and names that are then empty. The SOA can only be replaced. */
  remove(name: Name, type: string): void {
    zonesChanged();
    const code = typeCode(type);
    const key = nameKey(name);
    const node = this.#nodes.get(key);
    const at = node?.sets.findIndex((set) => set.code === code) ?? -1;
    if (!node || at < 0) return;
    if (code === TYPE_CODES.SOA && key === this.key) throw new DnsError('the SOA of a zone cannot be removed');
    node.sets.splice(at, 1);
    if (this.#isCut(key, code)) this.#cutCount--;
    this.#prune(key, node);
  }

  #place(rrset: RRset, set: ServedSet): void {
    const key = nameKey(rrset.name);
    const node = this.#nodeFor(key);
    const at = node.sets.findIndex((other) => other.code === set.code);
    if (at >= 0) node.sets[at] = set;
    else {
      node.sets.push(set);
      if (this.#isCut(key, set.code)) this.#cutCount++;
    }
    if (set.code === TYPE_CODES.SOA && key === this.key) this.#keepSoa(rrset, set);
  }

  #keepSoa(rrset: RRset, set: ServedSet): void {
    const { minimum, serial } = decodeRdata('SOA', rrset.records[0]!.wire);
    const negative = { ...rrset, ttl: Math.min(minimum, rrset.ttl) };
    this.#soa = set;
    this.#serial = serial;
    this.#negativeSoa = layOut(negative, this.key, new Uint8Array(servedOctets(negative)), 0);
  }

  #isCut(key: NameKey, code: number): boolean {
    return code === TYPE_CODES.DNAME || (code === TYPE_CODES.NS && key !== this.key);
  }

  #nodeFor(key: NameKey): ServedNode {
    const known = this.#nodes.get(key);
    if (known) return known;
    if (key.length <= this.key.length) throw new DnsError(`a name is not in the zone ${this.origin}`);
    const node = new ServedNode();
    const parent = this.#nodeFor(parentKey(key));
    parent.childCount++;
    this.#nodes.set(key, node);
    return node;
  }

  #prune(key: NameKey, node: ServedNode): void {
    if (node.sets.length > 0 || node.childCount > 0 || key === this.key) return;
    this.#nodes.delete(key);
    const above = parentKey(key);
    const parent = this.#nodes.get(above);
    if (!parent) return;
    parent.childCount--;
    this.#prune(above, parent);
  }
}
