import type { Log } from '../core/app-context.ts';
import { FailureLog } from './failure-log.ts';

export interface FollowerOptions {
  readonly log: Log;
  readonly failureMessage: string;
  /** One reading, or a sleep; called again and again, one at a time. */
  step(): Promise<void>;
}

const retryMs = 500;

/**
 * The loop of whoever keeps what the database has: woken by its words, it reads what they name; all of it at the start, after a failure,
 * and where words may have been missed. One loop, so that an old reading never overtakes a newer one.
 */
export class Follower {
  readonly #options: FollowerOptions;
  /** Ids that changed and were not read yet. */
  readonly notified = new Set<string>();
  /** How far the changes have been read; nothing: everything is to be read. */
  cursor: string | undefined;
  #isStopped = false;
  #wake: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    // Not before whoever makes it has it.
    this.#running = Promise.resolve().then(() => this.#run());
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Something changed. Every login of the database may send a word here: what is no id would spoil the reading of those that are. */
  notify(id: string): void {
    if (!/^\d{1,18}$/.test(id)) return;
    this.notified.add(id);
    this.#wake();
  }

  /** Words may have been missed: read everything again. */
  restart(): void {
    this.cursor = undefined;
    this.#wake();
  }

  /** The changes after `from` have been read. A restart that was asked for meanwhile stays asked for. */
  moveOn(from: string, to: string): void {
    if (this.cursor === from) this.cursor = to;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  /** True where it was woken. */
  async sleep(ms: number): Promise<boolean> {
    if (this.#isStopped) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#wake = () => resolve(true);
    const isWoken = await promise;
    clearTimeout(timer);
    this.#wake = () => undefined;
    return isWoken;
  }

  async #run(): Promise<void> {
    const failureLog = new FailureLog(this.#options.log, this.#options.failureMessage);
    while (!this.#isStopped) {
      try {
        await this.#options.step();
        failureLog.recovered();
      } catch (error) {
        failureLog.failed(error);
        this.cursor = undefined;
        await this.sleep(retryMs);
      }
    }
  }
}
