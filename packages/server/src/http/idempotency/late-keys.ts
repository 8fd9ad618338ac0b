import type { AppContext, HeldKey } from '../../core/app-context.ts';
import { deleteInFlight } from './idempotency.sql.ts';

const everyMs = 500;
/** Beyond this they end with their leases. */
const most = 10_000;

/**
 * Idempotency-Keys whose requests ended while the database was away: as soon as it is back they are let go, instead of answering 409 until their leases end.
 * Nothing is lost by that: a key is deleted only while it still says `in_flight` under the token of that request, and where the request was carried out, the
 * same commit had made it say something else. A commit that is still under way has the row, and is waited for.
 */
export class LateKeys {
  readonly #ctx: AppContext;
  readonly #keys = new Map<HeldKey, number>();
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
  }

  keep(held: HeldKey, leaseMs: number): void {
    if (this.#keys.size >= most) return;
    this.#keys.set(held, performance.now() + leaseMs);
    this.#timer ??= setInterval(() => {
      this.#letGo().catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'keys of requests were not let go'));
    }, everyMs).unref();
  }

  async #letGo(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (const [held, until] of this.#keys) {
        // One that cannot be let go now: the next will fare no better.
        if (performance.now() < until && !(await this.#isGone(held))) break;
        this.#keys.delete(held);
      }
    } finally {
      this.#isBusy = false;
      if (this.#keys.size === 0) this.close();
    }
  }

  #isGone(held: HeldKey): Promise<boolean> {
    return deleteInFlight(this.#ctx.db.autocommit(held.resellerId), held).then(
      () => true,
      () => false,
    );
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
