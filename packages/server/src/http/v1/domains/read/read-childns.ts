import { z } from 'zod';
import { readChildHosts as childHostsOf } from '../../../../core/domains/change/child-hosts.sql.ts';
import { requireDomain } from '../../../../core/domains/find.ts';
import { route } from '../../../route.ts';
import { customerCheck, domain_id } from '../buy/order-fields.ts';
import { childHostView, showChildHosts } from './section-views.ts';

export const readChildHosts = route({
  method: 'GET',
  path: '/domains/{domain_id}/childns',
  customer: 'read',
  area: 'domains',
  style: 'contract',
  summary: 'List child nameservers',
  description: 'Host names below the domain with their addresses, one line for each address.',
  input: z.object({ domain_id, customer_id: customerCheck }),
  output: z.array(childHostView),
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: [{ hostname: 'ns1.example-shop.com', ip: '192.0.2.53' }] },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
    return showChildHosts(await childHostsOf(ctx.db.as(caller.resellerId), domain.id));
  },
});
