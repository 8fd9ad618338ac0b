import { createHmac, timingSafeEqual } from 'node:crypto';
import { CLASS, RCODE } from './code.ts';
import { plainEdns } from './edns.ts';
import { WireError } from './error.ts';
import { readMessage, reply, writeMessage } from './message.ts';
import { nameToWire } from './name.ts';
import {
  appendTsig,
  TSIG_ALGORITHMS,
  type TsigAlgorithm,
  type TsigKey,
  type TsigRecord,
  tsigOrFault,
} from './tsig-record.ts';
import { Writer } from './wire.ts';

/** RFC 8945 10: the recommended fudge. */
const DEFAULT_FUDGE_SECONDS = 300;
/** The largest accepted fudge. */
const MAX_FUDGE_SECONDS = 300;
const NO_OCTETS = new Uint8Array(0);
const MIN_MAC_OCTETS = 10;

interface SignOptions {
  readonly timeSeconds: number;
  readonly fudgeSeconds?: number;
  /** The MAC of the request that this message answers. */
  readonly requestMac?: Uint8Array;
  readonly error?: number;
  readonly other?: Uint8Array;
}

interface Signed {
  readonly octets: Uint8Array;
  readonly mac: Uint8Array;
}

export function signMessage(message: Uint8Array, key: TsigKey, options: SignOptions): Signed {
  const record = unsignedRecord(message, key, options);
  const mac = computeMac(key, [macPrefix(options.requestMac), message, fullVariables(record)]);
  return { octets: appendTsig(message, { ...record, mac }), mac };
}

export function unsignedRecord(message: Uint8Array, key: TsigKey, options: SignOptions): TsigRecord {
  return {
    keyName: key.name,
    algorithmName: `${key.algorithm}.`,
    timeSigned: Math.floor(options.timeSeconds),
    fudgeSeconds: options.fudgeSeconds ?? DEFAULT_FUDGE_SECONDS,
    mac: NO_OCTETS,
    originalId: (message[0]! << 8) | message[1]!,
    error: options.error ?? 0,
    other: options.other ?? NO_OCTETS,
  };
}

/** RFC 8945 4.3.1: the previous MAC is included with its length. */
export function macPrefix(mac: Uint8Array | undefined): Uint8Array {
  if (mac === undefined) return NO_OCTETS;
  return Buffer.concat([Uint8Array.of(mac.length >> 8, mac.length & 0xff), mac]);
}

/** RFC 8945 4.3.3 */
export function fullVariables(record: TsigRecord): Uint8Array {
  const writer = new Writer();
  writer.name(record.keyName);
  writer.u16(CLASS.ANY);
  writer.u32(0);
  writer.name(record.algorithmName);
  writer.u48(record.timeSigned);
  writer.u16(record.fudgeSeconds);
  writer.u16(record.error);
  writer.u16(record.other.length);
  writer.bytes(record.other);
  return writer.finish();
}

export function computeMac(key: TsigKey, parts: readonly Uint8Array[]): Uint8Array {
  const hmac = createHmac(TSIG_ALGORITHMS[key.algorithm].hash, key.secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

export type TsigRefusal = 'FORMERR' | 'BADKEY' | 'BADSIG' | 'BADTIME' | 'BADTRUNC' | 'PEER_ERROR';

export type TsigResult =
  | { readonly state: 'unsigned' }
  | { readonly state: 'valid'; readonly key: TsigKey; readonly record: TsigRecord; readonly unsigned: Uint8Array }
  | { readonly state: 'refused'; readonly reason: TsigRefusal; readonly record?: TsigRecord; readonly key?: TsigKey };

interface VerifyOptions {
  readonly nowSeconds: number;
  /** Set if the message answers a request that we signed. */
  readonly requestMac?: Uint8Array;
}

/** RFC 8945 5.2: key, then MAC, then time, then truncation. */
export function verifyMessage(
  octets: Uint8Array,
  findKey: (keyName: string) => TsigKey | undefined,
  options: VerifyOptions,
): TsigResult {
  const signed = tsigOrFault(octets);
  if (signed === 'FORMERR') return { state: 'refused', reason: signed };
  if (!signed) return { state: 'unsigned' };
  const { record, unsigned } = signed;
  const key = findKey(record.keyName);
  if (!key || record.algorithmName !== `${key.algorithm}.`) return { state: 'refused', reason: 'BADKEY', record };
  const parts = [macPrefix(options.requestMac), unsigned, fullVariables(record)];
  const reason = checkTsig(record, key, () => computeMac(key, parts), options.nowSeconds);
  return reason === undefined ? { state: 'valid', key, record, unsigned } : { state: 'refused', reason, record, key };
}

/** The reason to refuse a signature, in the order of RFC 8945 5.2; undefined if it is valid. */
export function checkTsig(
  record: TsigRecord,
  key: TsigKey,
  compute: () => Uint8Array,
  nowSeconds: number,
): TsigRefusal | undefined {
  const macOctets = macOctetsOf(key.algorithm);
  // RFC 8945 5.3.2: answers with BADKEY and BADSIG are unsigned.
  if (record.mac.length === 0 && record.error !== 0) return 'PEER_ERROR';
  if (record.mac.length > macOctets || record.mac.length < Math.max(MIN_MAC_OCTETS, macOctets / 2)) return 'FORMERR';
  if (!timingSafeEqual(compute().subarray(0, record.mac.length), record.mac)) return 'BADSIG';
  // A signer may choose a smaller fudge than ours, never a larger one: a recorded request must not stay valid for hours.
  const fudgeSeconds = Math.min(record.fudgeSeconds, MAX_FUDGE_SECONDS);
  if (Math.abs(nowSeconds - record.timeSigned) > fudgeSeconds) return 'BADTIME';
  if (record.mac.length < macOctets) return 'BADTRUNC';
  return record.error === 0 ? undefined : 'PEER_ERROR';
}

function macOctetsOf(algorithm: TsigAlgorithm): number {
  return TSIG_ALGORITHMS[algorithm].macOctets;
}

const ERROR_CODES: Readonly<Record<string, number>> = {
  BADKEY: RCODE.BADKEY,
  BADSIG: RCODE.BADSIG,
  BADTIME: RCODE.BADTIME,
  BADTRUNC: RCODE.BADTRUNC,
};

/** The answer to a request with a refused signature (RFC 8945 5.2, 5.3.2); undefined if the request is unreadable. */
export function refusalAnswer(
  request: Uint8Array,
  result: Extract<TsigResult, { state: 'refused' }>,
  nowSeconds: number,
): Uint8Array | undefined {
  const error = ERROR_CODES[result.reason];
  let answer: Uint8Array;
  try {
    const message = readMessage(request);
    const plain = reply(message, error === undefined ? RCODE.FORMERR : RCODE.NOTAUTH);
    // RFC 6891 6.1.1: a request with EDNS gets an answer with EDNS.
    answer = writeMessage(message.edns ? { ...plain, edns: plainEdns() } : plain);
  } catch (failure) {
    if (failure instanceof WireError) return undefined;
    throw failure;
  }
  const record = result.record;
  if (error === undefined || !record) return answer;
  if (result.key && (result.reason === 'BADTIME' || result.reason === 'BADTRUNC')) {
    // RFC 8945 5.2.3: the time of the request is repeated, and ours is in the other data.
    const writer = new Writer();
    writer.u48(Math.floor(nowSeconds));
    const other = result.reason === 'BADTIME' ? writer.finish() : NO_OCTETS;
    const timeSeconds = result.reason === 'BADTIME' ? record.timeSigned : nowSeconds;
    return signMessage(answer, result.key, {
      timeSeconds,
      fudgeSeconds: record.fudgeSeconds,
      requestMac: record.mac,
      error,
      other,
    }).octets;
  }
  return appendTsig(answer, { ...record, mac: NO_OCTETS, error, other: NO_OCTETS });
}

/** A key from its parts in the configuration. */
export function tsigKey(name: string, algorithm: TsigAlgorithm, secretBase64: string): TsigKey {
  const absolute = name.endsWith('.') ? name.toLowerCase() : `${name.toLowerCase()}.`;
  nameToWire(absolute);
  return { name: absolute, algorithm, secret: new Uint8Array(Buffer.from(secretBase64, 'base64')) };
}
