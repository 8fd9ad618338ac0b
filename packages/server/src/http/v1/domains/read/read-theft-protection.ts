import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';

export const readTheftProtection = route({
  method: 'GET',
  path: '/domains/{domain_id}/theft_protection',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'Read the theft protection',
  description: 'Whether transfers to another registrar are blocked, as a bare boolean. PUT and DELETE return a text.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.boolean(),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: true },
  async answer(ctx, caller, input) {
    return (await requireDomain(ctx, caller, input.domain_id, input.customer_id)).theft_protection;
  },
});
