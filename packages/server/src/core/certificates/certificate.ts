import { X509Certificate } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';
import { activeHosts, hostName, type Rule } from '../forwarding/rule.ts';
import type { Domain } from '../model/domain.ts';
import type { Proof, ProofMethod, RenewalWindow } from '../ports/certificate-authority.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Limits for certificates. The budgets are below the limits of Let's Encrypt (300 orders in 3 hours, 50 a week for a domain, 5 failures
 * an hour).
 */
export const certificateLimits = {
  ordersInThreeHours: 240,
  /** Of these, for all accounts below the same top account together. */
  ordersOfTopInThreeHours: 60,
  /** An account below it, with all accounts below that one, has this part of its parent's orders, rounded up. */
  partOfParent: 1 / 3,
  /** Beyond them, for mail hosts: no account can use these up. */
  ordersOfHostsInThreeHours: 20,
  /** From this share of the budget on there is an alarm. */
  alarmShare: 0.8,
  /** Changes of a name within this time after an order lead to one more order. */
  combineMs: 10 * minute,
  ordersOfNameAWeek: 40,
  /** Doubles with each failure. */
  firstFailurePauseMs: 20 * minute,
  longestPauseMs: day,
  /** Retry after a failure to reach the authority. */
  firstErrorPauseMs: 5_000,
  longestErrorPauseMs: hour,
  /** Consecutive failures of an authority before another one takes over, and the duration of that. */
  failuresBeforeTakeover: 3,
  takeoverMs: hour,
  /** Bounds for the interval at which renewal information is queried; the authority suggests one. */
  soonestQueryMs: hour,
  longestQueryMs: day,
  /** Pause if the authority limits requests without a Retry-After. */
  limitedPauseMs: hour,
  shortestWaitMs: 500,
  longestWaitMs: minute,
  /** An order that is not finished by then is abandoned. */
  orderMs: 6 * day,
  namesInCertificate: 100,
  atOnce: 20,
  ordersKeptDays: 90,
  reasonLength: 500,
  recordTtlSeconds: 60,
  /** Interval of checks without a change. */
  checkAgainMs: 6 * hour,
} as const;

export interface CertificateOrder {
  readonly id: string;
  /** The id of a domain, or a mail host. */
  readonly subject: string;
  readonly domain_id: string | null;
  readonly reseller_id: string | null;
  readonly host: string | null;
  readonly authority: string;
  readonly method: ProofMethod;
  readonly names: readonly string[];
  readonly state: 'open' | 'issued' | 'failed';
  readonly is_sent: boolean;
  readonly url: string | null;
  readonly proofs: readonly Proof[] | null;
  readonly is_asked: boolean;
  readonly key_sealed: string | null;
  readonly troubles: number;
  readonly version: number;
  readonly begun_at: Date;
}

/** The secret is bound to its order, so a domain that is moved keeps its certificate. */
export const keyContext = (orderId: string): string => `certificate:${orderId}`;

/**
 * dns-01 covers the domain, all hosts one level below it, and deeper hosts with rules. http-01 covers only named hosts with rules,
 * because it cannot prove a wildcard. The MTA-STS host is always included.
 */
export function wantedNames(
  domain: Pick<Domain, 'name'>,
  rules: readonly Rule[],
  method: ProofMethod,
  hasMailPolicy = false,
): string[] {
  const policyHost = hasMailPolicy ? [hostName('mta-sts', domain.name)] : [];
  const hosts = activeHosts(rules).filter((host) => host !== '*' && isCertifiable(host));
  if (hosts.length === 0 && rules.every((rule) => !rule.enabled)) return policyHost;
  const full = (host: string) => hostName(host, domain.name);
  const names =
    method === 'dns-01'
      ? [domain.name, `*.${domain.name}`, ...hosts.filter((host) => host.includes('.')).map(full)]
      : [...new Set([...hosts.map(full), ...policyHost])];
  return names.slice(0, certificateLimits.namesInCertificate);
}

/**
 * Whether an authority accepts a host in an order: letters, digits and hyphens (RFC 5890 LDH labels), and no `--` in third place but that of a valid
 * A-label. An authority refuses a whole order for one name that it does not accept.
 */
const isCertifiable = (host: string): boolean =>
  host === '@' ||
  host
    .split('.')
    .every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label) && (!/^..--/.test(label) || isALabel(label)));

/** A label that cannot be decoded is returned as it is. */
function isALabel(label: string): boolean {
  const decoded = domainToUnicode(label);
  return label.startsWith('xn--') && decoded !== label && domainToASCII(decoded) === label;
}

export function covers(names: readonly string[], wanted: readonly string[]): boolean {
  // The wildcard covers a host one level below the domain.
  return wanted.every((name) => names.includes(name) || names.includes(name.replace(/^[^.]+/, '*')));
}

export interface ReadChain {
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly renewAt: Date;
}

/**
 * The end of the certificate, and its renewal date: with a third of the lifetime left, and up to a twelfth earlier. `salt` spreads
 * domains that were ordered on one day.
 */
export function readChain(chain: string, salt: string): ReadChain {
  const leaf = new X509Certificate(chain);
  const notBefore = new Date(leaf.validFrom);
  const notAfter = new Date(leaf.validTo);
  const life = notAfter.getTime() - notBefore.getTime();
  const early = life / 3 + (life / 12) * share(salt);
  return { notBefore, notAfter, renewAt: new Date(notAfter.getTime() - early) };
}

/** A number from 0 to 1, always the same for one text. */
function share(text: string): number {
  let mixed = 0;
  for (const char of text) mixed = (mixed * 31 + char.charCodeAt(0)) % 1_000_003;
  return mixed / 1_000_003;
}

/** RFC 9773 4.2: a time within the window, so that renewals do not all come at its beginning. */
export function timeWithin({ from, to }: Pick<RenewalWindow, 'from' | 'to'>, salt: string): Date {
  return new Date(from.getTime() + (to.getTime() - from.getTime()) * share(salt));
}

/** Doubles with each failure. */
export function growingPause(first: number, longest: number, times: number): number {
  return Math.min(first * 2 ** Math.min(Math.max(times, 0), 20), longest);
}
