import { z } from 'zod';
import { changeTaxId, readTaxId } from '../../../core/customers/tax-id.ts';
import { id } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { taxId } from '../invoices/tax-id-field.ts';

const taxIdView = z
  .object({
    tax_id: z.string().nullable().describe('With a tax id the customer is a business. Null: a private person.'),
  })
  .meta({ id: 'CustomerTaxId', description: 'The tax id of a customer.' });
const common = {
  path: '/customers/{customer_id}/tax_id',
  area: 'customers',
  style: 'own',
  output: taxIdView,
} as const;
const customer_id = id('Id of the customer.');
const show = (tax_id: string | null) => ({ tax_id });

export const customerTaxRoutes: readonly Route[] = [
  route({
    ...common,
    method: 'GET',
    summary: 'Read the tax id of a customer',
    description: 'It appears on invoices and decides about their tax.',
    input: z.object({ customer_id }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001' }, output: { tax_id: null } },
    answer: async (ctx, caller, input) => show(await readTaxId(ctx, caller, input.customer_id)),
  }),
  route({
    ...common,
    method: 'PUT',
    summary: 'Set the tax id of a customer',
    description: 'Applies to later invoices; issued invoices do not change. Empty: a private person.',
    input: z.object({
      customer_id,
      tax_id: taxId('As written by the tax office.', 'DE123456789'),
    }),
    errors: ['not_found'],
    example: { input: { customer_id: '2001', tax_id: 'DE123456789' }, output: { tax_id: 'DE123456789' } },
    render: show,
    answer: async (ctx, caller, input) => show(await changeTaxId(ctx, caller, input.customer_id, input.tax_id || null)),
  }),
];
