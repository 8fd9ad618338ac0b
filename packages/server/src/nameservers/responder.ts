import { answerQuery, RCODE, type ZoneTable } from '@namehold/dns';
import { type Endpoint, openEndpoint } from './sockets/endpoint.ts';
import { DEFAULT_TCP_LIMITS, type TcpLimits } from './sockets/tcp.ts';

export interface ResponderOptions {
  readonly host: string;
  readonly port: number;
  readonly zones: ZoneTable;
  /** False while zones are still being read: what is not found then may be there all the same. */
  readonly isComplete?: () => boolean;
  readonly limits?: TcpLimits;
  /** Called once an answer; must be cheap. */
  count?(transport: 'udp' | 'tcp', rcode: number): void;
  onError(error: unknown): void;
}

const RCODE_BITS = 15;

/** A refusal would tell resolvers that the delegation is wrong; SERVFAIL sends them to the next nameserver. */
function askElsewhere(octets: Buffer): void {
  if ((octets[3]! & RCODE_BITS) === RCODE.REFUSED) octets[3] = (octets[3]! & ~RCODE_BITS) | RCODE.SERVFAIL;
}

/** The embedded nameserver: answers from memory alone, so that it outlives the database. */
export function startResponder(options: ResponderOptions): Promise<Endpoint> {
  const { zones, host, port, onError } = options;
  const answer = (transport: 'udp' | 'tcp', request: Buffer): Buffer | undefined => {
    try {
      const octets = answerQuery(zones, request, { transport });
      if (octets && options.isComplete?.() === false) askElsewhere(octets);
      if (octets) options.count?.(transport, octets[3]! & RCODE_BITS);
      return octets;
    } catch (error) {
      // A request must never end the process, whatever it found in us.
      onError(error);
      return undefined;
    }
  };
  return openEndpoint({
    host,
    port,
    limits: options.limits ?? DEFAULT_TCP_LIMITS,
    onError,
    answerUdp(request, _from, send) {
      const octets = answer('udp', request);
      if (octets) send(octets);
    },
    async answerTcp(request, _address, send) {
      const octets = answer('tcp', request);
      if (octets) await send(octets);
    },
  });
}
