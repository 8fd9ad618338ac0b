import { z } from 'zod';
import { listCountries } from '../../../core/reference/country.ts';
import { listAnswer } from '../../page.ts';
import { route } from '../../route.ts';

export const countriesRoute = route({
  method: 'GET',
  path: '/countries',
  customer: 'read',
  area: 'common',
  style: 'contract',
  hasTotal: true,
  summary: 'List countries',
  description: 'All ISO 3166-1 countries by English name, with the country calling code.',
  input: z.object({}),
  output: z.array(z.object({ country_code: z.string(), country_name: z.string(), tel_cc_no: z.string().nullable() })),
  errors: [],
  example: { output: [{ country_code: 'ID', country_name: 'Indonesia', tel_cc_no: '62' }] },
  async answer() {
    const rows = listCountries().map(({ code, name, callingCode }) => ({
      country_code: code,
      country_name: name,
      tel_cc_no: callingCode,
    }));
    return listAnswer(rows, rows.length);
  },
});
