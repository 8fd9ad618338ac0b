import { z } from 'zod';
import { foundKinds, search, searchLimits } from '../../../core/search/search.ts';
import { text } from '../../field.ts';
import { route } from '../../route.ts';

const foundView = z
  .object({
    kind: z.enum(foundKinds).describe('Type of the object.'),
    id: z.string().describe('Its id, as used in its own calls.'),
    title: z.string().describe('Domain name, label or description.'),
    detail: z.string().describe('Its state, or a detail that distinguishes equal titles.'),
  })
  .meta({ id: 'Found', description: 'A search result.' });

export const searchRoute = route({
  method: 'GET',
  path: '/search',
  customer: 'read',
  area: 'account',
  scope: null,
  style: 'own',
  summary: 'Search the account',
  description: `Finds domains by the beginning of their name (IDN as typed). Finds customers by name or email address (the newest ${searchLimits.customers.toLocaleString('en')}). Finds ids of domains, customers, operations, transactions, keys and events. At most ${searchLimits.ofKind} of each type, and only types that the key can read.`,
  input: z.object({ q: text({ max: 253, about: 'The search text.', example: 'example' }) }),
  output: z.object({ found: z.array(foundView).describe('Grouped by type. Empty: no match.') }),
  errors: ['invalid_argument'],
  example: {
    input: { q: 'example' },
    output: { found: [{ kind: 'domain', id: '5001', title: 'example-shop.com', detail: 'live' }] },
  },
  answer: async (ctx, caller, input) => ({ found: await search(ctx, caller, input.q) }),
});
