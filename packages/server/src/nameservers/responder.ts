import { randomBytes } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { systemClock } from '@namehold/base';
import {
  AnswerCache,
  type AnswerOptions,
  answerQuery,
  type CookieSecrets,
  RateLimiter,
  RCODE,
  type ZoneTable,
} from '@namehold/dns';
import { shareOfSite } from '../core/connection-limits.ts';
import type { AnsweringSettings } from './responder/settings.ts';
import { type Endpoint, openEndpoint } from './sockets/endpoint.ts';

interface ResponderOptions {
  readonly host: string;
  readonly port: number;
  /** Other threads listen on the same port, and the kernel distributes queries. */
  readonly sharesPort?: boolean;
  readonly zones: ZoneTable;
  /** False while zones are loading, so that an unknown zone gets SERVFAIL and not REFUSED. */
  readonly isComplete?: () => boolean;
  readonly answering: AnsweringSettings;
  readonly cookies: CookieSecrets;
  /** Called for each response; must be cheap. */
  count?(transport: 'udp' | 'tcp', rcode: number): void;
  onError(error: unknown): void;
}

const RCODE_BITS = 15;
const TENTHS_MS = 100;

/** REFUSED would mean a lame delegation; SERVFAIL makes resolvers use another nameserver. */
function answerServfail(octets: Buffer): void {
  if ((octets[3]! & RCODE_BITS) === RCODE.REFUSED) octets[3] = (octets[3]! & ~RCODE_BITS) | RCODE.SERVFAIL;
}

/** The embedded nameserver. It answers from memory alone, so it does not depend on the database. */
export function startResponder(options: ResponderOptions): Promise<Endpoint> {
  const { zones, host, port, onError, answering } = options;
  const shared = sharedOptions(options);
  const answer = (transport: 'udp' | 'tcp', request: Buffer, address: string): Buffer | undefined => {
    try {
      const answerOptions = shared[transport];
      answerOptions.address = address;
      answerOptions.nowSeconds = Math.floor(systemClock.now().getTime() / 1_000);
      const octets = answerQuery(zones, request, answerOptions);
      if (octets && options.isComplete?.() === false) answerServfail(octets);
      if (octets) options.count?.(transport, octets[3]! & RCODE_BITS);
      return octets;
    } catch (error) {
      // An unexpected error in a query must not end the process.
      onError(error);
      return undefined;
    }
  };
  return openEndpoint({
    host,
    port,
    sharesPort: options.sharesPort ?? false,
    batches: answering.batches,
    limits: {
      maxConnections: answering.tcpConnections,
      maxConnectionsPerAddress: answering.tcpConnectionsPerAddress,
      shareOfSite,
      idleMs: answering.tcpIdleMs,
      maxRequests: answering.tcpQuestions,
    },
    onError,
    answerUdp(request, from, send) {
      // A response to port 0 is invalid, and one to ourselves would be a loop (RFC 5452).
      if (from.port === 0 || (from.port === port && from.address === host)) return;
      const octets = answer('udp', request, from.address);
      if (octets) send(octets);
    },
    async answerTcp(request, address, send) {
      const octets = answer('tcp', request, address);
      if (octets) await send(octets);
    },
  });
}

type Shared = { -readonly [K in keyof AnswerOptions]: AnswerOptions[K] };

/** Reused for all responses of a transport; address and time are set for each. */
function sharedOptions({ answering, cookies }: ResponderOptions): { udp: Shared; tcp: Shared } {
  const { ratePerSecond, rateSlip, rateExempt, version, serverId } = answering;
  const exempt = new BlockList();
  for (const range of rateExempt) {
    const [address = '', bits] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    exempt.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  const identity = { version: octetsOrNone(version), id: octetsOrNone(serverId) };
  const udp: Shared = { transport: 'udp', cookies, identity, cache: new AnswerCache() };
  if (ratePerSecond > 0) {
    udp.rate = new RateLimiter({ perSecond: ratePerSecond, slip: rateSlip, seed: randomBytes(4).readInt32BE() });
    udp.isExempt = (address) => exempt.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return {
    udp,
    tcp: { transport: 'tcp', cookies, identity, keepaliveTenths: Math.round(answering.tcpIdleMs / TENTHS_MS) },
  };
}

const octetsOrNone = (text: string) => (text === '' ? undefined : Buffer.from(text, 'latin1'));
