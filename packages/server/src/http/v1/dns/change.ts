import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { changeRecord, type RecordChange } from '../../../core/zones/records/change-record.ts';
import { type Route, route } from '../../route.ts';
import { domain_id } from '../domains/buy/order-fields.ts';
import { nameInOneSegment } from './one-segment.ts';
import {
  article,
  bodyName,
  customer_id,
  exampleHost,
  exampleValue,
  hostname,
  port,
  priority,
  ttl,
  valueField,
  weight,
} from './record-fields.ts';
import { type ContractType, contractTypes } from './record-types.ts';
import { recordExample, recordView, showEdited } from './record-view.ts';

function newNumbers(segment: ContractType) {
  const numbers = { priority: priority.optional(), weight: weight.optional(), port: port.optional() };
  if (segment === 'mx') return { priority: numbers.priority };
  return segment === 'srv' ? numbers : {};
}

/** MX records with the same host and value differ in their priority. */
const oldNumbers = (segment: ContractType) => (segment === 'mx' ? { old_priority: priority.optional() } : {});

interface ChangeForm {
  readonly segment: ContractType;
  /** The path after the record type. */
  readonly tail: string;
  readonly named: z.ZodRawShape;
  /** Fields that identify the old record, in addition to the path. */
  readonly by?: string;
  readonly description: string;
}

function changeRoute({ segment, tail, named, by = '', description }: ChangeForm): Route {
  const type = contractTypes[segment];
  const isInPath = tail !== '';
  return route({
    method: 'PUT',
    path: `/domains/{domain_id}/dns/${segment}${tail}`,
    customer: 'dns',
    area: 'dns',
    style: 'contract',
    summary: `Change ${article(type)} ${type} record`,
    description,
    input: z.object({
      domain_id,
      ...(named as { old_hostname: typeof hostname; old_value: z.ZodOptional<ReturnType<typeof valueField>> }),
      value: valueField(segment),
      ...newNumbers(segment),
      ttl: ttl.optional(),
      customer_id: customer_id.optional(),
    }),
    keepEmpty: ['old_hostname'],
    bodyName: bodyName(segment, 'Changed', by),
    output: recordView(segment),
    errors: ['not_found', 'conflict', 'managed_record', 'already_exists'],
    example: {
      input: {
        domain_id: '5001',
        old_hostname: exampleHost(segment),
        old_value: exampleValue(segment),
        value: exampleValue(segment),
        ...('old_port' in named ? { old_port: 5060, old_weight: 5, old_priority: 10 } : {}),
      },
      output: recordExample(segment),
      first: `POST .../dns/${segment} creates this record`,
    },
    render: showEdited,
    async answer(ctx, caller, input) {
      const domain = await requireDomain(ctx, caller, input.domain_id, input.customer_id);
      const old = input as { old_port?: number; old_weight?: number; old_priority?: number };
      const name =
        tail === '/{old_hostname}'
          ? nameInOneSegment(segment, input.old_hostname, input.old_value)
          : { hostname: input.old_hostname, value: input.old_value };
      const wanted = {
        type,
        ...name,
        port: old.old_port,
        weight: old.old_weight,
        priority: old.old_priority,
        isInPath,
      };
      return showEdited(await changeRecord(ctx, caller, domain, wanted, input as RecordChange));
    },
  });
}

export function changeRecordRoute(segment: ContractType): Route {
  return changeRoute({
    segment,
    tail: '/{old_hostname}/{old_value}',
    named: { old_hostname: hostname, old_value: valueField(segment), ...oldNumbers(segment) },
    description: `Changes the value of the record with this host and value; the host stays.${segment === 'mx' ? ' If several records match, old_priority selects one. Without it the change is refused.' : ''}`,
  });
}

/** Panels leave the last segment empty and send the value in the body. */
export function changeRecordByHostRoute(segment: ContractType): Route {
  return changeRoute({
    segment,
    tail: '/{old_hostname}',
    by: 'ByValue',
    named: { old_hostname: hostname, old_value: valueField(segment).optional(), ...oldNumbers(segment) },
    description:
      'Like the call with the value in the path. old_value is in the body; it can be omitted if the host has one record.',
  });
}

export function changeTextInBodyRoute(): Route {
  return changeRoute({
    segment: 'txt',
    tail: '',
    by: 'ByHostAndValue',
    named: { old_hostname: hostname, old_value: valueField('txt') },
    description: 'Changes the value of the record with this host and value; the host stays.',
  });
}

export function changeServiceRoute(): Route {
  return changeRoute({
    segment: 'srv',
    tail: '/{old_hostname}/{old_value}/{old_port}/{old_weight}/{old_priority}',
    named: {
      old_hostname: hostname,
      old_value: valueField('srv'),
      old_port: port,
      old_weight: weight,
      old_priority: priority,
    },
    description: 'Changes the record that all old fields identify. Omitted fields stay.',
  });
}
