import { mkdirSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { peekEntry } from './zone-feed.ts';

/** An entry on disk: a mark, the length, the checksum and the bytes. */
const MARK = Buffer.from('NHZ1');
const HEAD_OCTETS = 12;
const MAX_ENTRY_OCTETS = 256 * 1_048_576;
const READ_OCTETS = 4 * 1_048_576;
/** The file is compacted when old entries are larger than the live ones and than this. */
const SPARE_OCTETS = 16 * 1_048_576;

interface Place {
  readonly at: number;
  readonly octets: number;
}

interface ZoneLogReading {
  /** Entries with a wrong checksum or an early end. */
  readonly damaged: number;
  /** True: the file was once written completely and has no damage. */
  readonly isComplete: boolean;
}

/**
 * Zones on disk, so that the nameserver can start without the database. Entries are only appended. A zone with a damaged entry is
 * skipped and read again from the database.
 */
export class ZoneLog {
  readonly #path: string;
  readonly #spareOctets: number;
  #file: FileHandle | undefined;
  #end = 0;
  #living = 0;
  #isComplete = false;
  readonly #places = new Map<string, Place[]>();

  constructor(path: string, spareOctets = SPARE_OCTETS) {
    this.#path = path;
    this.#spareOctets = spareOctets;
  }

  /** Returns every valid entry in order. */
  async read(take: (entry: Buffer) => Promise<void>): Promise<ZoneLogReading> {
    mkdirSync(dirname(this.#path), { recursive: true });
    this.#file = await open(this.#path, 'a+', 0o600);
    const { size } = await this.#file.stat();
    let damaged = 0;
    let at = 0;
    let held: Buffer = Buffer.alloc(0);
    let heldAt = 0;
    const want = async (octets: number): Promise<Buffer | undefined> => {
      if (at + octets > size) return undefined;
      if (at + octets > heldAt + held.length) {
        held = await this.#readAt(at, Math.min(size - at, Math.max(octets, READ_OCTETS)));
        heldAt = at;
      }
      return held.subarray(at - heldAt, at - heldAt + octets);
    };
    for (;;) {
      const head = await want(HEAD_OCTETS);
      if (!head) break;
      const length = head.readUInt32BE(4);
      const isHead = head.subarray(0, 4).equals(MARK) && length <= MAX_ENTRY_OCTETS;
      const whole = isHead ? await want(HEAD_OCTETS + length) : undefined;
      const entry = whole && isWhole(whole) ? whole.subarray(HEAD_OCTETS) : undefined;
      if (entry) {
        this.#keep(entry, { at, octets: HEAD_OCTETS + length });
        await take(Buffer.from(entry));
        at += HEAD_OCTETS + length;
      } else {
        damaged++;
        this.#isComplete = false;
        at = await this.#nextMark(at + 1, size);
      }
    }
    if (at < size) damaged++;
    const isComplete = this.#isComplete && damaged === 0;
    this.#end = size;
    // Damaged entries are removed at once.
    if (damaged > 0) await this.#rewrite();
    return { damaged, isComplete };
  }

  async #readAt(at: number, octets: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(octets);
    const { bytesRead } = await this.#file!.read(buffer, 0, octets, at);
    return buffer.subarray(0, bytesRead);
  }

  async #nextMark(from: number, size: number): Promise<number> {
    for (let at = from; at < size; at += READ_OCTETS - MARK.length) {
      const piece = await this.#readAt(at, Math.min(READ_OCTETS, size - at));
      const found = piece.indexOf(MARK);
      if (found >= 0) return at + found;
    }
    return size;
  }

  #keep(entry: Buffer, place: Place): void {
    const { kind, id } = peekEntry(entry);
    if (kind === 'complete') {
      this.#isComplete = true;
      return;
    }
    const known = this.#places.get(id) ?? [];
    if (kind === 'edit') {
      this.#places.set(id, [...known, place]);
      this.#living += place.octets;
      return;
    }
    this.#living -= known.reduce((sum, one) => sum + one.octets, 0);
    this.#places.delete(id);
    if (kind === 'remove') return;
    this.#places.set(id, [place]);
    this.#living += place.octets;
  }

  /** Size of the changes of a zone relative to the zone. From 1 on, it is written as a whole. */
  editShare(id: string): number {
    const [whole, ...edits] = this.#places.get(id) ?? [];
    return whole ? edits.reduce((sum, edit) => sum + edit.octets, 0) / whole.octets : 1;
  }

  async append(entries: readonly Buffer[]): Promise<void> {
    if (entries.length === 0) return;
    const framed = entries.map(frame);
    await this.#file!.write(Buffer.concat(framed));
    for (const [index, entry] of entries.entries()) {
      this.#keep(entry, { at: this.#end, octets: framed[index]!.length });
      this.#end += framed[index]!.length;
    }
    if (this.#end > 2 * this.#living + this.#spareOctets) await this.#rewrite();
  }

  /** fsync, for a power failure. */
  async flush(): Promise<void> {
    await this.#file?.datasync();
  }

  /** Writes live entries to a new file and replaces the old one atomically. */
  async #rewrite(): Promise<void> {
    const draft = `${this.#path}.draft`;
    const file = await open(draft, 'w', 0o600);
    const moved = new Map<string, Place[]>();
    let end = 0;
    for (const [id, places] of this.#places) {
      const here: Place[] = [];
      for (const { at, octets } of places) {
        await file.write(await this.#readAt(at, octets));
        here.push({ at: end, octets });
        end += octets;
      }
      moved.set(id, here);
    }
    if (this.#isComplete) {
      const mark = frame(COMPLETE);
      await file.write(mark);
      end += mark.length;
    }
    await file.datasync();
    await file.close();
    await rename(draft, this.#path);
    await this.#file!.close();
    this.#file = await open(this.#path, 'a+', 0o600);
    for (const [id, places] of moved) this.#places.set(id, places);
    this.#end = end;
  }

  async close(): Promise<void> {
    await this.flush().catch(() => undefined);
    await this.#file?.close();
    this.#file = undefined;
    await rm(`${this.#path}.draft`, { force: true });
  }
}

const COMPLETE = Buffer.of(3);

function frame(entry: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_OCTETS);
  MARK.copy(head);
  head.writeUInt32BE(entry.length, 4);
  head.writeUInt32BE(crc32(entry), 8);
  return Buffer.concat([head, entry]);
}

const isWhole = (framed: Buffer) => crc32(framed.subarray(HEAD_OCTETS)) === framed.readUInt32BE(8);
