import { CLASS } from '../code.ts';
import type { RRset } from '../rrset.ts';
import { TYPE_CODES, typeCode } from '../type/type-code.ts';
import { type NameKey, ROOT_KEY } from './name-key.ts';

/** A name inside rdata: its key, and its position in the octets of the set. */
interface SetTarget {
  readonly key: NameKey;
  readonly at: number;
}

/** An RRset ready to be copied into an answer. */
export interface ServedSet {
  readonly code: number;
  readonly ttl: number;
  /** Shared by all sets of a zone; this one is [from, to). */
  slab: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** The start of each record relative to `from`. Each starts with a pointer to its owner. */
  readonly starts: readonly number[];
  /** Pointers inside rdata, in pairs: position and target, both relative to `from`; TO_ORIGIN: the zone's name. */
  readonly pointers: readonly number[];
  /** Only for NS, CNAME and DNAME, whose names are followed. */
  readonly targets: readonly SetTarget[];
}

export const TO_ORIGIN = -1;
/** Pointer, type, class, TTL and rdata length. */
const RECORD_HEAD_OCTETS = 12;
/** Position of the question name in every message. */
export const QUESTION_NAME_AT = 12;
const POINTER_BITS = 0xc0;
const FOLLOWED = new Set<number>([TYPE_CODES.NS, TYPE_CODES.CNAME, TYPE_CODES.DNAME]);
interface NamesInRdata {
  readonly before: number;
  readonly names: number;
}

/** RFC 3597 4: names are compressed only in types of RFC 1035. The number of octets before the names, and the number of names. */
const COMPRESSED = new Map<number, NamesInRdata>([
  [TYPE_CODES.NS, { before: 0, names: 1 }],
  [TYPE_CODES.CNAME, { before: 0, names: 1 }],
  [TYPE_CODES.PTR, { before: 0, names: 1 }],
  [TYPE_CODES.MX, { before: 2, names: 1 }],
  [TYPE_CODES.SOA, { before: 0, names: 2 }],
]);
const NONE: readonly never[] = [];
/** Shared by all sets with one record, which are the majority. */
const ONE_START: readonly number[] = [0];

/** The maximum size of a set. */
export function servedOctets(rrset: RRset): number {
  return rrset.records.reduce((sum, record) => sum + RECORD_HEAD_OCTETS + record.wire.length, 0);
}

/** Writes the set into `slab` at `from`. */
export function layOut(rrset: RRset, zone: NameKey, slab: Uint8Array, from: number): ServedSet {
  const code = typeCode(rrset.type);
  const layout = new Layout(slab, from, zone, COMPRESSED.get(code));
  for (const { wire } of rrset.records) layout.record(code, rrset.ttl, wire, FOLLOWED.has(code));
  const { starts, pointers, targets } = layout;
  return {
    code,
    ttl: rrset.ttl,
    slab,
    from,
    to: layout.at,
    starts: starts.length === 1 ? ONE_START : starts,
    pointers: pointers.length === 0 ? NONE : pointers,
    targets: targets.length === 0 ? NONE : targets,
  };
}

class Layout {
  readonly #slab: Uint8Array;
  readonly #from: number;
  readonly #zone: NameKey;
  readonly #compressed: NamesInRdata | undefined;
  readonly #seen = new Map<NameKey, number>();
  readonly starts: number[] = [];
  readonly pointers: number[] = [];
  readonly targets: SetTarget[] = [];
  at: number;

  constructor(slab: Uint8Array, from: number, zone: NameKey, compressed: NamesInRdata | undefined) {
    this.#slab = slab;
    this.#from = from;
    this.#zone = zone;
    this.#compressed = compressed;
    this.at = from;
  }

  record(code: number, ttl: number, wire: Uint8Array, isFollowed: boolean): void {
    const start = this.at;
    const view = new DataView(this.#slab.buffer, this.#slab.byteOffset, this.#slab.length);
    this.starts.push(start - this.#from);
    view.setUint16(start, (POINTER_BITS << 8) | QUESTION_NAME_AT);
    view.setUint16(start + 2, code);
    view.setUint16(start + 4, CLASS.IN);
    view.setUint32(start + 6, ttl);
    this.at = start + RECORD_HEAD_OCTETS;
    if (isFollowed) this.targets.push({ key: nameIn(wire, 0), at: this.at - this.#from });
    if (this.#compressed) this.#rdata(wire, this.#compressed);
    else this.#copy(wire);
    view.setUint16(start + 10, this.at - start - RECORD_HEAD_OCTETS);
  }

  #copy(octets: Uint8Array): void {
    this.#slab.set(octets, this.at);
    this.at += octets.length;
  }

  #rdata(wire: Uint8Array, { before, names }: NamesInRdata): void {
    this.#copy(wire.subarray(0, before));
    let from = before;
    for (let count = 0; count < names; count++) {
      const key = nameIn(wire, from);
      this.#name(wire.subarray(from, from + key.length), key);
      from += key.length;
    }
    this.#copy(wire.subarray(from));
  }

  #name(octets: Uint8Array, key: NameKey): void {
    for (let at = 0; ; at += octets[at]! + 1) {
      const rest = key.slice(at);
      if (rest === ROOT_KEY) {
        this.#copy(octets.subarray(at));
        return;
      }
      const to = rest === this.#zone ? TO_ORIGIN : this.#seen.get(rest);
      if (to !== undefined) {
        this.#pointer(to);
        return;
      }
      this.#seen.set(rest, this.at - this.#from);
      this.#copy(octets.subarray(at, at + octets[at]! + 1));
    }
  }

  #pointer(to: number): void {
    this.pointers.push(this.at - this.#from, to);
    this.#slab[this.at] = POINTER_BITS;
    this.#slab[this.at + 1] = 0;
    this.at += 2;
  }
}

/** The key of the uncompressed name that starts at `from`. */
function nameIn(wire: Uint8Array, from: number): NameKey {
  let end = from;
  while (wire[end] !== 0 && end < wire.length) end += wire[end]! + 1;
  return Buffer.from(wire.buffer, wire.byteOffset + from, end + 1 - from)
    .toString('latin1')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
