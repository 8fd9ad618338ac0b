import { CLASS, OPCODE } from './code.ts';
import { type Edns, OPT_CODE, readEdns, writeEdns } from './edns.ts';
import { DnsError, WireError } from './error.ts';
import { lowerName, type Name } from './name.ts';
import { type RR, readRdata, readRR, writeRR } from './rr.ts';
import { typeCode, typeName } from './type/type-code.ts';
import { MAX_MESSAGE_OCTETS, MessageFullError, Reader, Writer } from './wire.ts';

export interface Question {
  readonly name: Name;
  readonly type: string;
  readonly class: number;
}

/** RFC 1035 4.1.1, RFC 4035 3.2 */
interface HeaderFlags {
  readonly response: boolean;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly reserved: boolean;
  readonly authenticData: boolean;
  readonly checkingDisabled: boolean;
}

/** In an UPDATE (RFC 2136 2) the sections are zone, prerequisites, updates and additional. */
export interface Message {
  readonly id: number;
  readonly opcode: number;
  readonly flags: HeaderFlags;
  /** With the upper bits from EDNS. */
  readonly rcode: number;
  readonly question: readonly Question[];
  readonly answer: readonly RR[];
  readonly authority: readonly RR[];
  /** Without the OPT record, which is `edns`. A TSIG record stays here, last. */
  readonly additional: readonly RR[];
  readonly edns?: Edns;
}

export const NO_FLAGS: HeaderFlags = {
  response: false,
  authoritative: false,
  truncated: false,
  recursionDesired: false,
  recursionAvailable: false,
  reserved: false,
  authenticData: false,
  checkingDisabled: false,
};

const FLAG_BITS: readonly (readonly [keyof HeaderFlags, number])[] = [
  ['response', 0x8000],
  ['authoritative', 0x0400],
  ['truncated', 0x0200],
  ['recursionDesired', 0x0100],
  ['recursionAvailable', 0x0080],
  ['reserved', 0x0040],
  ['authenticData', 0x0020],
  ['checkingDisabled', 0x0010],
];

export function query(id: number, name: Name, type: string, edns?: Edns): Message {
  const question = [{ name, type, class: CLASS.IN }];
  const message = {
    id,
    opcode: OPCODE.QUERY,
    flags: NO_FLAGS,
    rcode: 0,
    question,
    answer: [],
    authority: [],
    additional: [],
  };
  return edns ? { ...message, edns } : message;
}

/** The empty answer to a request: same id, opcode, question and RD. */
export function reply(request: Pick<Message, 'id' | 'opcode' | 'flags' | 'question'>, rcode: number): Message {
  return {
    id: request.id,
    opcode: request.opcode,
    flags: { ...NO_FLAGS, response: true, recursionDesired: request.flags.recursionDesired },
    rcode,
    question: request.question,
    answer: [],
    authority: [],
    additional: [],
  };
}

/** Throws WireError if the octets are not a complete message. */
export function readMessage(octets: Uint8Array): Message {
  const reader = new Reader(octets);
  const id = reader.u16();
  const bits = reader.u16();
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const;
  const question = repeat(counts[0], () => readQuestion(reader));
  const answer = repeat(counts[1], () => readRR(reader));
  const authority = repeat(counts[2], () => readRR(reader));
  const last = readAdditional(reader, counts[3]);
  reader.expectEnd('the message');
  const flags = Object.fromEntries(
    FLAG_BITS.map(([name, bit]) => [name, (bits & bit) !== 0]),
  ) as unknown as HeaderFlags;
  const message = { id, opcode: (bits >> 11) & 15, flags, question, answer, authority, additional: last.additional };
  if (!last.edns) return { ...message, rcode: bits & 15 };
  return { ...message, rcode: (last.upperRcode << 4) | (bits & 15), edns: last.edns };
}

function repeat<T>(count: number, read: () => T): T[] {
  const list: T[] = [];
  for (let at = 0; at < count; at++) list.push(read());
  return list;
}

function readQuestion(reader: Reader): Question {
  return { name: reader.name(), type: typeName(reader.u16()), class: reader.u16() };
}

function readAdditional(reader: Reader, count: number): { additional: RR[]; edns?: Edns; upperRcode: number } {
  const additional: RR[] = [];
  let edns: Edns | undefined;
  let upperRcode = 0;
  for (let at = 0; at < count; at++) {
    const name = reader.name();
    const code = reader.u16();
    const rrClass = reader.u16();
    const ttl = reader.u32();
    const length = reader.u16();
    if (code !== OPT_CODE) {
      additional.push({ name, type: typeName(code), class: rrClass, ttl, rdata: readRdata(code, length, reader) });
      continue;
    }
    // RFC 6891 6.1.1: one OPT at most, at the root.
    if (edns || name !== '.') throw new WireError('a second OPT record, or one not at the root', reader.offset);
    edns = readEdns(rrClass, ttl, reader.sub(length));
    upperRcode = ttl >>> 24;
  }
  return edns ? { additional, edns, upperRcode } : { additional, upperRcode };
}

interface WriteOptions {
  /** Records that do not fit are omitted by whole RRsets from the end, and TC is set. */
  readonly maxOctets?: number;
}

export function writeMessage(message: Message, options: WriteOptions = {}): Uint8Array {
  if (message.rcode > 15 && !message.edns) throw new DnsError(`rcode ${message.rcode} needs EDNS`);
  const writer = new Writer(Math.min(options.maxOctets ?? MAX_MESSAGE_OCTETS, MAX_MESSAGE_OCTETS));
  writer.u16(message.id);
  writer.u16(headerBits(message, message.flags.truncated));
  for (let at = 0; at < 4; at++) writer.u16(0);
  for (const question of message.question) {
    writer.compressedName(question.name);
    writer.u16(typeCode(question.type));
    writer.u16(question.class);
  }
  writer.patchU16(4, message.question.length);
  const reserve = message.edns ? ednsOctets(message.edns) : 0;
  const limit = (options.maxOctets ?? MAX_MESSAGE_OCTETS) - reserve;
  const answers = writeSection(message.answer, writer, limit);
  const authorities = answers.whole ? writeSection(message.authority, writer, limit) : NOTHING;
  const additionals = authorities.whole ? writeSection(message.additional, writer, limit) : NOTHING;
  if (message.edns) writeEdns(message.edns, message.rcode, writer);
  // RFC 2181 9: omitted additional data is not truncation.
  const truncated = message.flags.truncated || !answers.whole || !authorities.whole;
  writer.patchU16(2, headerBits(message, truncated));
  writer.patchU16(6, answers.count);
  writer.patchU16(8, authorities.count);
  writer.patchU16(10, additionals.count + (message.edns ? 1 : 0));
  return writer.finish();
}

const NOTHING = { count: 0, whole: false };

function headerBits(message: Message, truncated: boolean): number {
  let bits = (message.opcode << 11) | (message.rcode & 15);
  for (const [name, bit] of FLAG_BITS) if (message.flags[name]) bits |= bit;
  return truncated ? bits | 0x0200 : bits & ~0x0200;
}

function ednsOctets(edns: Edns): number {
  return 11 + edns.options.reduce((sum, option) => sum + 4 + option.octets.length, 0);
}

function writeSection(rrs: readonly RR[], writer: Writer, limitOctets: number): { count: number; whole: boolean } {
  let count = 0;
  let at = 0;
  while (at < rrs.length) {
    const end = endOfRRset(rrs, at);
    const before = writer.length;
    if (!writeAll(rrs.slice(at, end), writer, limitOctets)) {
      writer.rewind(before);
      return { count, whole: false };
    }
    count += end - at;
    at = end;
  }
  return { count, whole: true };
}

function endOfRRset(rrs: readonly RR[], start: number): number {
  const first = rrs[start]!;
  let end = start + 1;
  while (end < rrs.length && rrs[end]!.type === first.type && lowerName(rrs[end]!.name) === lowerName(first.name))
    end++;
  return end;
}

function writeAll(rrs: readonly RR[], writer: Writer, limitOctets: number): boolean {
  try {
    for (const rr of rrs) writeRR(rr, writer);
    return writer.length <= limitOctets;
  } catch (error) {
    if (error instanceof MessageFullError) return false;
    throw error;
  }
}
