import { z } from 'zod';
import { readTlds } from '../../../core/tlds/list.ts';
import { route } from '../../route.ts';

export const tldsRoute = route({
  method: 'GET',
  path: '/tlds',
  area: 'common',
  style: 'contract',
  summary: 'List TLDs on offer',
  description:
    'An object by TLD, each a list with one entry. The same keys are in the price lists, which is how panels join the two.',
  input: z.object({}),
  output: z.record(z.string(), z.array(z.object({ label: z.string(), name: z.string() }))),
  errors: [],
  example: { output: { com: [{ label: '.com', name: 'com' }], 'co.id': [{ label: '.co.id', name: 'co.id' }] } },
  async answer(house) {
    const tlds = await readTlds(house);
    return Object.fromEntries(tlds.map(({ name, label }) => [name, [{ label, name }]]));
  },
});
