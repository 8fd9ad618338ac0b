import { CLASS } from './code.ts';
import { WireError } from './error.ts';
import type { Name } from './name.ts';
import { type RecordData, recordText } from './record.ts';
import type { RRset } from './rrset.ts';
import { hasOwnForm, recordTypeByCode } from './type/registry.ts';
import { TYPE_CODES, typeCode, typeName } from './type/type-code.ts';
import { copyOctets, type Reader, Writer } from './wire.ts';

/** One record in a message. `rdata` is uncompressed. */
export interface RR {
  readonly name: Name;
  readonly type: string;
  readonly class: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** RFC 3597 4: names are compressed only in the types of RFC 1035. Octets before the names, and the number of names. */
const COMPRESSIBLE = new Map<number, { before: number; names: number }>([
  [TYPE_CODES.NS, { before: 0, names: 1 }],
  [TYPE_CODES.CNAME, { before: 0, names: 1 }],
  [TYPE_CODES.PTR, { before: 0, names: 1 }],
  [TYPE_CODES.MX, { before: 2, names: 1 }],
  [TYPE_CODES.SOA, { before: 0, names: 2 }],
]);

/** Types whose rdata may contain compressed names (RFC 3597 4): they are rewritten without pointers. */
const MAY_HOLD_POINTERS = new Set<number>(
  (['NS', 'CNAME', 'SOA', 'PTR', 'MX', 'RP', 'AFSDB', 'SRV', 'NAPTR', 'KX', 'DNAME', 'RRSIG', 'NSEC'] as const).map(
    (type) => TYPE_CODES[type],
  ),
);

export function* rrsOf(rrset: RRset): Generator<RR> {
  for (const record of rrset.records) yield recordAsRR(rrset, record);
}

function recordAsRR(rrset: Pick<RRset, 'name' | 'type' | 'ttl'>, record: Pick<RecordData, 'wire'>): RR {
  return { name: rrset.name, type: rrset.type, class: CLASS.IN, ttl: rrset.ttl, rdata: record.wire };
}

export function rrText(rr: RR): string {
  return `${rr.name} ${rr.ttl} ${rr.type} ${recordText(rr.type, rr.rdata)}`;
}

export function writeRR(rr: RR, writer: Writer): void {
  const code = typeCode(rr.type);
  writer.compressedName(rr.name);
  writer.u16(code);
  writer.u16(rr.class);
  writer.u32(rr.ttl);
  const lengthAt = writer.length;
  writer.u16(0);
  writeRdata(code, rr.rdata, writer);
  writer.patchU16(lengthAt, writer.length - lengthAt - 2);
}

function writeRdata(code: number, rdata: Uint8Array, writer: Writer): void {
  const plan = COMPRESSIBLE.get(code);
  // RFC 2136 2.5: the rdata of a deletion is empty whatever the type.
  if (!plan || rdata.length === 0) {
    writer.bytes(rdata);
    return;
  }
  let at = plan.before;
  writer.bytes(rdata.subarray(0, at));
  for (let count = 0; count < plan.names; count++) {
    const end = wireNameEnd(rdata, at);
    writer.compressedWire(rdata.subarray(at, end));
    at = end;
  }
  writer.bytes(rdata.subarray(at));
}

function wireNameEnd(octets: Uint8Array, start: number): number {
  let at = start;
  while (at < octets.length && octets[at] !== 0) at += octets[at]! + 1;
  if (at >= octets.length) throw new WireError('the rdata holds a broken name', start);
  return at + 1;
}

/** The name has been read; the rest of the record follows. */
export function readRdata(code: number, length: number, reader: Reader): Uint8Array {
  const rdata = reader.sub(length);
  if (length === 0) return new Uint8Array(0);
  if (!hasOwnForm(code)) return rdata.rest();
  const codec = recordTypeByCode(code);
  if (!MAY_HOLD_POINTERS.has(code)) {
    const octets = copyOctets(rdata.octets, rdata.offset, rdata.end);
    codec.fromWire(rdata);
    return octets;
  }
  const writer = new Writer();
  codec.toWire(codec.fromWire(rdata), writer);
  return writer.finish();
}

export function readRR(reader: Reader): RR {
  const name = reader.name();
  const code = reader.u16();
  const rrClass = reader.u16();
  const ttl = reader.u32();
  const rdata = readRdata(code, reader.u16(), reader);
  return { name, type: typeName(code), class: rrClass, ttl, rdata };
}
