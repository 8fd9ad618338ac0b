import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import { comesBy } from '../support/other-registrar.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, type ReceivedResponse, sendRequest } from './wire.ts';

/** The rescamp backend: the form type on every request, GETs included, and empty bodies on PUT, POST and DELETE. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

type Parameters = Record<string, string>;

/** 2xx with a payload, otherwise it throws with the message. */
async function liquid(method: string, path: string, parameters: Parameters = {}): Promise<ReceivedResponse['body']> {
  const form = new URLSearchParams(parameters).toString();
  const isBody = method === 'POST' || method === 'PUT';
  const response = await sendRequest(t, {
    method,
    path: `/v1${path}${!isBody && form ? `?${form}` : ''}`,
    headers: formType,
    ...(method === 'GET' ? {} : { body: isBody ? form : '' }),
  });
  if (response.status < 200 || response.status > 299)
    throw new Error(response.body?.message ?? response.body?.error ?? 'failed');
  if (response.body === null || response.body?.message === '') throw new Error('no payload');
  return response.body;
}

const customer = {
  email: 'rescamp@customer.example',
  name: 'Rina',
  company: 'Rina Toko',
  address_line_1: 'Jalan Mawar 5',
  city: 'Bandung',
  state: 'Jawa Barat',
  country_code: 'ID',
  zipcode: '40111',
  tel_cc_no: '62',
  tel_no: '2250001000',
};
const name = 'rina-toko.com';
let customerId: string;
let contactId: string;
let domainId: string;

test('reads prices and availability', async () => {
  const prices = await liquid('GET', '/account/prices');
  const com = (Object.values(prices) as { tld_label: string; create: Parameters; renew: Parameters }[]).find(
    (price) => price.tld_label === '.com',
  );
  expect(com?.create['1']).toMatch(/^\d+\.\d\d$/);
  const [found] = await liquid('GET', '/domains/availability', { domain: name });
  expect(found[name].status).toBe('available');
  const many = await liquid('GET', '/domains/availability', { domain: `${name},namehold-dns.net,Rina.CO.ID` });
  expect(many.map((each: object) => Object.keys(each)[0])).toEqual([name, 'namehold-dns.net', 'Rina.CO.ID']);
});

test('creates customer and contact with unknown parameters', async () => {
  const made = await liquid('POST', '/customers', {
    ...customer,
    password: 'Tr0ub4dor&3-horse',
    send_welcome_email: 'true',
    notify: '1',
  });
  customerId = made.customer_id ?? made.id;
  const contact = await liquid('POST', `/customers/${customerId}/contacts`, customer);
  contactId = contact.contact_id ?? contact.id;
  expect(contact).toMatchObject({ tel_no_cc: '62', fax_no_cc: null });
});

const order = (domain: string, more: Parameters = {}) => ({
  domain_name: domain,
  customer_id: customerId,
  registrant_contact_id: contactId,
  admin_contact_id: contactId,
  tech_contact_id: contactId,
  billing_contact_id: contactId,
  years: '1',
  invoice_option: 'no_invoice',
  ns1: 'ignored.example',
  ...more,
});

test('gets the refusal on which it retries for a customer id in place of a contact id', async () => {
  await expect(liquid('POST', '/domains', order(name, { registrant_contact_id: customerId }))).rejects.toThrow(
    'did not match',
  );
});

test('registers with the value NoInvoice of the older client', async () => {
  const made = await liquid('POST', '/domains', order(name, { invoice_option: 'NoInvoice' }));
  expect(made.transaction_id).toMatch(/^\d+$/);
  expect(made.order_id).toBe(made.domain_id);
  domainId = made.domain_id;
});

test('reads details by id and by name with JSON booleans and texts', async () => {
  for (const key of [domainId, name]) {
    const detail = await liquid('GET', `/domains/${encodeURIComponent(key)}`, { fields: 'All' });
    expect(detail).toMatchObject({
      order_id: domainId,
      locked: false,
      suspended: false,
      suspend: false,
      theft_protection: 'true',
      privacy_protection_enabled: 'false',
      customer_email: customer.email,
    });
    expect(detail.expiry_date).toBe(detail.end_date);
  }
  const plain = await liquid('GET', `/domains/${domainId}`);
  expect(plain.registrant_contact.contact_id).toBe(contactId);
});

test('renews by reading the expiry date, sending it back, and reading the new one', async () => {
  const { expiry_date: before } = await liquid('GET', `/domains/${domainId}`, { fields: 'All' });
  const renewed = await liquid('POST', `/domains/${domainId}/renew`, {
    years: '1',
    current_date: before,
    invoice_option: 'no_invoice',
  });
  expect(renewed.expiry_date > before).toBe(true);
  await expect(
    liquid('POST', `/domains/${domainId}/renew`, { years: '1', current_date: before, invoice_option: 'no_invoice' }),
  ).rejects.toThrow(renewed.expiry_date.slice(0, 10));
});

test('sets and removes locks and suspension with an empty body', async () => {
  expect(await liquid('PUT', `/domains/${domainId}/theft_protection`)).toEqual({ theft_protection: 'true' });
  expect(await liquid('DELETE', `/domains/${domainId}/theft_protection`)).toEqual({ theft_protection: 'false' });
  await liquid('PUT', `/domains/${domainId}/locked`);
  await expect(liquid('PUT', `/domains/${domainId}/locked`)).rejects.toThrow('already locked');
  await liquid('DELETE', `/domains/${domainId}/locked`, { customer_id: customerId });
  await expect(liquid('DELETE', `/domains/${domainId}/locked`)).rejects.toThrow('not locked');
  await liquid('PUT', `/domains/${domainId}/suspended`, { reason: 'belum bayar' });
  expect(await liquid('GET', `/domains/${domainId}/suspended`)).toMatchObject({
    reason: 'belum bayar',
    suspended_at: expect.any(String),
  });
  const [row] = await liquid('GET', '/domains', { domain_name: name, exact_domain_name: '1' });
  expect(row).toMatchObject({ suspended: true, status: 'suspended', order_status: 'Live' });
  await liquid('DELETE', `/domains/${domainId}/suspended`);
});

test('buys privacy without invoice_option, reads it, and is refused where unsupported', async () => {
  await liquid('POST', `/domains/${domainId}/privacy_protection/buy`);
  expect((await liquid('GET', `/domains/${domainId}/privacy_protection`)).privacy_protection_enabled).toBe('true');
  const us = await liquid('POST', '/domains', order('rina-toko.us', { extra: 'us_purpose=P1&us_category=C11' }));
  await expect(liquid('GET', `/domains/${us.domain_id}/privacy_protection`)).rejects.toThrow(
    'privacy protect not available',
  );
});

test('reads nameservers as an object of names only, and the auth code as a text', async () => {
  await liquid('PUT', `/domains/${domainId}/ns`, { ns: 'ns1.rina.example,ns2.rina.example' });
  expect(Object.values(await liquid('GET', `/domains/${domainId}/ns`))).toEqual([
    'ns1.rina.example',
    'ns2.rina.example',
  ]);
  expect(typeof (await liquid('GET', `/domains/${domainId}/auth_code`))).toBe('string');
});

test('ends paging with a page that is shorter than its limit', async () => {
  const pages: object[][] = [];
  for (let page = 1; ; page++) {
    const rows = await liquid('GET', '/domains', { limit: '1', page_no: String(page), customer_id: customerId });
    pages.push(rows);
    if (rows.length < 1) break;
  }
  expect(pages.flat()).toHaveLength(2);
  expect(await liquid('GET', '/domains', { status: 'Expired' })).toEqual([]);
});

test('transfers after a customer id in place of a contact id is refused', async () => {
  const transfer = (more: Parameters) => liquid('POST', '/domains/transfer', order('rina-pindah.cc', more));
  const id = await comesBy(t, 'rina-pindah.cc', async (auth_code) => {
    await expect(transfer({ auth_code, registrant_contact_id: customerId })).rejects.toThrow('did not match');
    const made = await transfer({ auth_code });
    expect(made.order_id).toBe(made.domain_id);
    return made;
  });
  expect(await liquid('GET', `/domains/${id}`, { fields: 'All' })).toMatchObject({
    order_status: 'Live',
    status: 'active',
  });
});

test('renews and restores on account, retries the waiting bill, and pays all bills', async () => {
  const transactions = `/customers/${customerId}/transactions`;
  const { expiry_date } = await liquid('GET', `/domains/${domainId}`, { fields: 'All' });
  const renewed = await liquid('POST', `/domains/${domainId}/renew`, {
    years: '1',
    current_date: expiry_date,
    invoice_option: 'keep_invoice',
  });
  expect(renewed.expiry_date > expiry_date).toBe(true);
  t.moveClock('+10d');
  await liquid('DELETE', `/domains/${domainId}`);
  const restored = await liquid('POST', `/domains/${domainId}/restore`, { invoice_option: 'keep_invoice' });
  expect(await liquid('GET', transactions, { only_pending: 'true' })).toMatchObject([
    { transaction_id: restored.transaction_id, status: 'unpaid' },
    { transaction_id: renewed.transaction_id, status: 'unpaid' },
  ]);
  // It has run: nothing is retried, and the request costs nothing.
  const again = await liquid('POST', `${transactions}/retry`, { transaction_id: renewed.transaction_id });
  expect(again).toMatchObject({ transaction_id: renewed.transaction_id, status: 'unpaid' });
  const waiting = await liquid('POST', '/domains', order('rina-nanti.com', { invoice_option: 'pay_invoice' }));
  expect(waiting.status).toBe('Unpaid');
  await expect(liquid('POST', `${transactions}/retry`, { transaction_id: waiting.transaction_id })).rejects.toThrow(
    'does not cover',
  );
  await liquid('POST', `${transactions}/fund`, { amount: '20', description: 'transfer bank' });
  const paid = await liquid('POST', `${transactions}/retry`, { transaction_id: waiting.transaction_id });
  expect(paid.status).toBe('completed');
  const ids = [renewed.transaction_id, restored.transaction_id].join(',');
  const both = await liquid('POST', `${transactions}/pay`, { transaction_id: ids, subtract_balance: 'false' });
  expect(both.map((each: Parameters) => each.status)).toEqual(['completed', 'completed']);
  expect(await liquid('GET', transactions, { only_pending: 'true' })).toEqual([]);
});

test('lets a customer pay first: only_add, then pay_add_only or cancel', async () => {
  const transactions = `/customers/${customerId}/transactions`;
  const [bought, left] = [
    await liquid('POST', '/domains', order('rina-shop.com', { invoice_option: 'only_add' })),
    await liquid('POST', '/domains', order('rina-batal.com', { invoice_option: 'only_add' })),
  ];
  const { amount } = await liquid('GET', `${transactions}/${bought.transaction_id}`);
  const unpaid = await liquid('GET', '/domains', { status: 'Unpaid', customer_id: customerId });
  expect(unpaid.map((each: Parameters) => each.status)).toEqual(['unpaid', 'unpaid']);
  const before = await liquid('GET', `/customers/${customerId}/balance`);
  await liquid('POST', `${transactions}/fund`, { amount: String(amount), description: 'kartu kredit' });
  const paid = await liquid('POST', `${transactions}/pay_add_only`, { transaction_id: bought.transaction_id });
  expect(paid).toMatchObject({ status: 'completed', domain_id: bought.domain_id });
  expect(await liquid('GET', `/domains/${bought.domain_id}`, { fields: 'All' })).toMatchObject({ status: 'active' });
  const cancelled = await liquid('POST', `${transactions}/cancel`, { transaction_id: left.transaction_id });
  expect(cancelled.status).toBe('cancelled');
  expect(await liquid('GET', `/domains/${left.domain_id}`, { fields: 'All' })).toMatchObject({ status: 'cancelled' });
  await expect(liquid('POST', `${transactions}/pay_add_only`, { transaction_id: left.transaction_id })).rejects.toThrow(
    'is cancelled',
  );
  expect(await liquid('GET', `/customers/${customerId}/balance`)).toBe(before);
});

test('gets a 404 for its malformed path', async () => {
  await expect(liquid('GET', `/customers/${customerId}/transactions&only_pending=true`)).rejects.toThrow();
});

test('gets suggestions for a keyword and one TLD', async () => {
  const ideas = await liquid('GET', '/domains/suggestion', { keyword: 'toko rina', tld: 'com' }).catch(
    (error: Error) => error,
  );
  expect(ideas).not.toBeInstanceOf(Error);
});
