import { Refusal } from '../errors.ts';
import type { InvoiceParty } from '../model/invoice.ts';

export const buyerKinds = ['business', 'private', 'any'] as const;
type BuyerKind = (typeof buyerKinds)[number];

/** One row of a reseller's tax table. */
export interface TaxRate {
  /** Null: every country without a row of its own. */
  readonly country_code: string | null;
  readonly buyer: BuyerKind;
  readonly name: string;
  /** Thousandths of a percent. */
  readonly rate: number;
  readonly note: string | null;
  /** Days, both included; null: no end. */
  readonly valid_from: string;
  readonly valid_until: string | null;
}

type Taxed = Pick<InvoiceParty, 'country_code' | 'tax_id'>;

/** `none`: no tax is set up. `missing`: there is a table, but no row for this buyer on this day. */
export type TaxFound = TaxRate | 'none' | 'missing';

/** The row of the buyer's country comes before the row for all others, the row of its kind before the row for any. */
export function taxFor(table: readonly TaxRate[], buyer: Taxed, day: string): TaxFound {
  if (table.length === 0) return 'none';
  const kind = buyer.tax_id === null ? 'private' : 'business';
  const ofCountry = table.filter(({ country_code }) => country_code === buyer.country_code);
  const rows = ofCountry.length > 0 ? ofCountry : table.filter(({ country_code }) => country_code === null);
  const fitting = rows.filter((row) => isValid(row, day) && (row.buyer === kind || row.buyer === 'any'));
  return fitting.find((row) => row.buyer === kind) ?? fitting[0] ?? 'missing';
}

const isValid = ({ valid_from, valid_until }: TaxRate, day: string): boolean =>
  valid_from <= day && (valid_until === null || day <= valid_until);

const whole = 100_000n;

/** Tax on a net price; rounded half-up, once. */
function taxOnTop(net: bigint, rate: number): bigint {
  return (2n * net * BigInt(rate) + whole) / (2n * whole);
}

/** Tax included in a gross amount; rounded half-up, once. A net price plus its tax gives the same tax again. */
export function taxWithin(total: bigint, rate: number): bigint {
  const parts = whole + BigInt(rate);
  return (2n * total * BigInt(rate) + parts) / (2n * parts);
}

export const buyerOn = (buyer: Taxed, day: string): string =>
  `a ${buyer.tax_id === null ? 'private buyer' : 'business'} in ${buyer.country_code} on ${day}`;

export const missingRate = (buyer: Taxed, day: string): string =>
  `your tax table has no rate for ${buyerOn(buyer, day)}`;

/** What a customer pays for a net price. */
export function billedFor(price: bigint, found: TaxFound, buyer: Taxed, day: string): bigint {
  if (found === 'none') return price;
  if (found === 'missing')
    throw new Refusal('price_not_set', `The buyer cannot be billed: ${missingRate(buyer, day)}.`);
  return price + taxOnTop(price, found.rate);
}
