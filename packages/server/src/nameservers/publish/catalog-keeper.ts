import { setTimeout as sleep } from 'node:timers/promises';
import { serialOnWire } from '@namehold/dns';
import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import { beginCatalog, numberCatalog, readCatalog } from '../../core/nameservers/catalog.sql.ts';
import { type Nameserver, readsCatalog } from '../../core/nameservers/nameserver.ts';
import { catalogSoaAt } from '../primary/catalog-content.ts';
import type { Notifier } from './notifier.ts';

/** The first change is numbered at once, later ones together at the end of this time, because each number needs a commit. */
const ROUND_MS = 100;

/** Gives joins and leaves a serial and notifies the consumers of the catalog. */
export class CatalogKeeper {
  readonly #ctx: AppContext;
  readonly #notifier: Notifier;
  readonly #nameservers: () => readonly Nameserver[];
  #isRunning = false;
  #isWanted = false;
  #lastRoundAt = Number.NEGATIVE_INFINITY;

  constructor(ctx: AppContext, notifier: Notifier, nameservers: () => readonly Nameserver[]) {
    this.#ctx = ctx;
    this.#notifier = notifier;
    this.#nameservers = nameservers;
  }

  async begin(): Promise<void> {
    await this.#ctx.db.transaction(allTenants, (tx) => beginCatalog(tx, this.#ctx.wall.now()));
    await this.update();
  }

  /** One round at a time; later changes are in the next one. */
  async update(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWanted) {
        const restMs = this.#lastRoundAt + ROUND_MS - performance.now();
        if (restMs > 0) await sleep(restMs, undefined, { ref: false });
        this.#lastRoundAt = performance.now();
        this.#isWanted = false;
        const serial = await numberCatalog(this.#ctx.db.autocommit(allTenants), this.#ctx.wall.now());
        if (serial !== undefined) this.#notify(this.#nameservers(), serial);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async notify(nameservers: readonly Nameserver[]): Promise<void> {
    const state = await readCatalog(this.#ctx.db.as(allTenants));
    if (state) this.#notify(nameservers, state.serial);
  }

  #notify(nameservers: readonly Nameserver[], serial: bigint): void {
    const soa = catalogSoaAt(this.#ctx.config.catalogZone, serialOnWire(serial));
    for (const nameserver of nameservers) if (readsCatalog(nameserver)) this.#notifier.notify(nameserver, soa, true);
  }
}
