import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import { comesBy } from '../support/other-registrar.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, multipart, phpForm, type ReceivedResponse, sendRequest } from './wire.ts';

/** The generated PHP SDK: percent-encoded paths, a user agent, decoded body and raw headers returned, throws on anything but 2xx. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

type Fields = Record<string, string | number | boolean | null>;
const agent = { 'User-Agent': 'PHP-Liquid/1.0.0' };

async function callApi(method: string, path: string, fields: Fields = {}): Promise<ReceivedResponse> {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const form = phpForm(fields);
  const response =
    method === 'GET'
      ? await sendRequest(t, { method, path: `/v1${encoded}${form ? `?${form}` : ''}`, headers: agent })
      : await sendRequest(t, { method, path: `/v1${encoded}`, headers: { ...agent, ...formType }, body: form });
  if (response.status < 200 || response.status > 299) throw new Error(`${response.status}: ${response.text}`);
  return response;
}

const order = {
  customer_id: 2001,
  registrant_contact_id: 3001,
  admin_contact_id: 3001,
  tech_contact_id: 3002,
  billing_contact_id: 3001,
  invoice_option: 'no_invoice',
};
let domainId: string;

test('orders by form and lists with the headers of its manual', async () => {
  const made = await callApi('POST', '/domains', { ...order, domain_name: 'sdk-one.com', years: 2 });
  domainId = made.body.domain_id;
  const listed = await callApi('GET', '/domains', { limit: 10, page_no: '' as unknown as string, customer_id: 2001 });
  expect(listed.head).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(listed.headers['x-total-count']).toBe('1');
  expect(listed.headers.link).toMatch(/rel="first"/);
  expect(listed.headers['content-encoding']).toBeUndefined();
  const [row] = listed.body;
  for (const key of [
    'domain_id',
    'domain_name',
    'approval_status_id',
    'start_date',
    'end_date',
    'reseller_id',
    'customer_id',
    'tld_id',
    'order_status_id',
    'lb_order_id',
    'is_migrate_cust',
    'is_privacy',
    'reg_contact_id',
    'adm_contact_id',
    'bill_contact_id',
    'tech_contact_id',
    'is_lock',
    'is_suspend',
    'is_theft_protection',
    'raaVerificationStatus',
    'raaVerificationStartTime',
    'auth_code',
    'attr',
    'last_update',
    'customer_name',
    'expiry_date',
  ]) {
    expect(row, key).toHaveProperty(key);
  }
  expect(row).toMatchObject({ auth_code: null, attr: '[]', ns1: 'ns1.namehold-dns.net', order_status_id: '1' });
});

test('orders by multipart, which curl sends for an array', async () => {
  const { headers, body } = multipart({
    ...(Object.fromEntries(Object.entries(order).map(([key, value]) => [key, String(value)])) as Record<
      string,
      string
    >),
    domain_name: 'sdk-two.com',
    years: '1',
  });
  const made = await sendRequest(t, { method: 'POST', path: '/v1/domains', headers: { ...agent, ...headers }, body });
  expect(made.status, made.text).toBe(200);
  expect(made.body.transaction_id).toMatch(/^\d+$/);
});

test('calls paths with percent-encoded values', async () => {
  const host = 'ns1.sdk-one.com';
  await callApi('POST', `/domains/${domainId}/childns`, { hostname: host, ip_address: '2001:db8::1' });
  const moved = await callApi('PUT', `/domains/${domainId}/childns/${host}/2001:db8::1`, {
    hostname: host,
    ip_address: '2001:db8::2',
  });
  expect(moved.body).toEqual({ hostname: host, ip: '2001:db8::2' });
  expect((await callApi('DELETE', `/domains/${domainId}/childns/${host}/2001:db8::2`)).body.deleted).toBe(true);
  const digest = 'CD'.repeat(32);
  await callApi('POST', `/domains/${domainId}/dnssec`, { keytag: 1, algorithm: 8, digesttype: 2, digest });
  expect((await callApi('GET', `/domains/${domainId}/dnssec`)).body).toHaveLength(1);
  expect((await callApi('DELETE', `/domains/${domainId}/dnssec/1/8/2/${digest}`)).body).toEqual({ deleted: true });
  await callApi('POST', `/domains/${domainId}/dns/txt`, { hostname: 'sdk-one.com', value: 'v=spf1 -all' });
  await callApi('DELETE', `/domains/${domainId}/dns/txt/sdk-one.com/v=spf1 -all`);
});

test('makes all its other calls for a domain', async () => {
  const path = `/domains/${domainId}`;
  expect((await callApi('PUT', `${path}/locked`, { reason: 'held for a court' })).body.locked).toBe('true');
  expect((await callApi('GET', `${path}/locked`)).body).toBe(true);
  expect((await callApi('GET', `${path}/locks`)).body.locked).toMatchObject({
    is_set: true,
    reason: 'held for a court',
  });
  await callApi('DELETE', `${path}/locked`);
  expect((await callApi('PUT', `${path}/suspended`, { reason: 'unpaid' })).body.suspended).toBe('true');
  await callApi('DELETE', `${path}/suspended`);
  expect(
    (await callApi('POST', `${path}/privacy_protection/buy`, { invoice_option: 'no_invoice' })).body.transaction_id,
  ).toMatch(/^\d+$/);
  expect((await callApi('DELETE', `${path}/privacy_protection`)).body).toEqual({ privacy_protection_enabled: 'false' });
  expect((await callApi('PUT', `${path}/privacy_protection`)).body).toEqual({ privacy_protection_enabled: 'true' });
  const contacts = await callApi('PUT', `${path}/contacts`, {
    registrant_contact_id: 3002,
    admin_contact_id: 3001,
    tech_contact_id: 3001,
    billing_contact_id: 3001,
  });
  expect(contacts.body.registrant_contact_id).toBe('3002');
  const code = await callApi('PUT', `${path}/auth_code`, { auth_code: 'Xy12-Zw34_Qr56.Tu78' });
  expect(code.body.auth_code).toBe('Xy12-Zw34_Qr56.Tu78');
  expect((await callApi('GET', `${path}/auth_code`)).body).toBe('Xy12-Zw34_Qr56.Tu78');
  expect((await callApi('GET', `${path}/raa_verification`)).body.status).toBeTypeOf('string');
  const ideas = await callApi('GET', '/domains/suggestion', { keyword: 'coffee beans', tlds: 'com,net', limit: '10' });
  for (const leaf of Object.values(ideas.body as Record<string, object>).flatMap(Object.values))
    expect(leaf).toBeTypeOf('string');
  const { end_date: end } = (await callApi('GET', path, { fields: 'domain_details' })).body;
  const renewed = await callApi('POST', `${path}/renew`, { years: 1, current_date: end, invoice_option: 'no_invoice' });
  expect(renewed.body.expiry_date > end).toBe(true);
  expect((await callApi('DELETE', path)).body.deleted).toBe(true);
});

test('transfers by the older form of the check, the order and the cancellation', async () => {
  const check = () => callApi('GET', '/domains/transfer/validity', { domain_name: 'sdk-comes.cc' });
  await expect(check()).rejects.toThrow(/^400: .*transfer_not_possible/);
  const id = await comesBy(t, 'sdk-comes.cc', async (auth_code) => {
    expect((await check()).body).toMatchObject({ transferable: true, registrar: 'rival' });
    const sent = { ...order, domain_name: 'sdk-comes.cc', auth_code };
    const given = (await callApi('POST', '/domains/transfer', sent)).body;
    const cancelled = await callApi('POST', `/domains/${given.domain_id}/transfer/cancel`, { customer_id: '2001' });
    expect(cancelled.body).toEqual({ domain_id: given.domain_id, cancelled: true });
    return (await callApi('POST', '/domains/transfer', sent)).body;
  });
  expect((await callApi('GET', `/domains/${id}`, { fields: 'domain_details' })).body.order_status).toBe('Live');
});

test('manages mail forwarding, and gets a flat error for an invalid order', async () => {
  const path = '/domains/sdk-comes.cc/email_forwarding';
  const made = await callApi('POST', path, { email: 'info', forward_to: 'a@x.example' });
  expect(made.body).toMatchObject({ email: 'info@sdk-comes.cc', forward_to: 'a@x.example' });
  expect((await callApi('GET', path, {})).body).toEqual([made.body]);
  await expect(callApi('POST', path, { email: 'info', forward_to: 'nobody' })).rejects.toThrow(/^(400|409)/);
  const gone = await callApi('DELETE', `${path}/info`, {});
  expect(gone.body).toEqual({ deleted: true, email: 'info@sdk-comes.cc' });
});
