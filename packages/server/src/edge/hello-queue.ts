import { type Database, everyTenant } from '@namehold/base';
import { LRUCache } from 'lru-cache';
import { lookFirst } from '../core/certificates/certificate.sql.ts';
import type { Log } from '../core/house.ts';
import { Trouble } from '../nameservers/trouble.ts';

const everyMs = 1_000;
const mostAtOnce = 100;
/** However often a name is asked for, it is told once in this time. */
const toldMs = 60_000;
const mostTold = 10_000;

/** Names of ours that visitors want by HTTPS and that have no certificate yet: the service orders them before others. */
export class HelloQueue {
  readonly #waiting = new Set<string>();
  readonly #told = new LRUCache<string, true>({ max: mostTold, ttl: toldMs });
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database, log: Log) {
    const trouble = new Trouble(log, 'names that visitors wait for could not be told; it is tried again');
    let isTelling = false;
    this.#timer = setInterval(async () => {
      if (isTelling || this.#waiting.size === 0) return;
      isTelling = true;
      const ids = [...this.#waiting];
      try {
        await lookFirst(db.alone(everyTenant), ids);
        for (const id of ids) this.#waiting.delete(id);
        trouble.over();
      } catch (error) {
        trouble.met(error);
      }
      isTelling = false;
    }, everyMs).unref();
  }

  add(domainId: string): void {
    if (this.#waiting.size >= mostAtOnce || this.#told.has(domainId)) return;
    this.#told.set(domainId, true);
    this.#waiting.add(domainId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
