import { allTenants, type Database } from '@namehold/postgres';
import type { Log } from '../../app-context.ts';
import { notifyZones } from './zone-notifier.sql.ts';

/** The first notification is sent at once, all others together at the end of this time. */
const burstMs = 50;

/**
 * Notifies nameserver processes of new zones after the commit that created them. A NOTIFY inside the transaction would serialise all
 * other commits of the database until it is flushed. If this process stops before it notifies, the nameserver processes find the zones
 * by polling every few seconds.
 */
export class ZoneNotifier {
  readonly #db: Database;
  readonly #log: Log;
  readonly #ids = new Set<string>();
  #isNotifying = false;

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  notify(zoneId: string): void {
    this.#ids.add(zoneId);
    if (!this.#isNotifying) void this.#notify();
  }

  async #notify(): Promise<void> {
    this.#isNotifying = true;
    while (this.#ids.size > 0) {
      const ids = [...this.#ids];
      this.#ids.clear();
      await notifyZones(this.#db.autocommit(allTenants), ids).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'NOTIFY of new zones failed; polling will catch up'),
      );
      await new Promise((resolve) => setTimeout(resolve, burstMs).unref());
    }
    this.#isNotifying = false;
  }
}
