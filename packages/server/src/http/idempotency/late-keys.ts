import type { AppContext, HeldKey } from '../../core/app-context.ts';
import { deleteInFlight } from './idempotency.sql.ts';

const everyMs = 500;
/** Further keys end with their leases. */
const most = 10_000;

/**
 * Idempotency-Keys whose requests ended while the database was unavailable. They are released when it is back, instead of answering 409
 * until their leases end. This is safe: a key is deleted only while it is `in_flight` under the token of that request, and a request
 * that was carried out changed this in the same commit. A commit in progress holds the row lock and is waited for.
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
      this.#release().catch((error: unknown) =>
        this.#ctx.log.warn({ err: error }, 'failed to release idempotency keys; will retry'),
      );
    }, everyMs).unref();
  }

  async #release(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (const [held, until] of this.#keys) {
        // If one cannot be released now, the next one will fail too.
        if (performance.now() < until && !(await this.#isGone(held))) break;
        this.#keys.delete(held);
      }
    } finally {
      this.#isBusy = false;
      if (this.#keys.size === 0) this.stop();
    }
  }

  #isGone(held: HeldKey): Promise<boolean> {
    return deleteInFlight(this.#ctx.db.autocommit(held.resellerId), held).then(
      () => true,
      () => false,
    );
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
