import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { CachedCertificate, RuleCache } from './rule-cache.ts';

const mostContexts = 10_000;

/** What TLS connections are begun with: the certificate of each name that is known and has one. */
export class Certificates {
  readonly #cache: RuleCache;
  readonly #open: (certificate: CachedCertificate) => string;
  readonly #missing: (domainId: string) => void;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: mostContexts });

  /** `open`: the private key, PEM, which is opened when it is first needed. `missing`: somebody asks for a name of ours that has none. */
  constructor(
    cache: RuleCache,
    open: (certificate: CachedCertificate) => string,
    missing: (domainId: string) => void = () => undefined,
  ) {
    this.#cache = cache;
    this.#open = open;
    this.#missing = missing;
  }

  /** Undefined: nobody has rules for the name, or it has no certificate. */
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
