import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptAfresh } from '../support/attempt.ts';
import { done, type OtherRegistrar, openOtherRegistrar } from '../support/other-registrar.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, phpForm, type ReceivedResponse, sendRequest } from './wire.ts';

/** A PHP panel on Laravel's HTTP client, in its two releases: forms, `Accept: application/json`, DELETE with a JSON body, success is any 2xx. */
let t: TestService;
let otherRegistrar: OtherRegistrar;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
});
afterAll(async () => {
  await otherRegistrar.close();
  await expectReconciled(t);
  await t.stop();
});

type Fields = Record<string, string | number | boolean | null>;
interface Result {
  readonly success: boolean;
  readonly message: string;
  readonly raw: ReceivedResponse['body'];
}
const accept = { Accept: 'application/json' };

async function call(method: string, path: string, fields: Fields = {}): Promise<Result> {
  const form = phpForm(fields);
  const body = method === 'DELETE' ? JSON.stringify(fields) : form;
  const type = method === 'DELETE' ? { 'Content-Type': 'application/json' } : formType;
  const response =
    method === 'GET'
      ? await sendRequest(t, { method, path: `/v1${path}${form ? `?${form}` : ''}`, headers: accept })
      : await sendRequest(t, { method, path: `/v1${path}`, headers: { ...accept, ...type }, body });
  const raw = response.body;
  if (response.status >= 200 && response.status < 300) return { success: true, message: 'OK', raw };
  return { success: false, message: `${raw?.message} (${raw?.code})`, raw };
}

async function ok(method: string, path: string, fields: Fields = {}): Promise<ReceivedResponse['body']> {
  const result = await call(method, path, fields);
  expect(result.success, `${method} ${path}: ${result.message}`).toBe(true);
  return result.raw;
}

/** An object unchanged; of a list its first row. */
const firstRow = (raw: ReceivedResponse['body']) => (Array.isArray(raw) ? (raw[0] ?? null) : raw);

const person = {
  name: 'Budi Hartono',
  company: 'Budi Hartono',
  email: 'budi@laravel.example',
  address_line_1: 'Jalan Kenanga 7',
  city: 'Yogyakarta',
  state: 'Yogyakarta',
  country_code: 'ID',
  zipcode: '55281',
  tel_cc_no: '62',
  tel_no: '27412345678',
};

async function customerOf(email: string): Promise<string> {
  const found = firstRow(await ok('GET', '/customers', { email, limit: 1 }));
  if (found?.customer_id) return found.customer_id;
  return firstRow(await ok('POST', '/customers', { ...person, email, password: 'Tr0ub4dor&3-ho' })).customer_id;
}

async function register(domain: string, more: Fields = {}): Promise<ReceivedResponse['body']> {
  const customer_id = await customerOf(person.email);
  const { contact_id } = firstRow(await ok('POST', `/customers/${customer_id}/contacts`, person));
  return ok('POST', '/domains', {
    domain_name: domain,
    customer_id,
    ...roles(contact_id),
    invoice_option: 'no_invoice',
    years: 1,
    ...more,
  });
}

const roles = (id: string) => ({
  registrant_contact_id: id,
  billing_contact_id: id,
  admin_contact_id: id,
  tech_contact_id: id,
});

/** The panel knows domains by name and looks up the id before each call. */
async function idOf(domain: string): Promise<string> {
  return firstRow(await ok('GET', '/domains/details-by-name', { domain_name: domain })).domain_id;
}

describe('first release', () => {
  test('tests its credentials, searches, registers and sets nameservers', async () => {
    expect(await ok('GET', '/domains', { limit: 1 })).toEqual([]);
    const found = await ok('GET', '/domains/availability', { domain: 'laravel-one.com,namehold-dns.net' });
    const status = (name: string) => found.find((row: { domain?: string }) => row.domain === name)?.status;
    expect([status('laravel-one.com'), status('namehold-dns.net')]).toEqual(['available', 'regthroughothers']);
    await register('laravel-one.com', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' });
    const id = await idOf('laravel-one.com');
    await ok('PUT', `/domains/${id}/ns`, { ns: 'ns1.laravel.example,ns2.laravel.example' });
    const missing = await call('GET', '/domains/details-by-name', { domain_name: 'not-here.com' });
    expect(missing.message).toMatch(/not found/);
  });

  test('refuses a renewal with the current date, and returns the expected date', async () => {
    const id = await idOf('laravel-one.com');
    const today = new Date().toISOString().slice(0, 10);
    const refused = await call('POST', `/domains/${id}/renew`, {
      years: 1,
      current_date: today,
      invoice_option: 'no_invoice',
    });
    expect(refused.success).toBe(false);
    expect(refused.message).toContain(`${Number(today.slice(0, 4)) + 1}-`);
  });
});

describe('second release', () => {
  test('lets the Laravel client merge price lists by TLD, with every price separate and promotions', async () => {
    const labels = await ok('GET', '/resellers/prices');
    const rows = Object.values(await ok('GET', '/account/prices')) as Record<string, unknown>[];
    const shop = rows.find(({ tld_name }) => tld_name === 'shop')!;
    expect(labels[shop.tld_name as string][0]).toMatchObject({ tld_label: '.shop', tld_pref: 'Sell' });
    // It multiplies values that it takes for thousands of rupiah by a thousand; each figure must be unambiguous.
    const { price_new_conv, price_renew_conv, price_transfer_conv } = shop as Record<string, number>;
    expect([price_new_conv, price_renew_conv, price_transfer_conv]).toEqual([
      Number((shop.create as Fields)['1']),
      Number((shop.renew as Fields)['1']),
      Number((shop.transfer as Fields)['1']),
    ]);
    expect(price_renew_conv).toBeGreaterThan(price_new_conv!);
    const tlds = Object.values(await ok('GET', '/tlds')) as { label: string; min_duration: string }[][];
    expect(tlds.map(([entry]) => entry?.label)).toContain('.shop');
    expect((await ok('GET', '/resellers/1000')).selling_currency).toBe('USD');
    expect(await ok('GET', '/account/balance')).toBeTypeOf('number');
  });

  test('reads locks, theft protection and privacy as booleans, and the auth code as a text', async () => {
    await register('laravel-two.com', { purchase_privacy_protection: 'true', privacy_protection_enabled: 'true' });
    const id = await idOf('laravel-two.com');
    expect(await ok('GET', `/domains/${id}/locked`)).toBe(false);
    await ok('PUT', `/domains/${id}/locked`, { reason: 'Dikunci oleh klien lewat panel.' });
    expect(await ok('GET', `/domains/${id}/locked`)).toBe(true);
    await ok('DELETE', `/domains/${id}/locked`);
    await ok('DELETE', `/domains/${id}/theft_protection`);
    expect(await ok('GET', `/domains/${id}/theft_protection`)).toBe(false);
    await ok('PUT', `/domains/${id}/theft_protection`);
    const privacy = firstRow(await ok('GET', `/domains/${id}/privacy_protection`));
    expect(String(privacy.privacy_protection_enabled)).toBe('true');
    await ok('DELETE', `/domains/${id}/privacy_protection`);
    await ok('PUT', `/domains/${id}/privacy_protection`);
    expect(await ok('GET', `/domains/${id}/auth_code`)).toMatch(/\S{8,}/);
  });

  test('reads a missing auth code without an error', async () => {
    const customer_id = await customerOf(person.email);
    const { contact_id } = firstRow(await ok('POST', `/customers/${customer_id}/contacts`, person));
    const order = {
      domain_name: 'laravel-review.co.id',
      customer_id,
      ...roles(contact_id),
      invoice_option: 'no_invoice',
      years: 1,
    };
    const made = await ok('POST', '/domains', order);
    expect(await ok('GET', `/domains/${made.domain_id}/auth_code`)).toBe('');
  });

  test('reads DNS records by type, with values in `value`, and deletes by path', async () => {
    const id = await idOf('laravel-two.com');
    await ok('POST', `/domains/${id}/dns/ip`, { hostname: 'www', value: '192.0.2.10' });
    await ok('POST', `/domains/${id}/dns/mx`, { hostname: '@', value: 'mail.laravel.example', priority: 10 });
    for (const type of ['ip', 'ipv6', 'cname', 'mx', 'txt'])
      for (const row of await ok('GET', `/domains/${id}/dns/${type}`)) expect(row).toHaveProperty('value');
    await ok('DELETE', `/domains/${id}/dns/ip/www/192.0.2.10`);
    await ok('DELETE', `/domains/${id}/dns/mx/@/mail.laravel.example`);
    expect(await ok('GET', `/domains/${id}/dns/ip`)).toEqual([]);
  });

  test('uses forwarding, DNSSEC, transactions, and separate purchases of privacy and restore', async () => {
    const id = await idOf('laravel-two.com');
    await ok('PUT', `/domains/${id}/domain_forwarding`, { forward_to: 'https://laravel.example/' });
    await ok('PUT', `/domains/${id}/domain_forwarding`, { forward_to: '' });
    await ok('POST', `/domains/${id}/email_forwarding`, {
      email: 'info',
      forward_to: 'a@laravel.example,b@laravel.example',
    });
    expect(await ok('GET', `/domains/${id}/email_forwarding`)).toHaveLength(1);
    await ok('DELETE', `/domains/${id}/email_forwarding/info`);
    await ok('POST', `/domains/${id}/dnssec`, { keytag: 12, algorithm: 13, digesttype: 2, digest: 'AB'.repeat(32) });
    expect(await ok('GET', `/domains/${id}/dnssec`)).toHaveLength(1);
    const transactions = await ok('GET', '/account/transactions', { limit: 20, page_no: 1 });
    expect(transactions[0]).toMatchObject({ transaction_id: expect.any(String), amount: expect.any(Number) });
    expect(await ok('GET', '/customers', { limit: 20, page_no: 1 })).not.toEqual([]);
    const bought = await idOf('laravel-one.com');
    expect(
      (await ok('POST', `/domains/${bought}/privacy_protection/buy`, { invoice_option: 'no_invoice' })).transaction_id,
    ).toMatch(/^\d+$/);
    expect((await call('POST', `/domains/${bought}/restore`, { invoice_option: 'no_invoice' })).success).toBe(false);
  });

  test('transfers with the two years of a package after a wrong code', async () => {
    await otherRegistrar.hold('laravel-comes.cc', 'a-long-auth-code-4711');
    const customer_id = await customerOf(person.email);
    const { contact_id } = firstRow(await ok('POST', `/customers/${customer_id}/contacts`, person));
    const order = {
      domain_name: 'laravel-comes.cc',
      customer_id,
      ...roles(contact_id),
      years: 2,
      invoice_option: 'no_invoice',
    };
    const first = await ok('POST', '/domains/transfer', { ...order, auth_code: 'wrong-code-from-mail' });
    expect(first).toMatchObject({ status: 'Auth Code Required', warnings: [expect.stringContaining('adds 1 year')] });
    const second = await ok('POST', '/domains/transfer', { ...order, auth_code: 'a-long-auth-code-4711' });
    expect(second).toMatchObject({
      domain_id: first.domain_id,
      transaction_id: first.transaction_id,
      status: 'Pending',
    });
    done(await otherRegistrar.registry.approveTransfer('laravel-comes.cc', { priority: 'interactive' }));
    await attemptAfresh(t.ctx, first.operation_id);
    expect((await ok('GET', `/domains/${first.domain_id}`)).order_status).toBe('Live');
  });

  test('reports an invalid credential by its status', async () => {
    const refused = await sendRequest(t, {
      method: 'GET',
      path: '/v1/domains?limit=1',
      headers: { ...accept, Authorization: 'Basic eDp5' },
    });
    expect(refused.status).toBe(401);
  });
});
