import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../packages/server/src/core/ledger/verify.ts';
import { comesBy } from '../support/other-registrar.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { formType, phpForm, type ReceivedResponse, sendRequest } from './wire.ts';

/** The Blesta module: forms everywhere, DELETE with a body, a bare question mark, hyphens, path ids repeated in the body. */
let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  // A reseller sets its prices before it sells through a panel.
  const rules = [{ kind: 'percent', percent: '20' }];
  const set = await t.call('PUT', '/v1/account/price_rules', { json: { audience: 'reseller', rules } });
  expect(set.status, set.text).toBe(200);
});
afterAll(async () => {
  expect((await verifyLedger(t.ctx.db)).differences).toEqual([]);
  await t.stop();
});

type Fields = Record<string, string | number | boolean | null>;

async function blesta(method: string, path: string, fields: Fields = {}): Promise<ReceivedResponse> {
  const form = phpForm(fields);
  if (method === 'GET') return sendRequest(t, { method, path: `/v1${path}?${form}` });
  return sendRequest(t, { method, path: `/v1${path}`, headers: formType, body: form });
}

/** The module's criterion for success: it reads only the body. */
function ok(response: ReceivedResponse): ReceivedResponse['body'] {
  const { body } = response;
  expect(response.status, response.text).toBe(200);
  const isEmpty =
    body === null || body === false || body === '' || (typeof body === 'object' && Object.keys(body).length === 0);
  expect(isEmpty, `${response.text} is an error to Blesta`).toBe(false);
  expect(body).not.toHaveProperty('message');
  return body;
}

/** The module is published twice, for two brands, with the same calls. */
describe.each(['liquid', 'resellercampid'])('module %s', (module) => {
  const person = {
    name: 'Jane Roe',
    company: 'Roe Ltd',
    email: `jane@${module}.example`,
    address_line_1: '1 High Street',
    address_line_2: '',
    city: 'London',
    state: 'Greater London',
    country_code: 'GB',
    zipcode: 'SW1A 1AA',
    tel_cc_no: '44',
    tel_no: '2079460000',
  };
  const name = `${module}-roe.com`;
  const comes = `${module}-comes.cc`;
  let customerId: string;
  let domainId: string;

  test('checks credentials with a look-up, and joins the catalogue and prices by one key', async () => {
    const found = ok(await blesta('GET', '/domains/availability', { domain: name }));
    expect(found[0][name].status).toBe('available');
    const tlds = ok(await blesta('GET', '/tlds'));
    const prices = ok(await blesta('GET', '/resellers/prices'));
    const [key, labels] = Object.entries(tlds).find(
      ([, list]) => (list as { label: string }[])[0]?.label === '.com',
    ) as [string, { label: string }[]];
    expect(labels[0]?.label).toBe('.com');
    expect(prices[key]['0']).toHaveProperty('addnewdomain');
    ok(await blesta('GET', '/resellers/1000'));
  });

  test('registers: a customer by email, four contacts, the order', async () => {
    const search = await blesta('GET', '/customers', { email: person.email });
    expect(search.text).toBe('[]');
    const customer = ok(
      await blesta('POST', '/customers', {
        ...person,
        username: person.email,
        password: 'Tr0ub4dor&3-horse',
        'lang-pref': 'en',
      }),
    );
    customerId = customer.customer_id;
    const again = ok(await blesta('GET', '/customers', { email: person.email }));
    expect(again[0]).toMatchObject({ customer_id: customerId, email: person.email });
    const contacts: string[] = [];
    for (const type of ['registrant', 'admin', 'tech', 'billing']) {
      const made = ok(
        await blesta('POST', `/customers/${customerId}/contacts`, { ...person, customer_id: customerId, type }),
      );
      contacts.push(made.contact_id);
    }
    // Four times the same data: one contact, not four.
    expect(new Set(contacts).size).toBe(1);
    const [registrant, admin, tech, billing] = contacts as [string, string, string, string];
    const ordered = ok(
      await blesta('POST', '/domains', {
        'domain-name': name,
        domain_name: name,
        years: 1,
        ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net',
        customer_id: customerId,
        registrant_contact_id: registrant,
        admin_contact_id: admin,
        tech_contact_id: tech,
        billing_contact_id: billing,
        invoice_option: 'no_invoice',
        purchase_privacy_protection: false,
        'attr-name1': '',
      }),
    );
    domainId = ordered.domain_id;
    expect(domainId).toMatch(/^\d+$/);
  });

  test('shows the service page by name, then section by section', async () => {
    const found = ok(await blesta('GET', '/domains/details-by-name', { domain_name: name }));
    expect(found.domain_id).toBe(domainId);
    const details = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'domain_details' }));
    expect(details).toMatchObject({ customer_id: customerId });
    expect(details.end_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    for (const section of ['registrant_contact', 'admin_contact', 'tech_contact', 'billing_contact']) {
      const contact = ok(await blesta('GET', `/domains/${domainId}`, { fields: section }));
      expect(contact).toMatchObject({ country: 'United Kingdom', email: person.email });
      expect(contact.contact_id).toMatch(/^\d+$/);
    }
    const ns = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'ns' }));
    expect(ns).toMatchObject({ ns1: 'ns1.namehold-dns.net', ns2: 'ns2.namehold-dns.net', ns3: null, ns13: null });
    const dns = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'dns' }));
    expect(Object.keys(dns).sort()).toEqual(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']);
    const all = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'All' }));
    expect(all).toMatchObject({ theft_protection: 'true', domain_id: domainId, cns: [] });
    const repeated = await sendRequest(t, {
      method: 'GET',
      path: `/v1/domains/${domainId}?fields=domain_details&fields=ns`,
    });
    expect(ok(repeated)).toEqual(ns);
  });

  test('shows a text to the user for unknown names', async () => {
    const unknown = await blesta('GET', '/domains/details-by-name', { domain_name: 'nobody-has-this.com' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toContain('not found');
  });

  test('manages contact, nameservers, lock and auth code on the settings page', async () => {
    const contact = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'registrant_contact' }));
    const changed = ok(
      await blesta('PUT', `/customers/${customerId}/contacts/${contact.contact_id}`, {
        ...person,
        contact_id: contact.contact_id,
        customer_id: customerId,
        name: 'Jane Roe-Doe',
      }),
    );
    expect(changed.name).toBe('Jane Roe-Doe');
    const ns = ok(
      await blesta('PUT', `/domains/${domainId}/ns`, {
        'order-id': domainId,
        domain_id: domainId,
        ns: 'ns1.other-host.example,ns2.other-host.example',
      }),
    );
    expect(ns.ns1).toBe('ns1.other-host.example');
    const bad = await blesta('PUT', `/domains/${domainId}/ns`, { ns: 'ns1.other-host.example,nonsense_' });
    expect(bad.body.message.indexOf('is not valid NameServer')).toBeGreaterThan(0);
    expect(ok(await blesta('PUT', `/domains/${domainId}/theft_protection`, { domain_id: domainId }))).toEqual({
      theft_protection: 'true',
    });
    expect(ok(await blesta('GET', `/domains/${domainId}`, { fields: 'All' })).theft_protection).toBe('true');
    expect(ok(await blesta('DELETE', `/domains/${domainId}/theft_protection`, { domain_id: domainId }))).toEqual({
      theft_protection: 'false',
    });
    const code = ok(await blesta('GET', `/domains/${domainId}/auth_code`));
    expect(typeof code).toBe('string');
  });

  test('manages child nameservers with raw IPv6 in the path', async () => {
    const host = `ns1.${name}`;
    const made = ok(
      await blesta('POST', `/domains/${domainId}/childns`, {
        domain_id: domainId,
        hostname: host,
        ip_address: '2001:db8::53',
      }),
    );
    expect(made).toEqual({ hostname: host, ip: '2001:db8::53' });
    const changed = ok(
      await blesta('PUT', `/domains/${domainId}/childns/${host}/2001:db8::53`, {
        hostname: host,
        'old-ip': '2001:db8::53',
        ip: 'ignored',
        ip_address: '192.0.2.53',
      }),
    );
    expect(changed.ip).toBe('192.0.2.53');
    expect(ok(await blesta('GET', `/domains/${domainId}`, { fields: 'All' })).cns).toEqual([
      { hostname: host, ip: '192.0.2.53' },
    ]);
    ok(await blesta('DELETE', `/domains/${domainId}/childns/${host}/192.0.2.53`, { domain_id: domainId }));
  });

  test('manages forwarding with all fields in every form, and reads the answer under other names', async () => {
    const path = `/domains/${domainId}/domain_forwarding`;
    expect(ok(await blesta('GET', path))).toMatchObject({ url_dest: '', is_url_masking: '0' });
    const form = {
      domain_id: domainId,
      customer_id: customerId,
      url_masking: false,
      subdomain_forwarding: false,
      path_forwarding: true,
      meta_tags: '',
      no_frames_content: '',
    };
    const set = ok(await blesta('PUT', path, { ...form, forward_to: 'https://shop.example/' }));
    expect(set).toMatchObject({ url_dest: 'https://shop.example/', is_path_fwd: '1', is_subdomain_fwd: '0' });
    expect(ok(await blesta('GET', path))).toEqual(set);
    expect(ok(await blesta('PUT', path, { ...form, forward_to: '' }))).toMatchObject({
      url_dest: '',
      is_path_fwd: '0',
    });
  });

  test('manages DNS records, and deletes AAAA records with an empty last path segment', async () => {
    ok(await blesta('PUT', `/domains/${domainId}/ns`, { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }));
    ok(await blesta('POST', `/domains/${domainId}/dns/ip`, { hostname: `www.${name}`, value: '192.0.2.80' }));
    ok(await blesta('POST', `/domains/${domainId}/dns/ipv6`, { hostname: `www.${name}`, value: '2001:db8::80' }));
    ok(await blesta('POST', `/domains/${domainId}/dns/mx`, { hostname: name, value: `mail.${name}`, priority: 10 }));
    const dns = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'dns' }));
    expect(dns.A).toMatchObject([{ hostname: `www.${name}`, ip: '192.0.2.80' }]);
    expect(dns.MX[0]).toMatchObject({ zone: name, val: `mail.${name}` });
    ok(await blesta('PUT', `/domains/${domainId}/dns/ip/www.${name}/192.0.2.80`, { value: '192.0.2.81' }));
    ok(await blesta('DELETE', `/domains/${domainId}/dns/ipv6/www.${name}/`, { old_value: '2001:db8::80' }));
    ok(await blesta('DELETE', `/domains/${domainId}/dns/ip/www.${name}/192.0.2.81`, {}));
  });

  test('transfers: the order with hyphens, its id at once, the domain after completion', async () => {
    const contact = ok(await blesta('GET', `/domains/${domainId}`, { fields: 'registrant_contact' })).contact_id;
    const transfer = (auth: string) =>
      blesta('POST', '/domains/transfer', {
        'domain-name': comes,
        'auth-code': auth,
        customer_id: customerId,
        registrant_contact_id: contact,
        admin_contact_id: contact,
        tech_contact_id: contact,
        billing_contact_id: contact,
        invoice_option: 'no_invoice',
      });
    const unknown = await transfer('whatever');
    expect(unknown.status).toBe(400);
    expect(unknown.body).toMatchObject({ type: 'invalid_request', code: 'transfer_not_possible' });
    const id = await comesBy(t, comes, async (auth) => {
      const { status, body, text } = await transfer(auth);
      expect([status, body.domain_id], text).toEqual([202, expect.stringMatching(/^\d+$/)]);
      expect(body).not.toHaveProperty('message');
      return body;
    });
    const named = ok(await blesta('GET', '/domains/details-by-name', { domain_name: comes, fields: 'All' }));
    expect(named).toMatchObject({ domain_id: id, theft_protection: 'true' });
  });
});
