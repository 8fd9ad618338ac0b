import type { Example } from '../example.ts';

const contacts = {
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
};

/** Balance, guard, chain, refund. */
export const moneyExamples: readonly Example[] = [
  { kind: 'http', name: 'balance', path: '/v1/account/funds' },
  {
    kind: 'http',
    name: 'transactions',
    path: '/v1/account/transactions',
    query: { limit: '2' },
    keep: [
      'transaction_id',
      'transaction_type',
      'amount',
      'balance',
      'description',
      'status',
      'direction',
      'currency',
      'operation_id',
    ],
  },
  {
    kind: 'http',
    name: 'price-guard',
    path: '/v1/domains',
    form: { domain_name: 'guarded.com', ...contacts, max_price: '5.00' },
    status: 400,
  },
  {
    kind: 'http',
    name: 'premium-unguarded',
    path: '/v1/domains',
    form: { domain_name: 'coffee.shop', ...contacts },
    status: 400,
  },
  {
    kind: 'http',
    name: 'child-create',
    path: '/v1/resellers',
    form: {
      email: 'office@island-names.example',
      password: 'correct horse battery',
      name: 'Putu Ayu',
      company: 'Island Names',
      address_line_1: 'Jalan Pantai 3',
      city: 'Denpasar',
      state: 'Bali',
      country_code: 'ID',
      zipcode: '80111',
      tel_cc_no: '62',
      tel_no: '361234567',
      selling_currency: 'USD',
    },
    keep: ['reseller_id', 'parent_reseller_id', 'status', 'company', 'selling_currency'],
    remember: (body, values) => {
      values.childId = body.reseller_id;
    },
  },
  {
    kind: 'http',
    name: 'child-invite',
    path: (values) => `/v1/resellers/${values.childId}/invitations`,
    json: {},
    keep: ['invitation_id', 'status', 'expires_at', 'token'],
    remember: (body, values) => {
      values.token = body.token;
    },
  },
  {
    kind: 'http',
    name: 'child-accept',
    path: '/v1/invitations/accept',
    as: 'nobody',
    json: (values) => ({
      token: values.token,
      password: 'correct horse battery',
      label: 'first key',
      ip_whitelist: ['127.0.0.1', '::1'],
    }),
    keep: ['reseller_id', 'key_id', 'scopes', 'api_key'],
    remember: (body, values) => {
      values.child = `${body.reseller_id}:${body.api_key}`;
    },
  },
  {
    kind: 'http',
    name: 'price-rules',
    method: 'PUT',
    path: '/v1/account/price_rules',
    json: {
      audience: 'reseller',
      rules: [{ kind: 'percent', percent: '10', rounding_step: '1.00', rounding_ending: '0.99' }],
    },
  },
  {
    kind: 'http',
    name: 'child-fund',
    path: (values) => `/v1/resellers/${values.childId}/transactions/fund`,
    form: { amount: '10.00', description: 'bank transfer' },
    keep: ['transaction_id', 'reseller_id', 'transaction_type', 'amount', 'balance', 'status', 'direction', 'currency'],
  },
  {
    kind: 'http',
    name: 'child-quote',
    path: '/v1/quotes',
    json: { kind: 'register', domain_name: 'island.com' },
    as: 'child',
    keep: ['kind', 'domain_name', 'years', 'lines', 'total'],
  },
  {
    kind: 'http',
    name: 'insufficient-funds',
    path: '/v1/domains',
    as: 'child',
    form: (values) => ({
      domain_name: 'island.com',
      customer_id: values.childCustomer!,
      registrant_contact_id: values.childContact!,
      admin_contact_id: values.childContact!,
      tech_contact_id: values.childContact!,
      billing_contact_id: values.childContact!,
      invoice_option: 'no_invoice',
    }),
    before: async (t, values) => {
      const party = {
        email: 'wayan@customer.example',
        name: 'Wayan Sudana',
        company: 'Sudana',
        address_line_1: 'Jalan Pantai 4',
        city: 'Denpasar',
        state: 'Bali',
        country_code: 'ID',
        zipcode: '80111',
        tel_cc_no: '62',
        tel_no: '361234568',
      };
      const as = values.child!;
      const made = await t.call('POST', '/v1/customers', { form: { ...party, password: 'correct horse' }, as });
      values.childCustomer = made.body.customer_id;
      const contact = await t.call('POST', `/v1/customers/${values.childCustomer}/contacts`, { form: party, as });
      values.childContact = contact.body.contact_id;
    },
    status: 402,
  },
  {
    kind: 'http',
    name: 'delete-in-grace',
    method: 'DELETE',
    path: '/v1/domains/second-thoughts.com',
    before: async (t) => {
      await t.call('POST', '/v1/domains', { form: { domain_name: 'second-thoughts.com', ...contacts } });
    },
  },
];
