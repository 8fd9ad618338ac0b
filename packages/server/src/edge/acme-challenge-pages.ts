import { brandHostOf, type Reply, type WebRequest } from './reply.ts';
import type { RuleCache } from './rule-cache.ts';

const folder = '/.well-known/acme-challenge/';
/** Concurrent reads. Requests beyond the limit get 404. */
const maxConcurrent = 20;

/** Pages for http-01 validation (RFC 8555 8.3). They exist for minutes, so they are read from the database on demand. */
export class AcmeChallengePages {
  readonly #cache: RuleCache;
  readonly #mailHosts: readonly string[];
  readonly #read: (host: string, token: string) => Promise<string | undefined>;
  #reading = 0;

  /** `mailHosts` can be validated here too, if they point to an edge. */
  constructor(
    cache: RuleCache,
    mailHosts: readonly string[],
    read: (host: string, token: string) => Promise<string | undefined>,
  ) {
    this.#cache = cache;
    this.#mailHosts = mailHosts;
    this.#read = read;
  }

  /** Undefined: the request is not for a challenge. A promise of undefined: there is no such page. */
  find(request: WebRequest): Promise<Reply | undefined> | undefined {
    if (!request.target.startsWith(folder) || this.#reading >= maxConcurrent) return undefined;
    const token = request.target.slice(folder.length);
    const host = brandHostOf(request.hosts);
    if (!/^[\w-]{1,200}$/.test(token) || host === undefined) return undefined;
    if (!this.#cache.find(host) && !this.#mailHosts.includes(host)) return undefined;
    return this.#readPage(host, token);
  }

  async #readPage(host: string, token: string): Promise<Reply | undefined> {
    this.#reading += 1;
    try {
      const body = await this.#read(host, token);
      const headers = { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' };
      return body === undefined ? undefined : { status: 200, headers, body };
    } catch {
      return undefined;
    } finally {
      this.#reading -= 1;
    }
  }
}
