import { NameError, WireError } from './error.ts';
import { labelText, MAX_NAME_OCTETS, type Name, nameToWire, ROOT } from './name.ts';
import { latin1Text } from './octets.ts';

export const MAX_MESSAGE_OCTETS = 65_535;
const POINTER_BITS = 0xc0;
const MAX_POINTER_TARGET = 0x3fff;
const FIRST_CAPACITY_OCTETS = 512;

/** A real copy: slice() of a Buffer would share the memory, which sockets reuse. */
export function copyOctets(octets: Uint8Array, start: number, end: number): Uint8Array {
  return Uint8Array.prototype.slice.call(octets, start, end);
}

/** The data does not fit into the limit. */
export class MessageFullError extends WireError {
  constructor(limitOctets: number, offset: number) {
    super(`more than ${limitOctets} octets`, offset);
  }
}

/** Writes a message or a part of one. Grows up to `limitOctets` and throws MessageFullError beyond it. */
export class Writer {
  #octets: Uint8Array;
  #length = 0;
  readonly #limitOctets: number;
  #names = new Map<string, number>();

  constructor(limitOctets: number = MAX_MESSAGE_OCTETS) {
    this.#octets = new Uint8Array(Math.min(FIRST_CAPACITY_OCTETS, limitOctets));
    this.#limitOctets = limitOctets;
  }

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#limitOctets) throw new MessageFullError(this.#limitOctets, start);
    if (needed > this.#octets.length) {
      const bigger = new Uint8Array(Math.min(this.#limitOctets, Math.max(needed, this.#octets.length * 2)));
      bigger.set(this.#octets.subarray(0, start));
      this.#octets = bigger;
    }
    this.#length = needed;
    return start;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#octets[at] = value;
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#octets[at] = value >>> 8;
    this.#octets[at + 1] = value;
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#octets[at] = value >>> 24;
    this.#octets[at + 1] = value >>> 16;
    this.#octets[at + 2] = value >>> 8;
    this.#octets[at + 3] = value;
  }

  u48(value: number): void {
    this.u16(Math.floor(value / 0x1_0000_0000));
    this.u32(value % 0x1_0000_0000);
  }

  bytes(octets: Uint8Array): void {
    const at = this.#reserve(octets.length);
    this.#octets.set(octets, at);
  }

  patchU16(at: number, value: number): void {
    this.#octets[at] = value >>> 8;
    this.#octets[at + 1] = value;
  }

  name(name: Name): void {
    this.bytes(nameToWire(name));
  }

  /** RFC 1035 4.1.4: the longest suffix written before becomes a pointer. Case is preserved. */
  compressedName(name: Name): void {
    this.compressedWire(nameToWire(name));
  }

  compressedWire(wire: Uint8Array): void {
    const key = latin1Text(wire);
    const start = this.#length;
    for (let at = 0; wire[at] !== 0; at += wire[at]! + 1) {
      const suffix = at === 0 ? key : key.slice(at);
      const known = this.#names.get(suffix);
      if (known !== undefined) {
        this.bytes(wire.subarray(0, at));
        this.u16((POINTER_BITS << 8) | known);
        return;
      }
      if (start + at <= MAX_POINTER_TARGET) this.#names.set(suffix, start + at);
    }
    this.bytes(wire);
  }

  /** Removes everything after `length`, including entries of the compression table. */
  rewind(length: number): void {
    this.#length = length;
    for (const [suffix, offset] of this.#names) if (offset >= length) this.#names.delete(suffix);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#octets.slice(0, this.#length);
  }
}

/** Reads within `[offset, end)` of a message; names may point to any earlier position. */
export class Reader {
  readonly octets: Uint8Array;
  offset: number;
  readonly end: number;

  constructor(octets: Uint8Array, offset = 0, end: number = octets.length) {
    this.octets = octets;
    this.offset = offset;
    this.end = end;
  }

  get left(): number {
    return this.end - this.offset;
  }

  #take(count: number): number {
    const at = this.offset;
    if (at + count > this.end) throw new WireError(`${count} octets expected, ${this.end - at} left`, at);
    this.offset = at + count;
    return at;
  }

  u8(): number {
    return this.octets[this.#take(1)]!;
  }

  u16(): number {
    const at = this.#take(2);
    return (this.octets[at]! << 8) | this.octets[at + 1]!;
  }

  u32(): number {
    return this.u16() * 0x1_0000 + this.u16();
  }

  u48(): number {
    return this.u16() * 0x1_0000_0000 + this.u32();
  }

  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return copyOctets(this.octets, at, at + count);
  }

  rest(): Uint8Array {
    return this.bytes(this.left);
  }

  /** A reader over the next `count` octets; names in it may point anywhere earlier in the message. */
  sub(count: number): Reader {
    const at = this.#take(count);
    return new Reader(this.octets, at, at + count);
  }

  /** RFC 9267: every pointer must lead to a position before its own run of labels, so that a chain always ends. */
  name(): Name {
    let text = '';
    let total = 0;
    let at = this.offset;
    let runStart = at;
    let limit = this.end;
    let afterPointer = -1;
    for (;;) {
      if (at >= limit) throw new WireError('the name runs past the end', at);
      const length = this.octets[at]!;
      if (length === 0) break;
      if ((length & POINTER_BITS) === POINTER_BITS) {
        if (at + 1 >= limit) throw new WireError('half a name pointer', at);
        const target = ((length & 0x3f) << 8) | this.octets[at + 1]!;
        if (afterPointer < 0) afterPointer = at + 2;
        if (target >= runStart) throw new WireError('a name pointer does not point back', at);
        at = target;
        runStart = target;
        limit = this.octets.length;
        continue;
      }
      if ((length & POINTER_BITS) !== 0) throw new WireError('a label of a reserved kind', at);
      total += length + 1;
      if (total >= MAX_NAME_OCTETS) throw new WireError(`a name is longer than ${MAX_NAME_OCTETS} octets`, at);
      if (at + 1 + length > limit) throw new WireError('a label runs past the end', at);
      text += `${labelText(this.octets.subarray(at + 1, at + 1 + length))}.`;
      at += length + 1;
    }
    this.offset = afterPointer < 0 ? at + 1 : afterPointer;
    return text === '' ? ROOT : text;
  }

  expectEnd(what: string): void {
    if (this.left !== 0) throw new WireError(`${this.left} octets too many in ${what}`, this.offset);
  }
}

/** Runs `read` and converts a NameError of a malformed name into the WireError that callers expect. */
export function asWireError<T>(offset: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NameError) throw new WireError(error.reason, offset);
    throw error;
  }
}
