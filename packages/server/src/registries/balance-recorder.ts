import { setTimeout as sleep } from 'node:timers/promises';
import { addMoney, isCurrency } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { feeMoney } from '../core/model/fee-money.ts';
import { recordBalance } from '../core/registries/registry.sql.ts';

/** The comparison with our ledger sums all open orders, so it is not done for each answer. */
export const balanceLimits = { everyMs: 60_000 };

export interface ReportedBalance {
  readonly balance: string;
  /** RFC 8748 3.5: credit beyond the balance. Low-balance messages contain the sum of both. */
  readonly creditLimit: string;
  readonly currency: string;
  /** When the command was sent. Later charges may or may not be included in its balance. */
  readonly since: { readonly business: Date; readonly wall: Date };
}

/** Stores our balance at a registry from its answers (RFC 8748 3.5): the first at once, then the latest of each interval. */
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
        this.#ctx.log.warn({ err: error, registry_id: this.#registryId }, 'registry balance not stored'),
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
