import { z } from 'zod';
import { sellingPriceList } from '../../../core/pricing/price-list.ts';
import { route } from '../../route.ts';
import { priceListExample, priceListView, showPriceList } from '../billing/price-list-view.ts';

export const customerPricesRoute = route({
  method: 'GET',
  path: '/customers/prices',
  area: 'customers',
  style: 'contract',
  summary: 'List the prices for customers',
  description: 'Prices of this account for its customers, from its price list and its rules.',
  input: z.object({}),
  output: priceListView,
  errors: [],
  example: { output: priceListExample },
  answer: async (ctx, caller) => showPriceList(await sellingPriceList(ctx, caller, 'customer')),
});
