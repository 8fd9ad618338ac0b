import { CLASS } from '../code.ts';
import { EDNS_COOKIE, EDNS_KEEPALIVE, EDNS_NSID, MIN_UDP_PAYLOAD_OCTETS, OPT_CODE } from '../edns.ts';
import { TYPE_CODES } from '../type/type-code.ts';
import { type NameKey, ROOT_KEY } from './name-key.ts';

/** The parts of a request that a responder needs. One object is reused for all requests, one after the other. */
export class QueryView {
  /** Octets 2 and 3 of the header. */
  flagBits = 0;
  opcode = 0;
  key: NameKey = ROOT_KEY;
  /** The end of the question section; the end of the header if there is no question to repeat. */
  questionEnd = 0;
  type = 0;
  class = 0;
  hasEdns = false;
  udpPayloadOctets = MIN_UDP_PAYLOAD_OCTETS;
  ednsVersion = 0;
  dnssecOk = false;
  /** Position of a cookie option; 0: none. */
  cookieAt = 0;
  cookieOctets = 0;
  hasBadCookie = false;
  wantsKeepalive = false;
  wantsNsid = false;
  hasTsig = false;

  clear(): void {
    this.questionEnd = HEADER_OCTETS;
    this.hasEdns = false;
    this.udpPayloadOctets = MIN_UDP_PAYLOAD_OCTETS;
    this.ednsVersion = 0;
    this.dnssecOk = false;
    this.cookieAt = 0;
    this.cookieOctets = 0;
    this.hasBadCookie = false;
    this.wantsKeepalive = false;
    this.wantsNsid = false;
    this.hasTsig = false;
  }
}

/**
 * `drop`: no answer, because the message is too short or an answer itself. `cookie`: no question, only a request for a cookie (RFC 7873
 * 5.4).
 */
type QueryReading = 'query' | 'cookie' | 'drop' | 'malformed';

const HEADER_OCTETS = 12;
const MAX_NAME_OCTETS = 255;
const MAX_EXTRA_RECORDS = 32;
const RECORD_FIXED_OCTETS = 10;
const OPTION_HEAD_OCTETS = 4;
/** RFC 7873 4: the client cookie alone, or with 8 to 32 octets of server cookie. */
export const CLIENT_COOKIE_OCTETS = 8;
const MIN_COOKIE_OCTETS = 16;
const MAX_COOKIE_OCTETS = 40;
const lowered = Buffer.alloc(MAX_NAME_OCTETS);

/** Reads a request without creating objects for its records. Never throws. */
export function readQuery(octets: Uint8Array, view: QueryView): QueryReading {
  if (octets.length < HEADER_OCTETS || (octets[2]! & 0x80) !== 0) return 'drop';
  view.clear();
  view.flagBits = u16(octets, 2);
  view.opcode = (octets[2]! >> 3) & 15;
  const questions = u16(octets, 4);
  if (questions === 0) return readExtra(octets, view) && view.cookieAt > 0 ? 'cookie' : malformed(view);
  if (questions !== 1) return 'malformed';
  const nameEnd = lowerQuestion(octets);
  if (nameEnd < 0 || nameEnd + 4 > octets.length) return 'malformed';
  view.key = lowered.toString('latin1', 0, nameEnd - HEADER_OCTETS);
  view.questionEnd = nameEnd + 4;
  view.type = u16(octets, nameEnd);
  view.class = u16(octets, nameEnd + 2);
  return readExtra(octets, view) ? 'query' : malformed(view);
}

/** RFC 6891 7: a malformed OPT is answered without one. */
function malformed(view: QueryView): 'malformed' {
  view.hasEdns = false;
  return 'malformed';
}

function u16(octets: Uint8Array, at: number): number {
  return (octets[at]! << 8) | octets[at + 1]!;
}

/** Copies the question name in lower case. Returns its end, -1 if malformed. Compression pointers are not expected in a question. */
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

/** Returns false if the part after the question is malformed. Octets after the last record are accepted, as by other servers. */
function readExtra(octets: Uint8Array, view: QueryView): boolean {
  const early = u16(octets, 6) + u16(octets, 8);
  const total = early + u16(octets, 10);
  if (total > MAX_EXTRA_RECORDS) return false;
  let at = view.questionEnd;
  for (let count = 0; count < total; count++) {
    const fixedAt = skipName(octets, at);
    if (fixedAt < 0 || fixedAt + RECORD_FIXED_OCTETS > octets.length) return false;
    const end = fixedAt + RECORD_FIXED_OCTETS + u16(octets, fixedAt + 8);
    if (end > octets.length) return false;
    const type = u16(octets, fixedAt);
    if (type === OPT_CODE) {
      // RFC 6891 6.1.1: one OPT at most, at the root, in the additional section.
      if (view.hasEdns || octets[at] !== 0 || count < early || !readOpt(octets, fixedAt, end, view)) return false;
    } else if (type === TYPE_CODES.TSIG) {
      // RFC 8945 5.1: the last record of the additional section.
      if (count < early || count !== total - 1 || u16(octets, fixedAt + 2) !== CLASS.ANY) return false;
      view.hasTsig = true;
    }
    at = end;
  }
  return true;
}

function readOpt(octets: Uint8Array, fixedAt: number, end: number, view: QueryView): boolean {
  view.hasEdns = true;
  view.udpPayloadOctets = Math.max(MIN_UDP_PAYLOAD_OCTETS, u16(octets, fixedAt + 2));
  view.ednsVersion = octets[fixedAt + 5]!;
  view.dnssecOk = (octets[fixedAt + 6]! & 0x80) !== 0;
  for (let at = fixedAt + RECORD_FIXED_OCTETS; at < end; ) {
    if (at + OPTION_HEAD_OCTETS > end) return false;
    const code = u16(octets, at);
    const length = u16(octets, at + 2);
    const start = at + OPTION_HEAD_OCTETS;
    at = start + length;
    if (at > end) return false;
    if (code === EDNS_COOKIE && view.cookieAt === 0) {
      const isClientOnly = length === CLIENT_COOKIE_OCTETS;
      view.hasBadCookie = !isClientOnly && (length < MIN_COOKIE_OCTETS || length > MAX_COOKIE_OCTETS);
      if (view.hasBadCookie) continue;
      view.cookieAt = start;
      view.cookieOctets = length;
    } else if (code === EDNS_KEEPALIVE) view.wantsKeepalive = true;
    else if (code === EDNS_NSID) view.wantsNsid = true;
  }
  return true;
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
