import { person } from '../support/parties.ts';
import { type ContractEndpoint, endpointName } from './table.ts';
import type { SampleObjects } from './world.ts';

export interface Sample {
  /** Values for the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** Values for query or body. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Creates objects at the registry: called once, in a form, not in every encoding. */
  readonly isCostly?: boolean;
}

type Make = (w: SampleObjects) => Promise<Sample> | Sample;

const us = 'us_purpose=P1&us_category=C11';
const account = (w: SampleObjects) => ({
  ...person({ email: `${w.unique('walk')}@contract.example` }),
  password: '0a1b2c3d4e5f6a7',
});
const digest = 'ab'.repeat(32);

const onCustomer: Make = (w) => ({ path: { customer_id: w.customer } });
const onDomain: Make = async (w) => ({ path: { domain_id: (await w.domain()).id } });
const fresh =
  (
    fields: Readonly<Record<string, string>> = {},
    before?: (w: SampleObjects, id: string, name: string) => Promise<unknown>,
  ): Make =>
  async (w) => {
    const { id, name } = await w.newDomain();
    await before?.(w, id, name);
    const filled = Object.entries(fields).map(([key, value]) => [key, value.replaceAll('{name}', name)]);
    return { path: { domain_id: id }, fields: Object.fromEntries(filled), isCostly: true };
  };

/** An address whose mail is forwarded. */
const forwarded =
  (fields: Readonly<Record<string, string>> = {}): Make =>
  async (w) => {
    const { id, name } = await w.newDomain();
    await w.must('POST', `/domains/${id}/email_forwarding`, { email: 'info', forward_to: 'a@target.example' });
    return { path: { domain_id: id, email: `info@${name}` }, fields, isCostly: true };
  };

/** An order that waits for its customer, who has the money for it. */
const waiting =
  (fields: Readonly<Record<string, string>> = {}): Make =>
  async (w) => {
    const customer = await w.newCustomer();
    const contact = await w.newContact(customer);
    const roles = ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]);
    const order = { ...w.order(`${w.unique('waits')}.com`), customer_id: customer, ...Object.fromEntries(roles) };
    const made = await w.must('POST', '/domains', { ...order, invoice_option: 'only_add' });
    await w.must('POST', `/customers/${customer}/transactions/fund`, { amount: '100', description: 'walk' });
    return {
      path: { customer_id: customer },
      fields: { transaction_id: String(made.transaction_id), ...fields },
      isCostly: true,
    };
  };

/** Value of a record of each type, and another value for a change. */
const records: Record<string, { values: [string, string]; more?: Record<string, string> }> = {
  ip: { values: ['192.0.2.1', '192.0.2.2'] },
  ipv6: { values: ['2001:db8::1', '2001:db8::2'] },
  cname: { values: ['target.example.net', 'other.example.net'] },
  mx: { values: ['mail.example.net', 'mail2.example.net'], more: { priority: '10' } },
  ns: { values: ['ns1.example.net', 'ns2.example.net'] },
  txt: { values: ['hello', 'good bye'] },
  srv: { values: ['sip.example.net', 'sip2.example.net'], more: { port: '5060', weight: '5', priority: '10' } },
};

function recordSamples(type: string): [string, Make][] {
  const base = '/domains/{domain_id}/dns';
  const { values, more = {} } = records[type]!;
  const hostname = type === 'srv' ? '_sip._tcp.{name}' : 'sub.{name}';
  const add = (w: SampleObjects, id: string, name: string) =>
    w.must('POST', `/domains/${id}/dns/${type}`, {
      hostname: hostname.replace('{name}', name),
      value: values[0],
      ...more,
    });
  const there = async (w: SampleObjects) => {
    const { id, name } = await w.newDomain();
    await add(w, id, name);
    return { id, host: hostname.replace('{name}', name) };
  };
  const change: Make = async (w) => {
    const { id, host } = await there(w);
    return {
      path: {
        domain_id: id,
        old_hostname: host,
        old_value: values[0],
        old_port: '5060',
        old_weight: '5',
        old_priority: '10',
      },
      fields: { value: values[1] },
      isCostly: true,
    };
  };
  const remove: Make = async (w) => {
    const { id, host } = await there(w);
    return { path: { domain_id: id, hostname: host, value: values[0] }, isCostly: true };
  };
  const inBody =
    (make: Make): Make =>
    async (w) => {
      const sample = await make(w);
      const { domain_id, ...rest } = sample.path as Record<string, string>;
      return { path: { domain_id: domain_id! }, fields: { ...rest, ...sample.fields }, isCostly: true };
    };
  return [
    [`POST ${base}/${type}`, fresh({ hostname, value: values[0], ...more })],
    [`GET ${base}/${type}`, async (w) => ({ path: { domain_id: (await there(w)).id }, isCostly: true })],
    [`DELETE ${base}/${type}/{hostname}/{value}`, remove],
    [`PUT ${base}/${type}/{old_hostname}/{old_value}`, change],
    [`PUT ${base}/${type}/{old_hostname}/{old_value}/{old_port}/{old_weight}/{old_priority}`, change],
    [`PUT ${base}/${type}`, inBody(change)],
    [`DELETE ${base}/${type}`, inBody(remove)],
  ];
}

const funded = async (w: SampleObjects, owner: string) =>
  String((await w.must('POST', `${owner}/transactions/fund`, { amount: '20', description: 'bank' })).transaction_id);
const money: Make = (w) => ({ path: { customer_id: w.customer }, fields: { amount: '12.5', description: 'walk' } });
const childMoney: Make = async (w) => ({
  path: { reseller_id: await w.newChild() },
  fields: { amount: '12.5', description: 'walk' },
});
const onChild: Make = async (w) => ({ path: { reseller_id: await w.newChild() } });

/** Prices of the demo reseller: none until its pricing is set. */
const priced =
  (audience: string): Make =>
  async (w) => {
    const json = { audience, rules: [{ kind: 'percent', percent: '20' }] };
    const called = await w.t.call('PUT', '/v1/account/price_rules', { json });
    if (called.status >= 300) throw new Error(called.text);
    return {};
  };

/** Valid input for each endpoint. Endpoints without a sample must be in `validElsewhere`. */
const samples = new Map<string, Make>([
  ['GET /customers/prices', priced('customer')],
  ['GET /resellers/prices', priced('reseller')],
  [
    'GET /account/transactions/{transaction_id}',
    async (w) => ({
      path: {
        transaction_id: String((await w.must('POST', '/domains', w.order(`${w.unique('paid')}.com`))).transaction_id),
      },
      isCostly: true,
    }),
  ],
  [
    'GET /customers/{customer_id}/transactions/{transaction_id}',
    async (w) => ({ path: { customer_id: w.customer, transaction_id: await funded(w, `/customers/${w.customer}`) } }),
  ],
  [
    'GET /customers/{customer_id}/transactions',
    async (w) => {
      await funded(w, `/customers/${w.customer}`);
      return onCustomer(w);
    },
  ],
  [
    'GET /resellers/{reseller_id}/transactions',
    async (w) => {
      const sample = await onChild(w);
      await funded(w, `/resellers/${sample.path!.reseller_id}`);
      return sample;
    },
  ],
  ['POST /customers/{customer_id}/transactions/fund', money],
  [
    'POST /customers/{customer_id}/transactions/debit_note',
    async (w) => {
      await funded(w, `/customers/${w.customer}`);
      return money(w);
    },
  ],
  ['POST /resellers/{reseller_id}/transactions/fund', childMoney],
  [
    'POST /resellers/{reseller_id}/transactions/debit_note',
    async (w) => {
      const sample = await childMoney(w);
      await funded(w, `/resellers/${sample.path!.reseller_id}`);
      return sample;
    },
  ],
  [
    'GET /resellers/{reseller_id}/transactions/{transaction_id}',
    async (w) => {
      const child = await w.newChild();
      return { path: { reseller_id: child, transaction_id: await funded(w, `/resellers/${child}`) } };
    },
  ],

  ['GET /agreements/{type}', () => ({ path: { type: 'registraragreement' } })],
  ['GET /countries/{country_code}/states', () => ({ path: { country_code: 'us' } })],
  ['GET /currencies/{symbol}', () => ({ path: { symbol: 'usd' } })],
  ['GET /tlds/{name}', () => ({ path: { name: 'com' } })],

  [
    'POST /customers/{customer_id}/contacts',
    (w) => ({ path: { customer_id: w.customer }, fields: person({ eligibility_criteria: 'us', extra: us }) }),
  ],
  [
    'GET /customers/{customer_id}/contacts/{contact_id}',
    (w) => ({ path: { customer_id: w.customer, contact_id: w.contact } }),
  ],
  [
    'PUT /customers/{customer_id}/contacts/{contact_id}',
    async (w) => ({ path: { customer_id: w.customer, contact_id: await w.newContact(w.customer) }, fields: person() }),
  ],
  [
    'DELETE /customers/{customer_id}/contacts/{contact_id}',
    async (w) => {
      const customer = await w.newCustomer();
      return { path: { customer_id: customer, contact_id: await w.newContact(customer) } };
    },
  ],
  [
    'PUT /customers/{customer_id}/contacts/{contact_id}/extra',
    (w) => ({
      path: { customer_id: w.customer, contact_id: w.contact },
      fields: { eligibility_criteria: 'us', extra: us },
    }),
  ],
  [
    'GET /customers/{customer_id}/contacts/{contact_id}/validity/{eligibility_criteria}',
    (w) => ({ path: { customer_id: w.customer, contact_id: w.contact, eligibility_criteria: 'asia' } }),
  ],

  ['POST /customers', (w) => ({ fields: account(w) })],
  ['GET /customers/temp_password', (w) => ({ fields: { customer_id: w.customer } })],
  ['PUT /customers/totalreceipts', (w) => ({ fields: { customer_id: w.customer, totalreceipts: '80' } })],
  ['PUT /customers/{customer_id}', async (w) => ({ path: { customer_id: await w.newCustomer() }, fields: account(w) })],
  ['DELETE /customers/{customer_id}', async (w) => ({ path: { customer_id: await w.newCustomer() } })],

  [
    'GET /resellers',
    async (w) => {
      await w.newChild();
      return {};
    },
  ],
  ['POST /resellers', (w) => ({ fields: { ...account(w), selling_currency: 'USD' } })],
  ['GET /resellers/temp_password', () => ({ fields: { reseller_id: '1000' } })],
  [
    'PUT /resellers/{reseller_id}',
    async (w) => ({ path: { reseller_id: await w.newChild() }, fields: { ...account(w), selling_currency: 'USD' } }),
  ],
  ['DELETE /resellers/{reseller_id}', onChild],
  [
    'PUT /resellers/{reseller_id}/totalreceipts',
    async (w) => ({ path: { reseller_id: await w.newChild() }, fields: { totalreceipts: '80' } }),
  ],

  [
    'POST /domains',
    (w) => ({
      fields: {
        ...w.order(`${w.unique('walk')}.com`),
        years: '1',
        ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net',
        protect_privacy: '0',
      },
      isCostly: true,
    }),
  ],
  [
    'GET /domains',
    async (w) => {
      await w.domain();
      return { fields: { limit: '10', status: 'Live' } };
    },
  ],
  ['GET /domains/availability', (w) => ({ fields: { domain: `${w.unique('free')}.com` } })],
  ['GET /domains/details-by-name', async (w) => ({ fields: { domain_name: (await w.domain()).name } })],
  ['GET /domains/suggestion', () => ({ fields: { keyword: 'coffee', tlds: 'com,net', limit: '10' } })],
  [
    'GET /domains/{domain_id}',
    async (w) => ({ path: { domain_id: (await w.domain()).id }, fields: { fields: 'All' } }),
  ],
  ['DELETE /domains/{domain_id}', fresh()],
  ['PUT /domains/{domain_id}/auth_code', fresh({ auth_code: 'Xy12-Ab34-Cd56-Ef78' })],
  ['POST /domains/{domain_id}/childns', fresh({ hostname: 'ns1.{name}', ip_address: '192.0.2.53' })],
  [
    'DELETE /domains/{domain_id}/childns/{hostname}/{ip_address}',
    async (w) => {
      const { id, name } = await w.newDomain();
      await w.must('POST', `/domains/${id}/childns`, { hostname: `ns1.${name}`, ip_address: '192.0.2.53' });
      return { path: { domain_id: id, hostname: `ns1.${name}`, ip_address: '192.0.2.53' }, isCostly: true };
    },
  ],
  [
    'PUT /domains/{domain_id}/childns/{old_hostname}/{old_ip_address}',
    async (w) => {
      const { id, name } = await w.newDomain();
      const hostname = `ns1.${name}`;
      await w.must('POST', `/domains/${id}/childns`, { hostname, ip_address: '192.0.2.53' });
      return {
        path: { domain_id: id, old_hostname: hostname, old_ip_address: '192.0.2.53' },
        fields: { hostname, ip_address: '192.0.2.54' },
        isCostly: true,
      };
    },
  ],
  [
    'PUT /domains/{domain_id}/contacts',
    async (w) => {
      const { id } = await w.newDomain();
      const { registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id } = w.order('');
      return {
        path: { domain_id: id },
        fields: {
          registrant_contact_id: registrant_contact_id!,
          admin_contact_id: admin_contact_id!,
          tech_contact_id: tech_contact_id!,
          billing_contact_id: billing_contact_id!,
        },
        isCostly: true,
      };
    },
  ],
  ['POST /domains/{domain_id}/dnssec', fresh({ keytag: '12345', algorithm: '13', digesttype: '2', digest })],
  [
    'DELETE /domains/{domain_id}/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}',
    async (w) => {
      const { id } = await w.newDomain();
      const ds = { keytag: '12345', algorithm: '13', digesttype: '2', digest };
      await w.must('POST', `/domains/${id}/dnssec`, ds);
      return { path: { domain_id: id, ...ds }, isCostly: true };
    },
  ],
  ['PUT /domains/{domain_id}/locked', fresh({ reason: 'walk' })],
  ['DELETE /domains/{domain_id}/locked', fresh({}, (w, id) => w.must('PUT', `/domains/${id}/locked`))],
  ['PUT /domains/{domain_id}/ns', fresh({ ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' })],
  [
    'POST /domains/{domain_id}/renew',
    async (w) => {
      const { id } = await w.newDomain();
      return {
        path: { domain_id: id },
        fields: { years: '1', current_date: await w.expiryOf(id), invoice_option: 'no_invoice' },
        isCostly: true,
      };
    },
  ],
  ['PUT /domains/{domain_id}/suspended', fresh({ reason: 'walk' })],
  [
    'DELETE /domains/{domain_id}/suspended',
    fresh({}, (w, id) => w.must('PUT', `/domains/${id}/suspended`, { reason: 'walk' })),
  ],
  ['PUT /domains/{domain_id}/theft_protection', fresh()],
  [
    'DELETE /domains/{domain_id}/theft_protection',
    fresh({}, (w, id) => w.must('PUT', `/domains/${id}/theft_protection`)),
  ],
  [
    'PUT /domains/{domain_id}/privacy_protection',
    fresh({}, (w, id) => w.must('POST', `/domains/${id}/privacy_protection/buy`, { invoice_option: 'no_invoice' })),
  ],
  [
    'DELETE /domains/{domain_id}/privacy_protection',
    fresh({}, async (w, id) => {
      await w.must('POST', `/domains/${id}/privacy_protection/buy`, { invoice_option: 'no_invoice' });
      await w.must('PUT', `/domains/${id}/privacy_protection`);
    }),
  ],
  ['POST /domains/{domain_id}/privacy_protection/buy', fresh({ invoice_option: 'no_invoice' })],
  ['POST /customers/{customer_id}/transactions/cancel', waiting()],
  ['POST /customers/{customer_id}/transactions/execute', waiting({ cancel_invoice: 'true' })],
  ['POST /customers/{customer_id}/transactions/pay', waiting({ subtract_balance: 'true' })],
  ['POST /customers/{customer_id}/transactions/pay_add_only', waiting()],
  ['POST /customers/{customer_id}/transactions/retry', waiting()],
  ...Object.keys(records).flatMap(recordSamples),
  ['PUT /domains/{domain_id}/domain_forwarding', fresh({ forward_to: 'https://target.example/' })],
  ['POST /domains/{domain_id}/email_forwarding', fresh({ email: 'info@{name}', forward_to: 'a@target.example' })],
  ['PUT /domains/{domain_id}/email_forwarding/catch_all', fresh({ email: 'a@target.example' })],
  ['GET /domains/{domain_id}/email_forwarding', forwarded()],
  ['GET /domains/{domain_id}/email_forwarding/{email}', forwarded()],
  ['PUT /domains/{domain_id}/email_forwarding/{email}', forwarded({ forward_to: 'a@target.example,b@target.example' })],
  ['DELETE /domains/{domain_id}/email_forwarding/{email}', forwarded()],
]);

/** Valid calls with a longer preparation have a test of their own; the walk sends these invalid input only. */
export const validElsewhere: ReadonlyMap<string, string> = new Map(
  [
    'PUT /domains/{domain_id}/contacts-pending',
    'POST /domains/{domain_id}/restore',
    'POST /domains/transfer',
    'POST /domains/transfer/validity',
    'GET /domains/transfer/validity',
    'POST /domains/{domain_id}/move',
    'POST /domains/{domain_id}/transfer/cancel',
    'POST /domains/{domain_id}/transfer/resend_approval_email',
    'POST /domains/{domain_id}/irtp_verification/resend',
    'POST /domains/{domain_id}/raa_verification/resend',
  ].map((name) => [name, 'packages/server/test/domains']),
);

/** Endpoints that are in no table: reads and writes with ids only, and lists. */
export function sampleOf(endpoint: ContractEndpoint): Make | undefined {
  const name = endpointName(endpoint);
  const known = samples.get(name);
  if (known) return known;
  if (validElsewhere.has(name)) return undefined;
  const needed = endpoint.params.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  if (needed.length === 0) return () => ({});
  if (needed.join() === 'customer_id') return onCustomer;
  if (needed.join() === 'reseller_id') return onChild;
  if (needed.join() === 'domain_id' && endpoint.method === 'GET') return onDomain;
  return undefined;
}
