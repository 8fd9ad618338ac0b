import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { instantOrNull } from '../../../wire.ts';
import { domain_id } from '../buy/order-fields.ts';

const lockView = z.object({ is_set: z.boolean(), reason: z.string().nullable(), since: z.string().nullable() });

export const readLocks = route({
  method: 'GET',
  path: '/domains/{domain_id}/locks',
  area: 'domains',
  style: 'own',
  summary: 'Read all locks with their reasons',
  description: 'The locks of the domain with reason and time, and the statuses at the registry.',
  input: z.object({ domain_id }),
  output: z.object({
    domain_id: z.string(),
    locked: lockView,
    suspended: lockView,
    theft_protection: z.boolean(),
    registry_status: z.array(z.string()),
  }),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: {
      domain_id: '5001',
      locked: { is_set: true, reason: 'dispute', since: '2026-11-15T09:00:00Z' },
      suspended: { is_set: false, reason: null, since: null },
      theft_protection: true,
      registry_status: ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited'],
    },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const lock = (is: boolean, reason: string | null, at: Date | null) => ({
      is_set: is,
      reason: is ? reason : null,
      since: is ? instantOrNull(at) : null,
    });
    return {
      domain_id: domain.id,
      locked: lock(domain.locked, domain.locked_reason, domain.locked_at),
      suspended: lock(domain.suspended, domain.suspended_reason, domain.suspended_at),
      theft_protection: domain.theft_protection,
      registry_status: [...domain.registry_status],
    };
  },
});
