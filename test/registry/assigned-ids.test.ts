import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { makeContact, person } from '../support/parties.ts';
import { accounts } from './far-registry.ts';
import { Shop } from './shop.ts';

/** A registry that assigns the ids of contacts (RFC 5733 lets the client choose them; some registries do not). */
let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open(
    { NAMEHOLD_THEFT_PROTECTION: 'off' },
    { capabilities: { assigns_ids: true, shares_ids: true } },
  );
});
afterAll(async () => {
  await shop?.close();
});

const four = (id: string) =>
  Object.fromEntries(['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, id]));
const put = async (name: string, path: string, form: Record<string, string>) => {
  const called = await shop.t.call('PUT', `/v1/domains/${name}/${path}`, { form });
  expect(called.status, called.text).toBe(200);
};
const alarms = async () => (await openAlarms(shop.t.ctx)).map(({ key }) => key);
const remoteIds = async (contact: string) =>
  (
    await shop.t.ctx.db
      .as(allTenants)
      .many<{ remote_id: string }>(sql`select remote_id from registry_contact where contact_id = ${contact}`)
  ).map((row) => row.remote_id);

describe('without contacts.assignsIds in the profile', () => {
  test('a registration is refused, names the setting, costs nothing and raises an alarm', async () => {
    const called = await shop.order('unset.far');
    expect(called.status, called.text).toBe(400);
    expect(called.text).toContain('contacts.assignsIds');
    expect(await shop.held()).toBe(0);
    expect(await shop.charged('unset.far')).toEqual([]);
    expect(await alarms()).toContain('registry:far:contact-ids');
  });
});

describe('with contacts.assignsIds in the profile', () => {
  beforeAll(async () => {
    shop.manner = { ...shop.manner, profile: { contacts: { assignsIds: true } } };
    await shop.connect(accounts.ours.password);
    await shop.t.service.parts.registries.reload('far');
  });

  test('a registration names the assigned id in every role, and the alarm is cleared', async () => {
    await shop.buy('first.far');
    const there = await shop.far.name('first.far');
    expect(there.registrant).toMatch(/^F-\d{6}$/);
    expect(new Set(there.contacts.map(([, id]: string[]) => id))).toEqual(new Set([there.registrant]));
    expect(await remoteIds('3001')).toEqual([there.registrant]);
    expect(await alarms()).not.toContain('registry:far:contact-ids');
  });

  test('a changed contact is updated under its assigned id', async () => {
    const before = (await shop.far.name('first.far')).registrant;
    const form = person({ city: 'Semarang' });
    const called = await shop.t.call('PUT', '/v1/customers/2001/contacts/3001', { form });
    expect(called.status, called.text).toBe(200);
    const cities = async () =>
      Object.values((await shop.far.contact(before)).postal).map((each) => (each as { city: string }).city);
    await expect.poll(cities).toContain('Semarang');
    expect((await shop.far.name('first.far')).registrant).toBe(before);
  });

  test('a lost answer to contact:create leads to another create, and the domain has the known contact', async () => {
    const contact = await makeContact(shop.t, '2001', undefined, { name: 'Lost Answer' });
    await shop.far.capabilities({ shares_ids: false });
    await shop.far.fault({ on: 'contact:create', do: 'drop' });
    await shop.buy('lost.far', four(contact));
    const { registrant } = await shop.far.name('lost.far');
    expect(await remoteIds(contact)).toEqual([registrant]);
    expect(await shop.far.contact(registrant)).toBeDefined();
    await shop.far.capabilities({ shares_ids: true });
  });

  test('a process that dies before the assigned id is stored creates the contact again', async () => {
    const contact = await makeContact(shop.t, '2001', undefined, { name: 'Died Early' });
    const { ctx } = shop.t;
    const { failpoint } = ctx;
    let died = 0;
    Object.assign(ctx, {
      failpoint(label: string) {
        if (label === 'contact:before-id-kept' && died++ === 0) throw new Error('died here');
      },
    });
    const called = await shop.order('died.far', four(contact));
    Object.assign(ctx, { failpoint });
    expect(died).toBe(1);
    expect(called.status, called.text).toBe(202);
    await shop.makeDue(called.body.operation_id);
    expect(await shop.settled(called.body.operation_id)).toBe('done');
    expect([(await shop.far.name('died.far')).registrant]).toEqual(await remoteIds(contact));
    expect(await shop.charged('died.far')).toEqual(['charge create 810']);
  });

  test('two contacts with equal data share an id until one of them changes', async () => {
    const first = await makeContact(shop.t, '2001', undefined, { name: 'Equal Data' });
    // The registry compares names and addresses only.
    const second = await makeContact(shop.t, '2001', undefined, { name: 'Equal Data', tel_no: '227654322' });
    expect(second).not.toBe(first);
    await shop.buy('equal.far', { ...four(first), tech_contact_id: second });
    expect(await remoteIds(first)).toEqual(await remoteIds(second));
    await shop.agree();
    const form = person({ name: 'Equal Data', city: 'Surabaya' });
    const changed = await shop.t.call('PUT', `/v1/customers/2001/contacts/${second}`, { form });
    expect(changed.status, changed.text).toBe(200);
    await expect.poll(() => remoteIds(second)).not.toEqual(await remoteIds(first));
    const [own] = await remoteIds(second);
    const tech = async () => (await shop.far.name('equal.far')).contacts.find(([role]: string[]) => role === 'tech')[1];
    await expect.poll(tech).toBe(own);
    const there = await shop.far.name('equal.far');
    expect(there.registrant).toBe((await remoteIds(first))[0]);
  });

  test('contacts of a domain are replaced under assigned ids', async () => {
    const contact = await makeContact(shop.t, '2001', undefined, { name: 'Another Registrant' });
    await put('first.far', 'contacts', four(contact));
    const { registrant, contacts } = await shop.far.name('first.far');
    expect([registrant]).toEqual(await remoteIds(contact));
    expect(contacts.every(([, id]: string[]) => id === registrant)).toBe(true);
  });

  test('a contact that was removed at the registry is created again', async () => {
    const contact = await makeContact(shop.t, '2001', undefined, { name: 'Lost There' });
    await shop.buy('kept.far', four(contact));
    const [lost] = await remoteIds(contact);
    await put('kept.far', 'contacts', four('3001'));
    await shop.far.loseContact(lost!);
    await put('kept.far', 'contacts', four(contact));
    const { registrant } = await shop.far.name('kept.far');
    expect(registrant).not.toBe(lost);
    expect([registrant]).toEqual(await remoteIds(contact));
    await put('kept.far', 'contacts', four('3001'));
    await shop.far.loseContact(registrant);
    await shop.buy('new.far', four(contact));
    expect([(await shop.far.name('new.far')).registrant]).toEqual(await remoteIds(contact));
  });

  test('ledger and registry agree to the cent', async () => {
    await shop.agree();
  });
});
