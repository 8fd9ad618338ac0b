import { z } from 'zod';
import type { PriceList, PriceListItem } from '../../../core/pricing/price-list.ts';

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

/** The list with the keys that further clients look for at the top of an entry. */
export function showPriceList(list: PriceList): z.output<typeof priceListView> {
  return Object.fromEntries(
    Object.entries(list).map(([tld, entry], index) => {
      const shortest = Object.keys(entry.create)[0];
      const further = {
        label: entry.tld_label,
        tld_name: tld,
        tld_key: tld,
        tld_pref: String(index + 1),
        min_duration: termInWords(Number(shortest ?? 1)),
        price_new_conv: shortest === undefined ? null : entry.create[shortest]!,
      };
      return [tld, { ...entry, ...further }];
    }),
  );
}

const item: PriceListItem = {
  tld_label: '.com',
  currency: 'USD',
  create: { '1': '11.50', '2': '23.00' },
  renew: { '1': '11.50', '2': '23.00' },
  transfer: { '1': '11.50' },
  restore: { '1': '80.00' },
  trade: {},
  privacy_protect: '3.00',
  '0': { addnewdomain: '11.50', addtransferdomain: '11.50', renewdomain: '11.50', restoredomain: '80.00' },
};
export const priceListExample: z.output<typeof priceListView> = showPriceList({ com: item });
