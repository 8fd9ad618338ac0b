import { z } from 'zod';
import { readProfile } from '../../../core/accounts/profile.ts';
import { bodyLimits } from '../../body.ts';
import { listLimits } from '../../page.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from '../resellers/reseller-view.ts';
import { keyExample, keyView, showKey } from './key-view.ts';

const profileView = resellerView
  .extend({
    currency: z.string().describe('Currency that the account pays in.'),
    api_key: keyView.nullable().describe('The key in use; null in a session.'),
    address_seen: z.string().describe('The address that this request came from, as the whitelist sees it.'),
    limits: z.object({ requests_per_minute: z.int(), page_size_max: z.int(), body_bytes_max: z.int() }),
  })
  .meta({ id: 'Profile', description: 'The account of the credentials.' });

export const profile = route({
  method: 'GET',
  path: '/account/profile',
  area: 'account',
  scope: null,
  style: 'contract',
  summary: 'Read the account profile',
  description:
    'The reseller account that the credentials belong to, with the limits in force, the key in use and the address that was seen.',
  input: z.object({}),
  output: profileView,
  errors: [],
  example: {
    output: {
      ...resellerExample,
      currency: 'USD',
      api_key: keyExample,
      address_seen: '192.0.2.10',
      limits: { requests_per_minute: 3000, page_size_max: 100, body_bytes_max: 1_048_576 },
    },
  },
  async answer(ctx, caller) {
    const { reseller, key, address, requestsPerMinute } = await readProfile(ctx, caller);
    return {
      ...showReseller(reseller),
      currency: reseller.selling_currency,
      api_key: key && showKey(key, ctx.wall.now()),
      address_seen: address,
      limits: {
        requests_per_minute: requestsPerMinute,
        page_size_max: listLimits.pageSizeMax,
        body_bytes_max: bodyLimits.bytes,
      },
    };
  },
});
