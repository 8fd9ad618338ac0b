import { z } from 'zod';
import { listInvoices } from '../../../core/invoices/list.ts';
import { invoiceKinds, invoiceStates } from '../../../core/model/invoice.ts';
import { flag, id, moment, oneOf, text } from '../../field.ts';
import { listAnswer, pageOf, pagingAfter } from '../../page.ts';
import { route } from '../../route.ts';
import { invoiceExample, invoiceView, showInvoice } from './invoice-view.ts';

export const listInvoicesRoute = route({
  method: 'GET',
  path: '/invoices',
  customer: 'read',
  area: 'billing',
  style: 'own',
  isList: true,
  summary: 'List invoices and credit notes',
  description:
    'Invoices that you issued to your customers and sub-resellers, newest first. With `received`: those issued to you.',
  input: z.object({
    ...pagingAfter('doc'),
    kind: oneOf(invoiceKinds, 'Only invoices, or only credit notes.').optional(),
    state: oneOf(invoiceStates, 'Only this state.').optional(),
    customer_id: id('Only this customer.').optional(),
    reseller_id: id('Only this sub-reseller.').optional(),
    transaction_id: id('Only for this bill.').optional(),
    number: text({ max: 60, about: 'Only this number.', example: 'INV-2026-00001' }).optional(),
    issued_start: moment({ about: 'Issued at or after this time.' }).optional(),
    issued_end: moment({
      about: 'Issued at or before this time. A bare date includes that day.',
      endOfDay: true,
    }).optional(),
    overdue: flag('Only overdue ones: open after their due date.').optional(),
    received: flag('Documents issued to you, instead of those that you issued.').optional(),
  }),
  output: z.array(invoiceView),
  errors: ['invalid_argument'],
  example: { input: { limit: 10 }, output: [invoiceExample] },
  async answer(ctx, caller, input) {
    const filter = {
      kind: input.kind,
      state: input.state,
      customerId: input.customer_id,
      resellerId: input.reseller_id,
      transactionId: input.transaction_id,
      number: input.number,
      from: input.issued_start,
      to: input.issued_end,
      isOverdue: input.overdue,
      isReceived: input.received,
    };
    const { rows, ...listed } = await listInvoices(ctx, caller, filter, pageOf(input));
    return listAnswer(rows.map(showInvoice), listed);
  },
});
