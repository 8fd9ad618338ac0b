import { z } from 'zod';
import { ownPriceList } from '../../../core/pricing/price-list.ts';
import { route } from '../../route.ts';
import { priceListExample, priceListView, showPriceList } from '../billing/price-list-view.ts';

export const accountPricesRoute = route({
  method: 'GET',
  path: '/account/prices',
  area: 'account',
  style: 'contract',
  summary: 'List your cost prices',
  description: 'The price for this account by TLD, action and number of years, as an order would be charged now.',
  input: z.object({}),
  output: priceListView,
  errors: [],
  example: { output: priceListExample },
  answer: async (ctx, caller) => showPriceList(await ownPriceList(ctx, caller)),
});
