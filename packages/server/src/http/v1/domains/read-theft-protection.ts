import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { route } from '../../route.ts';
import { flagWord } from './domain-view.ts';
import { customerCheck, domain_id } from './order-fields.ts';

export const readTheftProtection = route({
  method: 'GET',
  path: '/domains/{domain_id}/theft_protection',
  area: 'domains',
  style: 'contract',
  summary: 'Read the theft protection',
  description:
    'Whether transfers to another registrar are locked out. A text, not a boolean: panels compare it with "true".',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.object({ theft_protection: z.enum(['true', 'false']) }),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: { theft_protection: 'true' } },
  async answer(house, caller, input) {
    const domain = await requireDomain(house, caller, input.domain_id, input.customer_id);
    return { theft_protection: flagWord(domain.theft_protection) };
  },
});
