import { z } from 'zod';
import { readTlds } from '../../../core/tlds/list.ts';
import { route } from '../../route.ts';
import { termText } from '../billing/price-list-view.ts';

/** One panel iterates over the values of the list; another looks for additional keys. Both find them in the only entry. */
function entryOf(name: string, label: string, minYears: number) {
  return { label, name, min_duration: termText(minYears), tld_name: name, tld_key: name, tld_label: label };
}

export const tldsRoute = route({
  method: 'GET',
  path: '/tlds',
  customer: 'read',
  area: 'common',
  style: 'contract',
  summary: 'List the offered TLDs',
  description:
    'An object keyed by TLD, each value a list with one entry. The price lists have the same keys, so that panels can join them.',
  input: z.object({}),
  output: z.record(
    z.string(),
    z.array(
      z.object({
        label: z.string(),
        name: z.string(),
        min_duration: z.string().describe('The shortest term, in words.'),
        tld_name: z.string(),
        tld_key: z.string().describe('The key of this entry and of its prices.'),
        tld_label: z.string(),
      }),
    ),
  ),
  errors: [],
  example: { output: { com: [entryOf('com', '.com', 1)], 'co.id': [entryOf('co.id', '.co.id', 1)] } },
  async answer(ctx) {
    const tlds = await readTlds(ctx);
    return Object.fromEntries(
      tlds.map(({ name, label, rules }) => [name, [entryOf(name, label, rules.periods.min_years)]]),
    );
  },
});
