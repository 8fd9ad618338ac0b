import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { zoneLimits } from '../../../core/zones/limits.ts';
import { listAllRecords } from '../../../core/zones/records/list-records.ts';
import { type Route, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import { customer_id } from './record-fields.ts';
import { type ContractType, contractTypes } from './record-types.ts';
import { recordExample, recordView, showRecord } from './record-view.ts';

export function listRecordsRoute(segment: ContractType): Route {
  const type = contractTypes[segment];
  return route({
    method: 'GET',
    path: `/domains/{domain_id}/dns/${segment}`,
    customer: 'read',
    area: 'dns',
    style: 'contract',
    summary: `List the ${type} records`,
    description: `All ${type} records of the zone, sorted by host. A domain without a zone has none. For more than ${zoneLimits.recordsPerList} records, read GET /v1/domains/{domain_id}/zone/rrsets in pages.`,
    input: z.object({ domain_id, customer_id: customer_id.optional() }),
    output: z.array(recordView(segment)),
    errors: ['not_found'],
    example: { input: { domain_id: '5001' }, output: [recordExample(segment)] },
    async answer(ctx, caller, input) {
      const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
      return (await listAllRecords(ctx, domain, type)).map(showRecord);
    },
  });
}
