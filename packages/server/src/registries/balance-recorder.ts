import { setTimeout as sleep } from 'node:timers/promises';
import { addMoney, allTenants, isCurrency } from '@namehold/base';
import type { AppContext } from '../core/app-context.ts';
import { feeMoney } from '../core/domains/registry/fee-money.ts';
import { recordBalance } from '../core/registries/registry.sql.ts';

/** To hold a reading against our books costs them a sum over all that we owe: not with each answer. */
export const balanceLimits = { everyMs: 60_000 };

export interface ReportedBalance {
  readonly balance: string;
  /** RFC 8748 3.5: so much may be spent beyond it. Messages of a low balance tell both in one. */
  readonly creditLimit: string;
  readonly currency: string;
  /** When the command left that it was told with: what was booked since then it may know of or not. */
  readonly since: { readonly business: Date; readonly wall: Date };
}

/** What one registry tells of our balance with its answers (RFC 8748 3.5): the first at once, then the latest of each while. */
export class BalanceRecorder {
  readonly #ctx: AppContext;
  readonly #registryId: string;
  readonly #closing = new AbortController();
  #latest: ReportedBalance | undefined;
  #writing: Promise<void> | undefined;

  constructor(ctx: AppContext, registryId: string) {
    this.#ctx = ctx;
    this.#registryId = registryId;
  }

  reported(reported: ReportedBalance): void {
    if (!isCurrency(reported.currency) || this.#closing.signal.aborted) return;
    this.#latest = reported;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let reported = this.#latest; reported; reported = this.#latest) {
      this.#latest = undefined;
      await this.#record(reported).catch((error: unknown) =>
        this.#ctx.log.warn({ err: error, registry_id: this.#registryId }, 'a balance could not be stored'),
      );
      const { signal } = this.#closing;
      await sleep(balanceLimits.everyMs, undefined, { ref: false, signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  async #record({ balance, creditLimit, currency, since }: ReportedBalance): Promise<void> {
    const { db, wall } = this.#ctx;
    const left = addMoney(feeMoney({ amount: balance, currency }), feeMoney({ amount: creditLimit, currency }));
    const reading = { registryId: this.#registryId, balance: left, at: wall.now(), since };
    await db.transaction(allTenants, (tx) => recordBalance(tx, reading));
  }
}
