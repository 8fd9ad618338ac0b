import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { CachedCertificate, RuleCache } from './rule-cache.ts';

const mostContexts = 10_000;

/** TLS contexts by domain. */
export class Certificates {
  readonly #cache: RuleCache;
  readonly #open: (certificate: CachedCertificate) => string;
  readonly #missing: (domainId: string) => void;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: mostContexts });

  /** `open` decrypts the private key (PEM) at its first use. `missing` is called for a known domain without a certificate. */
  constructor(
    cache: RuleCache,
    open: (certificate: CachedCertificate) => string,
    missing: (domainId: string) => void = () => undefined,
  ) {
    this.#cache = cache;
    this.#open = open;
    this.#missing = missing;
  }

  /** Undefined: the domain has no rules or no certificate. */
  contextFor(host: string): SecureContext | undefined {
    const name = host.toLowerCase();
    const certificate = this.#cache.certificateOf(name);
    if (!certificate) {
      const known = this.#cache.find(name);
      if (known?.table) this.#missing(known.domainId);
      return undefined;
    }
    const known = this.#contexts.get(certificate.id);
    if (known) return known;
    const made = createSecureContext({ cert: `${certificate.own}${certificate.above}`, key: this.#open(certificate) });
    this.#contexts.set(certificate.id, made);
    return made;
  }
}
