import type { Log } from '../core/app-context.ts';

/** Logs the first of repeated failures and the recovery, so that a long outage does not fill the log. */
export class FailureLog {
  readonly #log: Log;
  readonly #message: string;
  #times = 0;

  constructor(log: Log, message: string) {
    this.#log = log;
    this.#message = message;
  }

  failed(error: unknown): void {
    if (this.#times === 0) this.#log.warn({ err: error }, this.#message);
    this.#times += 1;
  }

  recovered(): void {
    if (this.#times > 0) this.#log.info({ times: this.#times }, `recovered: ${this.#message}`);
    this.#times = 0;
  }
}
