import type { AccountRateLimit, ConnectionLease, ConnectionLeases } from '@namehold/epp';
import { awaitRateLimit } from '../account.ts';
import { acquireWithin } from '../connection-leases.ts';

/** How long an unused slot is kept for the next request. */
const idleMs = 1_000;

interface RequestLimiterParts {
  readonly slots: ConnectionLeases;
  readonly account: AccountRateLimit;
  readonly maxConcurrent: number;
}

/** Another process waits for it. */
const isWanted = ({ lost, requested }: ConnectionLease): boolean => Boolean(lost?.aborted || requested?.aborted);

/** Limits our requests to one account over all processes: concurrent ones and those a minute. */
export class RequestLimiter {
  readonly #parts: RequestLimiterParts;
  readonly #waiting: (() => void)[] = [];
  readonly #idle: { readonly place: ConnectionLease; readonly timer: NodeJS.Timeout }[] = [];
  #running = 0;
  /** Reserved, and not used yet. */
  #granted = 0;

  constructor(parts: RequestLimiterParts) {
    this.#parts = parts;
  }

  /** Undefined: no slot in time, and nothing was sent. */
  async take<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (this.#running >= this.#parts.maxConcurrent)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      const place = await this.#place();
      if (!place) return undefined;
      try {
        return (await this.#isGranted()) ? await work() : undefined;
      } finally {
        this.#keep(place);
      }
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#idle.splice(0).map(({ place, timer }) => {
        clearTimeout(timer);
        return place.release();
      }),
    );
  }

  async #place(): Promise<ConnectionLease | null> {
    const kept = this.#idle.pop();
    if (!kept) return acquireWithin(this.#parts.slots);
    clearTimeout(kept.timer);
    if (!isWanted(kept.place)) return kept.place;
    await kept.place.release();
    return acquireWithin(this.#parts.slots);
  }

  #keep(place: ConnectionLease): void {
    if (isWanted(place)) return void place.release();
    const timer = setTimeout(() => {
      const at = this.#idle.findIndex((each) => each.place === place);
      if (at >= 0) this.#idle.splice(at, 1);
      void place.release();
    }, idleMs);
    this.#idle.push({ place, timer: timer.unref() });
  }

  async #isGranted(): Promise<boolean> {
    if (this.#granted === 0) this.#granted += await awaitRateLimit(this.#parts.account);
    if (this.#granted === 0) return false;
    this.#granted -= 1;
    return true;
  }
}
