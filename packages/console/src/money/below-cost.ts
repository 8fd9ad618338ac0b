import type { Schema } from '../api/shapes.ts';
import { placesOf, wholeOf } from './sums.ts';

type Prices = Schema<'PriceList'>;
type Entry = Prices[string];

export const pricedActions = ['create', 'renew', 'transfer', 'restore'] as const;
export type PricedAction = (typeof pricedActions)[number];

/** Whether a price is lower than the cost of the same term. Amounts in different currencies cannot be compared. */
export function isBelowCost(
  cost: Entry | undefined,
  charge: Entry | undefined,
  action: PricedAction,
  years: string,
): boolean {
  const [paid, charged] = [cost?.[action][years], charge?.[action][years]];
  if (paid === undefined || charged === undefined || cost?.currency !== charge?.currency) return false;
  const places = Math.max(placesOf(paid), placesOf(charged));
  return wholeOf(charged, places) < wholeOf(paid, places);
}

/** TLDs and actions with a price below the cost, with the shortest such term. */
export const pricesBelowCost = (
  costs: Prices,
  charges: Prices,
): readonly { readonly tld: string; readonly action: PricedAction; readonly years: number }[] =>
  Object.entries(charges).flatMap(([tld, charge]) =>
    pricedActions.flatMap((action) => {
      const years = Object.keys(charge[action]).find((each) => isBelowCost(costs[tld], charge, action, each));
      return years === undefined ? [] : { tld: charge.tld_label, action, years: Number(years) };
    }),
  );
