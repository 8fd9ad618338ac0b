import type { AppContext } from '../core/app-context.ts';
import { Refusal } from '../core/errors.ts';
import { countRefusals } from '../core/refusals/count.ts';
import type { RefusalKind } from '../core/refusals/refusal.sql.ts';

const flushMs = 5_000;
/** Invented ids must not fill the memory: further ones between two flushes are not counted. */
const tracked = 10_000;

/** Counts failed logins, missing scopes and throttled requests of each reseller, written in batches. */
export class RefusalCounter {
  readonly #ctx: AppContext;
  readonly #counts = new Map<string, { resellerId: string; kind: RefusalKind; count: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.flush(), flushMs).unref();
  }

  note(kind: RefusalKind, resellerId: string | undefined, count = 1): void {
    if (resellerId === undefined) return;
    const key = `${kind}:${resellerId}`;
    const entry = this.#counts.get(key);
    if (entry) entry.count += count;
    else if (this.#counts.size < tracked) this.#counts.set(key, { resellerId, kind, count });
  }

  /** A used-up budget is counted for its account. */
  async countThrottled<T>(resellerId: string, take: () => Promise<T>): Promise<T> {
    try {
      return await take();
    } catch (error) {
      if (error instanceof Refusal) this.note('throttle', resellerId);
      throw error;
    }
  }

  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    await countRefusals(this.#ctx, counts).catch((error: unknown) => {
      this.#ctx.log.warn({ err: error }, 'failed to record refused requests; will retry');
      for (const { kind, resellerId, count } of counts) this.note(kind, resellerId, count);
    });
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
