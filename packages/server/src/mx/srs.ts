import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIpHost } from '../core/mail-forwarding/ip-host.ts';
import { longestAddress, type MailAddress, splitAddress } from './sender.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const dayMs = 86_400_000;
/** The timestamp counts days in two digits of base 32. */
const stampDays = 1_024;
const lifeDays = 14;
const hashLength = 8;

const begin0 = /^SRS0[=+-]./i;
const form0 = /^SRS0[=+-]([^=]*)=([^=]*)=([^=]*)=(.+)$/is;
const form1 = /^SRS1[=+-]([^=]*)=([^=]*)=([=+-].+)$/is;

/** As in libsrs: non-ASCII letters stay unchanged. */
const lower = (text: string) => text.replace(/[A-Z]+/g, (found) => found.toLowerCase());

const hashOf = (secret: string, text: string) =>
  createHmac('sha1', secret).update(text).digest('base64').slice(0, hashLength);

/** The sender of Postfix's own reports, by which it recognises a report that cannot be delivered. It comes from no SMTP client. */
export function isPostfixReport(sender: string, mailHosts: readonly string[]): boolean {
  const from = splitAddress(sender);
  return from?.local.toLowerCase() === 'double-bounce' && mailHosts.includes(from.host.toLowerCase());
}

/**
 * Rewrites senders (sender rewriting scheme), so that SPF checks our domain and bounces return to the author. The form is that of libsrs. The hash is
 * over separated fields: libsrs hashes them joined, so an address with another boundary between domain and local part has the same hash. Addresses that
 * earlier releases or postsrsd made with the same secrets are still accepted, and expire after `lifeDays`.
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

  /** Undefined: invalid, with an IP address for a domain, or too long. A sender of our own domain is unchanged. */
  forward(sender: string): string | undefined {
    const from = splitAddress(sender);
    if (!from || isIpHost(from.host)) return undefined;
    if (from.host.toLowerCase() === this.#domain) return `${from.local}@${from.host}`;
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

  #local({ local, host }: MailAddress): string {
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
    return hashOf(secret, parts.map(lower).join('\0'));
  }

  /** Mail servers may have changed the case of a returned address. */
  #isOurs(hash: string, ...parts: readonly string[]): boolean {
    const given = Buffer.from(hash.toLowerCase());
    return this.#secrets.some((secret) =>
      [this.#hash(secret, ...parts), hashOf(secret, parts.map(lower).join(''))].some((hash) => {
        const made = Buffer.from(hash.toLowerCase());
        return made.length === given.length && timingSafeEqual(made, given);
      }),
    );
  }
}
