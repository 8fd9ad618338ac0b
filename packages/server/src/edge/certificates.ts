import { createSecureContext, type SecureContext } from 'node:tls';
import type { RuleBook } from './rule-book.ts';

/** Whoever makes certificates: the sandbox's own CA, so far. */
export interface Issuer {
  issue(names: readonly string[]): Promise<{ readonly cert: string; readonly key: string }>;
}

const mostContexts = 10_000;

/** A certificate for each name that is asked for and known; made once, shared by who asks at the same time, the longest unused forgotten first. */
export class Certificates {
  readonly #book: RuleBook;
  readonly #issuer: Issuer;
  readonly #contexts = new Map<string, Promise<SecureContext>>();

  constructor(book: RuleBook, issuer: Issuer) {
    this.#book = book;
    this.#issuer = issuer;
  }

  /** Refuses a name that nobody has rules for: a hello alone can never make a certificate. */
  async contextFor(host: string): Promise<SecureContext> {
    const name = this.#book.nameOf(host.toLowerCase());
    if (name === undefined) throw new Error('unknown name');
    const known = this.#contexts.get(name) ?? this.#make(name);
    this.#contexts.delete(name);
    this.#contexts.set(name, known);
    for (const oldest of this.#contexts.keys()) {
      if (this.#contexts.size <= mostContexts) break;
      this.#contexts.delete(oldest);
    }
    return known;
  }

  #make(name: string): Promise<SecureContext> {
    const made = this.#issuer.issue([name, `*.${name}`]).then((pair) => createSecureContext(pair));
    made.catch(() => this.#contexts.delete(name));
    return made;
  }
}
