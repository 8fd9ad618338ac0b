import { DEFAULT_UDP_PAYLOAD_OCTETS, EDNS_COOKIE, EDNS_KEEPALIVE, EDNS_NSID, OPT_CODE } from '../edns.ts';
import { MAX_MESSAGE_OCTETS } from '../wire.ts';
import type { NameKey } from './name-key.ts';
import type { QueryView } from './query-view.ts';
import { type ServedSet, TO_ORIGIN } from './served-set.ts';

const MAX_POINTER_TARGET = 0x3fff;
const POINTER = 0xc000;
const HEADER_OCTETS = 12;
const OPT_OCTETS = 11;
const OPTION_HEAD_OCTETS = 4;
const RECORD_FIXED_OCTETS = 10;
const RESPONSE_BIT = 0x8000;
const AUTHORITATIVE_BIT = 0x0400;
const TRUNCATED_BIT = 0x0200;
/** Opcode and RD are copied from the request. RFC 4035 3.1.6: an authoritative answer has CD clear. */
const KEPT_BITS = 0x7900;

type Section = 'answer' | 'authority' | 'additional';
const COUNT_AT: Readonly<Record<Section, number>> = { answer: 6, authority: 8, additional: 10 };
/** A position beyond the range of compression pointers. */
const OUT_OF_REACH = MAX_POINTER_TARGET + 1;

/** Builds one answer in a buffer that is reused. The code is synchronous, so two answers never overlap. */
export class ResponseBuffer {
  readonly #octets = Buffer.alloc(MAX_MESSAGE_OCTETS);
  #at = 0;
  #limitOctets = 0;
  #questionEnd = 0;
  #view: QueryView | undefined;
  #full = false;
  authoritative = false;
  rcode = 0;
  /** Position of the zone's name, to which names in rdata end in a pointer. */
  originAt = 0;
  cookie: Uint8Array | undefined;
  /** RFC 7828: sent to clients over TCP, in units of 100 ms. */
  keepalive: number | undefined;
  /** RFC 5001: identifies the server that answered. */
  nsid: Uint8Array | undefined;

  start(request: Uint8Array, view: QueryView, limitOctets: number): void {
    this.#view = view;
    this.cookie = undefined;
    this.keepalive = undefined;
    this.nsid = undefined;
    this.#limitOctets = limitOctets - (view.hasEdns ? OPT_OCTETS : 0);
    this.#questionEnd = view.questionEnd;
    for (let at = 0; at < view.questionEnd; at++) this.#octets[at] = request[at]!;
    this.#octets.fill(0, 6, 12);
    this.#at = view.questionEnd;
    this.#full = false;
    this.authoritative = false;
    this.rcode = 0;
  }

  /** Reserves room for the EDNS options; call before adding records. */
  reserve(octets: number): void {
    this.#limitOctets -= OPTION_HEAD_OCTETS + octets;
  }

  get full(): boolean {
    return this.#full;
  }

  /** Leaves an answer with TC only, so that the client retries over TCP. */
  truncate(): void {
    this.#full = true;
  }

  count(section: Section): number {
    return this.#octets.readUInt16BE(COUNT_AT[section]);
  }

  #hasSpace(octets: number): boolean {
    if (this.#at + octets <= this.#limitOctets) return true;
    this.#full = true;
    return false;
  }

  #count(section: Section, records: number): void {
    const at = COUNT_AT[section];
    this.#octets.writeUInt16BE(this.#octets.readUInt16BE(at) + records, at);
  }

  /** Copies a set below the owner at position `ownerAt`. Returns the start of the set, -1 if the message is full. */
  put(section: Section, set: ServedSet, ownerAt: number, ownerKey: NameKey): number {
    const start = this.#at;
    const length = set.to - set.from;
    const reaches = set.pointers.length === 0 || start + length <= MAX_POINTER_TARGET;
    if (ownerAt > MAX_POINTER_TARGET || !reaches) return this.#putInFull(section, set, ownerAt, ownerKey);
    if (!this.#hasSpace(length)) return -1;
    this.#octets.set(set.slab.subarray(set.from, set.to), start);
    for (const recordAt of set.starts) this.#octets.writeUInt16BE(POINTER | ownerAt, start + recordAt);
    for (let at = 0; at < set.pointers.length; at += 2) {
      const to = set.pointers[at + 1]!;
      this.#octets.writeUInt16BE(POINTER | (to === TO_ORIGIN ? this.originAt : start + to), start + set.pointers[at]!);
    }
    this.#at = start + length;
    this.#count(section, set.starts.length);
    return start;
  }

  /** Beyond the range of compression pointers, which only answers over TCP reach. */
  #putInFull(section: Section, set: ServedSet, ownerAt: number, ownerKey: NameKey): number {
    const before = this.#at;
    const owner = Buffer.from(ownerKey, 'latin1');
    const isFitting = set.starts.every((recordAt, index) => {
      const end = set.starts[index + 1] ?? set.to - set.from;
      const hasOwner = ownerAt > MAX_POINTER_TARGET ? this.#append(owner) : this.#appendPointer(ownerAt);
      const fixedAt = this.#at;
      if (!hasOwner || !this.#append(octetsOf(set, recordAt + 2, recordAt + 2 + RECORD_FIXED_OCTETS))) return false;
      if (!this.#appendExpanded(set, recordAt + 2 + RECORD_FIXED_OCTETS, end)) return false;
      this.#octets.writeUInt16BE(this.#at - fixedAt - RECORD_FIXED_OCTETS, fixedAt + 8);
      return true;
    });
    if (!isFitting) {
      this.#at = before;
      return -1;
    }
    this.#count(section, set.starts.length);
    return OUT_OF_REACH;
  }

  #append(octets: Uint8Array): boolean {
    if (!this.#hasSpace(octets.length)) return false;
    this.#octets.set(octets, this.#at);
    this.#at += octets.length;
    return true;
  }

  #appendPointer(to: number): boolean {
    if (!this.#hasSpace(2)) return false;
    this.#octets.writeUInt16BE(POINTER | to, this.#at);
    this.#at += 2;
    return true;
  }

  /** Octets of a set without compression pointers. */
  #appendExpanded(set: ServedSet, from: number, end: number): boolean {
    let done = from;
    for (let at = 0; at < set.pointers.length; at += 2) {
      const pointerAt = set.pointers[at]!;
      if (pointerAt < done || pointerAt >= end) continue;
      if (!this.#append(octetsOf(set, done, pointerAt)) || !this.#appendName(set, set.pointers[at + 1]!)) return false;
      done = pointerAt + 2;
    }
    return this.#append(octetsOf(set, done, end));
  }

  #appendName(set: ServedSet, to: number): boolean {
    if (to === TO_ORIGIN) return this.#appendPointer(this.originAt);
    for (let at = to; ; ) {
      const length = set.slab[set.from + at]!;
      // A label's length is below 64; a larger value is a pointer.
      if (length >= 64) return this.#appendName(set, set.pointers[set.pointers.indexOf(at) + 1]!);
      if (!this.#append(octetsOf(set, at, at + length + 1))) return false;
      if (length === 0) return true;
      at += length + 1;
    }
  }

  /**
   * The CNAME synthesised from a DNAME. `inZone` octets of its target are written, then a pointer to the zone's name. Returns the
   * position of its target, -1 if full.
   */
  putAlias(ownerAt: number, ttl: number, target: NameKey, inZone: number, cnameCode: number): number {
    const isInZone = inZone < target.length;
    const rdataOctets = isInZone ? inZone + 2 : target.length;
    if (ownerAt > MAX_POINTER_TARGET || !this.#hasSpace(2 + RECORD_FIXED_OCTETS + rdataOctets)) {
      this.#full = true;
      return -1;
    }
    const start = this.#at;
    this.#octets.writeUInt16BE(POINTER | ownerAt, start);
    this.#octets.writeUInt16BE(cnameCode, start + 2);
    this.#octets.writeUInt16BE(1, start + 4);
    this.#octets.writeUInt32BE(ttl, start + 6);
    this.#octets.writeUInt16BE(rdataOctets, start + 10);
    this.#octets.write(target, start + 12, inZone, 'latin1');
    if (isInZone) this.#octets.writeUInt16BE(POINTER | this.originAt, start + 12 + inZone);
    this.#at = start + 12 + rdataOctets;
    this.#count('answer', 1);
    return start + 12;
  }

  /** One TXT record for a question of class CH: information about this server. */
  putText(text: Uint8Array, typeCode: number, classCode: number): void {
    const start = this.#at;
    if (!this.#hasSpace(2 + RECORD_FIXED_OCTETS + 1 + text.length)) return;
    this.#octets.writeUInt16BE(POINTER | HEADER_OCTETS, start);
    this.#octets.writeUInt16BE(typeCode, start + 2);
    this.#octets.writeUInt16BE(classCode, start + 4);
    this.#octets.writeUInt32BE(0, start + 6);
    this.#octets.writeUInt16BE(text.length + 1, start + 10);
    this.#octets[start + 12] = text.length;
    this.#octets.set(text, start + 13);
    this.#at = start + 13 + text.length;
    this.#count('answer', 1);
  }

  /** Writes header and OPT. If records did not fit, the answer is empty with TC (RFC 2181 9). Returns a fresh copy. */
  finish(): Buffer {
    const view = this.#view!;
    if (this.#full) {
      this.#at = this.#questionEnd;
      this.#octets.fill(0, 6, 12);
    }
    const bits = RESPONSE_BIT | (view.flagBits & KEPT_BITS) | (this.rcode & 15);
    const extra = (this.authoritative ? AUTHORITATIVE_BIT : 0) | (this.#full ? TRUNCATED_BIT : 0);
    this.#octets.writeUInt16BE(bits | extra, 2);
    this.#octets.writeUInt16BE(view.questionEnd > HEADER_OCTETS ? 1 : 0, 4);
    if (view.hasEdns) this.#putOpt(view.dnssecOk);
    const answer = Buffer.allocUnsafe(this.#at);
    this.#octets.copy(answer, 0, 0, this.#at);
    return answer;
  }

  #putOpt(dnssecOk: boolean): void {
    const at = this.#at;
    this.#octets[at] = 0;
    this.#octets.writeUInt16BE(OPT_CODE, at + 1);
    this.#octets.writeUInt16BE(DEFAULT_UDP_PAYLOAD_OCTETS, at + 3);
    this.#octets[at + 5] = this.rcode >> 4;
    this.#octets[at + 6] = 0;
    // RFC 3225 3: the DO bit is copied.
    this.#octets.writeUInt16BE(dnssecOk ? 0x8000 : 0, at + 7);
    this.#at = at + OPT_OCTETS;
    if (this.nsid) this.#putOption(EDNS_NSID, this.nsid);
    if (this.cookie) this.#putOption(EDNS_COOKIE, this.cookie);
    if (this.keepalive !== undefined)
      this.#putOption(EDNS_KEEPALIVE, Uint8Array.of(this.keepalive >> 8, this.keepalive & 0xff));
    this.#octets.writeUInt16BE(this.#at - at - OPT_OCTETS, at + 9);
    this.#count('additional', 1);
  }

  #putOption(code: number, octets: Uint8Array): void {
    this.#octets.writeUInt16BE(code, this.#at);
    this.#octets.writeUInt16BE(octets.length, this.#at + 2);
    this.#octets.set(octets, this.#at + OPTION_HEAD_OCTETS);
    this.#at += OPTION_HEAD_OCTETS + octets.length;
  }
}

const octetsOf = (set: ServedSet, from: number, to: number) => set.slab.subarray(set.from + from, set.from + to);
