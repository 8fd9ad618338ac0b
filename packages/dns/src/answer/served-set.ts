import { CLASS } from '../code.ts';
import { lowerName, wireToName } from '../name.ts';
import type { RRset } from '../rrset.ts';
import { TYPE_CODES, typeCode } from '../type/type-code.ts';
import { type NameKey, nameKey } from './name-key.ts';

/** A name inside rdata: its key, and where it starts in the octets of the set. */
export interface SetTarget {
  readonly key: NameKey;
  readonly at: number;
}

/** An RRset ready to be copied into an answer. */
export interface ServedSet {
  readonly code: number;
  readonly ttl: number;
  /** Shared by all sets of a zone; this one is [from, to). */
  readonly slab: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** Where each record starts, counted from `from`. Each starts with a pointer to the question name. */
  readonly starts: readonly number[];
  /** Only for NS, CNAME and DNAME, whose names are followed. */
  readonly targets: readonly SetTarget[];
}

/** Pointer, type, class, TTL and rdata length. */
export const RECORD_HEAD_OCTETS = 12;
/** Where the question name stands in every message. */
export const QUESTION_NAME_AT = 12;
const QUESTION_POINTER = 0xc000 | QUESTION_NAME_AT;
const FOLLOWED = new Set<number>([TYPE_CODES.NS, TYPE_CODES.CNAME, TYPE_CODES.DNAME]);
const NO_TARGETS: readonly SetTarget[] = [];

export function servedOctets(rrset: RRset): number {
  return rrset.records.reduce((sum, record) => sum + RECORD_HEAD_OCTETS + record.wire.length, 0);
}

/** Writes the set into `slab` from `from` on. */
export function layOut(rrset: RRset, slab: Uint8Array, from: number): ServedSet {
  const code = typeCode(rrset.type);
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  const starts: number[] = [];
  const targets: SetTarget[] = [];
  let at = from;
  for (const { wire } of rrset.records) {
    starts.push(at - from);
    view.setUint16(at, QUESTION_POINTER);
    view.setUint16(at + 2, code);
    view.setUint16(at + 4, CLASS.IN);
    view.setUint32(at + 6, rrset.ttl);
    view.setUint16(at + 10, wire.length);
    slab.set(wire, at + RECORD_HEAD_OCTETS);
    if (FOLLOWED.has(code))
      targets.push({ key: nameKey(lowerName(wireToName(wire))), at: at - from + RECORD_HEAD_OCTETS });
    at += RECORD_HEAD_OCTETS + wire.length;
  }
  return { code, ttl: rrset.ttl, slab, from, to: at, starts, targets: FOLLOWED.has(code) ? targets : NO_TARGETS };
}
