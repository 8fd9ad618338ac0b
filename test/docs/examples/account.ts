import type { Example } from '../example.ts';

const customer = {
  email: 'sari@dewi-batik.example',
  password: 'correct horse battery',
  name: 'Sari Dewi',
  company: 'Dewi Batik',
  address_line_1: 'Jalan Melati 5',
  city: 'Bandung',
  state: 'Jawa Barat',
  country_code: 'ID',
  zipcode: '40111',
  tel_cc_no: '62',
  tel_no: '227654321',
};

/** Keys, errors, lists, idempotency, limits. */
export const accountExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'profile',
    path: '/v1/account/profile',
    keep: [
      'reseller_id',
      'parent_reseller_id',
      'status',
      'email',
      'company',
      'creation_date',
      'currency',
      'address_seen',
      'limits',
    ],
  },
  { kind: 'http', name: 'profile-whole', path: '/v1/account/profile' },
  {
    kind: 'http',
    name: 'rate-headers',
    path: '/v1/account/funds',
    showHeaders: ['RateLimit-Policy', 'RateLimit'],
  },
  {
    kind: 'http',
    name: 'wrong-key',
    path: '/v1/account/profile',
    as: 'wrong',
    status: 401,
    showHeaders: ['WWW-Authenticate'],
  },
  {
    kind: 'http',
    name: 'key-create',
    path: '/v1/account/keys',
    json: { label: 'reports', ip_whitelist: ['127.0.0.1', '2001:db8::/48'], scopes: ['read'] },
    remember: (body, values) => {
      values.reader = `1000:${body.api_key}`;
      values.keyId = body.key_id;
    },
  },
  {
    kind: 'http',
    name: 'scope-missing',
    method: 'PUT',
    path: '/v1/customers/2001/ns/default',
    form: { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' },
    as: 'reader',
    status: 403,
  },
  {
    kind: 'http',
    name: 'key-rotate',
    path: (values) => `/v1/account/keys/${values.keyId}/rotate`,
    json: { overlap_seconds: 86_400 },
    keep: ['key_id', 'label', 'previous_key_expires_at', 'api_key'],
  },
  {
    kind: 'http',
    name: 'key-revoke',
    method: 'DELETE',
    path: (values) => `/v1/account/keys/${values.keyId}`,
    keep: ['key_id', 'status', 'revoked_at'],
  },
  {
    kind: 'http',
    name: 'bad-fields',
    path: '/v1/customers',
    form: { ...customer, email: 'sari@', zipcode: 'ABC' },
    status: 400,
  },
  { kind: 'http', name: 'not-found', path: '/v1/customers/999999', status: 404 },
  {
    kind: 'http',
    name: 'customer-create',
    path: '/v1/customers',
    headers: { 'Idempotency-Key': 'signup-4711' },
    form: customer,
    keep: ['customer_id', 'status', 'email', 'name', 'creation_date'],
  },
  {
    kind: 'http',
    name: 'customer-replayed',
    path: '/v1/customers',
    headers: { 'Idempotency-Key': 'signup-4711' },
    form: customer,
    showHeaders: ['Idempotency-Replayed'],
    keep: ['customer_id', 'status', 'email', 'name', 'creation_date'],
  },
  {
    kind: 'http',
    name: 'customer-mismatch',
    path: '/v1/customers',
    headers: { 'Idempotency-Key': 'signup-4711' },
    form: { ...customer, email: 'other@dewi-batik.example' },
    status: 422,
  },
  {
    kind: 'http',
    name: 'customer-list',
    path: '/v1/customers',
    query: { limit: '1', page_no: '1' },
    showHeaders: ['X-Total-Count', 'Link'],
    keep: ['customer_id', 'email', 'name'],
  },
];
