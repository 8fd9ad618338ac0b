import { z } from 'zod';
import {
  changeDefaultNameservers,
  nameserverLimits,
  readDefaultNameservers,
} from '../../../core/customers/default-nameservers.ts';
import { id, list } from '../../field.ts';
import { route } from '../../route.ts';

/** `{"ns1": "...", "ns2": "..."}`. */
const nameserversView = z.record(z.string(), z.string());
const show = (names: readonly string[]) => Object.fromEntries(names.map((name, index) => [`ns${index + 1}`, name]));
const example = { ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net' };

export const defaultNameserversRoute = route({
  method: 'GET',
  path: '/customers/{customer_id}/ns/default',
  customer: 'read',
  area: 'customers',
  style: 'contract',
  summary: 'Read the default nameservers of a customer',
  description: 'Nameservers for domains of the customer whose order names none.',
  input: z.object({ customer_id: id('Id of the customer.') }),
  output: nameserversView,
  errors: ['not_found'],
  example: { input: { customer_id: '2001' }, output: example },
  answer: async (ctx, caller, input) => show(await readDefaultNameservers(ctx, caller, input.customer_id)),
});

export const changeDefaultNameserversRoute = route({
  method: 'PUT',
  path: '/customers/{customer_id}/ns/default',
  area: 'customers',
  alsoScope: 'domains:write',
  style: 'own',
  summary: 'Set the default nameservers of a customer',
  description:
    'Sets the nameservers for later orders of the customer that name none. Existing domains do not change. If the account requires approval for nameservers, the default cannot be changed: name the nameservers in each order.',
  input: z.object({
    customer_id: id('Id of the customer.'),
    ns: list({
      max: nameserverLimits.max,
      about: `${nameserverLimits.min} to ${nameserverLimits.max} nameservers.`,
      example: Object.values(example),
    }),
  }),
  output: nameserversView,
  errors: ['not_found', 'conflict'],
  example: { input: { customer_id: '2001', ns: Object.values(example) }, output: example },
  render: show,
  answer: async (ctx, caller, input) => show(await changeDefaultNameservers(ctx, caller, input.customer_id, input.ns)),
});
