import { z } from 'zod';
import { requireDomain } from '../../../../core/domains/find.ts';
import { versionOf } from '../../../../core/version.ts';
import { route } from '../../../route.ts';
import { withVersion } from '../../common/if-match.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { nameserverKeys, showNameservers } from './domain-view.ts';

export const readNameservers = route({
  method: 'GET',
  path: '/domains/{domain_id}/ns',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  hasETag: true,
  summary: 'Read the nameservers',
  description:
    'Only the nameservers of the domain, in order: ns1, ns2 and so on. `ETag` is their version, for If-Match.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.object(nameserverKeys),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: { ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net' } },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    // Most clients treat an empty object as a failure.
    const shown = domain.nameservers.length === 0 ? { ns1: '' } : showNameservers(domain.nameservers);
    return withVersion(shown, versionOf(domain.nameservers));
  },
});
