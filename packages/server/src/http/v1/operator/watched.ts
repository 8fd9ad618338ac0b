import { z } from 'zod';
import { watchAsOperator } from '../../../core/domains/compare/watch.ts';
import { type Method, type Route, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import { showWatched, watchedExample, watchedView } from '../domains/watched.ts';

const mark = (method: Method, on: boolean, summary: string): Route =>
  route({
    method,
    path: '/operator/domains/{domain_id}/watched',
    area: 'account',
    scope: 'full',
    style: 'own',
    summary,
    description:
      'Marks any domain for the operator, independently of the mark of its reseller. A watched domain is compared with its registry every few minutes.',
    input: z.object({ domain_id }),
    output: watchedView,
    errors: ['operator_only', 'not_found'],
    example: {
      input: { domain_id: '5001' },
      output: { ...watchedExample, watched: false, watched_by_operator: on },
    },
    render: showWatched,
    answer: async (ctx, caller, input) => showWatched(await watchAsOperator(ctx, caller, input.domain_id, on)),
  });

export const operatorWatchRoutes: readonly Route[] = [
  mark('PUT', true, 'Watch a domain as the operator'),
  mark('DELETE', false, 'Stop watching a domain as the operator'),
];
