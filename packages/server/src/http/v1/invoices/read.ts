import { z } from 'zod';
import { readInvoice } from '../../../core/invoices/list.ts';
import { printInvoice } from '../../../core/invoices/pdf.ts';
import { Answer, route } from '../../route.ts';
import { invoice_id, invoiceExample, invoiceView, showInvoice } from './invoice-view.ts';

export const readInvoiceRoute = route({
  method: 'GET',
  path: '/invoices/{invoice_id}',
  customer: 'read',
  area: 'billing',
  style: 'own',
  summary: 'Read an invoice or credit note',
  description: 'The document as issued, with what was paid and credited.',
  input: z.object({ invoice_id }),
  output: invoiceView,
  errors: ['not_found', 'unavailable', 'rate_limited'],
  example: {
    input: { invoice_id: invoiceExample.invoice_id },
    output: invoiceExample,
    first: 'a customer must have been billed',
  },
  alsoAs: 'application/pdf',
  async answer(ctx, caller, input) {
    // JSON, unless the client prefers PDF.
    const accepted = caller.header('accept') ?? '';
    if (/application\/pdf/i.test(accepted) && !/application\/json|\*\/\*/i.test(accepted))
      return new Answer(Buffer.from(await printInvoice(ctx, caller, input.invoice_id)), { type: 'application/pdf' });
    return showInvoice(await readInvoice(ctx, caller, input.invoice_id));
  },
});
