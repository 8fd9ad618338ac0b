import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { badField } from '../../../core/errors.ts';
import { deleteRecord } from '../../../core/zones/records/delete-record.ts';
import { type Route, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import { nameInOneSegment } from './one-segment.ts';
import { article, customer_id, exampleHost, exampleValue, hostname, valueField } from './record-fields.ts';
import { type ContractType, contractTypes } from './record-types.ts';
import { deletedView, showDeleted } from './record-view.ts';

interface DeleteForm {
  readonly segment: ContractType;
  readonly tail: string;
  readonly needsValue: boolean;
  readonly description: string;
}

function deleteRoute({ segment, tail, needsValue, description }: DeleteForm): Route {
  const type = contractTypes[segment];
  const isInPath = tail !== '';
  const value = valueField(segment);
  return route({
    method: 'DELETE',
    path: `/domains/{domain_id}/dns/${segment}${tail}`,
    customer: 'dns',
    area: 'dns',
    style: 'contract',
    summary: `Delete ${article(type)} ${type} record`,
    description,
    input: z.object({
      domain_id,
      hostname,
      value: needsValue ? value : value.optional(),
      ...(tail === '/{hostname}' ? { old_value: value.optional() } : {}),
      customer_id: customer_id.optional(),
    }),
    keepEmpty: ['hostname'],
    output: deletedView,
    errors: ['not_found', 'conflict', 'managed_record'],
    example: {
      input: {
        domain_id: '5001',
        hostname: exampleHost(segment),
        ...(tail !== '' || needsValue ? { value: exampleValue(segment) } : {}),
      },
      output: {
        deleted: true,
        hostname: exampleHost(segment),
        val: exampleValue(segment),
        value: exampleValue(segment),
      },
      first: `POST .../dns/${segment} creates this record`,
    },
    render: showDeleted,
    async answer(ctx, caller, input) {
      const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
      const fallback = (input as { old_value?: string }).old_value ?? input.value;
      const name =
        tail === '/{hostname}'
          ? nameInOneSegment(segment, input.hostname, fallback)
          : { hostname: input.hostname, value: input.value };
      if (name.value === undefined && segment !== 'srv') throw badField('value', 'This field is required.', 'required');
      return showDeleted(await deleteRecord(ctx, caller, domain, { type, ...name, isInPath }));
    },
  });
}

export function deleteRecordRoute(segment: ContractType): Route {
  return deleteRoute({
    segment,
    tail: '/{hostname}/{value}',
    needsValue: true,
    description: 'Deletes the record with this host and value.',
  });
}

/** Panels leave the last segment empty and send the value in the body, as `old_value` or `value`. */
export function deleteRecordByHostRoute(segment: ContractType): Route {
  return deleteRoute({
    segment,
    tail: '/{hostname}',
    needsValue: false,
    description: 'Like the call with the value in the path. The value is old_value or value of the body or query.',
  });
}

export function deleteTextInBodyRoute(): Route {
  return deleteRoute({
    segment: 'txt',
    tail: '',
    needsValue: true,
    description: 'Deletes the record with this host and value, both in the body or query.',
  });
}

export function deleteServiceRoute(): Route {
  return deleteRoute({
    segment: 'srv',
    tail: '',
    needsValue: false,
    description: 'Deletes the SRV records of the host. With value, only those with that target.',
  });
}
