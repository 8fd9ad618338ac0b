import { NameError, normaliseName } from '@namehold/base';
import { badField } from '../errors.ts';

export const priceActions = ['create', 'renew', 'transfer', 'restore', 'privacy', 'trade'] as const;
export type PriceAction = (typeof priceActions)[number];

/** The buyers that a seller's prices are for: its sub-resellers or its customers. */
export const audiences = ['reseller', 'customer'] as const;
export type Audience = (typeof audiences)[number];

export const priceLimits = {
  yearsMax: 10,
  rulesPerAudience: 1_000,
  pricesPerCall: 1_000,
  importLines: 20_000,
  tldLength: 63,
};

/** Only these are sold by the year. */
const yearly: readonly PriceAction[] = ['create', 'renew', 'privacy'];
export const isYearly = (action: PriceAction): boolean => yearly.includes(action);

export interface Rounding {
  /** Minor units: the price is raised to the next amount that leaves `ending` over `step`. */
  readonly step: bigint;
  readonly ending: bigint;
}

export type Rule = {
  readonly tld: string | null;
  readonly action: PriceAction | null;
  readonly rounding: Rounding | null;
} & (
  | { readonly kind: 'percent'; readonly basisPoints: number }
  /** Added for each year, in one currency only. */
  | { readonly kind: 'fixed'; readonly amount: bigint; readonly currency: string }
);

/** `.CO.ID` and `co.id` are one TLD; internationalised TLDs are read too. */
export function normaliseTld(text: string): string {
  try {
    return normaliseName(text.trim().replace(/^\./, ''));
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw badField('tld', `"${text.slice(0, 60)}" is not a TLD such as com or co.id.`);
  }
}
