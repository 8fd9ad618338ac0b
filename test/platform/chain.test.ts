import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { pollNow } from '../../packages/server/src/jobs/poll-registries.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { booksAgree } from '../support/books.ts';
import { makeContact, makeCustomer, person } from '../support/parties.ts';
import { Platform, Seller } from './chain.ts';

/** A seller, the platform that it buys from, and the registry behind that: three prices deep. */
let platform: Platform;
let seller: Seller;
beforeAll(async () => {
  platform = await Platform.start('org', ['register:after-settle']);
  seller = await Seller.open(platform.way, 'org');
});
afterAll(async () => {
  await seller?.t.stop();
  await platform?.service.dispose();
});

test('the platform dies after it committed a registration, and before it answered: charged once at each level', async () => {
  const bought = await seller.order('killed.org', {}, '3001', 1);
  await platform.service.died();
  await platform.service.start();
  expect(await seller.settled(bought.body.operation_id)).toBe('done');
  expect(await platform.charged('killed.org')).toEqual(['charge create']);
  expect(await seller.paid('killed.org')).toBe(1300);
});

test('the profile says what the platform is', async () => {
  const { ok, findings } = await testConnection(seller.t.house, 'up');
  expect(ok, findings.join('; ')).toBe(true);
  expect(findings).toContain('its questions are answered as expected');
});

describe('a name', () => {
  test('is free, bought, renewed and given back, once at each level', async () => {
    const asked = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'first.org' } });
    expect(asked.body[0]['first.org']).toMatchObject({ status: 'available', price: { amount: '13.00' } });
    const bought = await seller.order('first.org', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    expect(bought.status, bought.text).toBe(200);
    const there = await platform.read('first.org');
    expect(there).toMatchObject({ order_status: 'Live', ns1: 'ns1.elsewhere.example', ns2: 'ns2.elsewhere.example' });
    const here = await seller.read('first.org');
    expect(here.end_date).toBe(there.end_date);
    expect(here.registrant_contact.name).toBe((await contactThere(there.registrant_contact_id)).name);
    const renewed = await seller.renew('first.org');
    expect(renewed.status, renewed.text).toBe(200);
    expect((await seller.read('first.org')).end_date).toBe((await platform.read('first.org')).end_date);
    expect(await platform.charged('first.org')).toEqual(['charge create', 'charge renew']);
    expect(await seller.paid('first.org')).toBe(2700);
    expect(await seller.owed()).toBe(await platform.taken());
    const deleted = await seller.t.call('DELETE', '/v1/domains/first.org');
    expect(deleted.status, deleted.text).toBe(200);
    expect((await platform.read('first.org')).removed_reason).toBe('deleted');
    expect(await seller.owed()).toBe(await platform.taken());
  });

  test('that another has is taken here too', async () => {
    expect((await platform.service.call('POST', '/v1/domains', { form: orderThere('taken.org') })).status).toBe(200);
    const refused = await seller.order('taken.org');
    expect(refused.body, refused.text).toMatchObject({ code: 'domain_not_available' });
  });
});

describe('what is there', () => {
  const put = async (path: string, form: Record<string, string> = {}, method = 'PUT') => {
    const called = await seller.t.call(method, `/v1/domains/second.org/${path}`, { form });
    expect(called.status, called.text).toBe(200);
    return called.body;
  };

  test('gets other nameservers, hosts of its own, keys, locks and a code', async () => {
    expect((await seller.order('second.org')).status).toBe(200);
    await put('ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    await put('childns', { hostname: 'ns1.second.org', ip_address: '192.0.2.53' }, 'POST');
    await put('childns', { hostname: 'ns1.second.org', ip_address: '2001:db8::53' }, 'POST');
    await put('ns', { ns: 'ns1.second.org,ns2.elsewhere.example' });
    const ds = { keytag: '4711', algorithm: '13', digesttype: '2', digest: 'AB'.repeat(32) };
    await put('dnssec', ds, 'POST');
    const there = (await platform.service.call('GET', '/v1/domains/second.org')).body;
    expect([there.ns1, there.ns2].sort()).toEqual(['ns1.second.org', 'ns2.elsewhere.example']);
    expect(there.cns.map((host: { ip: string }) => host.ip).sort()).toEqual(['192.0.2.53', '2001:db8::53']);
    expect(there.dnssec).toMatchObject([{ keytag: 4711, digest: ds.digest }]);
    await put(`dnssec/4711/13/2/${ds.digest}`, {}, 'DELETE');
    await put('childns/ns1.second.org/2001%3Adb8%3A%3A53', {}, 'DELETE');
    await put('theft_protection');
    await put('locked', { reason: 'dispute' });
    expect(await platform.read('second.org')).toMatchObject({ locked: true, theft_protection: 'true' });
    await put('locked', {}, 'DELETE');
    expect(await platform.read('second.org')).toMatchObject({ locked: false, theft_protection: 'true' });
    await put('theft_protection', {}, 'DELETE');
    await put('suspended', { reason: 'unpaid' });
    expect(await platform.read('second.org')).toMatchObject({ suspended: true });
    await put('suspended', {}, 'DELETE');
    expect(await platform.read('second.org')).toMatchObject({ suspended: false, registry_status: ['ok'] });
  });

  test('has contacts that are one there while their data are equal, and two when one of them changes', async () => {
    const other = await makeCustomer(seller.t);
    const [mine, theirs] = [await makeContact(seller.t, '2001'), await makeContact(seller.t, other)];
    expect((await seller.order('mine.org', {}, mine)).status).toBe(200);
    expect((await seller.order('theirs.org', { customer_id: other }, theirs)).status).toBe(200);
    const idOf = async (name: string) => (await platform.read(name)).registrant_contact_id;
    expect(await idOf('mine.org')).toBe(await idOf('theirs.org'));
    const form = person({ name: 'Another Name' });
    const changed = await seller.t.call('PUT', `/v1/customers/2001/contacts/${mine}`, { form });
    expect([200, 202], changed.text).toContain(changed.status);
    await vi.waitFor(async () => {
      expect((await contactThere(await idOf('mine.org'))).name).toBe('Another Name');
    }, 300_000);
    expect((await contactThere(await idOf('theirs.org'))).name).toBe('Sari Dewi');
  });

  test('is asked for by another: the log of the platform tells, and the no of the seller counts', async () => {
    const { body: code } = await seller.t.call('GET', '/v1/domains/mine.org/auth_code');
    const json = { domain_name: 'mine.org', action: 'request', auth_code: code };
    const asked = await platform.service.call('POST', '/v1/sandbox/transfers', { json });
    expect(asked.status, JSON.stringify(asked.body)).toBe(200);
    await vi.waitFor(async () => {
      await pollNow(seller.t.house, 'up');
      expect((await seller.read('mine.org')).state).toBe('pending_transfer');
    }, 300_000);
    const no = await seller.t.call('POST', '/v1/domains/mine.org/transfer/reject', {
      form: { reason: 'holder_objects' },
    });
    expect(no.status, no.text).toBe(200);
    expect((await seller.read('mine.org')).state).toBe('live');
    expect((await platform.read('mine.org')).state).toBe('live');
  });
});

test('the money agrees at all three levels', async () => {
  expect(await seller.owed()).toBe((await platform.taken()) - 1040);
  const charges = (await openAlarms(seller.t.house)).map(({ key }) => key);
  expect(charges.filter((key) => key.startsWith('charge:'))).toEqual([]);
  expect((await platform.service.call('DELETE', '/v1/domains/taken.org')).status).toBe(200);
  await booksAgree(seller.t);
});

const contactThere = async (id: string) =>
  (await platform.service.call('GET', `/v1/customers/2001/contacts/${id}`)).body;

const orderThere = (name: string): Record<string, string> => ({
  domain_name: name,
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3001',
  billing_contact_id: '3001',
  years: '1',
  invoice_option: 'no_invoice',
});
