import { DEFAULT_UDP_PAYLOAD_OCTETS, OPT_CODE } from '../edns.ts';
import { MAX_MESSAGE_OCTETS } from '../wire.ts';
import type { NameKey } from './name-key.ts';
import type { QueryView } from './query-view.ts';
import type { ServedSet } from './served-set.ts';

const MAX_POINTER_TARGET = 0x3fff;
const OPT_OCTETS = 11;
const RECORD_FIXED_OCTETS = 10;
const RESPONSE_BIT = 0x8000;
const AUTHORITATIVE_BIT = 0x0400;
const TRUNCATED_BIT = 0x0200;
/** Opcode, RD and CD are repeated from the request. */
const KEPT_BITS = 0x7910;

export type Section = 'answer' | 'authority' | 'additional';
const COUNT_AT: Readonly<Record<Section, number>> = { answer: 6, authority: 8, additional: 10 };

/** Builds one answer in a buffer that is used again for the next; nothing here waits, so no two answers meet. */
export class ResponseBuffer {
  readonly #octets = Buffer.alloc(MAX_MESSAGE_OCTETS);
  #at = 0;
  #limitOctets = 0;
  #questionEnd = 0;
  #view: QueryView | undefined;
  #full = false;
  authoritative = false;
  rcode = 0;

  start(request: Uint8Array, view: QueryView, limitOctets: number): void {
    this.#view = view;
    this.#limitOctets = limitOctets - (view.edns ? OPT_OCTETS : 0);
    this.#questionEnd = view.questionEnd;
    this.#octets.set(request.subarray(0, view.questionEnd));
    this.#octets.fill(0, 6, 12);
    this.#at = view.questionEnd;
    this.#full = false;
    this.authoritative = false;
    this.rcode = 0;
  }

  get full(): boolean {
    return this.#full;
  }

  #room(octets: number): boolean {
    if (this.#at + octets <= this.#limitOctets) return true;
    this.#full = true;
    return false;
  }

  #count(section: Section, records: number): void {
    const at = COUNT_AT[section];
    this.#octets.writeUInt16BE(this.#octets.readUInt16BE(at) + records, at);
  }

  /** Copies a set under the owner that stands at `ownerAt` in this message. Gives where the set starts, -1 when full. */
  put(section: Section, set: ServedSet, ownerAt: number, ownerKey: NameKey): number {
    if (ownerAt > MAX_POINTER_TARGET) return this.#putInFull(section, set, ownerKey);
    const length = set.to - set.from;
    if (!this.#room(length)) return -1;
    const start = this.#at;
    this.#octets.set(set.slab.subarray(set.from, set.to), start);
    for (const recordAt of set.starts) this.#octets.writeUInt16BE(0xc000 | ownerAt, start + recordAt);
    this.#at = start + length;
    this.#count(section, set.starts.length);
    return start;
  }

  #putInFull(section: Section, set: ServedSet, ownerKey: NameKey): number {
    const extra = (ownerKey.length - 2) * set.starts.length;
    if (!this.#room(set.to - set.from + extra)) return -1;
    set.starts.forEach((recordAt, index) => {
      this.#at += this.#octets.write(ownerKey, this.#at, 'latin1');
      const end = set.starts[index + 1] ?? set.to - set.from;
      this.#octets.set(set.slab.subarray(set.from + recordAt + 2, set.from + end), this.#at);
      this.#at += end - recordAt - 2;
    });
    this.#count(section, set.starts.length);
    return this.#at;
  }

  /** A CNAME that a DNAME gives rise to. Gives where its target stands, -1 when full. */
  putAlias(ownerAt: number, ttl: number, target: NameKey, cnameCode: number): number {
    if (ownerAt > MAX_POINTER_TARGET || !this.#room(2 + RECORD_FIXED_OCTETS + target.length)) {
      this.#full = true;
      return -1;
    }
    const start = this.#at;
    this.#octets.writeUInt16BE(0xc000 | ownerAt, start);
    this.#octets.writeUInt16BE(cnameCode, start + 2);
    this.#octets.writeUInt16BE(1, start + 4);
    this.#octets.writeUInt32BE(ttl, start + 6);
    this.#octets.writeUInt16BE(target.length, start + 10);
    this.#octets.write(target, start + 12, 'latin1');
    this.#at = start + 12 + target.length;
    this.#count('answer', 1);
    return start + 12;
  }

  /** Header and OPT; what did not fit leaves an empty answer with TC (RFC 2181 9). A fresh copy. */
  finish(): Buffer {
    const view = this.#view!;
    if (this.#full) {
      this.#at = this.#questionEnd;
      this.#octets.fill(0, 6, 12);
    }
    const bits = RESPONSE_BIT | (view.flagBits & KEPT_BITS) | (this.rcode & 15);
    const extra = (this.authoritative ? AUTHORITATIVE_BIT : 0) | (this.#full ? TRUNCATED_BIT : 0);
    this.#octets.writeUInt16BE(bits | extra, 2);
    if (view.edns) this.#putOpt(view.edns.dnssecOk);
    return Buffer.from(this.#octets.subarray(0, this.#at));
  }

  #putOpt(dnssecOk: boolean): void {
    const at = this.#at;
    this.#octets[at] = 0;
    this.#octets.writeUInt16BE(OPT_CODE, at + 1);
    this.#octets.writeUInt16BE(DEFAULT_UDP_PAYLOAD_OCTETS, at + 3);
    this.#octets[at + 5] = this.rcode >> 4;
    this.#octets[at + 6] = 0;
    // RFC 3225 3: the DO bit is repeated.
    this.#octets.writeUInt16BE(dnssecOk ? 0x8000 : 0, at + 7);
    this.#octets.writeUInt16BE(0, at + 9);
    this.#at = at + OPT_OCTETS;
    this.#count('additional', 1);
  }
}
