import { z } from 'zod';
import type { Watch } from '../../../core/domains/compare/watch.sql.ts';
import { watchDomain } from '../../../core/domains/compare/watch.ts';
import { requireDomain } from '../../../core/domains/find.ts';
import { type Route, route } from '../../route.ts';
import { customerCheck, domain_id } from './buy/order-fields.ts';

export const watchedView = z
  .object({
    domain_id: z.string(),
    domain_name: z.string(),
    watched: z.boolean().describe('Watched by the reseller.'),
    watched_by_operator: z.boolean().describe('Watched by the operator.'),
  })
  .meta({ id: 'Watch', description: 'Whether a domain is compared every few minutes.' });
export const watchedExample = {
  domain_id: '5001',
  domain_name: 'example-shop.com',
  watched: true,
  watched_by_operator: false,
};
type Marks = Pick<Watch, 'id' | 'name' | 'watched' | 'watched_by_operator'>;
export const showWatched = ({ id, name, watched, watched_by_operator }: Marks) => ({
  domain_id: id,
  domain_name: name,
  watched,
  watched_by_operator,
});

const common = {
  path: '/domains/{domain_id}/watched',
  area: 'domains',
  style: 'own',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: watchedView,
  errors: ['not_found'],
} as const;

export const watchedRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read whether a domain is watched',
    description: 'Whether the reseller or the operator watches the domain. Either is enough.',
    example: { input: { domain_id: '5001' }, output: watchedExample },
    answer: async (ctx, caller, input) =>
      showWatched(await requireDomain(ctx, caller, input.domain_id, input.customer_id)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Watch a domain',
    description:
      'The domain is then compared with its registry every few minutes instead of once a day. A nameserver, DS record, contact or status that was changed there raises `domain.drift`.',
    example: { input: { domain_id: '5001' }, output: watchedExample },
    render: showWatched,
    answer: async (ctx, caller, input) =>
      showWatched(await watchDomain(ctx, caller, { domain: input.domain_id, customerId: input.customer_id }, true)),
  }),
  route({
    ...common,
    method: 'DELETE',
    summary: 'Stop watching a domain',
    description: 'The domain is compared at the usual interval again, unless the operator watches it too.',
    example: { input: { domain_id: '5001' }, output: { ...watchedExample, watched: false } },
    render: showWatched,
    answer: async (ctx, caller, input) =>
      showWatched(await watchDomain(ctx, caller, { domain: input.domain_id, customerId: input.customer_id }, false)),
  }),
];
