import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { booksAgree } from '../support/books.ts';
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
