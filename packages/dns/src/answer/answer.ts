import { CLASS, OPCODE, RCODE } from '../code.ts';
import { DEFAULT_UDP_PAYLOAD_OCTETS } from '../edns.ts';
import { WireError } from '../error.ts';
import { refusalAnswer } from '../tsig.ts';
import { findTsig } from '../tsig-record.ts';
import { TYPE_CODES } from '../type/type-code.ts';
import { MAX_MESSAGE_OCTETS } from '../wire.ts';
import type { AnswerCache } from './answer-cache.ts';
import { type CookieSecrets, isOwnCookie, makeCookie } from './cookie.ts';
import { lookup } from './lookup.ts';
import { type NameKey, nameKey, parentKey, ROOT_KEY } from './name-key.ts';
import { CLIENT_COOKIE_OCTETS, QueryView, readQuery } from './query-view.ts';
import { ANSWER_KIND, type RateDecision, type RateLimiter } from './rate-limit.ts';
import { ResponseBuffer } from './response.ts';
import { type ServedZone, zoneVersion } from './served-zone.ts';
import type { ZoneTable } from './zone-table.ts';

export interface AnswerOptions {
  readonly transport: 'udp' | 'tcp';
  /** The largest answer over UDP, whatever the client offers. */
  readonly maxUdpOctets?: number;
  /** The client's address and the time, for cookies and limits. */
  readonly address?: string;
  readonly nowSeconds?: number;
  readonly cookies?: CookieSecrets;
  /** Over UDP only, and not for clients with a valid cookie. */
  readonly rate?: RateLimiter;
  readonly isExempt?: (address: string) => boolean;
  /** Cached answers, for one zone table and over UDP only. */
  readonly cache?: AnswerCache;
  /** Information about the server; fields that are unset are refused. */
  readonly identity?: ServerIdentity;
  /** RFC 7828: how long an idle TCP connection is kept, in units of 100 ms. */
  readonly keepaliveTenths?: number;
}

/** For queries in class CH (RFC 4892) and NSID (RFC 5001). At most 255 octets each. */
export interface ServerIdentity {
  /** `version.bind` and `version.server`. */
  readonly version?: Uint8Array | undefined;
  /** `id.server`, `hostname.bind` and NSID: identifies this server among several. */
  readonly id?: Uint8Array | undefined;
}

const COOKIE_OCTETS = 24;
const KEEPALIVE_OCTETS = 2;
const out = new ResponseBuffer();
const view = new QueryView();

/** The answer to a request from the zones in memory; undefined if none must be sent. Never throws. */
export function answerQuery(zones: ZoneTable, request: Uint8Array, options: AnswerOptions): Buffer | undefined {
  const { cache } = options;
  if (!cache?.find(request, zoneVersion())) return buildAnswer(zones, request, options);
  const decision = decide(cache.zone, cache.kind, options);
  if (decision === 'answer') return cache.answer(request);
  return decision === 'drop' ? undefined : buildAnswer(zones, request, options, decision);
}

/** `decided`: the rate limit has been checked already. */
function buildAnswer(
  zones: ZoneTable,
  request: Uint8Array,
  options: AnswerOptions,
  decided?: RateDecision,
): Buffer | undefined {
  const reading = readQuery(request, view);
  if (reading === 'drop') return undefined;
  if (view.opcode !== OPCODE.QUERY) {
    const isNewer = reading === 'query' && view.ednsVersion > 0;
    view.hasEdns = isNewer;
    return headerOnly(request, isNewer ? RCODE.BADVERS : RCODE.NOTIMP, options);
  }
  if (reading === 'malformed') return headerOnly(request, RCODE.FORMERR, options, view.questionEnd);
  if (reading === 'cookie') return answerCookie(request, options);
  if (view.hasTsig) return refuseSignature(request, options);
  out.start(request, view, limitOctets(options));
  const hasValidCookie = view.hasEdns && putOptions(request, options);
  const refused = refusal(options);
  let zone: ServedZone | undefined;
  if (refused !== undefined) out.rcode = refused;
  else {
    zone = view.class === CLASS.CH ? undefined : zoneFor(zones);
    if (zone) lookup(zone, view.key, view.type, out);
    else if (!putIdentity(options.identity)) out.rcode = RCODE.REFUSED;
    // RFC 1035 3.2.5: an answer to class ANY is never authoritative.
    if (view.class === CLASS.ANY) out.authoritative = false;
  }
  if (hasValidCookie) return out.finish();
  const [origin, kind] = [zone?.key ?? '', kindOf()];
  const decision = decided ?? decide(origin, kind, options);
  const answer = limited(decision);
  // An answer with a cookie is valid only for this client and this second, so it is not cached.
  const isCacheable = answer && decision === 'answer' && view.cookieAt === 0 && !view.hasBadCookie;
  if (isCacheable) options.cache?.keep(request, answer, view.questionEnd, zoneVersion(), origin, kind);
  return answer;
}

/** Returns whether the client sent a valid cookie. */
function putOptions(request: Uint8Array, options: AnswerOptions): boolean {
  if (options.keepaliveTenths !== undefined && view.wantsKeepalive) {
    out.reserve(KEEPALIVE_OCTETS);
    out.keepalive = options.keepaliveTenths;
  }
  const id = view.wantsNsid ? options.identity?.id : undefined;
  if (id) {
    out.reserve(id.length);
    out.nsid = id;
  }
  const { cookies, address, nowSeconds } = options;
  if (view.cookieAt === 0 || !cookies || address === undefined || nowSeconds === undefined) return false;
  out.reserve(COOKIE_OCTETS);
  const shown = request.subarray(view.cookieAt, view.cookieAt + view.cookieOctets);
  out.cookie = makeCookie(cookies, shown, address, nowSeconds);
  return isOwnCookie(cookies, shown, address, nowSeconds);
}

const aboutServer: ReadonlyMap<NameKey, keyof ServerIdentity> = new Map([
  [nameKey('version.bind.'), 'version'],
  [nameKey('version.server.'), 'version'],
  [nameKey('id.server.'), 'id'],
  [nameKey('hostname.bind.'), 'id'],
]);

/** Returns false if the question is not about this server, or no value is configured. */
function putIdentity(identity: ServerIdentity | undefined): boolean {
  const field = view.class === CLASS.CH ? aboutServer.get(view.key) : undefined;
  const text = field && identity?.[field];
  if (!text) return false;
  out.authoritative = true;
  if (view.type === TYPE_CODES.TXT || view.type === TYPE_CODES.ANY) out.putText(text, TYPE_CODES.TXT, CLASS.CH);
  return true;
}

/** RFC 7873 5.4: for a client without a question. A fresh cookie; BADCOOKIE if the client sent an invalid server cookie. */
function answerCookie(request: Uint8Array, options: AnswerOptions): Buffer | undefined {
  out.start(request, view, limitOctets(options));
  const hasValidCookie = putOptions(request, options);
  if (view.ednsVersion > 0) out.rcode = RCODE.BADVERS;
  else if (out.cookie && !hasValidCookie && view.cookieOctets > CLIENT_COOKIE_OCTETS) out.rcode = RCODE.BADCOOKIE;
  return hasValidCookie ? out.finish() : limited(decide('', ANSWER_KIND.ERROR, options));
}

function kindOf(): number {
  if (out.rcode === RCODE.NXDOMAIN) return ANSWER_KIND.NOT_FOUND;
  if (out.rcode !== RCODE.NOERROR) return ANSWER_KIND.ERROR;
  if (out.count('answer') > 0 || out.full) return ANSWER_KIND.POSITIVE;
  return out.authoritative ? ANSWER_KIND.NO_DATA : ANSWER_KIND.REFERRAL;
}

function decide(
  zone: string,
  kind: number,
  { transport, rate, address, nowSeconds, isExempt }: AnswerOptions,
): RateDecision {
  if (!rate || transport === 'tcp' || address === undefined || nowSeconds === undefined) return 'answer';
  const decision = rate.decide(address, kind, zone, nowSeconds);
  return decision !== 'answer' && isExempt?.(address) ? 'answer' : decision;
}

function limited(decision: RateDecision): Buffer | undefined {
  if (decision === 'drop') return undefined;
  if (decision === 'slip') out.truncate();
  return out.finish();
}

function refusal({ transport }: AnswerOptions): number | undefined {
  // RFC 6891 6.1.3
  if (view.ednsVersion > 0) return RCODE.BADVERS;
  // RFC 7873 5.2.2
  if (view.hasBadCookie) return RCODE.FORMERR;
  if (view.class !== CLASS.IN && view.class !== CLASS.ANY && view.class !== CLASS.CH) return RCODE.REFUSED;
  // RFC 5936 4.2: AXFR is not defined over UDP.
  if (view.type === TYPE_CODES.AXFR) return transport === 'udp' ? RCODE.NOTIMP : RCODE.REFUSED;
  if (view.type === TYPE_CODES.IXFR) return RCODE.REFUSED;
  return undefined;
}

function zoneFor(zones: ZoneTable): ServedZone | undefined {
  const zone = zones.find(view.key);
  // RFC 4035 3.1.4.1: the DS of a zone belongs to its parent, if we serve that too.
  if (view.type !== TYPE_CODES.DS || zone?.key !== view.key || view.key === ROOT_KEY) return zone;
  return zones.find(parentKey(view.key)) ?? zone;
}

function limitOctets(options: AnswerOptions): number {
  if (options.transport === 'tcp') return MAX_MESSAGE_OCTETS;
  const ours = options.maxUdpOctets ?? DEFAULT_UDP_PAYLOAD_OCTETS;
  return Math.min(view.udpPayloadOctets, ours);
}

/** A header, and the question if it could be read. */
function headerOnly(request: Uint8Array, rcode: number, options: AnswerOptions, questionEnd = 12): Buffer | undefined {
  view.questionEnd = questionEnd;
  out.start(request, view, MAX_MESSAGE_OCTETS);
  out.rcode = rcode;
  return limited(decide('', ANSWER_KIND.ERROR, options));
}

/** RFC 8945 5.2.1: this server knows no keys. */
function refuseSignature(request: Uint8Array, options: AnswerOptions): Buffer | undefined {
  try {
    const record = findTsig(request)!.record;
    if (decide('', ANSWER_KIND.ERROR, options) !== 'answer') return undefined;
    const answer = refusalAnswer(request, { state: 'refused', reason: 'BADKEY', record }, options.nowSeconds ?? 0);
    return answer && Buffer.from(answer.buffer, answer.byteOffset, answer.length);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    view.hasEdns = false;
    return headerOnly(request, RCODE.FORMERR, options, view.questionEnd);
  }
}
