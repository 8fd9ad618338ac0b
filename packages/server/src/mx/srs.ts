import { createHmac, timingSafeEqual } from 'node:crypto';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const dayMs = 86_400_000;
/** The timestamp counts days in two digits of base 32. */
const stampDays = 1_024;
const lifeDays = 14;
const hashLength = 8;
const longestAddress = 512;

const begin0 = /^SRS0[=+-]./i;
const form0 = /^SRS0[=+-]([^=]*)=([^=]*)=([^=]*)=(.+)$/is;
const form1 = /^SRS1[=+-]([^=]*)=([^=]*)=([=+-].+)$/is;

/** As in libsrs: non-ASCII letters stay unchanged. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase());

interface Address {
  readonly local: string;
  readonly host: string;
}

export function splitAddress(address: string): Address | undefined {
  const at = address.lastIndexOf('@');
  return at > 0 && at < address.length - 1 && address.length <= longestAddress
    ? { local: address.slice(0, at), host: address.slice(at + 1) }
    : undefined;
}

/**
 * Rewrites senders (SRS), so that SPF is checked for our domain and returned mail arrives here. Format and hash are those of libsrs and
 * postsrsd, so either can replace the other with the same secrets.
 */
export class Srs {
  readonly #domain: string;
  readonly #secrets: readonly string[];
  readonly #now: () => Date;

  /** The first secret signs new addresses; all are valid for returns. */
  constructor(domain: string, secrets: readonly string[], now: () => Date) {
    this.#domain = domain.toLowerCase();
    this.#secrets = secrets;
    this.#now = now;
  }

  /** Undefined: invalid or too long. A sender of our own domain is unchanged. */
  forward(sender: string): string | undefined {
    const from = splitAddress(sender);
    if (!from) return undefined;
    if (from.host.toLowerCase() === this.#domain) return sender;
    const made = `${this.#local(from)}@${this.#domain}`;
    return made.length > longestAddress ? undefined : made;
  }

  /** Undefined: not signed by us, or expired. */
  back(returned: string): string | undefined {
    const to = splitAddress(returned);
    if (to?.host.toLowerCase() !== this.#domain) return undefined;
    const [, hash1, host1, rest] = form1.exec(to.local) ?? [];
    if (hash1 !== undefined)
      return host1 !== '' && this.#isOurs(hash1, host1!, rest!) ? `SRS0${rest}@${host1}` : undefined;
    const [, hash, stamp, host, local] = form0.exec(to.local) ?? [];
    if (hash === undefined || host === '' || !this.#isFresh(stamp!)) return undefined;
    return this.#isOurs(hash, stamp!, host!, local!) ? `${local}@${host}` : undefined;
  }

  #local({ local, host }: Address): string {
    // SRS1 for an address that was rewritten before: the first forwarder stays in it, and later ones are skipped.
    const [, , firstHost, rest] = form1.exec(local) ?? [];
    if (firstHost) return `SRS1=${this.#hash(this.#secrets[0]!, firstHost, rest!)}=${firstHost}=${rest}`;
    if (begin0.test(local)) {
      const inner = local.slice(4);
      return `SRS1=${this.#hash(this.#secrets[0]!, host, inner)}=${host}=${inner}`;
    }
    const stamp = this.#stamp();
    return `SRS0=${this.#hash(this.#secrets[0]!, stamp, host, local)}=${stamp}=${host}=${local}`;
  }

  #today(): number {
    return Math.floor(this.#now().getTime() / dayMs) % stampDays;
  }

  #stamp(): string {
    const day = this.#today();
    return `${digits[day >> 5]}${digits[day & 31]}`;
  }

  #isFresh(stamp: string): boolean {
    const [high = -1, low = -1] = [...stamp.toUpperCase()].map((digit) => digits.indexOf(digit));
    if (stamp.length !== 2 || high < 0 || low < 0) return false;
    const age = (this.#today() - (high * 32 + low) + stampDays) % stampDays;
    return age <= lifeDays;
  }

  #hash(secret: string, ...parts: readonly string[]): string {
    const hmac = createHmac('sha1', secret);
    for (const part of parts) hmac.update(lower(part));
    return hmac.digest('base64').slice(0, hashLength);
  }

  /** Mail servers may have changed the case of a returned address. */
  #isOurs(hash: string, ...parts: readonly string[]): boolean {
    const given = Buffer.from(hash.toLowerCase());
    return this.#secrets.some((secret) => {
      const made = Buffer.from(this.#hash(secret, ...parts).toLowerCase());
      return made.length === given.length && timingSafeEqual(made, given);
    });
  }
}
