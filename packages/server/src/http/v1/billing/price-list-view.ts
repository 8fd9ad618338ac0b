import { displayName, formatMoney } from '@namehold/base';
import { z } from 'zod';
import type { ByYears, PriceList, TldPrices } from '../../../core/pricing/price-list.ts';

const byYears = z.record(z.string(), z.string()).describe('Years to price.');

/** The contract's hybrid shape (section 6.7): keyed by the TLD, as GET /tlds is. */
export const priceListView = z
  .record(
    z.string(),
    z.object({
      tld_label: z.string(),
      label: z.string(),
      tld_name: z.string(),
      tld_key: z.string(),
      tld_pref: z.string().describe('The place in the list, counted from 1.'),
      min_duration: z.string().describe('The shortest term, in words.'),
      price_new_conv: z.string().nullable().describe('The price of the shortest registration.'),
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
        })
        .describe('The prices for one year, under the words that older panels read.'),
    }),
  )
  .meta({ id: 'PriceList', description: 'Prices by TLD.' });

/** As one client reads it: `1 years`. */
export const termInWords = (years: number): string => `${years} years`;

const inWords = (prices: ByYears): Record<string, string> =>
  Object.fromEntries(Object.entries(prices).map(([years, price]) => [years, formatMoney(price)]));

/** One body that two generations of clients read: by years, and one-year figures under the older words in `0`. */
function showPrices(tld: string, prices: TldPrices) {
  const [create, renew, transfer, restore, trade, privacy] = (
    ['create', 'renew', 'transfer', 'restore', 'trade', 'privacy'] as const
  ).map((action) => inWords(prices[action])) as [ByText, ByText, ByText, ByText, ByText, ByText];
  return {
    tld_label: `.${displayName(tld)}`,
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
    },
  };
}

type ByText = Record<string, string>;

/** The list with the keys that further clients look for at the top of an entry. */
export function showPriceList(list: PriceList): z.output<typeof priceListView> {
  return Object.fromEntries(
    Object.entries(list).map(([tld, entry], index) => {
      const shown = showPrices(tld, entry);
      const shortest = Object.keys(shown.create)[0];
      const further = {
        label: shown.tld_label,
        tld_name: tld,
        tld_key: tld,
        tld_pref: String(index + 1),
        min_duration: termInWords(Number(shortest ?? 1)),
        price_new_conv: shortest === undefined ? null : shown.create[shortest]!,
      };
      return [tld, { ...shown, ...further }];
    }),
  );
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
