import { z } from 'zod';
import { readProfile } from '../../../core/accounts/profile.ts';
import { bodyLimits } from '../../body.ts';
import { listLimits } from '../../page.ts';
import { requestsPerMinute } from '../../rate-limit.ts';
import { route } from '../../route.ts';
import { resellerExample, resellerView, showReseller } from '../resellers/reseller-view.ts';
import { keyExample, keyView, showKey } from './key-view.ts';

const profileView = resellerView
  .extend({
    currency: z.string().describe('Currency in which the account pays.'),
    api_key: keyView.nullable().describe('The key in use. Null: a session.'),
    address_seen: z.string().describe('Source address of this request, as compared with the whitelist.'),
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
    'The reseller account of the credentials, with the limits in force, the key in use and the source address.',
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
    const { reseller, key, address } = await readProfile(ctx, caller);
    return {
      ...showReseller(reseller),
      currency: reseller.selling_currency,
      api_key: key && showKey(key, ctx.wall.now()),
      address_seen: address,
      limits: {
        requests_per_minute: requestsPerMinute(ctx.config, caller.user !== undefined),
        page_size_max: listLimits.pageSizeMax,
        body_bytes_max: bodyLimits.bytes,
      },
    };
  },
});
