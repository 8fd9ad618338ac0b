import { allTenants, type Database } from '@namehold/base';
import type { Log } from '../../app-context.ts';
import { notifyZones } from './zone-notifier.sql.ts';

/** The first word goes at once, the rest together at the end of this time. */
const burstMs = 50;

/**
 * Tells whoever serves zones that there are new ones, after the commit that made them: a word that is part of a transaction keeps all other
 * commits of the database waiting until it is on the disk. A word that is lost with this process is found by those who serve, who look for changes
 * every few seconds.
 */
export class ZoneNotifier {
  readonly #db: Database;
  readonly #log: Log;
  readonly #ids = new Set<string>();
  #isRinging = false;

  constructor(db: Database, log: Log) {
    this.#db = db;
    this.#log = log;
  }

  ring(zoneId: string): void {
    this.#ids.add(zoneId);
    if (!this.#isRinging) void this.#notify();
  }

  async #notify(): Promise<void> {
    this.#isRinging = true;
    while (this.#ids.size > 0) {
      const ids = [...this.#ids];
      this.#ids.clear();
      await notifyZones(this.#db.autocommit(allTenants), ids).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'who serves zones was not told of new ones, and finds them by itself'),
      );
      await new Promise((resolve) => setTimeout(resolve, burstMs).unref());
    }
    this.#isRinging = false;
  }
}
