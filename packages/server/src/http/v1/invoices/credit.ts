import { z } from 'zod';
import { creditInvoice } from '../../../core/invoices/credit.ts';
import type { Credited } from '../../../core/invoices/credit-order.ts';
import { invoiceLimits } from '../../../core/model/invoice.ts';
import { amount, flag, text } from '../../field.ts';
import { route } from '../../route.ts';
import { invoice_id, invoiceExample, invoiceView, showInvoice } from './invoice-view.ts';

const creditedView = z
  .object({
    credit_note: invoiceView,
    invoice: invoiceView.nullable().describe('With `reissue`: the replacement invoice.'),
  })
  .meta({ id: 'CreditedInvoice', description: 'The credit note.' });

const show = ({ note, reissued }: Credited): z.output<typeof creditedView> => ({
  credit_note: showInvoice(note),
  invoice: reissued && showInvoice(reissued),
});

export const creditInvoiceRoute = route({
  method: 'POST',
  path: '/invoices/{invoice_id}/credit_note',
  area: 'billing',
  style: 'own',
  summary: 'Credit an invoice',
  description:
    'Credits an invoice or a part of it. What was paid goes to the buyer’s balance, what is open is not owed, and what was bought stays. With `reissue`, only the document is corrected: no money moves, and an invoice with the current seller, buyer and tax is issued.',
  input: z.object({
    invoice_id,
    amount: amount('Amount including tax. Default: all that is left.').optional(),
    reason: text({
      max: invoiceLimits.reasonLength,
      about: 'The reason. It is printed on the credit note.',
      example: 'wrong address',
    }),
    reissue: flag('Issue a corrected invoice instead; no money moves.').optional(),
  }),
  output: creditedView,
  errors: ['not_found', 'conflict', 'invalid_argument'],
  example: {
    input: { invoice_id: invoiceExample.invoice_id, reason: 'wrong address', reissue: true },
    output: {
      credit_note: {
        ...invoiceExample,
        invoice_id: 'doc_06bs3m7ycg7r5qh0d8w2k1v9zy',
        kind: 'credit_note',
        state: 'paid',
        number: 'CN-2026-00001',
        corrects_id: invoiceExample.invoice_id,
        reason: 'wrong address',
        due_on: invoiceExample.issued_on,
        settled_at: invoiceExample.issued_at,
      },
      invoice: { ...invoiceExample, invoice_id: 'doc_06bs3m7ycg7r5qh0d8w2k1v9zz', number: 'INV-2026-00002' },
    },
    first: 'an invoice must have been issued',
  },
  render: show,
  answer: async (ctx, caller, { invoice_id: invoice, amount: sum, reason, reissue }) =>
    show(await creditInvoice(ctx, caller, invoice, { amount: sum, reason, reissue })),
});
