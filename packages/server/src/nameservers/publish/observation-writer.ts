import type { AppContext } from '../../core/app-context.ts';
import type { Observation } from '../../core/nameservers/publication.sql.ts';
import { recordObservations } from '../../core/nameservers/record-observations.ts';

const FLUSH_MS = 20;
/** Small batches keep the lock of the event counter short. */
const BATCH = 200;

/** Collects observations and stores many zones in one transaction. */
export class ObservationWriter {
  readonly #ctx: AppContext;
  readonly #seen = new Map<string, Observation>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  add(observation: Observation): void {
    this.#seen.set(`${observation.zoneId} ${observation.nameserverId}`, observation);
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
        await recordObservations(
          this.#ctx,
          batch.map(([, observation]) => observation),
        );
      } catch (error) {
        // After a failure these zones are watched again, because an unsaved observation does not count as published.
        this.#ctx.log.warn({ err: error }, 'publication states not stored');
        return;
      }
    }
  }
}
