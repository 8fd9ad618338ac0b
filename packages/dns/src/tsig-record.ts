import { CLASS } from './code.ts';
import { WireError } from './error.ts';
import { lowerName, type Name } from './name.ts';
import { TYPE_CODES } from './type/type-code.ts';
import { copyOctets, Reader, Writer } from './wire.ts';

/** RFC 8945 6; MD5 is intentionally not supported. */
export const TSIG_ALGORITHMS = {
  'hmac-sha1': { hash: 'sha1', macOctets: 20 },
  'hmac-sha224': { hash: 'sha224', macOctets: 28 },
  'hmac-sha256': { hash: 'sha256', macOctets: 32 },
  'hmac-sha384': { hash: 'sha384', macOctets: 48 },
  'hmac-sha512': { hash: 'sha512', macOctets: 64 },
} as const;

export type TsigAlgorithm = keyof typeof TSIG_ALGORITHMS;

export interface TsigKey {
  readonly name: Name;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** RFC 8945 4.2: the TSIG record of one message. Names are lower case. */
export interface TsigRecord {
  readonly keyName: Name;
  readonly algorithmName: Name;
  readonly timeSigned: number;
  readonly fudgeSeconds: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  readonly error: number;
  readonly other: Uint8Array;
}

interface SignedMessage {
  readonly record: TsigRecord;
  /** The message before it was signed: no TSIG record, its original id. */
  readonly unsigned: Uint8Array;
}

/** The TSIG record of a message, undefined if there is none. Throws WireError if it is malformed or not last. */
export function findTsig(octets: Uint8Array): SignedMessage | undefined {
  const reader = new Reader(octets);
  reader.u32();
  const questions = reader.u16();
  const records = reader.u16() + reader.u16();
  const additionals = reader.u16();
  for (let at = 0; at < questions; at++) {
    skipName(reader);
    reader.u32();
  }
  const total = records + additionals;
  for (let at = 0; at < total; at++) {
    const start = reader.offset;
    skipName(reader);
    const code = reader.u16();
    const rrClass = reader.u16();
    const ttl = reader.u32();
    const rdata = reader.sub(reader.u16());
    if (code !== TYPE_CODES.TSIG) continue;
    // RFC 8945 5.1: one TSIG, the last record of the additional section.
    if (at !== total - 1 || additionals === 0) throw new WireError('a TSIG record is not the last', start);
    if (rrClass !== CLASS.ANY || ttl !== 0) throw new WireError('a TSIG record of wrong class or TTL', start);
    reader.expectEnd('the message');
    const record = readTsig(new Reader(octets, start).name(), rdata);
    const unsigned = copyOctets(octets, 0, start);
    setU16(unsigned, 0, record.originalId);
    setU16(unsigned, 10, additionals - 1);
    return { record, unsigned };
  }
  reader.expectEnd('the message');
  return undefined;
}

/** The same, with a description of the problem. */
export function tsigOrFault(octets: Uint8Array): SignedMessage | 'FORMERR' | undefined {
  try {
    return findTsig(octets);
  } catch (error) {
    if (error instanceof WireError) return 'FORMERR';
    throw error;
  }
}

function setU16(octets: Uint8Array, at: number, value: number): void {
  octets[at] = value >> 8;
  octets[at + 1] = value & 0xff;
}

function skipName(reader: Reader): void {
  for (;;) {
    const length = reader.u8();
    if (length === 0) return;
    if (length >= 0xc0) {
      reader.u8();
      return;
    }
    if (length > 63) throw new WireError('a label of a reserved kind', reader.offset);
    reader.sub(length);
  }
}

function readTsig(keyName: Name, rdata: Reader): TsigRecord {
  const record = {
    keyName: lowerName(keyName),
    algorithmName: lowerName(rdata.name()),
    timeSigned: rdata.u48(),
    fudgeSeconds: rdata.u16(),
    mac: rdata.bytes(rdata.u16()),
    originalId: rdata.u16(),
    error: rdata.u16(),
    other: rdata.bytes(rdata.u16()),
  };
  rdata.expectEnd('TSIG rdata');
  return record;
}

/** The message with the TSIG record appended. */
export function appendTsig(message: Uint8Array, record: TsigRecord): Uint8Array {
  const writer = new Writer();
  writer.bytes(message);
  writer.name(record.keyName);
  writer.u16(TYPE_CODES.TSIG);
  writer.u16(CLASS.ANY);
  writer.u32(0);
  const lengthAt = writer.length;
  writer.u16(0);
  writer.name(record.algorithmName);
  writer.u48(record.timeSigned);
  writer.u16(record.fudgeSeconds);
  writer.u16(record.mac.length);
  writer.bytes(record.mac);
  writer.u16(record.originalId);
  writer.u16(record.error);
  writer.u16(record.other.length);
  writer.bytes(record.other);
  writer.patchU16(lengthAt, writer.length - lengthAt - 2);
  writer.patchU16(10, ((message[10]! << 8) | message[11]!) + 1);
  return writer.finish();
}
