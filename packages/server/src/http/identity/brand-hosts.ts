import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { AppContext, BrandHost } from '../../core/app-context.ts';
import { verifiedBrandHosts } from '../../core/brands/hosts.ts';
import { credentialCacheTtlMs } from './credential-cache.ts';

/** The brand host of a request. The header is only compared with verified hosts. */
export class BrandHosts {
  readonly #ctx: AppContext;
  readonly #own: string | undefined;
  #known: Promise<ReadonlyMap<string, BrandHost>> | undefined;
  #goodUntil = 0;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
    const { publicUrl } = ctx.config;
    this.#own = publicUrl ? new URL(publicUrl).hostname : undefined;
  }

  /** Undefined: the service's own host, or an unverified one. */
  async of(request: FastifyRequest): Promise<BrandHost | undefined> {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
    if (host === this.#own || host === 'localhost' || !host.includes('.') || isIP(host)) return undefined;
    return (await this.#brandHosts()).get(host);
  }

  /** Loaded all at once from time to time, so that invented hosts cause no queries. */
  #brandHosts(): Promise<ReadonlyMap<string, BrandHost>> {
    const now = this.#ctx.wall.now().getTime();
    if (this.#known && now < this.#goodUntil) return this.#known;
    this.#goodUntil = now + credentialCacheTtlMs;
    const loading = verifiedBrandHosts(this.#ctx).then((rows) => new Map(rows.map((each) => [each.host, each])));
    this.#known = loading;
    loading.catch(() => {
      if (this.#known === loading) this.evict();
    });
    return loading;
  }

  evict(): void {
    this.#known = undefined;
  }
}
