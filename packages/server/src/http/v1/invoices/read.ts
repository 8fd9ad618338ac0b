import { z } from 'zod';
import { readInvoice } from '../../../core/invoices/list.ts';
import { route } from '../../route.ts';
import { invoice_id, invoiceExample, invoiceView, showInvoice } from './invoice-view.ts';

export const readInvoiceRoute = route({
  method: 'GET',
  path: '/invoices/{invoice_id}',
  area: 'billing',
  style: 'own',
  summary: 'Read an invoice or credit note',
  description: 'As it was issued, and what has been paid and taken back of it.',
  input: z.object({ invoice_id }),
  output: invoiceView,
  errors: ['not_found'],
  example: {
    input: { invoice_id: invoiceExample.invoice_id },
    output: invoiceExample,
    first: 'a customer must have been billed',
  },
  answer: async (house, caller, input) => showInvoice(await readInvoice(house, caller, input.invoice_id)),
});
