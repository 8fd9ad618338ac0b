import type { Log } from '../core/app-context.ts';
import { FailureLog } from './failure-log.ts';

interface FollowerOptions {
  readonly log: Log;
  readonly failureMessage: string;
  /** One read, or a wait. Called repeatedly, one at a time. */
  step(): Promise<void>;
}

const retryMs = 500;

/**
 * The loop that keeps a copy of database rows current. Notifications name the rows to read; everything is read at the start, after a
 * failure, and after a lost connection. With one loop, an older read never overwrites a newer one.
 */
export class Follower {
  readonly #options: FollowerOptions;
  /** Ids that changed and were not read yet. */
  readonly notified = new Set<string>();
  /** Position up to which changes were read. Undefined: everything must be read. */
  cursor: string | undefined;
  #isStopped = false;
  #wake: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    // Starts after the constructor, so that the owner has its reference.
    this.#running = Promise.resolve().then(() => this.#run());
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** A row changed. Any login of the database can send notifications, so invalid ids are ignored. */
  notify(id: string): void {
    if (!/^\d{1,18}$/.test(id)) return;
    this.notified.add(id);
    this.#wake();
  }

  /** Notifications may have been missed: read everything again. */
  restart(): void {
    this.cursor = undefined;
    this.#wake();
  }

  /** The changes after `from` were read. A restart that was requested meanwhile stays pending. */
  moveOn(from: string, to: string): void {
    if (this.cursor === from) this.cursor = to;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    await this.#running;
  }

  /** True: woken by a notification. */
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
