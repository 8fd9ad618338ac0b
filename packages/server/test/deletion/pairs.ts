import { makeContact } from '../../../../test/support/parties.ts';
import type { Called } from '../../../../test/support/service.ts';
import { type DeletionService, ok, password, transferCode } from './world.ts';

/** An object that may be deleted, and a use of it. */
interface Ready {
  use(): Promise<Called>;
  remove(): Promise<Called>;
  /** After the use and the deletion have ended, whichever came first. */
  after?(used: Called): Promise<void>;
}

interface Pair {
  readonly what: string;
  /** The first statement of the use that locks or binds. */
  readonly binds: RegExp;
  /** How the use is refused if the deletion came first: `400 customer_id`, `404`. */
  readonly refused: string;
  /** The answer of the deletion if the use came first. Default: 409. */
  readonly removed?: 200;
  /** The use needs a registry, which takes too long for a thousand of them. */
  readonly isSlow?: true;
  /** Only a few of them are prepared. */
  readonly isRare?: true;
  open(w: DeletionService): Promise<Ready>;
}

/** `400 customer_id`, `404`, `200 payer_deleted`: the status, and the field or the outcome of a bank line or a notice, if one is named. */
export const shown = ({ status, body }: Called) =>
  [status, body?.errors?.[0]?.field, body?.lines?.[0]?.fate, body?.events?.[0]?.fate]
    .filter((each) => each !== undefined)
    .join(' ');

const removeCustomer =
  ({ t }: DeletionService, id: string, as = t.demo) =>
  () =>
    t.call('DELETE', `/v1/customers/${id}`, { as });
const removeReseller =
  ({ t }: DeletionService, id: string) =>
  () =>
    t.call('DELETE', `/v1/resellers/${id}`);
const idOf = (credentials: string) => credentials.split(':')[0]!;

const entersDomain = /insert into domain /;
const sharesCustomer = /from customer where .*for key share/s;

const order = (what: string, more: Record<string, string>): Pair => ({
  what: `customer: ${what}`,
  binds: entersDomain,
  refused: '400 customer_id',
  isSlow: true,
  async open(w) {
    const owner = await w.customer();
    const form = w.order(w.name(), owner, more);
    return { use: () => w.t.call('POST', '/v1/domains', { form }), remove: removeCustomer(w, owner.id) };
  },
});

const ofCustomer: readonly Pair[] = [
  order('register', {}),
  order('register with keep_invoice', { invoice_option: 'keep_invoice' }),
  order('register with only_add', { invoice_option: 'only_add' }),
  order('register with max_price', { max_price: '100.00' }),
  {
    what: 'customer: transfer in',
    binds: entersDomain,
    refused: '400 customer_id',
    isSlow: true,
    isRare: true,
    async open(w) {
      const [owner, name] = [await w.customer(), w.transferable.pop()!];
      const form = w.order(name, owner, { auth_code: transferCode });
      return {
        use: () => w.t.call('POST', '/v1/domains/transfer', { form, headers: { Prefer: 'wait=1' } }),
        remove: removeCustomer(w, owner.id),
      };
    },
  },
  {
    what: 'customer: create a contact',
    binds: sharesCustomer,
    refused: '404',
    removed: 200,
    async open(w) {
      const { id } = await w.customer();
      const form = w.person();
      return { use: () => w.t.call('POST', `/v1/customers/${id}/contacts`, { form }), remove: removeCustomer(w, id) };
    },
  },
  {
    what: 'customer: move a domain within the reseller',
    binds: sharesCustomer,
    refused: '400 new_customer_id',
    isSlow: true,
    async open(w) {
      const [{ name, owner }, { id }] = [await w.bought(), await w.customer()];
      const form = {
        existing_customer_id: owner.id,
        new_customer_id: id,
        new_reseller_id: '1000',
        default_contacts: 'oldcontact',
      };
      return {
        use: () => w.t.call('POST', `/v1/domains/${name}/move`, { form }),
        remove: removeCustomer(w, id),
      };
    },
  },
  {
    what: 'customer: accept a move from another reseller',
    binds: sharesCustomer,
    refused: '409',
    isSlow: true,
    async open(w) {
      const [{ name, owner }, { id }] = [await w.bought(), await w.customer(w.other)];
      const form = {
        existing_customer_id: owner.id,
        new_customer_id: id,
        new_reseller_id: idOf(w.other),
        default_contacts: 'oldcontact',
      };
      const { body } = ok(await w.t.call('POST', `/v1/domains/${name}/move`, { form }));
      return {
        use: () => w.t.call('POST', `/v1/moves/${body.operation_id}/accept`, { as: w.other }),
        remove: removeCustomer(w, id, w.other),
      };
    },
  },
  {
    what: 'customer: claim a domain with its auth code',
    binds: sharesCustomer,
    refused: '400 customer_id',
    isSlow: true,
    async open(w) {
      const [{ name }, { id }] = [await w.bought(), await w.customer(w.other)];
      const code = ok(await w.t.call('GET', `/v1/domains/${name}/auth_code`)).body as string;
      const json = { domain_name: name, auth_code: code, customer_id: id };
      return {
        use: () => w.t.call('POST', '/v1/moves', { json, as: w.other }),
        remove: removeCustomer(w, id, w.other),
      };
    },
  },
  {
    what: 'customer: fund the balance',
    binds: /ledger_post/,
    refused: '404',
    async open(w) {
      const { id } = await w.customer();
      const form = { amount: '5', description: 'paid in' };
      return {
        use: () => w.t.call('POST', `/v1/customers/${id}/transactions/fund`, { form }),
        remove: removeCustomer(w, id),
      };
    },
  },
  {
    what: 'customer: create an expected payment',
    binds: /insert into expected_payment/,
    refused: '400 customer_id',
    removed: 200,
    async open(w) {
      const { id } = await w.customer();
      const json = { customer_id: id, amount: '5' };
      return { use: () => w.t.call('POST', '/v1/payments', { json }), remove: removeCustomer(w, id) };
    },
  },
  {
    what: 'customer: confirm a payment',
    binds: sharesCustomer,
    refused: '409',
    async open(w) {
      const { id } = await w.customer();
      const { body } = ok(await w.t.call('POST', '/v1/payments', { json: { customer_id: id, amount: '5' } }));
      return {
        use: () => w.t.call('POST', `/v1/payments/${body.payment_id}/confirm`, { json: {} }),
        remove: removeCustomer(w, id),
      };
    },
  },
  {
    what: 'customer: import a bank line',
    binds: sharesCustomer,
    refused: '200 payer_deleted',
    async open(w) {
      const { id } = await w.customer();
      const { reference } = ok(await w.t.call('POST', '/v1/payments', { json: { customer_id: id, amount: '5' } })).body;
      const csv = `date,amount,currency,reference\n2026-11-16,5.00,USD,${reference}`;
      return {
        use: () => w.t.call('POST', '/v1/payments/import', { json: { csv } }),
        remove: removeCustomer(w, id),
      };
    },
  },
  {
    what: 'customer: notification from a payment provider',
    binds: sharesCustomer,
    refused: '200 payer_deleted',
    async open(w) {
      const { id } = await w.customer();
      const reference = await w.cardPayment(id);
      return { use: () => w.notice('paid', reference), remove: removeCustomer(w, id) };
    },
  },
  {
    what: 'customer: change its data',
    binds: /from customer where .*for no key update/s,
    refused: '404',
    removed: 200,
    async open(w) {
      const { id } = await w.customer();
      const json = { access: 'read' };
      return { use: () => w.t.call('PUT', `/v1/customers/${id}/access`, { json }), remove: removeCustomer(w, id) };
    },
  },
  {
    what: 'customer: sign in',
    binds: /select id from customer where id = \S+ for update/,
    refused: '401',
    removed: 200,
    async open(w) {
      const form = w.person();
      const { customer_id: id } = ok(await w.t.call('POST', '/v1/customers', { form })).body;
      ok(await w.t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'read' } }));
      const json = { reseller_id: '1000', email: form.email, password };
      return { use: () => w.t.call('POST', '/v1/session', { json, session: '' }), remove: removeCustomer(w, id) };
    },
  },
];

/** A call of the child itself, or of its parent about it. */
const child = (
  what: string,
  binds: RegExp,
  refused: string,
  call: (w: DeletionService, child: string) => () => Promise<Called>,
  removed?: 200,
): Pair => ({
  what: `reseller: ${what}`,
  binds,
  refused,
  ...(removed ? { removed } : {}),
  async open(w) {
    const made = await w.child();
    return { use: call(w, made), remove: removeReseller(w, idOf(made)) };
  },
});

const ofReseller: readonly Pair[] = [
  child('create a customer', /insert into customer /, '401', (w, as) => {
    const form = w.person();
    return () => w.t.call('POST', '/v1/customers', { form, as });
  }),
  child('create a reseller', /insert into reseller /, '401', (w, as) => {
    const form = { ...w.person(), selling_currency: 'USD' };
    return () => w.t.call('POST', '/v1/resellers', { form, as });
  }),
  child('fund the balance', /ledger_post/, '404', (w, as) => {
    const form = { amount: '5', description: 'paid in' };
    return () => w.t.call('POST', `/v1/resellers/${idOf(as)}/transactions/fund`, { form });
  }),
  child(
    'set the credit limit',
    /from reseller\s+where .*for key share/s,
    '404',
    (w, as) => () => w.t.call('PUT', `/v1/resellers/${idOf(as)}/credit_limit`, { json: { credit_limit: '5' } }),
    200,
  ),
  child(
    'announce a deposit',
    /insert into expected_payment/,
    '401',
    (w, as) => () => w.t.call('POST', '/v1/account/deposits', { json: { amount: '5' }, as }),
    200,
  ),
  child(
    'invite a user',
    /from reseller\s+where .*for no key update/s,
    '404',
    (w, as) => () => w.t.call('POST', `/v1/resellers/${idOf(as)}/invitations`, { json: {} }),
    200,
  ),
  child(
    'new API key',
    /insert into api_key/,
    '401',
    (w, as) => () => {
      const json = { label: 'second', ip_whitelist: ['127.0.0.1'] };
      return w.t.call('POST', '/v1/account/keys', { json, as });
    },
    200,
  ),
  child(
    'create a zone template',
    /insert into zone_template/,
    '401',
    (w, as) => () => {
      const json = { name: 'Shop', variables: [], rrsets: [{ name: '@', type: 'TXT', records: ['"x"'] }] };
      return w.t.call('POST', '/v1/zone_templates', { json, as });
    },
    200,
  ),
  child(
    'set the brand',
    /insert into brand/,
    '401',
    (w, as) => () => w.t.call('PUT', '/v1/brand', { json: { name: 'Shop' }, as }),
    200,
  ),
  child(
    'set the price list',
    /insert into price/,
    '401',
    (w, as) => () => {
      const prices = [{ tld: 'com', action: 'create', years: 1, amount: '20.00', currency: 'USD' }];
      return w.t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices }, as });
    },
    200,
  ),
  {
    what: 'reseller: accept an invitation',
    binds: /select id from reseller where id = \S+ for update/,
    refused: '401',
    removed: 200,
    async open(w) {
      const form = { ...w.person(), selling_currency: 'USD' };
      const { reseller_id: id } = ok(await w.t.call('POST', '/v1/resellers', { form })).body;
      const { token } = ok(await w.t.call('POST', `/v1/resellers/${id}/invitations`, { json: {} })).body;
      const json = { token, password, label: 'first', ip_whitelist: ['127.0.0.0/8', '::1'] };
      return {
        use: () => w.t.call('POST', '/v1/invitations/accept', { json, as: '' }),
        remove: removeReseller(w, id),
      };
    },
  },
];

const removeContact =
  ({ t }: DeletionService, customer: string, id: string) =>
  () =>
    t.call('DELETE', `/v1/customers/${customer}/contacts/${id}`);

const ofContact: readonly Pair[] = [
  {
    what: 'contact: register',
    binds: entersDomain,
    refused: '400 admin_contact_id',
    isSlow: true,
    async open(w) {
      const owner = await w.customer();
      const admin = await makeContact(w.t, owner.id, undefined, { name: `Admin ${w.next()}` });
      const form = w.order(w.name(), { ...owner, admin });
      return { use: () => w.t.call('POST', '/v1/domains', { form }), remove: removeContact(w, owner.id, admin) };
    },
  },
  {
    what: 'contact: register with only_add',
    binds: entersDomain,
    refused: '400 admin_contact_id',
    async open(w) {
      const owner = await w.customer();
      const admin = await makeContact(w.t, owner.id, undefined, { name: `Admin ${w.next()}` });
      const form = w.order(w.name(), { ...owner, admin }, { invoice_option: 'only_add' });
      return { use: () => w.t.call('POST', '/v1/domains', { form }), remove: removeContact(w, owner.id, admin) };
    },
  },
  {
    what: 'contact: change the contacts of a domain',
    binds: /from contact\s+where .*for key share/s,
    refused: '400 admin_contact_id',
    isSlow: true,
    async open(w) {
      const { name, owner } = await w.bought();
      const admin = await makeContact(w.t, owner.id, undefined, { name: `Admin ${w.next()}` });
      const form = {
        registrant_contact_id: owner.contact,
        admin_contact_id: admin,
        tech_contact_id: owner.contact,
        billing_contact_id: owner.contact,
      };
      return {
        use: () => w.t.call('PUT', `/v1/domains/${name}/contacts`, { form }),
        remove: removeContact(w, owner.id, admin),
      };
    },
  },
  {
    what: 'contact: change its data',
    binds: /from contact\s+where .*for update/s,
    refused: '404',
    removed: 200,
    async open(w) {
      const owner = await w.customer();
      const form = { ...w.person(), name: 'Another Name' };
      return {
        use: () => w.t.call('PUT', `/v1/customers/${owner.id}/contacts/${owner.contact}`, { form }),
        remove: removeContact(w, owner.id, owner.contact),
      };
    },
  },
];

export const pairs: readonly Pair[] = [...ofCustomer, ...ofReseller, ...ofContact];

/** Uses of an account that is in use already: deletion is refused whichever comes first. */
interface Kept {
  readonly what: string;
  readonly binds: RegExp;
  /** It locks the customer, so the deletion waits for it; otherwise the deletion is refused at once because of the domain. */
  readonly locksCustomer: boolean;
  open(w: DeletionService): Promise<Ready>;
}

export const kept: readonly Kept[] = [
  {
    what: 'renew a domain of the customer',
    binds: /ledger_hold_sealed/,
    locksCustomer: true,
    async open(w) {
      const { name, owner } = await w.bought();
      const { body } = await w.t.call('GET', `/v1/domains/${name}`);
      const form = { years: '1', current_date: body.end_date, invoice_option: 'keep_invoice' };
      return {
        use: () => w.t.call('POST', `/v1/domains/${name}/renew`, { form }),
        remove: removeCustomer(w, owner.id),
      };
    },
  },
  {
    what: 'pay a waiting order',
    binds: /ledger_hold_sealed/,
    locksCustomer: true,
    async open(w) {
      const owner = await w.customer();
      const form = w.order(w.name(), owner, { invoice_option: 'only_add' });
      const { transaction_id } = ok(await w.t.call('POST', '/v1/domains', { form })).body;
      const pay = { transaction_id, subtract_balance: 'false' };
      return {
        use: () => w.t.call('POST', `/v1/customers/${owner.id}/transactions/pay`, { form: pay }),
        remove: removeCustomer(w, owner.id),
      };
    },
  },
  {
    what: 'restore a domain of the customer',
    binds: /ledger_hold_sealed/,
    locksCustomer: false,
    async open(w) {
      const { name, owner } = await w.bought();
      w.t.moveClock('+10d');
      ok(await w.t.call('DELETE', `/v1/domains/${name}`));
      const form = { invoice_option: 'no_invoice' };
      return {
        use: () => w.t.call('POST', `/v1/domains/${name}/restore`, { form }),
        remove: removeCustomer(w, owner.id),
      };
    },
  },
];
