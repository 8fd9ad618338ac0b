import { z } from 'zod';
import { notFound } from '../../../core/errors.ts';
import { isCountry } from '../../../core/reference/country.ts';
import { statesOf } from '../../../core/reference/state.ts';
import { text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { route } from '../../route.ts';

export const statesRoute = route({
  method: 'GET',
  path: '/countries/{country_code}/states',
  customer: 'read',
  area: 'common',
  style: 'contract',
  hasTotal: true,
  summary: 'List the states of a country',
  description: 'States or provinces with their codes.',
  input: z.object({ country_code: text({ max: 60, about: 'ISO 3166-1 alpha-2 code, in any case.', example: 'ID' }) }),
  output: z.array(z.object({ state_code: z.string(), state_name: z.string() })),
  errors: ['not_found'],
  example: { input: { country_code: 'ID' }, output: [{ state_code: 'JK', state_name: 'Jakarta Raya' }] },
  async answer(_ctx, _caller, input) {
    const country = input.country_code.toUpperCase();
    if (!isCountry(country)) throw notFound('country');
    const rows = statesOf(country).map(({ code, name }) => ({ state_code: code, state_name: name }));
    return listAnswer(rows, rows.length);
  },
});
