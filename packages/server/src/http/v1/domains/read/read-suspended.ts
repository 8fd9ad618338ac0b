import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { instantOrNull } from '../../../wire.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { flagText } from './domain-view.ts';

export const readSuspended = route({
  method: 'GET',
  path: '/domains/{domain_id}/suspended',
  area: 'domains',
  style: 'contract',
  summary: 'Read the suspension',
  description: 'Whether the domain is suspended (removed from the DNS), with reason and time.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.object({
    suspended: z.enum(['true', 'false']),
    reason: z.string().nullable(),
    suspended_at: z.string().nullable(),
  }),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: { suspended: 'true', reason: 'unpaid', suspended_at: '2026-11-15T09:00:00Z' },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return {
      suspended: flagText(domain.suspended),
      reason: domain.suspended ? domain.suspended_reason : null,
      suspended_at: domain.suspended ? instantOrNull(domain.suspended_at) : null,
    };
  },
});
