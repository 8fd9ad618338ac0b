import { WireError } from './error.ts';
import type { Reader, Writer } from './wire.ts';

interface EdnsOption {
  readonly code: number;
  readonly octets: Uint8Array;
}

/** RFC 6891 6.1: the OPT record, read into its parts. */
export interface Edns {
  readonly udpPayloadOctets: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  /** The flag bits below DO, all reserved. */
  readonly reservedFlags: number;
  readonly options: readonly EdnsOption[];
}

export const OPT_CODE = 41;
/** RFC 5001, RFC 7873, RFC 7828 */
export const EDNS_NSID = 3;
export const EDNS_COOKIE = 10;
export const EDNS_KEEPALIVE = 11;
/** The size recommended by DNS flag day 2020: fits a 1280-octet IPv6 packet. */
export const DEFAULT_UDP_PAYLOAD_OCTETS = 1232;
/** RFC 6891 6.2.3: a smaller announcement counts as 512. */
export const MIN_UDP_PAYLOAD_OCTETS = 512;
const DNSSEC_OK = 0x8000;

export function plainEdns(udpPayloadOctets: number = DEFAULT_UDP_PAYLOAD_OCTETS): Edns {
  return { udpPayloadOctets, version: 0, dnssecOk: false, reservedFlags: 0, options: [] };
}

/** `ttl` holds the upper rcode bits, the version and the flags. */
export function readEdns(udpPayloadOctets: number, ttl: number, rdata: Reader): Edns {
  const options: EdnsOption[] = [];
  while (rdata.left > 0) options.push({ code: rdata.u16(), octets: rdata.bytes(rdata.u16()) });
  const flags = ttl & 0xffff;
  return {
    udpPayloadOctets,
    version: (ttl >>> 16) & 0xff,
    dnssecOk: (flags & DNSSEC_OK) !== 0,
    reservedFlags: flags & ~DNSSEC_OK,
    options,
  };
}

export function writeEdns(edns: Edns, rcode: number, writer: Writer): void {
  writer.u8(0);
  writer.u16(OPT_CODE);
  writer.u16(edns.udpPayloadOctets);
  writer.u8(rcode >> 4);
  writer.u8(edns.version);
  writer.u16((edns.dnssecOk ? DNSSEC_OK : 0) | edns.reservedFlags);
  const lengthAt = writer.length;
  writer.u16(0);
  for (const option of edns.options) {
    writer.u16(option.code);
    writer.u16(option.octets.length);
    writer.bytes(option.octets);
  }
  const length = writer.length - lengthAt - 2;
  if (length > 0xffff) throw new WireError('EDNS options are too long', lengthAt);
  writer.patchU16(lengthAt, length);
}
