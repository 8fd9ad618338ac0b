import { z } from 'zod';
import { foundKinds, search, searchLimits } from '../../../core/search/search.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';

const foundView = z
  .object({
    kind: z.enum(foundKinds).describe('What it is.'),
    id: z.string().describe('Its id, as its own calls take it.'),
    title: z.string().describe('The name, the label, or what it is about.'),
    detail: z.string().describe('Its state, or what tells it from others of the same title.'),
  })
  .meta({ id: 'Found', description: 'Something of the account that fits what was searched for.' });

export const searchRoute = route({
  method: 'GET',
  path: '/search',
  customer: 'read',
  area: 'account',
  scope: null,
  style: 'own',
  summary: 'Search everything of the account',
  description: `Names by their beginning (IDN as typed), customers by name or e-mail (the newest ${searchLimits.customers.toLocaleString('en')}), and ids of domains, customers, operations, transactions, keys and events. At most ${searchLimits.ofKind} of a kind, and only kinds that the key may read.`,
  input: z.object({ q: text({ max: 253, about: 'What is searched for.', example: 'example' }) }),
  output: z.object({ found: z.array(foundView).describe('By kind; empty: nothing fits.') }),
  errors: ['invalid_argument'],
  example: {
    input: { q: 'example' },
    output: { found: [{ kind: 'domain', id: '5001', title: 'example-shop.com', detail: 'live' }] },
  },
  answer: async (ctx, caller, input) => ({ found: await search(ctx, caller, input.q) }),
});
