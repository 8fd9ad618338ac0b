import { z } from 'zod';
import { listCurrencies } from '../../../core/reference/currency.ts';
import { listAnswer } from '../../page.ts';
import { route } from '../../route.ts';

export const currencyView = z
  .object({
    symbol: z.string().describe('ISO 4217 code.'),
    name: z.string(),
    decimals: z.int().describe('Digits after the decimal point.'),
  })
  .meta({ id: 'Currency', description: 'A currency.' });

export const currenciesRoute = route({
  method: 'GET',
  path: '/currencies',
  customer: 'read',
  area: 'common',
  style: 'contract',
  hasTotal: true,
  summary: 'List currencies',
  description: 'All ISO 4217 currencies. There are no rates, because nothing is exchanged.',
  input: z.object({}),
  output: z.array(currencyView),
  errors: [],
  example: { output: [{ symbol: 'USD', name: 'US Dollar', decimals: 2 }] },
  async answer() {
    const rows = listCurrencies();
    return listAnswer(rows, rows.length);
  },
});
