import { MIN_UDP_PAYLOAD_OCTETS, OPT_CODE } from '../edns.ts';
import type { NameKey } from './name-key.ts';

/** What a responder must know of a request before it answers. */
export interface QueryView {
  readonly id: number;
  readonly opcode: number;
  /** Octets 2 and 3 of the header. */
  readonly flagBits: number;
  readonly key: NameKey;
  /** The end of the question section. */
  readonly questionEnd: number;
  readonly type: number;
  readonly class: number;
  readonly edns?: { readonly udpPayloadOctets: number; readonly version: number; readonly dnssecOk: boolean };
}

export type QueryReading =
  | { readonly state: 'query'; readonly view: QueryView }
  /** Not worth an answer: too short, or an answer itself. */
  | { readonly state: 'drop' }
  | { readonly state: 'malformed' };

const HEADER_OCTETS = 12;
const MAX_NAME_OCTETS = 255;
const MAX_EXTRA_RECORDS = 32;
const lowered = Buffer.alloc(MAX_NAME_OCTETS);
const DROP: QueryReading = { state: 'drop' };
const MALFORMED: QueryReading = { state: 'malformed' };

/** Reads a request without building objects for its records. Never throws. */
export function readQuery(octets: Uint8Array): QueryReading {
  if (octets.length < HEADER_OCTETS || (octets[2]! & 0x80) !== 0) return DROP;
  if (u16(octets, 4) !== 1) return MALFORMED;
  const nameEnd = lowerQuestion(octets);
  if (nameEnd < 0 || nameEnd + 4 > octets.length) return MALFORMED;
  const key = lowered.toString('latin1', 0, nameEnd - HEADER_OCTETS);
  const questionEnd = nameEnd + 4;
  const extra = readExtra(octets, questionEnd);
  if (extra === undefined) return MALFORMED;
  const view = {
    id: u16(octets, 0),
    opcode: (octets[2]! >> 3) & 15,
    flagBits: u16(octets, 2),
    key,
    questionEnd,
    type: u16(octets, nameEnd),
    class: u16(octets, nameEnd + 2),
  };
  return { state: 'query', view: extra === NO_EDNS ? view : { ...view, edns: extra } };
}

function u16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!;
}

/** Copies the question name in lower case; gives its end, -1 when broken. A question holds no pointers in practice. */
function lowerQuestion(octets: Uint8Array): number {
  let at = HEADER_OCTETS;
  let to = 0;
  for (;;) {
    const length = octets[at];
    if (length === undefined || length > 63 || to + length + 1 > MAX_NAME_OCTETS || at + 1 + length > octets.length)
      return -1;
    lowered[to++] = length;
    at++;
    if (length === 0) return at;
    for (const end = at + length; at < end; at++) {
      const octet = octets[at]!;
      lowered[to++] = octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet;
    }
  }
}

const NO_EDNS = { udpPayloadOctets: MIN_UDP_PAYLOAD_OCTETS, version: 0, dnssecOk: false };

function readExtra(octets: Uint8Array, start: number): typeof NO_EDNS | undefined {
  const early = u16(octets, 6) + u16(octets, 8);
  const total = early + u16(octets, 10);
  if (total > MAX_EXTRA_RECORDS) return undefined;
  let found = NO_EDNS;
  let at = start;
  for (let count = 0; count < total; count++) {
    const fixedAt = skipName(octets, at);
    if (fixedAt < 0 || fixedAt + 10 > octets.length) return undefined;
    const end = fixedAt + 10 + u16(octets, fixedAt + 8);
    if (end > octets.length) return undefined;
    if (u16(octets, fixedAt) === OPT_CODE) {
      if (found !== NO_EDNS || octets[at] !== 0 || count < early) return undefined;
      found = {
        udpPayloadOctets: Math.max(MIN_UDP_PAYLOAD_OCTETS, u16(octets, fixedAt + 2)),
        version: octets[fixedAt + 5]!,
        dnssecOk: (octets[fixedAt + 6]! & 0x80) !== 0,
      };
    }
    at = end;
  }
  return at === octets.length ? found : undefined;
}

function skipName(octets: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const length = octets[at];
    if (length === undefined) return -1;
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    if (length > 63) return -1;
    at += length + 1;
  }
}
