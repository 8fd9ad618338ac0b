import { z } from 'zod';
import { requirePrivacyOffered } from '../../../../core/domains/change/privacy.ts';
import { requireDomain } from '../../../../core/domains/find.ts';
import { rulesOf } from '../../../../core/tlds/rules-of.ts';
import { route } from '../../../route.ts';
import { instantOrNull } from '../../../wire.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { flagText } from './domain-view.ts';

export const readPrivacy = route({
  method: 'GET',
  path: '/domains/{domain_id}/privacy_protection',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'Read the privacy protection',
  description: 'Whether privacy protection is on, and until when it is paid. TLDs without it return 400.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.object({
    privacy_protection_enabled: z.enum(['true', 'false']),
    privacy_ends_at: z.string().nullable().describe('Until when it is paid. Null: not bought.'),
  }),
  errors: ['not_found', 'domain_blocked'],
  example: {
    input: { domain_id: '5001' },
    output: { privacy_protection_enabled: 'true', privacy_ends_at: '2027-11-15T09:00:00Z' },
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    const rules = await rulesOf(ctx.db.as(caller.resellerId), domain);
    requirePrivacyOffered(domain, rules);
    return {
      privacy_protection_enabled: flagText(domain.privacy_enabled),
      privacy_ends_at: instantOrNull(domain.privacy_until),
    };
  },
});
