import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';

export const readLocked = route({
  method: 'GET',
  path: '/domains/{domain_id}/locked',
  area: 'domains',
  style: 'contract',
  summary: 'Read the lock',
  description:
    'Whether the domain is locked, as a bare boolean. A locked domain refuses every change. `GET /domains/{domain_id}/locks` has the reason and the time.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.boolean(),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: false },
  async answer(ctx, caller, input) {
    return (await requireDomain(ctx, caller, input.domain_id, input.customer_id)).locked;
  },
});
