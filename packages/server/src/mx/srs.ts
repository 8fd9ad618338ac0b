import { createHmac, timingSafeEqual } from 'node:crypto';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const dayMs = 86_400_000;
/** A stamp counts days in two digits of base 32. */
const stampDays = 1_024;
const lifeDays = 14;
const hashLength = 8;
const longestAddress = 512;

const begin0 = /^SRS0[=+-]./i;
const form0 = /^SRS0[=+-]([^=]*)=([^=]*)=([^=]*)=(.+)$/is;
const form1 = /^SRS1[=+-]([^=]*)=([^=]*)=([=+-].+)$/is;

/** As libsrs has it: letters beyond ASCII stay as they are. */
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
 * The sender's address in the words of the sender rewriting scheme, so that SPF is asked of our domain and returns come home. The form and the
 * hash are those of libsrs, which postsrsd has too: either may take the other's place, secrets and all.
 */
export class Srs {
  readonly #domain: string;
  readonly #secrets: readonly string[];
  readonly #now: () => Date;

  /** The first secret makes new addresses, all of them open returned ones. */
  constructor(domain: string, secrets: readonly string[], now: () => Date) {
    this.#domain = domain.toLowerCase();
    this.#secrets = secrets;
    this.#now = now;
  }

  /** Undefined: no address, or too long a one. One of our own domain is left as it is. */
  forward(sender: string): string | undefined {
    const from = splitAddress(sender);
    if (!from) return undefined;
    if (from.host.toLowerCase() === this.#domain) return sender;
    const made = `${this.#local(from)}@${this.#domain}`;
    return made.length > longestAddress ? undefined : made;
  }

  /** Undefined: not of our making, or too old. */
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
    // Forwarded twice already: the first forwarder stays named, whoever stands in between is not asked.
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

  /** Mail servers on the way back may have changed the case. */
  #isOurs(hash: string, ...parts: readonly string[]): boolean {
    const given = Buffer.from(hash.toLowerCase());
    return this.#secrets.some((secret) => {
      const made = Buffer.from(this.#hash(secret, ...parts).toLowerCase());
      return made.length === given.length && timingSafeEqual(made, given);
    });
  }
}
