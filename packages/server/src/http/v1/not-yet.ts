import { z } from 'zod';
import { readCustomer } from '../../core/customers/read.ts';
import { requireDomain } from '../../core/domains/find.ts';
import { Refusal } from '../../core/errors.ts';
import type { House } from '../../core/house.ts';
import { id } from '../field.ts';
import { type Caller, type Method, type Route, route } from '../route.ts';
import { customerCheck, domain_id, ownerCheckName } from './domains/buy/order-fields.ts';

interface NotYet {
  readonly method?: Method;
  readonly path: string;
  readonly area?: 'domains' | 'billing';
  readonly summary: string;
  readonly instead: string;
  readonly input?: z.ZodRawShape;
  readonly example?: Record<string, unknown>;
}

const nothing = z.object({}).meta({ id: 'Nothing', description: 'An empty object.' });

interface Place {
  readonly input: z.ZodRawShape;
  readonly example: Record<string, string>;
  exists(house: House, caller: Caller, fields: Record<string, string | undefined>): Promise<unknown>;
}

const onDomain: Place = {
  input: { domain_id, customer_id: customerCheck },
  example: { domain_id: '5001' },
  exists: (house, caller, fields) => requireDomain(house, caller, fields.domain_id!, fields.customer_id),
};
const onCustomer: Place = {
  input: { customer_id: id('Id of the customer.') },
  example: { customer_id: '2001' },
  exists: (house, caller, fields) => readCustomer(house, caller, fields.customer_id!),
};

function placeOf(path: string): Place | undefined {
  if (path.startsWith('/domains/{domain_id}')) return onDomain;
  return path.startsWith('/customers/{customer_id}') ? onCustomer : undefined;
}

/** A call of the contract that is known and not offered yet. It says so plainly; what does not exist is still said first. */
export function notYet({ method = 'POST', path, area = 'domains', summary, instead, input, example }: NotYet): Route {
  const place = placeOf(path);
  return route({
    method,
    path,
    area,
    style: 'contract',
    isOffered: false,
    summary: `${summary} (not offered yet)`,
    description: `Not offered yet: every call answers 400 \`not_available_yet\`. ${instead}`,
    input: z.object({ ...place?.input, ...input }),
    output: nothing,
    ...(input ? {} : { bodyName: ownerCheckName }),
    errors: [...(place ? (['not_found'] as const) : []), 'invalid_argument', 'not_available_yet'],
    example: { input: { ...place?.example, ...example }, output: {} },
    async answer(house, caller, fields) {
      await place?.exists(house, caller, fields as Record<string, string | undefined>);
      throw new Refusal('not_available_yet', `${summary} is not offered yet. ${instead}`);
    },
  });
}
