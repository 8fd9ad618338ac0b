import { z } from 'zod';
import { sellingPriceList } from '../../../core/pricing/price-list.ts';
import { route } from '../../route.ts';
import { priceListExample, priceListView, showPriceList } from '../billing/price-list-view.ts';

export const resellerPricesRoute = route({
  method: 'GET',
  path: '/resellers/prices',
  area: 'resellers',
  style: 'contract',
  summary: 'List the prices for sub-resellers',
  description: 'Prices of this account for its sub-resellers, from its price list and its rules.',
  input: z.object({}),
  output: priceListView,
  errors: [],
  example: { output: priceListExample },
  answer: async (ctx, caller) => showPriceList(await sellingPriceList(ctx, caller, 'reseller')),
});
