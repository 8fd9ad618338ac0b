import { allTenants, type Database } from '@namehold/postgres';
import { LRUCache } from 'lru-cache';
import type { Log } from '../core/app-context.ts';
import { prioritiseChecks } from '../core/certificates/certificate.sql.ts';
import { FailureLog } from '../nameservers/failure-log.ts';

const everyMs = 1_000;
const mostAtOnce = 100;
/** A domain is reported at most once in this time. */
const notifiedMs = 60_000;
const maxNotified = 10_000;

/** Domains requested by HTTPS that have no certificate yet. The service orders their certificates first. */
export class MissingCertificateQueue {
  readonly #waiting = new Set<string>();
  readonly #reported = new LRUCache<string, true>({ max: maxNotified, ttl: notifiedMs });
  readonly #timer: NodeJS.Timeout;

  constructor(db: Database, log: Log) {
    const failures = new FailureLog(log, 'requests for missing certificates not stored; will retry');
    let isNotifying = false;
    this.#timer = setInterval(async () => {
      if (isNotifying || this.#waiting.size === 0) return;
      isNotifying = true;
      const ids = [...this.#waiting];
      try {
        await prioritiseChecks(db.autocommit(allTenants), ids);
        for (const id of ids) this.#waiting.delete(id);
        failures.recovered();
      } catch (error) {
        failures.failed(error);
      }
      isNotifying = false;
    }, everyMs).unref();
  }

  add(domainId: string): void {
    if (this.#waiting.size >= mostAtOnce || this.#reported.has(domainId)) return;
    this.#reported.set(domainId, true);
    this.#waiting.add(domainId);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
