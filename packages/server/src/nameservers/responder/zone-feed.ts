import type { RecordData, RRset } from '@namehold/dns';

/**
 * The format of zones on disk and between threads. An entry is a whole zone, a change of one, its removal, or the end of the initial
 * load.
 */
export type FeedEntry =
  | {
      readonly kind: 'zone';
      readonly id: string;
      readonly name: string;
      readonly serial: number;
      readonly rrsets: readonly RRset[];
    }
  | {
      readonly kind: 'edit';
      readonly id: string;
      readonly serial: number;
      readonly rrsets: readonly RRset[];
      readonly removed: readonly { readonly name: string; readonly type: string }[];
    }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'complete' };

const KINDS = ['zone', 'edit', 'remove', 'complete'] as const;
const NAME_LENGTH_OCTETS = 2;

export function packEntry(entry: FeedEntry): Buffer {
  const parts: Buffer[] = [Buffer.of(KINDS.indexOf(entry.kind))];
  if (entry.kind !== 'complete') parts.push(text(entry.id));
  if (entry.kind === 'zone') parts.push(text(entry.name));
  if (entry.kind === 'zone' || entry.kind === 'edit') {
    parts.push(u32(entry.serial), u32(entry.rrsets.length));
    for (const rrset of entry.rrsets) packRRset(rrset, parts);
  }
  if (entry.kind === 'edit') {
    parts.push(u32(entry.removed.length));
    for (const { name, type } of entry.removed) parts.push(text(name), text(type));
  }
  return Buffer.concat(parts);
}

function packRRset(rrset: RRset, parts: Buffer[]): void {
  parts.push(text(rrset.name), text(rrset.type), u32(rrset.ttl), u32(rrset.records.length));
  for (const { wire } of rrset.records) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(wire.length);
    parts.push(length, Buffer.from(wire.buffer, wire.byteOffset, wire.length));
  }
}

function u32(value: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(value);
  return octets;
}

function text(value: string): Buffer {
  const octets = Buffer.from(value, 'latin1');
  const length = Buffer.alloc(NAME_LENGTH_OCTETS);
  length.writeUInt16BE(octets.length);
  return Buffer.concat([length, octets]);
}

/** Reads the zone id and the kind of an entry only. */
export function peekEntry(octets: Buffer): { kind: FeedEntry['kind']; id: string; name: string; serial: number } {
  const cursor = new Cursor(octets);
  const kind = cursor.kind();
  if (kind === 'complete') return { kind, id: '', name: '', serial: 0 };
  const id = cursor.text();
  const name = kind === 'zone' ? cursor.text() : '';
  return { kind, id, name, serial: kind === 'remove' ? 0 : cursor.u32() };
}

/** Reads an entry. RRsets are read one by one, so that a large zone can be indexed in pieces. Records share the buffer. */
export function openEntry(octets: Buffer): EntryReader {
  return new EntryReader(octets);
}

export class EntryReader {
  readonly kind: FeedEntry['kind'];
  readonly id: string = '';
  readonly name: string = '';
  readonly serial: number = 0;
  readonly count: number = 0;
  readonly #cursor: Cursor;

  constructor(octets: Buffer) {
    this.#cursor = new Cursor(octets);
    this.kind = this.#cursor.kind();
    if (this.kind === 'complete') return;
    this.id = this.#cursor.text();
    if (this.kind === 'remove') return;
    if (this.kind === 'zone') this.name = this.#cursor.text();
    this.serial = this.#cursor.u32();
    this.count = this.#cursor.u32();
  }

  *rrsets(): Generator<RRset> {
    for (let at = 0; at < this.count; at++) yield this.#cursor.rrset();
  }

  /** Call after the RRsets were read. */
  *removed(): Generator<{ name: string; type: string }> {
    const count = this.#cursor.u32();
    for (let at = 0; at < count; at++) yield { name: this.#cursor.text(), type: this.#cursor.text() };
  }
}

class Cursor {
  readonly #octets: Buffer;
  #at = 0;

  constructor(octets: Buffer) {
    this.#octets = octets;
  }

  kind(): FeedEntry['kind'] {
    const kind = KINDS[this.#octets.readUInt8(this.#at++)];
    if (!kind) throw new Error('unknown kind of entry');
    return kind;
  }

  u32(): number {
    const value = this.#octets.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }

  text(): string {
    const start = this.#at + NAME_LENGTH_OCTETS;
    this.#at = start + this.#octets.readUInt16BE(this.#at);
    return this.#octets.toString('latin1', start, this.#at);
  }

  rrset(): RRset {
    const [name, type, ttl, count] = [this.text(), this.text(), this.u32(), this.u32()];
    const records: RecordData[] = [];
    for (let left = count; left > 0; left--) {
      const start = this.#at + 2;
      this.#at = start + this.#octets.readUInt16BE(this.#at);
      records.push({ text: '', wire: this.#octets.subarray(start, this.#at) });
    }
    return { name, type, ttl, records };
  }
}
