import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attemptAfresh } from '../support/attempt.ts';
import { done, openOtherRegistrar } from '../support/other-registrar.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, type ReceivedResponse, sendRequest } from './wire.ts';

/** Three small clients on one service: an older TypeScript client, a read-only TypeScript SDK, and a Go service. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

type Fields = Record<string, string | number>;

describe('older TypeScript client: form type on every call, raw paths, customer ids as contact ids', () => {
  async function client(method: string, path: string, fields?: Fields): Promise<ReceivedResponse['body']> {
    const body = fields && new URLSearchParams(fields as Record<string, string>).toString();
    const response = await sendRequest(t, {
      method,
      path: `/v1${path}`,
      headers: formType,
      ...(body === undefined ? {} : { body }),
    });
    if (response.status < 200 || response.status > 299) throw new Error(response.body.message || 'LIQUID API error');
    return response.body;
  }
  const invoice_option = 'NoInvoice';
  let customerId: string;
  let contactId: string;
  let id: string;

  test('creates a natural person with an empty company and zipcode', async () => {
    const person = {
      name: 'Dewi Lestari',
      email: 'dewi@older.example',
      password: 'Pass@123!-horse',
      company: '',
      address_line_1: 'Jalan Anggrek 2',
      city: 'Semarang',
      state: 'Jawa Tengah',
      country_code: 'ID',
      zipcode: '50241',
      tel_cc_no: '62',
      tel_no: '2412345678',
    };
    customerId = (await client('POST', '/customers', person)).customer_id;
    expect((await client('GET', `/customers/${customerId}`)).company).toBe('');
    expect((await client('PUT', `/customers/${customerId}`, { ...person, city: 'Solo' })).city).toBe('Solo');
    expect((await client('GET', '/customers')).some((row: Fields) => row.customer_id === customerId)).toBe(true);
    const made = await client('GET', `/customers/${customerId}/contacts/default?eligibility_criteria=`);
    contactId = made.registrant_contact.contact_id;
  });

  test('registers with a contact id, and gets a clear refusal for a customer id in its place', async () => {
    const order = (contact: string): Fields => ({
      domain_name: 'older-ts.com',
      customer_id: customerId,
      registrant_contact_id: contact,
      admin_contact_id: contact,
      billing_contact_id: contact,
      tech_contact_id: contact,
      years: 1,
      ns: '',
      purchase_privacy_protection: 'false',
      invoice_option,
    });
    expect((await client('GET', '/domains/availability?domain=older-ts.com'))[0]['older-ts.com'].status).toBe(
      'available',
    );
    await expect(client('POST', '/domains', order(customerId))).rejects.toThrow('did not match');
    id = (await client('POST', '/domains', order(contactId))).domain_id;
    expect(await client('GET', `/domains/${id}`)).toMatchObject({ domain_name: 'older-ts.com', order_status: 'Live' });
    expect(await client('GET', '/domains?limit=10')).toHaveLength(1);
  });

  test('manages locks, nameservers, codes, suspension and suggestions', async () => {
    await client('PUT', `/domains/${id}/locked`);
    expect(await client('GET', `/domains/${id}/locked`)).toBe(true);
    await client('DELETE', `/domains/${id}/locked`);
    await client('PUT', `/domains/${id}/theft_protection`);
    await client('DELETE', `/domains/${id}/theft_protection`);
    expect(await client('GET', `/domains/${id}/auth_code`)).toBeTypeOf('string');
    const set = await client('PUT', `/domains/${id}/auth_code`, { auth_code: 'Xy12-Zw34_Qr56.Tu78' });
    expect(set.auth_code).toBe('Xy12-Zw34_Qr56.Tu78');
    expect((await client('GET', `/domains/${id}/ns`)).ns1).toBe('ns1.namehold-dns.net');
    await client('PUT', `/domains/${id}/suspended`);
    await client('DELETE', `/domains/${id}/suspended`);
    expect(await client('GET', '/domains/suggestion?keyword=older&tld=com')).toBeTypeOf('object');
  });

  test('changes records by path, and an SRV record by host and value', async () => {
    const dns = `/domains/${id}/dns`;
    await client('POST', `${dns}/txt`, { hostname: 'older-ts.com', value: 'hello' });
    await client('PUT', `${dns}/txt/older-ts.com/hello`, { value: 'hello2' });
    await client('DELETE', `${dns}/txt/older-ts.com/hello2`);
    await client('POST', `${dns}/srv`, {
      hostname: '_sip._tcp',
      value: 'sip.older.example',
      priority: 1,
      weight: 1,
      port: 5060,
    });
    const changed = await client('PUT', `${dns}/srv/_sip._tcp/sip.older.example`, { value: 'sip2.older.example' });
    expect(changed).toMatchObject({ val: 'sip2.older.example' });
    await client('DELETE', `${dns}/srv/_sip._tcp/sip2.older.example`);
    expect(await client('GET', `${dns}/srv`)).toEqual([]);
  });

  test('manages forwarding, and buys privacy without an invoice option', async () => {
    await client('PUT', `/domains/${id}/domain_forwarding`, { forward_to: 'https://older.example/' });
    expect((await client('GET', `/domains/${id}/domain_forwarding`)).url_dest).toBe('https://older.example/');
    await client('POST', `/domains/${id}/email_forwarding`, { email: 'info', forward_to: 'a@older.example' });
    expect(await client('GET', `/domains/${id}/email_forwarding`)).toHaveLength(1);
    await client('DELETE', `/domains/${id}/email_forwarding/info`);
    await client('POST', `/domains/${id}/privacy_protection/buy`);
    await client('DELETE', `/domains/${id}/privacy_protection`);
    await client('PUT', `/domains/${id}/privacy_protection`);
    expect(String((await client('GET', `/domains/${id}/privacy_protection`)).privacy_protection_enabled)).toBe('true');
  });

  test('continues a transfer with another code after a wrong one', async () => {
    const otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
    try {
      await otherRegistrar.hold('older-comes.cc', 'a-long-auth-code-4711');
      const ordered = await client('POST', '/domains/transfer', {
        domain_name: 'older-comes.cc',
        auth_code: 'not-the-right-code-1',
        customer_id: customerId,
        registrant_contact_id: contactId,
        admin_contact_id: contactId,
        billing_contact_id: contactId,
        tech_contact_id: contactId,
        invoice_option,
      });
      expect(ordered.status).toBe('Auth Code Required');
      const sent = await client('PUT', `/domains/${ordered.domain_id}/auth_code`, {
        auth_code: 'a-long-auth-code-4711',
      });
      expect(sent.status).toBe('Pending');
      done(await otherRegistrar.registry.approveTransfer('older-comes.cc', { priority: 'interactive' }));
      await attemptAfresh(t.ctx, ordered.operation_id);
      expect((await client('GET', `/domains/${ordered.domain_id}`)).order_status).toBe('Live');
    } finally {
      await otherRegistrar.close();
    }
  });

  test('renews only with the expiry date, deletes, and cannot restore a removed domain', async () => {
    const today = new Date().toISOString().split('T')[0]!;
    await expect(
      client('POST', `/domains/${id}/renew`, { years: 1, current_date: today, invoice_option }),
    ).rejects.toThrow();
    const prices = await client('GET', '/account/prices');
    const com = (Object.values(prices) as { tld_label: string; renew: Record<string, string> }[]).find(
      ({ tld_label }) => tld_label === '.com',
    );
    expect(com?.renew['1']).toMatch(/^\d+\.\d\d$/);
    expect(await client('GET', '/customers/prices')).toBeTypeOf('object');
    const [first] = await client('GET', '/account/transactions');
    expect((await client('GET', `/account/transactions/${first.transaction_id}`)).transaction_id).toBe(
      first.transaction_id,
    );
    expect((await client('GET', '/resellers/1000')).reseller_id).toBe('1000');
    await client('DELETE', `/domains/${id}`);
    await expect(client('POST', `/domains/${id}/restore`, { invoice_option })).rejects.toThrow();
    await expect(client('DELETE', `/customers/${customerId}`)).rejects.toThrow();
  });
});

describe('TypeScript SDK: a JSON type on a GET without a body', () => {
  test('reads account and resellers', async () => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/plain, */*' };
    const read = (path: string) => sendRequest(t, { method: 'GET', path: `/v1${path}`, headers });
    expect((await read('/account/balance')).body).toBeTypeOf('number');
    for (const path of ['/account/prices', '/account/transactions', '/resellers', '/resellers/1000']) {
      const response = await read(path);
      expect([path, response.status, typeof response.body]).toEqual([path, 200, 'object']);
    }
  });
});

describe('Go service: net/http, unmarshalled into maps of maps', () => {
  const headers = { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' };
  const read = async (path: string) => {
    const response = await sendRequest(t, { method: 'GET', path: `/v1${path}`, headers });
    expect(response.status, response.text).toBe(200);
    return response;
  };

  test('lists, reads by name, suggests and prices', async () => {
    expect(Array.isArray((await read('/domains')).body)).toBe(true);
    expect((await read('/domains/details-by-name?domain_name=older-comes.cc')).body.domain_name).toBe('older-comes.cc');
    expect((await read('/account/balance')).text).toMatch(/^-?\d+(\.\d+)?$/);
    const tlds = 'ac.id%2Cbiz.id%2Cco.id%2Ccom%2Cid%2Cmy.id%2Cor.id%2Cponpes.id%2Csch.id%2Cweb.id%2Cxyz';
    const ideas = (
      await read(`/domains/suggestion?keyword=kopi&tlds=${tlds}&limit=10&hyphen_allowed=true&add_related=false`)
    ).body;
    for (const leaf of Object.values(ideas as Record<string, object>).flatMap(Object.values))
      expect(leaf).toBeTypeOf('string');
    expect((await read('/account/prices')).body).not.toBeInstanceOf(Array);
  });

  test('unmarshals an unknown domain into an object with a message', async () => {
    const response = await sendRequest(t, {
      method: 'GET',
      path: '/v1/domains/details-by-name?domain_name=no.such',
      headers,
    });
    expect(response.body.message).toBeTypeOf('string');
  });
});
