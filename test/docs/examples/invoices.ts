import { vi } from 'vitest';
import type { TestService } from '../../support/service.ts';
import type { Example, ExampleValues } from '../example.ts';

const roles = (contact: string) => ({
  registrant_contact_id: contact,
  admin_contact_id: contact,
  tech_contact_id: contact,
  billing_contact_id: contact,
});

async function must(t: TestService, method: string, path: string, options: object) {
  const called = await t.call(method, path, options);
  if (called.status !== 200) throw new Error(called.text);
  return called.body;
}

/** Sells a domain and waits for its invoice. */
async function sell(
  t: TestService,
  values: ExampleValues,
  name: string,
  customer_id: string,
  contact: string,
): Promise<void> {
  const form = { domain_name: name, customer_id, ...roles(contact), invoice_option: 'keep_invoice' };
  const { transaction_id } = await must(t, 'POST', '/v1/domains', { form });
  await vi.waitFor(async () => {
    const [invoice] = await must(t, 'GET', '/v1/invoices', { query: { transaction_id, state: 'open' } });
    if (!invoice) throw new Error(`no invoice for ${name} yet`);
    values.invoice = invoice.invoice_id;
  }, 300_000);
}

const german = {
  email: 'einkauf@mueller.example',
  password: 'a long enough one',
  name: 'Anna Müller',
  company: 'Müller & Söhne GmbH',
  address_line_1: 'Invalidenstraße 1',
  city: 'Berlin',
  state: 'Berlin',
  country_code: 'DE',
  zipcode: '10115',
  tel_cc_no: '49',
  tel_no: '3012345678',
};
const reverse = 'Reverse charge: VAT is owed by the recipient (article 196 of Directive 2006/112/EC)';

/** Two tables of taxes, their effect on a sale, and a corrected document. */
export const invoiceExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'invoice-settings',
    method: 'PUT',
    path: '/v1/invoices/settings',
    json: {
      name: 'Toko Contoh',
      tax_id: '01.234.567.8-901.000',
      footer: 'Bank Contoh, account 123 456 789',
      due_days: 14,
    },
  },
  {
    kind: 'http',
    name: 'taxes-indonesia',
    method: 'PUT',
    path: '/v1/invoices/taxes',
    json: {
      rates: [
        { country_code: 'ID', name: 'PPN', rate: '10', valid_from: '2000-01-01', valid_until: '2022-03-31' },
        { country_code: 'ID', name: 'PPN', rate: '11', valid_from: '2022-04-01' },
        { name: 'PPN', rate: '0', note: 'Export of services', valid_from: '2000-01-01' },
      ],
    },
  },
  {
    kind: 'http',
    name: 'invoice',
    path: (values) => `/v1/invoices/${values.invoice}`,
    before: (t, values) => sell(t, values, 'with-an-invoice.com', '2001', '3001'),
  },
  {
    kind: 'http',
    name: 'invoice-reissue',
    path: (values) => `/v1/invoices/${values.invoice}/credit_note`,
    json: { reason: 'the tax id of the buyer was missing', reissue: true },
    keep: ['credit_note'],
    before: async (t) => {
      await must(t, 'PUT', '/v1/customers/2001/tax_id', { json: { tax_id: '02.345.678.9-012.000' } });
    },
  },
  {
    kind: 'http',
    name: 'taxes-europe',
    method: 'PUT',
    path: '/v1/invoices/taxes',
    json: {
      rates: [
        { country_code: 'NL', name: 'BTW', rate: '21', valid_from: '2012-10-01' },
        { country_code: 'DE', buyer: 'private', name: 'MwSt', rate: '19', valid_from: '2021-01-01' },
        { country_code: 'DE', buyer: 'business', name: 'VAT', rate: '0', note: reverse, valid_from: '2021-01-01' },
        { name: 'VAT', rate: '0', note: 'Outside the scope of EU VAT', valid_from: '2012-10-01' },
      ],
    },
  },
  {
    kind: 'http',
    name: 'invoice-reverse-charge',
    path: (values) => `/v1/invoices/${values.invoice}`,
    keep: ['number', 'state', 'net', 'tax', 'total', 'buyer', 'taxes'],
    before: async (t, values) => {
      const { customer_id } = await must(t, 'POST', '/v1/customers', { form: german });
      const { password: _, ...contact } = german;
      const { contact_id } = await must(t, 'POST', `/v1/customers/${customer_id}/contacts`, { form: contact });
      await must(t, 'PUT', `/v1/customers/${customer_id}/tax_id`, { json: { tax_id: 'DE123456789' } });
      await sell(t, values, 'reverse-charged.com', customer_id, contact_id);
    },
    after: async (t) => {
      await must(t, 'PUT', '/v1/invoices/taxes', { json: { rates: [] } });
    },
  },
];
