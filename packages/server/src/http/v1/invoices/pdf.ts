import { z } from 'zod';
import { printInvoice } from '../../../core/invoices/pdf.ts';
import { Answer, route } from '../../route.ts';
import { invoice_id, invoiceExample } from './invoice-view.ts';

export const invoicePdfRoute = route({
  method: 'GET',
  path: '/invoices/{invoice_id}.pdf',
  customer: 'read',
  area: 'billing',
  style: 'own',
  cost: 10,
  summary: 'Read an invoice or credit note as PDF',
  description: 'In A4 format, with your current logo and footer. Everything else is as issued.',
  input: z.object({ invoice_id }),
  output: z.string(),
  answerType: 'application/pdf',
  errors: ['not_found', 'unavailable', 'rate_limited'],
  example: {
    input: { invoice_id: invoiceExample.invoice_id },
    output: '%PDF-1.3 ...',
    first: 'a customer must have been billed',
  },
  answer: async (ctx, caller, input) => new Answer(Buffer.from(await printInvoice(ctx, caller, input.invoice_id))),
});
