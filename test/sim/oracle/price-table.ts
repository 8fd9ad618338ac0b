/** Cents a year; transfer and restore once. Invented prices that occur nowhere else, so that no other list can be mistaken for this one. */
export interface Prices {
  readonly create: number;
  readonly renew: number;
  readonly transfer: number;
  readonly restore: number;
  readonly privacy: number;
}

/** The first reseller's prices. Multiples of ten cents, so that ten percent on top need no rounding. */
export const priceTable: Readonly<Record<string, Prices>> = {
  com: { create: 1_330, renew: 1_420, transfer: 1_390, restore: 6_110, privacy: 370 },
  org: { create: 1_510, renew: 1_580, transfer: 1_540, restore: 5_930, privacy: 340 },
  app: { create: 1_810, renew: 1_870, transfer: 1_830, restore: 7_130, privacy: 350 },
  fr: { create: 910, renew: 950, transfer: 930, restore: 2_410, privacy: 310 },
  // A second level with ten percent: whole units.
  shop: { create: 700, renew: 2_900, transfer: 2_800, restore: 9_700, privacy: 500 },
  'co.id': { create: 1_120, renew: 1_210, transfer: 1_170, restore: 3_310, privacy: 300 },
  'my.id': { create: 470, renew: 430, transfer: 450, restore: 1_610, privacy: 300 },
};

/** packages/sandbox/README.md: names below .shop with these beginnings have fees of their own. */
const premiumBeginning = 'gem-';
const premiumFees = { create: 12_000, renew: 4_000, restore: 8_000 };
/**
 * docs/guide/balances-and-prices.md: prices outside the lists follow a rule on the seller's cost; a premium domain costs its registry's
 * price.
 */
const operatorPercent = 15;

export const isPremium = (name: string): boolean => name.startsWith(premiumBeginning) && tldOf(name) === 'shop';
export const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);

const withPercent = (amount: number, percent: number): number => Math.round((amount * (100 + percent)) / 100);

/** The margin of each level: a share, or an amount per year. The more specific rule applies. */
type Rule = { readonly kind: 'percent'; readonly percent: number } | { readonly kind: 'fixed'; readonly cents: number };
interface Margin {
  readonly usual: Rule;
  readonly shop?: Rule;
}
const tenPercent: Rule = { kind: 'percent', percent: 10 };
const margins: readonly Margin[] = [{ usual: tenPercent }, { usual: { kind: 'fixed', cents: 111 }, shop: tenPercent }];

const added = (prices: Prices, rule: Rule): Prices => {
  const add = (amount: number) => (rule.kind === 'percent' ? withPercent(amount, rule.percent) : amount + rule.cents);
  const { create, renew, transfer, restore, privacy } = prices;
  return {
    create: add(create),
    renew: add(renew),
    transfer: add(transfer),
    restore: add(restore),
    privacy: add(privacy),
  };
};

/** The price of the reseller on this level: level 0 pays the operator. */
export function pricesOf(name: string, level = 0): Prices {
  const tld = tldOf(name);
  const listed = priceTable[tld];
  if (listed === undefined) throw new Error(`no price for ${name}`);
  let prices = listed;
  if (isPremium(name)) {
    const { create, renew, restore } = premiumFees;
    const sold = (fee: number) => withPercent(fee, operatorPercent);
    prices = { ...listed, create: sold(create), renew: sold(renew), restore: sold(restore) };
  }
  for (const margin of margins.slice(0, level)) {
    prices = added(prices, tld === 'shop' ? (margin.shop ?? margin.usual) : margin.usual);
  }
  return prices;
}

export const decimal = (cents: number): string => (cents / 100).toFixed(2);
export const cents = (text: string): number => Math.round(Number(text) * 100);

/** The operator's own list and rule, for `PUT /v1/account/price_list` and `price_rules`. */
export const operatorList = () => ({
  target: 'reseller',
  prices: Object.entries(priceTable).flatMap(([tld, row]) =>
    Object.entries(row).map(([action, amount]) => ({ tld, action, years: 1, amount: decimal(amount as number) })),
  ),
});
export const operatorRules = () => ({
  audience: 'reseller',
  rules: [{ kind: 'percent', percent: String(operatorPercent) }],
});
/** The rules by which a level sells to the one below it. */
export function rulesBelow(level: number): object {
  const written = (rule: Rule) =>
    rule.kind === 'percent'
      ? { kind: 'percent', percent: String(rule.percent) }
      : { kind: 'fixed', amount: decimal(rule.cents) };
  const { usual, shop } = margins[level] as Margin;
  return { audience: 'reseller', rules: [written(usual), ...(shop ? [{ tld: 'shop', ...written(shop) }] : [])] };
}
