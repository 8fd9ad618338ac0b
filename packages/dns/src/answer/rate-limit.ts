import { isIPv4 } from 'node:net';
import { parseIpv6 } from '../address.ts';

/** The common property of the answers in a flood. */
export const ANSWER_KIND = { POSITIVE: 1, NOT_FOUND: 2, NO_DATA: 3, REFERRAL: 4, ERROR: 5 } as const;
export type RateDecision = 'answer' | 'slip' | 'drop';

interface RateOptions {
  /** Answers of one kind from one zone to one network per second. */
  readonly perSecond: number;
  /** Of the answers above the limit, every n-th is sent empty with TC, so that a real client retries over TCP; 0: none. */
  readonly slip: number;
  /** Makes it unpredictable which networks share a bucket. */
  readonly seed: number;
}

const BUCKETS = 65_536;
const FNV_PRIME = 0x01000193;

/**
 * Response rate limiting: prevents the use of the nameserver as an amplifier by spoofed requests. A fixed table, so that a flood from a
 * million spoofed networks needs no more memory than one. Two networks with the same bucket replace each other.
 */
export class RateLimiter {
  readonly #options: RateOptions;
  readonly #owners = new Int32Array(BUCKETS);
  readonly #seconds = new Uint32Array(BUCKETS);
  readonly #counts = new Uint32Array(BUCKETS);

  constructor(options: RateOptions) {
    this.#options = options;
  }

  decide(address: string, kind: number, zone: string, nowSeconds: number): RateDecision {
    const { perSecond, slip, seed } = this.#options;
    let hash = mixText(seed | 0, networkOf(address));
    hash = mixText(Math.imul(hash ^ kind, FNV_PRIME), zone);
    const at = (hash ^ (hash >>> 16)) & (BUCKETS - 1);
    if (this.#owners[at] !== hash || this.#seconds[at] !== nowSeconds) {
      // A network far above the limit in the last second begins the next one with a debt.
      const isNext = this.#owners[at] === hash && this.#seconds[at] === nowSeconds - 1;
      this.#counts[at] = isNext ? Math.min(perSecond, Math.max(0, this.#counts[at]! - perSecond)) : 0;
      this.#owners[at] = hash;
      this.#seconds[at] = nowSeconds;
    }
    const count = ++this.#counts[at]!;
    if (count <= perSecond) return 'answer';
    return slip > 0 && (count - perSecond) % slip === 0 ? 'slip' : 'drop';
  }
}

function mixText(start: number, text: string): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** RFC 4291 2.5.5.2 */
const isMappedIpv4 = (octets: Uint8Array): boolean =>
  octets[10] === 0xff && octets[11] === 0xff && octets.subarray(0, 10).every((octet) => octet === 0);

/** /24 and /56: typical sizes of one client's network. */
function networkOf(address: string): string {
  if (isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  const octets = parseIpv6(address.replace(/%.*$/, ''));
  // A dual-stack socket reports an IPv4 client as ::ffff:192.0.2.1; the first octets are the same for all of them.
  if (isMappedIpv4(octets)) return octets.subarray(12, 15).join('.');
  return String.fromCharCode(...octets.subarray(0, 7));
}
