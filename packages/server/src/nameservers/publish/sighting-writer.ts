import type { AppContext } from '../../core/app-context.ts';
import type { Sighting } from '../../core/nameservers/publication.sql.ts';
import { recordSightings } from '../../core/nameservers/record-sightings.ts';

const FLUSH_MS = 20;
/** Small batches keep the lock of the event counter short. */
const BATCH = 200;

/** Collects observations and stores many zones in one transaction. */
export class SightingWriter {
  readonly #ctx: AppContext;
  readonly #seen = new Map<string, Sighting>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  add(sighting: Sighting): void {
    this.#seen.set(`${sighting.zoneId} ${sighting.nameserverId}`, sighting);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flushing = this.#flushing.then(() => this.#flush());
    }, FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    while (this.#seen.size > 0) {
      const batch = [...this.#seen].slice(0, BATCH);
      for (const [key] of batch) this.#seen.delete(key);
      try {
        await recordSightings(
          this.#ctx,
          batch.map(([, sighting]) => sighting),
        );
      } catch (error) {
        // After a failure these zones are watched again, because an unsaved observation does not count as published.
        this.#ctx.log.warn({ err: error }, 'publication states not stored');
        return;
      }
    }
  }
}
