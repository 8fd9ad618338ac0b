import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { dsView, showDs } from './section-views.ts';

export const readDnssec = route({
  method: 'GET',
  path: '/domains/{domain_id}/dnssec',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'List DS records',
  description: 'The DS records of the domain at the registry.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.array(dsView),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: [{ keytag: 12345, algorithm: 13, digesttype: 2, digest: 'AB'.repeat(32) }],
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showDs(domain.ds);
  },
});
