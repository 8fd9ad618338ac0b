import { z } from 'zod';
import type { PriceListItem } from '../../../core/pricing/price-list.ts';

const byYears = z.record(z.string(), z.string()).describe('Years to price.');

/** The contract's hybrid shape (section 6.7): keyed by the TLD, as GET /tlds is. */
export const priceListView = z.record(
  z.string(),
  z.object({
    tld_label: z.string(),
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
);

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
export const priceListExample: z.output<typeof priceListView> = { com: item };
