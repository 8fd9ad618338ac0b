import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeContact } from '../../../../test/support/parties.ts';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderPurchase } from '../../src/core/domains/buy/order-purchase.ts';
import { register } from '../../src/core/domains/buy/register.ts';
import { actor, lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let otherContact: string;
let domainsBought = 0;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  const customer = await t.call('POST', '/v1/customers', {
    form: {
      email: 'other@customer.example',
      name: 'Other',
      password: 'correct-horse-7',
      company: 'Other Ltd',
      address_line_1: 'Street 1',
      city: 'London',
      state: 'Greater London',
      country_code: 'GB',
      zipcode: 'SW1A 1AA',
      tel_cc_no: '44',
      tel_no: '2079460001',
    },
  });
  expect(customer.status, customer.text).toBe(200);
  const contact = await t.call('POST', `/v1/customers/${customer.body.customer_id}/contacts`, {
    form: {
      email: 'other@customer.example',
      name: 'Other',
      company: 'Other Ltd',
      address_line_1: 'Street 1',
      city: 'London',
      state: 'Greater London',
      country_code: 'GB',
      zipcode: 'SW1A 1AA',
      tel_cc_no: '44',
      tel_no: '2079460001',
    },
  });
  otherContact = contact.body.contact_id as string;
});
afterAll(async () => {
  expect(await life.count('domain')).toBe(domainsBought);
  await life.ledgerIsSound();
  await life.expectReconciled();
  await t.stop();
});

async function buy(name: string, more: Record<string, string> = {}): Promise<string> {
  domainsBought += 1;
  return life.buy(name, more);
}
const atRegistry = async (name: string) => (await t.control('GET', `/domains/${name}`)).body;
const put = (path: string, form: Record<string, string> = {}) => t.call('PUT', path, { form });

describe('nameserver changes', () => {
  test('replace the whole set at the registry and here, and change nothing when repeated', async () => {
    const id = await buy('ns-set.com');
    const changed = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.elsewhere.example, ns2.elsewhere.example' });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toEqual({ ns1: 'ns1.elsewhere.example', ns2: 'ns2.elsewhere.example' });
    expect((await atRegistry('ns-set.com')).hosts.sort()).toEqual(['ns1.elsewhere.example', 'ns2.elsewhere.example']);
    expect((await t.call('GET', `/v1/domains/${id}/ns`)).body).toEqual(changed.body);
    expect(await life.events('ns-set.com')).toContain('domain.updated');
    const again = await put('/v1/domains/ns-set.com/ns', { ns: 'NS2.elsewhere.example.,ns1.elsewhere.example' });
    expect(again.body).toEqual({ ns1: 'ns2.elsewhere.example', ns2: 'ns1.elsewhere.example' });
    const audit = await t.call('GET', '/v1/account/audit', { query: { action: 'domain.nameservers' } });
    expect(audit.body[1]).toMatchObject({
      object_id: id,
      before: { nameservers: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'] },
      after: { nameservers: ['ns1.elsewhere.example', 'ns2.elsewhere.example'] },
    });
  });

  test('are refused for invalid sets with the texts that clients match', async () => {
    const id = await buy('ns-bad.com');
    const bad = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.elsewhere.example,not_a_host' });
    expect(bad.status).toBe(400);
    expect(bad.body.message.indexOf('is not valid NameServer')).toBeGreaterThan(0);
    const unknown = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.nobody-has-this-name.com,ns1.elsewhere.example' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.message).toMatch(/ns1\.nobody-has-this-name\.com is not valid NameServer/);
    expect(unknown.body.errors[0].field).toBe('ns');
    const { operations } = await t.ctx.db
      .as(allTenants)
      .one<{ operations: string }>(sql`select count(*) as operations from operation where domain_id = ${id}`);
    for (const ip of ['192.0.2.1', '2001:db8::1', '192.0.2']) {
      const address = await put(`/v1/domains/${id}/ns`, { ns: `${ip},ns1.elsewhere.example` });
      expect(address.status, address.text).toBe(400);
      expect(address.body.errors[0].field).toBe('ns');
      const form = { ...orderOf(`ns-address-${ip.length}.com`), ns: `${ip},ns1.elsewhere.example` };
      const bought = await t.call('POST', '/v1/domains', { form });
      expect(bought.status, bought.text).toBe(400);
      expect(bought.body.errors[0].field).toBe('ns');
    }
    // Refused before anything was sent.
    expect(
      await t.ctx.db.as(allTenants).one(sql`select count(*) as operations from operation where domain_id = ${id}`),
    ).toEqual({ operations });
    const many = Array.from({ length: 14 }, (_, n) => `ns${n}.elsewhere.example`).join(',');
    const fourteenth = await put(`/v1/domains/${id}/ns`, { ns: many });
    expect(fourteenth.status).toBe(400);
    expect(fourteenth.body.errors[0]).toMatchObject({ field: 'ns', code: 'too_many' });
    expect((await put(`/v1/domains/${id}/ns`, { ns: '' })).status).toBe(400);
    expect((await put('/v1/domains/999999/ns', { ns: 'a.example,b.example' })).status).toBe(404);
    expect((await put(`/v1/domains/${id}/ns`, { ns: 'a.example', customer_id: '999' })).status).toBe(404);
    expect((await t.call('GET', `/v1/domains/${id}/ns`)).body.ns1).toBe('ns1.namehold-dns.net');
  });

  test('send glue with the delegation at a registry with host attributes', async () => {
    const id = await buy('attributes.fr');
    const early = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.attributes.fr,ns1.elsewhere.example' });
    expect(early.status).toBe(400);
    const form = { hostname: 'ns1.attributes.fr', ip_address: '192.0.2.10' };
    expect((await t.call('POST', `/v1/domains/${id}/childns`, { form })).status).toBe(200);
    const set = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.attributes.fr,ns1.elsewhere.example' });
    expect(set.status, set.text).toBe(200);
    const { nsAttributes } = await atRegistry('attributes.fr');
    expect(nsAttributes[0]).toMatchObject({ name: 'ns1.attributes.fr' });
    expect(JSON.stringify(nsAttributes)).toContain('192.0.2.10');
    const moved = await put(`/v1/domains/${id}/childns/ns1.attributes.fr/192.0.2.10`, {
      hostname: 'ns1.attributes.fr',
      ip_address: '192.0.2.11',
    });
    expect(moved.status, moved.text).toBe(200);
    expect(JSON.stringify((await atRegistry('attributes.fr')).nsAttributes)).toContain('192.0.2.11');
    const used = await t.call('DELETE', `/v1/domains/${id}/childns/ns1.attributes.fr/192.0.2.11`);
    expect(used.status).toBe(409);
  });
});

describe('contact changes', () => {
  const roles = (registrant: string, tech = registrant) => ({
    registrant_contact_id: registrant,
    admin_contact_id: registrant,
    tech_contact_id: tech,
    billing_contact_id: registrant,
  });

  test('assign all four roles, here and at the registry', async () => {
    const id = await buy('people.org');
    const before = await atRegistry('people.org');
    const changed = await put(`/v1/domains/${id}/contacts`, roles('3002', '3001'));
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toEqual({ domain_id: id, ...roles('3002', '3001') });
    const after = await atRegistry('people.org');
    expect(after.registrant).not.toBe(before.registrant);
    const idOf = (dump: { contacts: { type: string; id: string }[] }, type: string) =>
      dump.contacts.find((contact) => contact.type === type)?.id;
    expect(idOf(after, 'admin')).toBe(after.registrant);
    expect(idOf(after, 'tech')).toBe(before.registrant);
    const same = await put(`/v1/domains/${id}/contacts`, roles('3002', '3001'));
    expect(same.status).toBe(200);
  });

  test('are refused for a contact of another customer, a missing role and a customer id', async () => {
    const id = await buy('people-bad.org');
    const foreign = await put(`/v1/domains/${id}/contacts`, { ...roles('3001'), tech_contact_id: otherContact });
    expect(foreign.status).toBe(400);
    expect(foreign.body.message).toContain('did not match');
    expect(foreign.body.errors[0].field).toBe('tech_contact_id');
    expect((await put(`/v1/domains/${id}/contacts`, roles('2001'))).status).toBe(400);
    const none = await put(`/v1/domains/${id}/contacts`, { ...roles('3001'), admin_contact_id: '-1' });
    expect(none.status).toBe(400);
    const { registrant_contact_id: _, ...three } = roles('3001');
    expect((await put(`/v1/domains/${id}/contacts`, three)).status).toBe(400);
  });

  test('are stored only here for a TLD without contacts at the registry', async () => {
    const id = await buy('minimum.app', { admin_contact_id: '-1', tech_contact_id: '-1', billing_contact_id: '-1' });
    const changed = await put(`/v1/domains/${id}/contacts`, {
      registrant_contact_id: '3002',
      admin_contact_id: '-1',
      tech_contact_id: '-1',
      billing_contact_id: '-1',
    });
    expect(changed.body).toMatchObject({ registrant_contact_id: '3002', admin_contact_id: null });
    expect((await atRegistry('minimum.app')).registrant).toBeNull();
  });

  test('are accepted for a queued or reviewed order, but not while it is being sent', async () => {
    const form = { ...roles('3002'), is_domain_pending: '1', is_trans_execute_queue: '1' };
    const live = await buy('not-queued.com');
    expect((await put(`/v1/domains/${live}/contacts-pending`, form)).status).toBe(409);
    expect((await put(`/v1/domains/${live}/contacts-pending`, { ...form, is_domain_pending: '0' })).status).toBe(400);
    const former = await makeContact(t, '2001', undefined, { name: 'Former Tech' });
    const deleteFormer = () => t.call('DELETE', `/v1/customers/2001/contacts/${former}`);
    const reviewed = await t.call('POST', '/v1/domains', {
      form: {
        domain_name: 'queued.co.id',
        customer_id: '2001',
        ...roles('3001'),
        tech_contact_id: former,
        invoice_option: 'no_invoice',
      },
    });
    domainsBought += 1;
    expect(reviewed.status).toBe(202);
    const reviewedNow = await put(`/v1/domains/${reviewed.body.domain_id}/contacts-pending`, form);
    expect(reviewedNow.body, reviewedNow.text).toMatchObject(roles('3002'));
    // The domain keeps its contacts if the registry refuses the new ones.
    expect((await deleteFormer()).body).toMatchObject({ code: 'in_use' });
    await t.control('POST', '/domains/queued.co.id/review', { decision: 'approve' });
    await pollAfresh(t.ctx, 'sandbox');
    await expect.poll(async () => (await life.row('queued.co.id')).state).toBe('live');
    expect((await deleteFormer()).status).toBe(200);
    const operationId = await orderPurchase(t.ctx, actor, register, {
      domainName: 'still-here.org',
      years: 1,
      privacy: false,
      parties: {
        customerId: '2001',
        contacts: { registrant: '3001', admin: '3001', tech: '3001', billing: '3001' },
        nameservers: undefined,
        extra: {},
      },
      guard: {},
    });
    domainsBought += 1;
    // It has its lease from the start and is about to be sent; after the lease it waits in the queue.
    expect((await put('/v1/domains/still-here.org/contacts-pending', form)).status).toBe(409);
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update operation set leased_until = null where id = ${operationId}`),
    );
    const changed = await put('/v1/domains/still-here.org/contacts-pending', form);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject(roles('3002'));
    await t.ctx.engine.start(operationId);
    expect((await life.row('still-here.org')).state).toBe('live');
    const [dump, other] = [await atRegistry('still-here.org'), await atRegistry('people-bad.org')];
    expect(dump.registrant).not.toBe(other.registrant);
  });
});

describe('domain locks', () => {
  test('set one status for theft protection, and return the texts of the contract', async () => {
    const id = await buy('theft.com');
    for (const _ of [1, 2]) {
      const on = await put(`/v1/domains/${id}/theft_protection`);
      expect(on.body).toEqual({ theft_protection: 'true' });
    }
    expect((await atRegistry('theft.com')).statuses).toEqual(['clientTransferProhibited']);
    expect((await t.call('GET', `/v1/domains/${id}/theft_protection`)).body).toBe(true);
    const off = await t.call('DELETE', `/v1/domains/${id}/theft_protection`);
    expect(off.body).toEqual({ theft_protection: 'false' });
    expect((await atRegistry('theft.com')).statuses).toEqual(['ok']);
    expect((await life.row('theft.com')).registry_status).toEqual(['ok']);
  });

  test('set all statuses for locked, refuse every change and keep theft protection', async () => {
    const id = await buy('locked.com');
    await put(`/v1/domains/${id}/theft_protection`);
    const locked = await put(`/v1/domains/${id}/locked`, { reason: 'dispute' });
    expect(locked.body).toEqual({ locked: 'true', reason: 'dispute' });
    const statuses = ['clientDeleteProhibited', 'clientTransferProhibited', 'clientUpdateProhibited'];
    expect((await atRegistry('locked.com')).statuses.sort()).toEqual(statuses);
    const twice = await put(`/v1/domains/${id}/locked`);
    expect(twice.status).toBe(409);
    expect(twice.body.message).toContain('already locked');
    const digest = 'AB'.repeat(32);
    const blocked = await Promise.all([
      put(`/v1/domains/${id}/ns`, { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' }),
      put(`/v1/domains/${id}/suspended`),
      t.call('DELETE', `/v1/domains/${id}/theft_protection`),
      t.call('GET', `/v1/domains/${id}/auth_code`),
      t.call('POST', `/v1/domains/${id}/childns`, { form: { hostname: 'ns1.locked.com', ip_address: '192.0.2.1' } }),
      t.call('POST', `/v1/domains/${id}/dnssec`, {
        form: { keytag: '1', algorithm: '13', digesttype: '2', digest },
      }),
    ]);
    for (const answer of blocked) {
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('domain_blocked');
      expect(answer.body.message).toContain('locked (dispute)');
    }
    expect((await t.call('DELETE', `/v1/domains/${id}/locked`)).body).toEqual({ locked: 'false', reason: null });
    expect((await atRegistry('locked.com')).statuses).toEqual(['clientTransferProhibited']);
    const unlocked = await t.call('DELETE', `/v1/domains/${id}/locked`);
    expect(unlocked.status).toBe(409);
    expect(unlocked.body.message).toMatch(/already unlocked.*not locked/);
  });

  test('set the hold for suspended, refuse other changes, and can be removed', async () => {
    const id = await buy('held.com');
    const held = await put(`/v1/domains/${id}/suspended`, { reason: 'unpaid' });
    expect(held.body).toEqual({ suspended: 'true', reason: 'unpaid' });
    expect((await atRegistry('held.com')).statuses.sort()).toEqual(['clientHold', 'clientTransferProhibited']);
    expect((await t.call('GET', `/v1/domains/${id}/suspended`)).body).toMatchObject({
      suspended: 'true',
      reason: 'unpaid',
    });
    const blocked = await put(`/v1/domains/${id}/ns`, { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    expect(blocked.body).toMatchObject({ code: 'domain_blocked' });
    expect(blocked.body.message).toContain('suspended (unpaid)');
    const lifted = await t.call('DELETE', `/v1/domains/${id}/suspended`);
    expect(lifted.body).toEqual({ suspended: 'false', reason: null });
    expect((await atRegistry('held.com')).statuses).toEqual(['clientTransferProhibited']);
  });

  test('are named in the refusal when the registry set them', async () => {
    const id = await buy('court.com');
    await t.control('POST', '/domains/court.com/tamper', { add_statuses: ['serverUpdateProhibited'] });
    const refused = await t.call('DELETE', `/v1/domains/${id}/theft_protection`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'domain_blocked', registry_code: 2304 });
    expect(refused.body.message).toContain('serverUpdateProhibited');
    expect((await t.call('GET', `/v1/domains/${id}/theft_protection`)).body).toBe(true);
    expect(await life.events('court.com')).toContain('domain.update_refused');
  });
});

describe('DS records', () => {
  const record = { keytag: '12345', algorithm: '13', digesttype: '2', digest: 'ab'.repeat(32) };
  const shown = { keytag: 12345, algorithm: 13, digesttype: 2, digest: 'AB'.repeat(32) };

  test('adds and removes DS records at the registry and here', async () => {
    const id = await buy('signed.com');
    const added = await t.call('POST', `/v1/domains/${id}/dnssec`, { form: record });
    expect(added.status, added.text).toBe(200);
    expect(added.body).toEqual(shown);
    expect((await atRegistry('signed.com')).ds).toHaveLength(1);
    expect((await t.call('GET', `/v1/domains/${id}/dnssec`)).body).toEqual([shown]);
    const twice = await t.call('POST', `/v1/domains/${id}/dnssec`, { form: record });
    expect(twice.status).toBe(409);
    const path = `/v1/domains/${id}/dnssec/12345/13/2/${record.digest}`;
    expect((await t.call('DELETE', path)).body).toEqual({ deleted: true });
    expect((await atRegistry('signed.com')).ds).toEqual([]);
    expect((await t.call('DELETE', path)).status).toBe(404);
  });

  test.each([
    ['a digest too short for its type', { digest: 'ab'.repeat(20) }, 'digest'],
    ['a digest that is not hexadecimal', { digest: 'zz'.repeat(32) }, 'digest'],
    ['a key tag beyond 65535', { keytag: '65536' }, 'keytag'],
    ['an unknown algorithm', { algorithm: '99' }, 'algorithm'],
    ['an unknown digest type', { digesttype: '7' }, 'digesttype'],
    ['no digest', { digest: '' }, 'digest'],
  ])('refuses %s', async (_, change, field) => {
    const refused = await t.call('POST', '/v1/domains/signed.com/dnssec', { form: { ...record, ...change } });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].field).toBe(field);
  });

  test("returns the registry's text when it refuses a record", async () => {
    const refused = await t.call('POST', '/v1/domains/signed.com/dnssec', { form: { ...record, algorithm: '1' } });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe('registry_refused');
    expect(refused.body.message).toContain('algorithm 1');
  });
});

test('makes a change once for two requests with one key, and returns the same response', async () => {
  const id = await buy('keyed.com');
  const headers = { 'Idempotency-Key': 'lock-once' };
  const first = await t.call('PUT', `/v1/domains/${id}/locked`, { form: { reason: 'x' }, headers });
  const second = await t.call('PUT', `/v1/domains/${id}/locked`, { form: { reason: 'x' }, headers });
  expect(first.body).toEqual({ locked: 'true', reason: 'x' });
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('returns 202 with the operation for respond-async, and the operation succeeds', async () => {
  const id = await buy('async.com');
  const headers = { Prefer: 'respond-async' };
  const accepted = await t.call('PUT', `/v1/domains/${id}/theft_protection`, { headers });
  expect(accepted.status).toBe(202);
  expect(accepted.body).toMatchObject({ domain_id: id, domain_name: 'async.com', status: 'Pending' });
  await expect.poll(async () => (await t.call('GET', `/v1/domains/${id}/theft_protection`)).body).toBe(true);
});
