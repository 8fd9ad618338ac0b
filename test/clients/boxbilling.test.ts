import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import { comesBy } from '../support/other-registrar.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, phpForm, type ReceivedResponse, sendRequest } from './wire.ts';

/** The BoxBilling adapter: raises only if the status is not 200 and there is a message; ignores the text of a 404. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

type Fields = Record<string, string | number | boolean | null>;

class Raised extends Error {}

async function box(method: string, path: string, fields: Fields = {}): Promise<ReceivedResponse['body']> {
  const form = phpForm(fields);
  const response =
    method === 'GET'
      ? await sendRequest(t, { method, path: `/v1/${path}${form ? `?${form}` : ''}` })
      : await sendRequest(t, { method, path: `/v1/${path}`, headers: formType, body: form });
  if (response.head.includes('404 Not Found')) throw new Raised('404 Not Found');
  if (response.status !== 200 && response.body?.message) throw new Raised(response.body.message as string);
  return response.body;
}

const raised = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof Raised) return error.message;
    throw error;
  }
  throw new Error('it did not raise');
};

/** The adapter is published twice, for two brands, with the same calls. */
describe.each(['Liquid', 'Resellercampid'])('adapter %s', (adapter) => {
  const client = {
    email: `client@${adapter.toLowerCase()}.example`,
    name: 'Sam Client',
    company: 'Client Ltd',
    address_line_1: '2 Low Street',
    city: 'London',
    state: 'Greater London',
    country_code: 'GB',
    zipcode: 'SW1A 1AA',
    tel_cc_no: '44',
    tel_no: '2079460002',
    alt_tel_no: '',
  };
  const name = `${adapter.toLowerCase()}-client.com`;
  const comes = `${adapter.toLowerCase()}-comes.cc`;
  let customerId: string;
  let contactId: string;
  let domainId: string;

  const find = async (domain: string): Promise<{ domain_id: string } | undefined> => {
    const rows = await box('GET', 'domains', { limit: 100, page_no: 1, domain_name: domain, exact_domain_name: 1 });
    return (rows as { domain_name: string; domain_id: string }[]).find((row) => row.domain_name === domain);
  };

  test('finds an available domain', async () => {
    const rows = await box('GET', 'domains/availability', { domain: name });
    expect(rows.some((row: Record<string, { status: string }>) => row[name]?.status === 'available')).toBe(true);
  });

  test('creates a customer by POST and a second look-up after an empty list', async () => {
    const search = { limit: 100, page_no: 1, status: 'Active', email: client.email };
    expect(await box('GET', 'customers', search)).toEqual([]);
    await box('POST', 'customers', { ...client, password: 'Tr0ub4dor&3-horse' });
    const [found] = await box('GET', 'customers', search);
    expect(found.email).toBe(client.email);
    customerId = found.customer_id;
  });

  test('finds the default contact, which is the customer in all four roles', async () => {
    const found = await box('GET', `customers/${customerId}/contacts/default`, { eligibility_criteria: 'com' });
    contactId = found.registrant_contact.contact_id;
    for (const role of ['registrant', 'admin', 'tech', 'billing'])
      expect(found[`${role}_contact`]).toMatchObject({
        contact_id: contactId,
        email: client.email,
        country_code: 'GB',
      });
  });

  test('lets BoxBilling create .us contacts only after an error', async () => {
    const text = await raised(box('GET', `customers/${customerId}/contacts`, { eligibility_criteria: 'us' }));
    expect(text).not.toBe('404 Not Found');
    const made = await box('POST', `customers/${customerId}/contacts`, {
      ...client,
      eligibility_criteria: 'us',
      extra: phpForm({ us_purpose: 'goverment', us_category: 'foreign_organization' }),
    });
    const [found] = await box('GET', `customers/${customerId}/contacts`, { eligibility_criteria: 'us' });
    expect(found.contact_id).toBe(made.contact_id);
    expect(found.extra).toMatchObject({ us_purpose: 'P5', us_category: 'C31' });
  });

  test('registers with the default nameservers after an invalid one was refused', async () => {
    const order = {
      domain_name: name,
      years: 1,
      customer_id: customerId,
      registrant_contact_id: contactId,
      admin_contact_id: contactId,
      tech_contact_id: contactId,
      billing_contact_id: contactId,
      invoice_option: 'no_invoice',
      purchase_privacy_protection: false,
      privacy_protection_enabled: false,
    };
    const text = await raised(
      box('POST', 'domains', { ...order, ns: 'ns1.nobody-owns-this.com,ns2.nobody-owns-this.com' }),
    );
    expect(text.indexOf('is not valid NameServer')).toBeGreaterThan(0);
    const defaults = await box('GET', `customers/${customerId}/ns/default`);
    const made = await box('POST', 'domains', { ...order, ns: Object.values(defaults).join(',') });
    domainId = made.domain_id;
    expect(made.transaction_id).toMatch(/^\d+$/);
  });

  test('reads the domain as it displays it', async () => {
    expect((await find(name))?.domain_id).toBe(domainId);
    const detail = await box('GET', `domains/${domainId}`, { fields: 'all' });
    expect(detail.order_status.toLowerCase()).toBe('live');
    for (const field of ['creation_time', 'end_time', 'creation_date', 'end_date']) {
      expect(detail[field], field).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }
    expect(detail.privacy_protection_enabled).toBe('false');
    expect(detail.adm_contact).toMatchObject({ contact_id: contactId, email: client.email });
    expect(detail).toMatchObject({ ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net', auth_code: null });
  });

  test('gets an empty list for a look-up without a name, and so renews no other domain', async () => {
    expect(await box('GET', 'domains', { limit: 100, page_no: 1, domain_name: '', exact_domain_name: 1 })).toEqual([]);
  });

  test('renews by the expiry date, and gets the expected value for a wrong date', async () => {
    const { end_time: end } = await box('GET', `domains/${domainId}`, { fields: 'all' });
    const text = await raised(
      box('POST', `domains/${domainId}/renew`, { years: 1, current_date: '2001-01-01', invoice_option: 'no_invoice' }),
    );
    expect(text).toContain(end.slice(0, 10));
    const renewed = await box('POST', `domains/${domainId}/renew`, {
      years: 1,
      current_date: end,
      invoice_option: 'no_invoice',
    });
    expect(renewed.transaction_id).toMatch(/^\d+$/);
    const twice = await raised(
      box('POST', `domains/${domainId}/renew`, { years: 1, current_date: end, invoice_option: 'no_invoice' }),
    );
    expect(twice).not.toBe('404 Not Found');
  });

  test('manages nameservers, contact, lock as text, auth code and deletion', async () => {
    const ns = await box('PUT', `domains/${domainId}/ns`, { ns: 'ns1.box.example,ns2.box.example' });
    expect(typeof ns).toBe('object');
    const contact = await box('PUT', `customers/${customerId}/contacts/${contactId}`, { ...client, city: 'Leeds' });
    expect(contact).not.toHaveProperty('message');
    const on = await box('PUT', `domains/${domainId}/theft_protection`);
    expect(on.theft_protection.toLowerCase()).toBe('true');
    const off = await box('DELETE', `domains/${domainId}/theft_protection`);
    expect(off.theft_protection.toLowerCase()).toBe('false');
    expect(typeof (await box('GET', `domains/${domainId}/auth_code`))).toBe('string');
    const deleted = await box('DELETE', `domains/${domainId}`);
    expect(deleted.deleted).toBe(true);
  });

  test('transfers after a check that is truthy or raises a text', async () => {
    const text = await raised(box('POST', 'domains/transfer/validity', { domain_name: comes }));
    expect(text).toContain('is not registered');
    const id = await comesBy(t, comes, async (auth) => {
      // biome-ignore lint/suspicious/noDoubleEquals: as the adapter compares
      expect((await box('POST', 'domains/transfer/validity', { domain_name: comes })) == false).toBe(false);
      const made = await box('POST', 'domains/transfer', {
        domain_name: comes,
        auth_code: auth,
        years: 1,
        customer_id: customerId,
        registrant_contact_id: contactId,
        admin_contact_id: contactId,
        tech_contact_id: contactId,
        billing_contact_id: contactId,
        invoice_option: 'no_invoice',
        protect_privacy: 0,
      });
      const { order_status } = await box('GET', `domains/${made.domain_id}`, { fields: 'all' });
      expect(order_status).toBe('Pending Transfer');
      return made;
    });
    expect((await find(comes))?.domain_id).toBe(id);
    expect((await box('GET', `domains/${id}`, { fields: 'all' })).order_status.toLowerCase()).toBe('live');
  });
});
