import type { Example } from '../example.ts';

const order = {
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'only_add',
};
const shown = [
  'transaction_id',
  'customer_id',
  'transaction_type',
  'amount',
  'balance',
  'description',
  'status',
  'domain_id',
];

/** An order that waits for payment, its payment, and a cancelled one. */
export const orderExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'order-waits',
    path: '/v1/domains',
    form: { domain_name: 'paid-first.com', ...order },
    remember: (body, values) => {
      values.waitingOrder = body.transaction_id;
    },
  },
  {
    kind: 'http',
    name: 'order-pay',
    path: '/v1/customers/2001/transactions/pay',
    form: (values) => ({ transaction_id: values.waitingOrder!, subtract_balance: 'false' }),
    keep: shown,
  },
  {
    kind: 'http',
    name: 'order-cancelled',
    path: '/v1/customers/2001/transactions/pay_add_only',
    form: (values) => ({ transaction_id: values.cancelledOrder! }),
    status: 409,
    before: async (t, values) => {
      const made = await t.call('POST', '/v1/domains', { form: { domain_name: 'never-paid.com', ...order } });
      values.cancelledOrder = made.body.transaction_id;
      await t.call('POST', '/v1/customers/2001/transactions/cancel', {
        form: { transaction_id: values.cancelledOrder! },
      });
    },
  },
  {
    kind: 'http',
    name: 'statement',
    path: '/v1/customers/2001/statement',
    query: { from: '2025-03-01', to: '2026-02-28' },
  },
  {
    kind: 'http',
    name: 'statement-file',
    path: '/v1/customers/2001/statement/csv',
    query: { from: '2025-03-01', to: '2026-02-28' },
  },
];
