import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { addRecord } from '../../../core/zones/records/add-record.ts';
import type { RecordNumbers } from '../../../core/zones/records/plain-record.ts';
import { type Route, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import * as fields from './record-fields.ts';
import { type ContractType, contractTypes } from './record-types.ts';
import { recordExample, recordView, showEdited } from './record-view.ts';

const numbers = (segment: ContractType) => {
  if (segment === 'mx') return { priority: fields.priority.optional() };
  return segment === 'srv' ? { port: fields.port, weight: fields.weight, priority: fields.priority } : {};
};

export function addRecordRoute(segment: ContractType): Route {
  const type = contractTypes[segment];
  return route({
    method: 'POST',
    path: `/domains/{domain_id}/dns/${segment}`,
    customer: 'dns',
    area: 'dns',
    style: 'contract',
    summary: `Add ${fields.article(type)} ${type} record`,
    description: `Adds one ${type} record to the zone of the domain. Other records of the host stay. Without a zone, one is created.`,
    input: z.object({
      domain_id,
      hostname: segment === 'srv' ? fields.hostname : fields.hostname.optional(),
      value: fields.valueField(segment),
      ...numbers(segment),
      ttl: fields.ttl.optional(),
      customer_id: fields.customer_id.optional(),
    }),
    keepEmpty: ['hostname'],
    bodyName: fields.bodyName(segment, 'New'),
    output: recordView(segment),
    errors: ['not_found', 'conflict', 'managed_record', 'already_exists'],
    example: {
      input: {
        domain_id: '5001',
        hostname: fields.exampleHost(segment),
        value: fields.exampleValue(segment),
        ...(segment === 'srv' ? { port: 5060, weight: 5, priority: 10 } : {}),
      },
      output: recordExample(segment),
    },
    render: showEdited,
    async answer(ctx, caller, input) {
      const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
      const { priority, weight, port } = input as RecordNumbers;
      const { value, ttl, hostname = '' } = input;
      const order = { type, hostname, value, ttl, priority, weight, port };
      return showEdited(await addRecord(ctx, caller, domain, order));
    },
  });
}
