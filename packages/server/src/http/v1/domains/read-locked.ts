import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';
import { flagWord } from './domain-view.ts';
import { customerCheck, domain_id } from './order-fields.ts';

export const readLocked = route({
  method: 'GET',
  path: '/domains/{domain_id}/locked',
  area: 'domains',
  style: 'contract',
  summary: 'Read the lock',
  description: 'Whether the domain is locked, why and since when. While it is, every change is refused.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.object({
    locked: z.enum(['true', 'false']),
    reason: z.string().nullable(),
    locked_at: z.string().nullable(),
  }),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: { locked: 'true', reason: 'dispute', locked_at: '2026-11-15T09:00:00Z' },
  },
  async answer(house, caller, input) {
    const domain = await requireDomain(house, caller, input.domain_id, input.customer_id);
    return {
      locked: flagWord(domain.locked),
      reason: domain.locked ? domain.locked_reason : null,
      locked_at: domain.locked ? instantOrNull(domain.locked_at) : null,
    };
  },
});
