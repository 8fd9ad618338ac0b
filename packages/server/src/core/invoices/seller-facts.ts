import type { Reader } from '@namehold/postgres';
import type { InvoiceParty } from '../model/invoice.ts';
import { findSeller, findSettings, type InvoiceSettings, selectTaxRates } from './settings.sql.ts';
import type { TaxRate } from './tax.ts';

/** Facts about a seller for its documents, read once per transaction. */
export class SellerFacts {
  readonly db: Reader;
  readonly #settings = new Map<string, InvoiceSettings>();
  readonly #sellers = new Map<string, InvoiceParty>();
  readonly #taxes = new Map<string, readonly TaxRate[]>();

  constructor(db: Reader) {
    this.db = db;
  }

  async settings(resellerId: string): Promise<InvoiceSettings> {
    return this.#settings.get(resellerId) ?? keep(this.#settings, resellerId, await findSettings(this.db, resellerId));
  }

  async seller(resellerId: string): Promise<InvoiceParty> {
    const settings = await this.settings(resellerId);
    return (
      this.#sellers.get(resellerId) ?? keep(this.#sellers, resellerId, await findSeller(this.db, resellerId, settings))
    );
  }

  async taxes(resellerId: string): Promise<readonly TaxRate[]> {
    return this.#taxes.get(resellerId) ?? keep(this.#taxes, resellerId, await selectTaxRates(this.db, resellerId));
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T): T {
  map.set(key, value);
  return value;
}
