import { z } from 'zod';
import { quotePurchase } from '../../../core/domains/buy/draft-purchase.ts';
import { purchases, soldKinds } from '../../../core/domains/buy/purchases.ts';
import { badField, Refusal } from '../../../core/errors.ts';
import { readQuote } from '../../../core/quotes/create.ts';
import { badParameter } from '../../errors.ts';
import { flag, integer, oneOf, text } from '../../field.ts';
import { route } from '../../route.ts';
import { quoteExample, quoteView, showQuote } from './quote-view.ts';

/** The kinds that customers can order themselves. */
const forCustomers: readonly (typeof soldKinds)[number][] = ['register', 'renew', 'restore', 'privacy'];

export const createQuoteRoute = route({
  method: 'POST',
  path: '/quotes',
  customer: 'order',
  area: 'domains',
  scope: 'domains:read',
  style: 'own',
  summary: 'Create a quote',
  description:
    'The price of an order in lines, with a total and a validity. Sent as quote_id, it guarantees that the order costs no more. It can be used for one order. A quote is refused for the same reasons as the order.',
  input: z.object({
    kind: oneOf(soldKinds, 'The action to buy.'),
    domain_name: text({ max: 255, about: 'The domain name.', example: 'example-shop.com' }),
    years: integer({ min: 1, max: 10, about: 'Number of years. Default: 1.', example: 1 }).optional(),
    privacy_protection: flag('Include privacy protection.').optional(),
  }),
  output: quoteView,
  errors: [
    'tld_not_offered',
    'price_not_set',
    'domain_not_available',
    'domain_blocked',
    'conflict',
    'registry_unavailable',
  ],
  example: {
    input: { kind: 'register', domain_name: 'next-shop.com', years: 1 },
    output: { ...quoteExample, customer_price: { amount: '14.99', currency: 'USD' } },
  },
  render: showQuote,
  async answer(ctx, caller, input) {
    if (caller.customerId !== undefined && !forCustomers.includes(input.kind))
      throw badParameter('kind', `Must be one of ${forCustomers.join(', ')}.`);
    const { domain_name: domainName, years = 1, privacy_protection: privacy = false } = input;
    const wanted = { domainName, years, privacy };
    const quote = await quotePurchase(ctx, caller, purchases[input.kind], wanted).catch((error: unknown) => {
      // The domain name is a field here, not part of the path.
      if (error instanceof Refusal && error.code === 'not_found')
        throw badField('domain_name', 'Domain not found.', 'not_found');
      throw error;
    });
    return showQuote(quote);
  },
});

export const readQuoteRoute = route({
  method: 'GET',
  path: '/quotes/{quote_id}',
  area: 'domains',
  style: 'own',
  summary: 'Read a quote',
  description: 'A quote as it was made, and the operation that used it.',
  input: z.object({ quote_id: text({ max: 60, about: 'Id of the quote.' }) }),
  output: quoteView,
  errors: ['not_found'],
  example: { input: { quote_id: quoteExample.quote_id }, output: quoteExample },
  answer: async (ctx, caller, input) => showQuote(await readQuote(ctx, caller, input.quote_id)),
});
