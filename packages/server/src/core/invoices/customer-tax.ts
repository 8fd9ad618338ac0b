import { type Money, money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { findBuyer, findSettings, selectTaxRates } from './settings.sql.ts';
import { billedFor, taxFor } from './tax.ts';

/** A bill is the amount that its customer pays. If prices exclude tax, tax is added when the bill is made. */
export async function withTax(
  db: Reader,
  order: { readonly resellerId: string; readonly customerId?: string | undefined; readonly at: Date },
  price: Money,
): Promise<Money> {
  const { resellerId, customerId, at } = order;
  const { includes_tax } = await findSettings(db, resellerId);
  if (includes_tax || customerId === undefined) return price;
  const buyer = await findBuyer(db, resellerId, customerId);
  const day = at.toISOString().slice(0, 10);
  const tax = taxFor(await selectTaxRates(db, resellerId), buyer, day);
  return money(billedFor(price.amount, tax, buyer, day), price.currency);
}
