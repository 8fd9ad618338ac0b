import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { verifiedPlaces } from '../../core/brands/hosts.ts';
import type { House, Place } from '../../core/house.ts';
import { knownMs } from './known.ts';

/** By which host a request came. What the header says is compared with verified hosts and used for nothing else. */
export class Places {
  readonly #house: House;
  readonly #own: string | undefined;
  #known: Promise<ReadonlyMap<string, Place>> | undefined;
  #goodUntil = 0;

  constructor(house: House) {
    this.#house = house;
    const { publicUrl } = house.config;
    this.#own = publicUrl ? new URL(publicUrl).hostname : undefined;
  }

  /** Undefined: by the service's own address, or by one that nobody has proven. */
  async of(request: FastifyRequest): Promise<Place | undefined> {
    const host = (request.headers.host ?? '').toLowerCase().replace(/:\d*$/, '');
    if (host === this.#own || host === 'localhost' || !host.includes('.') || isIP(host)) return undefined;
    return (await this.#places()).get(host);
  }

  /** All at once, now and then: made-up hosts do not reach the database. */
  #places(): Promise<ReadonlyMap<string, Place>> {
    const now = this.#house.wall.now().getTime();
    if (this.#known && now < this.#goodUntil) return this.#known;
    this.#goodUntil = now + knownMs;
    const asked = verifiedPlaces(this.#house).then((rows) => new Map(rows.map((each) => [each.host, each])));
    this.#known = asked;
    asked.catch(() => {
      if (this.#known === asked) this.forget();
    });
    return asked;
  }

  forget(): void {
    this.#known = undefined;
  }
}
