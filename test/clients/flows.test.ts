import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptAfresh } from '../support/attempt.ts';
import { done, type OtherRegistrar, openOtherRegistrar } from '../support/other-registrar.ts';
import { makeContact, makeCustomer } from '../support/parties.ts';
import { pollAfresh } from '../support/poll.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, phpForm, type ReceivedResponse, sendRequest } from './wire.ts';

/** Flows of panels after an error or while an order waits. All calls are form calls of the contract. */
let t: TestService;
let otherRegistrar: OtherRegistrar;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  // only_add needs a price for the customer.
  const rules = [{ kind: 'percent', percent: '20' }];
  for (const audience of ['customer', 'reseller'])
    expect((await t.call('PUT', '/v1/account/price_rules', { json: { audience, rules } })).status).toBe(200);
});
afterAll(async () => {
  await otherRegistrar.close();
  await expectReconciled(t);
  await t.stop();
});

type Fields = Record<string, string | number | boolean | null>;

const panel = (method: string, path: string, fields: Fields = {}): Promise<ReceivedResponse> =>
  method === 'GET'
    ? sendRequest(t, { method, path: `/v1${path}?${phpForm(fields)}` })
    : sendRequest(t, { method, path: `/v1${path}`, headers: formType, body: phpForm(fields) });

const contacts = (id: string) => ({
  registrant_contact_id: id,
  admin_contact_id: id,
  tech_contact_id: id,
  billing_contact_id: id,
});
const order = (name: string, more: Fields = {}): Fields => ({
  domain_name: name,
  customer_id: '2001',
  years: 1,
  ...contacts('3001'),
  invoice_option: 'no_invoice',
  ...more,
});
const context = { priority: 'interactive' } as const;
const rightCode = 'a-long-auth-code-4711';
const wrongCode = 'not-the-right-code-1';

describe('a transfer with a wrong auth code', () => {
  test('continues after PUT /domains/{id}/auth_code replaces the code of the order', async () => {
    await otherRegistrar.hold('code-replaced.cc', rightCode);
    const ordered = await panel('POST', '/domains/transfer', order('code-replaced.cc', { auth_code: wrongCode }));
    expect(ordered.status, ordered.text).toBe(202);
    expect(ordered.body.status).toBe('Auth Code Required');
    expect(ordered.body.message).toMatch(/refused the auth code.*PUT \/v1\/domains\/\d+\/auth_code/);
    const id = ordered.body.domain_id;
    const again = await panel('PUT', `/domains/${id}/auth_code`, { auth_code: 'neither-is-this-one-2' });
    expect([again.status, again.body.status], again.text).toEqual([202, 'Auth Code Required']);
    const sent = await panel('PUT', `/domains/${id}/auth_code`, { auth_code: rightCode });
    expect(sent.body, sent.text).toMatchObject({
      domain_id: id,
      operation_id: ordered.body.operation_id,
      status: 'Pending',
    });
    expect(sent.body).not.toHaveProperty('message');
    done(await otherRegistrar.registry.approveTransfer('code-replaced.cc', context));
    await attemptAfresh(t.ctx, ordered.body.operation_id);
    expect((await panel('GET', `/domains/${id}`, { fields: 'domain_details' })).body.order_status).toBe('Live');
  });

  test('continues after a second order of the same customer with the right code, and is paid once', async () => {
    await otherRegistrar.hold('code-again.cc', rightCode);
    const first = await panel('POST', '/domains/transfer', order('code-again.cc', { auth_code: wrongCode }));
    expect(first.body.status, first.text).toBe('Auth Code Required');
    const checked = await panel('POST', '/domains/transfer/validity', { domain_name: 'code-again.cc' });
    expect(checked.status, checked.text).toBe(200);
    const other = order('code-again.cc', { auth_code: rightCode, customer_id: '2002' });
    expect((await panel('POST', '/domains/transfer', other)).status).toBeGreaterThanOrEqual(400);
    const second = await panel(
      'POST',
      '/domains/transfer',
      order('code-again.cc', { auth_code: rightCode, ...contacts('3002') }),
    );
    expect(second.body, second.text).toMatchObject({
      domain_id: first.body.domain_id,
      transaction_id: first.body.transaction_id,
      status: 'Pending',
      warnings: [expect.stringContaining('contacts')],
    });
    const third = await panel('POST', '/domains/transfer', order('code-again.cc', { auth_code: rightCode }));
    expect([third.status, third.body.code], third.text).toEqual([409, 'operation_in_progress']);
    done(await otherRegistrar.registry.approveTransfer('code-again.cc', context));
    await attemptAfresh(t.ctx, first.body.operation_id);
    expect((await panel('GET', '/domains/code-again.cc', { fields: 'domain_details' })).body.order_status).toBe('Live');
  });
});

test('adds the year that the TLD allows to a transfer ordered for two years, with a warning', async () => {
  await otherRegistrar.hold('two-years.cc', rightCode);
  const ordered = await panel('POST', '/domains/transfer', order('two-years.cc', { auth_code: rightCode, years: 2 }));
  expect(ordered.status, ordered.text).toBe(202);
  expect(ordered.body.warnings).toEqual([expect.stringMatching(/2 years.*adds 1 year/)]);
  done(await otherRegistrar.registry.approveTransfer('two-years.cc', context));
  await attemptAfresh(t.ctx, ordered.body.operation_id);
  const draft = await panel('POST', '/domains/transfer', { ...order('two-years.net', { years: 1 }), dry_run: true });
  expect(draft.body).not.toHaveProperty('warnings');
});

describe('price rows', () => {
  const rows = async (path: string) => (await panel('GET', path)).body;

  test.each(['/account/prices', '/resellers/prices', '/customers/prices'])(
    'returns complete price rows of %s',
    async (path) => {
      const { shop } = await rows(path);
      const of = (years: Record<string, string>) => years['1']!;
      const wanted = {
        tld_label: '.shop',
        tld_pref: 'Sell',
        price_new: of(shop.create),
        price_new_conv: Number(of(shop.create)),
        price_renew: of(shop.renew),
        price_renew_conv: Number(of(shop.renew)),
        price_transfer: of(shop.transfer),
        price_transfer_conv: Number(of(shop.transfer)),
        price_restore: of(shop.restore),
        price_restore_conv: Number(of(shop.restore)),
      };
      expect(shop).toMatchObject(wanted);
      expect(shop['0']).toMatchObject({ ...wanted, addnewdomain: of(shop.create), renewdomain: of(shop.renew) });
      expect(shop.price_renew).not.toBe(shop.price_new);
    },
  );
});

describe('two unpaid orders', () => {
  const unpaid = (name: string, more: Fields = {}) =>
    panel('POST', '/domains', order(name, { invoice_option: 'only_add', ...more }));

  test('returns the first order for two unpaid orders of the same customer', async () => {
    const first = await unpaid('twin.com');
    const second = await unpaid('TWIN.com', { years: 1 });
    expect(first.body.transaction_id, first.text).toMatch(/^\d+$/);
    expect([second.status, second.body], second.text).toEqual([first.status, first.body]);
    const { body: listed } = await panel('GET', '/domains', { domain_name: 'twin.com', exact_domain_name: 1 });
    expect(listed).toHaveLength(1);
    const other = await unpaid('twin.com', { years: 2 });
    expect([other.status, other.body.code], other.text).toEqual([409, 'conflict']);
    expect(other.body.message).toContain(first.body.transaction_id);
  });

  test('placed concurrently create one order', async () => {
    const both = await Promise.all([unpaid('twin-race.com'), unpaid('twin-race.com')]);
    const ids = both.map(({ body }) => body.transaction_id);
    expect(new Set(ids).size, JSON.stringify(both.map(({ text }) => text))).toBe(1);
  });

  test('are hidden by a live domain of the same name', async () => {
    // Of another customer: the same one would have to pay, execute or cancel its own order first.
    const customer = await makeCustomer(t);
    const contact = await makeContact(t, customer);
    const waits = await unpaid('twin-live.com', { customer_id: customer, ...contacts(contact) });
    const live = await panel('POST', '/domains', order('twin-live.com'));
    expect(live.status, live.text).toBe(200);
    const listed = await panel('GET', '/domains', { domain_name: 'twin-live.com', exact_domain_name: 1 });
    expect(listed.body.map((row: { domain_id: string }) => row.domain_id)).toEqual([live.body.domain_id]);
    expect(listed.headers['x-total-count']).toBe('1');
    const orders = await panel('GET', '/domains', {
      status: 'Unpaid',
      domain_name: 'twin-live.com',
      exact_domain_name: 1,
    });
    expect(orders.body.map((row: { domain_id: string }) => row.domain_id)).toEqual([waits.body.domain_id]);
    const all = await panel('GET', '/domains', { limit: 100 });
    expect(all.headers['x-total-count']).toBe(String(all.body.length));
    const named = await panel('GET', '/domains/details-by-name', { domain_name: 'twin-live.com' });
    expect(named.body.domain_id).toBe(live.body.domain_id);
  });

  test('show no registration date', async () => {
    const { body } = await unpaid('undated.com');
    const detail = (await panel('GET', `/domains/${body.domain_id}`, { fields: 'domain_details' })).body;
    for (const key of ['start_date', 'creation_time', 'creation_date']) expect(detail[key], key).toBeNull();
  });
});

describe('PUT /domains/{id}/contacts-pending', () => {
  const form = { ...contacts('3002'), is_domain_pending: 1, is_trans_execute_queue: 1 };
  const put = (id: string) => panel('PUT', `/domains/${id}/contacts-pending`, form);
  const shown = async (id: string) => (await panel('GET', `/domains/${id}`, { fields: 'domain_details' })).body;

  test('changes an unpaid order, which runs with the new contacts', async () => {
    const { body } = await panel('POST', '/domains', order('people-unpaid.org', { invoice_option: 'only_add' }));
    const changed = await put(body.domain_id);
    expect(changed.body, changed.text).toMatchObject(contacts('3002'));
    const ran = await panel('POST', '/customers/2001/transactions/execute', {
      transaction_id: body.transaction_id,
      cancel_invoice: true,
    });
    expect(ran.status, ran.text).toBe(200);
    expect(await shown(body.domain_id)).toMatchObject({ order_status: 'Live', ...contacts('3002') });
    await sameRegistrant('people-unpaid.org', '3002');
  });

  test('changes a registration under review, and the registry gets the contacts after approval', async () => {
    const { body, status } = await panel('POST', '/domains', order('people-review.co.id'));
    expect(status).toBe(202);
    const changed = await put(body.domain_id);
    expect(changed.body, changed.text).toMatchObject(contacts('3002'));
    expect(await shown(body.domain_id)).toMatchObject({ order_status: 'Pending', ...contacts('3002') });
    await t.control('POST', '/domains/people-review.co.id/review', { decision: 'approve' });
    await pollAfresh(t.ctx, 'sandbox');
    await expect.poll(async () => (await shown(body.domain_id)).order_status).toBe('Live');
    expect(await shown(body.domain_id)).toMatchObject(contacts('3002'));
    await sameRegistrant('people-review.co.id', '3002');
  });

  test('changes a pending transfer', async () => {
    await otherRegistrar.hold('people-transfer.org', rightCode);
    t.moveClock('+61d');
    const { body, text } = await panel(
      'POST',
      '/domains/transfer',
      order('people-transfer.org', { auth_code: rightCode }),
    );
    expect(body.status, text).toBe('Pending');
    const changed = await put(body.domain_id);
    expect(changed.body, changed.text).toMatchObject(contacts('3002'));
    done(await otherRegistrar.registry.approveTransfer('people-transfer.org', context));
    await attemptAfresh(t.ctx, body.operation_id);
    expect(await shown(body.domain_id)).toMatchObject({ order_status: 'Live', ...contacts('3002') });
    await sameRegistrant('people-transfer.org', '3002');
  });

  /** The registry has the contact of this contact's live domain. */
  async function sameRegistrant(name: string, contactId: string): Promise<void> {
    const like = `like-${name}`;
    expect((await panel('POST', '/domains', order(like, contacts(contactId)))).status).toBeLessThan(300);
    const registrant = async (of: string) => (await t.control('GET', `/domains/${of}`)).body.registrant;
    expect(await registrant(like)).toBeTypeOf('string');
    expect(await registrant(name)).toBe(await registrant(like));
  }
});

test('GET auth_code of a domain under registration returns an empty text', async () => {
  const review = await panel('POST', '/domains', order('no-code-yet.co.id'));
  const unpaid = await panel('POST', '/domains', order('no-code-yet.com', { invoice_option: 'only_add' }));
  for (const { body } of [review, unpaid]) {
    const code = await panel('GET', `/domains/${body.domain_id}/auth_code`);
    expect([code.status, code.body], code.text).toEqual([200, '']);
  }
});

test('PUT /dns/srv/{host}/{value} changes the one record that it names', async () => {
  const { body } = await panel('POST', '/domains', order('srv-panel.com'));
  const path = `/domains/${body.domain_id}/dns/srv`;
  const add = (port: number) =>
    panel('POST', path, { hostname: '_sip._tcp', value: 'sip.example.net', priority: 1, weight: 2, port });
  expect((await add(5060)).status).toBe(200);
  const changed = await panel('PUT', `${path}/_sip._tcp/sip.example.net`, { value: 'sip2.example.net', port: 5062 });
  expect(changed.body, changed.text).toMatchObject({
    val: 'sip2.example.net',
    port: '5062',
    weight: '2',
    priority: '1',
  });
  for (const port of [1, 2]) expect((await add(port)).status).toBe(200);
  const unclear = await panel('PUT', `${path}/_sip._tcp/sip.example.net`, { value: 'sip3.example.net' });
  expect([unclear.status, unclear.body.code], unclear.text).toEqual([400, 'invalid_argument']);
  expect(unclear.body.message).toContain('2 SRV records');
});

test('accepts an empty company for a natural person', async () => {
  const person = {
    name: 'Sari Wijaya',
    company: '',
    email: 'sari@person.example',
    address_line_1: 'Jalan Melati 3',
    city: 'Jakarta',
    state: 'Jakarta Raya',
    country_code: 'ID',
    zipcode: '10110',
    tel_cc_no: '62',
    tel_no: '2150001000',
  };
  const customer = await panel('POST', '/customers', { ...person, password: 'Tr0ub4dor&3-horse' });
  expect([customer.status, customer.body.company], customer.text).toEqual([200, '']);
  const path = `/customers/${customer.body.customer_id}`;
  const contact = await panel('POST', `${path}/contacts`, person);
  expect([contact.status, contact.body.company], contact.text).toEqual([200, '']);
  const changed = await panel('PUT', path, { ...person, city: 'Bandung', state: 'Jawa Barat', zipcode: '40111' });
  expect([changed.status, changed.body.company], changed.text).toEqual([200, '']);
  const renamed = await panel('PUT', `${path}/contacts/${contact.body.contact_id}`, { ...person, name: 'Sari W' });
  expect([renamed.status, renamed.body.company], renamed.text).toEqual([200, '']);
});
