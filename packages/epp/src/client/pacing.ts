import type { WallClock } from '../clock.ts';
import type { PoolBackground } from './background.ts';
import type { AccountRateLimit, Grant } from './ports.ts';

/** A grant is valid for this long. Unused grants are then available to other processes. */
const GRANT_MS = 1_000;
/** The retry interval after a failed request to the account. */
const ACCOUNT_RETRY_MS = 1_000;
/** The shortest wait after a request without a grant, whatever wait the account returns. */
const MIN_GRANT_WAIT_MS = 1;

/** The rate limit of the account: how many commands this pool may send now. */
export class Pacing {
  readonly #account: AccountRateLimit;
  readonly #clock: WallClock;
  readonly #background: PoolBackground;
  #granted = 0;
  #grantedAtMs = 0;
  #isRequesting = false;
  /** The account granted nothing: no grant is requested before then. */
  #againAtMs = Number.NEGATIVE_INFINITY;

  constructor(account: AccountRateLimit, clock: WallClock, background: PoolBackground) {
    this.#account = account;
    this.#clock = clock;
    this.#background = background;
  }

  /** Uses one granted command. False: a grant was requested, or its time is awaited; the pool is then woken. */
  take(wanted: () => number): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#grantedAtMs >= GRANT_MS) this.#granted = 0;
    if (this.#granted === 0 && !this.#isRequesting) {
      if (nowMs < this.#againAtMs) this.#background.wakeAfter(this.#againAtMs - nowMs);
      else this.#request(wanted());
    }
    if (this.#granted === 0) return false;
    this.#granted -= 1;
    return true;
  }

  #request(wanted: number): void {
    const grant = this.#account.take(wanted);
    if (grant instanceof Promise) this.#background.track(this.#await(grant));
    else this.#accept(grant);
  }

  async #await(grant: Promise<Grant>): Promise<void> {
    this.#isRequesting = true;
    const given = await grant.catch(() => ({ granted: 0, waitMs: ACCOUNT_RETRY_MS }));
    this.#isRequesting = false;
    this.#accept(given);
    // Without a grant, retry only by timer: an immediate retry could loop and starve the event loop.
    if (given.granted > 0) this.#background.wake();
  }

  #accept({ granted, waitMs }: Grant): void {
    this.#granted = granted;
    this.#grantedAtMs = this.#clock.nowMs();
    if (granted > 0) return;
    const againMs = Math.max(MIN_GRANT_WAIT_MS, waitMs);
    this.#againAtMs = this.#grantedAtMs + againMs;
    this.#background.wakeAfter(againMs);
  }
}
