import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { FedCertificate, RuleBook } from './rule-book.ts';

const mostContexts = 10_000;

/** What TLS connections are begun with: the certificate of each name that is known and has one. */
export class Certificates {
  readonly #book: RuleBook;
  readonly #open: (certificate: FedCertificate) => string;
  readonly #contexts = new LRUCache<string, SecureContext>({ max: mostContexts });

  /** `open`: the private key, PEM, which is opened when it is first needed. */
  constructor(book: RuleBook, open: (certificate: FedCertificate) => string) {
    this.#book = book;
    this.#open = open;
  }

  /** Undefined: nobody has rules for the name, or it has no certificate. */
  contextFor(host: string): SecureContext | undefined {
    const certificate = this.#book.certificateOf(host.toLowerCase());
    if (!certificate) return undefined;
    const known = this.#contexts.get(certificate.id);
    if (known) return known;
    const made = createSecureContext({ cert: `${certificate.own}${certificate.above}`, key: this.#open(certificate) });
    this.#contexts.set(certificate.id, made);
    return made;
  }
}
