import { displayName, formatMoney } from '@namehold/base';
import { z } from 'zod';
import type { ByYears, PriceList, TldPrices } from '../../../core/pricing/price-list.ts';

const byYears = z.record(z.string(), z.string()).describe('Number of years to price.');

/** For panels that read prices without a term: those of the shortest term. */
const flatFigures = {
  price_new: z.string().nullable().describe('Registration for the shortest term. Null: not sold.'),
  price_renew: z.string().nullable().describe('Renewal for the shortest term.'),
  price_transfer: z.string().nullable().describe('Transfer in.'),
  price_restore: z.string().nullable().describe('Restore, without a renewal that may be added.'),
  price_new_conv: z
    .number()
    .nullable()
    .describe('`price_new` as a number in the selling currency, never in thousands.'),
  price_renew_conv: z.number().nullable().describe('`price_renew` as a number.'),
  price_transfer_conv: z.number().nullable().describe('`price_transfer` as a number.'),
  price_restore_conv: z.number().nullable().describe('`price_restore` as a number.'),
  tld_label: z.string(),
  tld_pref: z
    .enum(['Sell'])
    .nullable()
    .describe(
      '`Sell`: the TLD is offered. Null if registrations or renewals have no price, because some panels would sell one at the price of the other.',
    ),
};

/** The contract's format (section 6.7): keyed by TLD, like GET /tlds. */
export const priceListView = z
  .record(
    z.string(),
    z.object({
      ...flatFigures,
      label: z.string(),
      tld_name: z.string(),
      tld_key: z.string(),
      min_duration: z.string().describe('The shortest term, in words.'),
      currency: z.string(),
      create: byYears,
      renew: byYears,
      transfer: byYears,
      restore: byYears,
      trade: byYears,
      privacy_protect: z.string().nullable(),
      '0': z
        .object({
          addnewdomain: z.string().nullable(),
          addtransferdomain: z.string().nullable(),
          renewdomain: z.string().nullable(),
          restoredomain: z.string().nullable(),
          ...flatFigures,
        })
        .describe('The prices for one year under the names that older panels read, and the flat prices again.'),
    }),
  )
  .meta({ id: 'PriceList', description: 'Prices by TLD.' });

/** Format of one client: `1 years`. */
export const termText = (years: number): string => `${years} years`;

const priceTexts = (prices: ByYears): Record<string, string> =>
  Object.fromEntries(Object.entries(prices).map(([years, price]) => [years, formatMoney(price)]));

type ByText = Record<string, string>;

/** Null if it is not sold. */
const shortest = (prices: ByText): string | null => Object.values(prices)[0] ?? null;
const asNumber = (price: string | null): number | null => (price === null ? null : Number(price));

function flatFiguresOf(tld: string, { create, renew, transfer, restore }: Record<FlatAction, ByText>) {
  const [price_new, price_renew, price_transfer, price_restore] = [create, renew, transfer, restore].map(shortest) as [
    string | null,
    string | null,
    string | null,
    string | null,
  ];
  return {
    price_new,
    price_renew,
    price_transfer,
    price_restore,
    price_new_conv: asNumber(price_new),
    price_renew_conv: asNumber(price_renew),
    price_transfer_conv: asNumber(price_transfer),
    price_restore_conv: asNumber(price_restore),
    tld_label: `.${displayName(tld)}`,
    tld_pref: price_new === null || price_renew === null ? null : ('Sell' as const),
  };
}

type FlatAction = 'create' | 'renew' | 'transfer' | 'restore';

/** One entry for all generations of clients: by years, flat, and one-year prices under the older names in `0`. */
function showPrices(tld: string, prices: TldPrices) {
  const [create, renew, transfer, restore, trade, privacy] = (
    ['create', 'renew', 'transfer', 'restore', 'trade', 'privacy'] as const
  ).map((action) => priceTexts(prices[action])) as [ByText, ByText, ByText, ByText, ByText, ByText];
  const flat = flatFiguresOf(tld, { create, renew, transfer, restore });
  return {
    ...flat,
    label: flat.tld_label,
    tld_name: tld,
    tld_key: tld,
    min_duration: termText(Number(Object.keys(create)[0] ?? 1)),
    currency: prices.currency,
    create,
    renew,
    transfer,
    restore,
    trade,
    privacy_protect: privacy['1'] ?? null,
    '0': {
      addnewdomain: create['1'] ?? null,
      addtransferdomain: transfer['1'] ?? null,
      renewdomain: renew['1'] ?? null,
      restoredomain: restore['1'] ?? null,
      ...flat,
    },
  };
}

export function showPriceList(list: PriceList): z.output<typeof priceListView> {
  return Object.fromEntries(Object.entries(list).map(([tld, prices]) => [tld, showPrices(tld, prices)]));
}

const usd = (...cents: bigint[]): ByYears =>
  Object.fromEntries(cents.map((amount, index) => [index + 1, { amount, currency: 'USD' }]));

export const priceListExample: z.output<typeof priceListView> = showPriceList({
  com: {
    currency: 'USD',
    create: usd(1150n, 2300n),
    renew: usd(1150n, 2300n),
    transfer: usd(1150n),
    restore: usd(8000n),
    trade: {},
    privacy: usd(300n),
  },
});
