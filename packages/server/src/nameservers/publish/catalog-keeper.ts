import { everyTenant } from '@namehold/base';
import { serialOnWire } from '@namehold/dns';
import type { House } from '../../core/house.ts';
import { hasUnnumbered, numberCatalog, readCatalog } from '../../core/nameservers/catalog.sql.ts';
import { type Nameserver, readsCatalog } from '../../core/nameservers/nameserver.ts';
import { catalogSoaAt } from '../primary/catalog-content.ts';
import type { Notifier } from './notifier.ts';

/** Gives joins and leaves their serial as they come, and tells those who read the catalog. */
export class CatalogKeeper {
  readonly #house: House;
  readonly #notifier: Notifier;
  readonly #nameservers: () => readonly Nameserver[];
  #isRunning = false;
  #isWanted = false;

  constructor(house: House, notifier: Notifier, nameservers: () => readonly Nameserver[]) {
    this.#house = house;
    this.#notifier = notifier;
    this.#nameservers = nameservers;
  }

  /** One round at a time; what comes meanwhile is in the next. */
  async update(): Promise<void> {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        if (await this.#number()) await this.notify(this.#nameservers());
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #number(): Promise<boolean> {
    if (!(await hasUnnumbered(this.#house.db.as(everyTenant)))) return false;
    return this.#house.db.transaction(everyTenant, (tx) => numberCatalog(tx, this.#house.wall.now()));
  }

  async notify(nameservers: readonly Nameserver[]): Promise<void> {
    const state = await readCatalog(this.#house.db.as(everyTenant));
    if (!state) return;
    const soa = catalogSoaAt(this.#house.config.catalogZone, serialOnWire(state.serial));
    for (const nameserver of nameservers) if (readsCatalog(nameserver)) this.#notifier.notify(nameserver, soa, true);
  }
}
