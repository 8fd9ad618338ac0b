import { z } from 'zod';
import { notFound } from '../../../core/errors.ts';
import { findCurrency } from '../../../core/reference/currency.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';
import { currencyView } from './currencies.ts';

export const currencyRoute = route({
  method: 'GET',
  path: '/currencies/{symbol}',
  customer: 'read',
  area: 'common',
  style: 'contract',
  summary: 'Read a currency',
  description: 'One currency by its ISO 4217 code, in any case.',
  input: z.object({ symbol: text({ max: 60, about: 'ISO 4217 code.', example: 'USD' }) }),
  output: currencyView,
  errors: ['not_found'],
  example: { input: { symbol: 'USD' }, output: { symbol: 'USD', name: 'US Dollar', decimals: 2 } },
  async answer(_ctx, _caller, input) {
    const found = findCurrency(input.symbol);
    if (!found) throw notFound('currency');
    return found;
  },
});
