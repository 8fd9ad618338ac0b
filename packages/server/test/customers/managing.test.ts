import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeContact, makeCustomer, person } from '../../../../test/support/parties.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { keyFor } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { cookieOf, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { findBreaks } from '../../src/core/audit/chain.sql.ts';
import { lifeOf } from '../domains/life.ts';

/** A customer at level `manage` changes its own domains, in its own session. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let id: string;
let contact: string;
let session: string;
const name = 'managed.com';
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  await openSession(t, '1000');
  id = await makeCustomer(t);
  contact = await makeContact(t, id);
  const roles = Object.fromEntries(
    ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]),
  );
  await life.buy(name, { customer_id: id, ...roles, purchase_privacy_protection: 'true' });
  await life.buy('others.com');
  session = await openCustomerSession(t, '1000', id, 'manage');
});
afterAll(async () => {
  expect(await findBreaks(t.ctx.db.as(allTenants), 10)).toEqual([]);
  await expectReconciled(t);
  await t.stop();
});

const wait = { timeout: 300_000, interval: 200 };
const callAsCustomer = (method: string, path: string, form?: Record<string, string>, more: object = {}) =>
  t.call(method, `/v1${path}`, { session, ...(form ? { json: form } : {}), ...more });
const callOnDomain = (method: string, path: string, form?: Record<string, string>, more: object = {}) =>
  callAsCustomer(method, `/domains/${name}${path}`, form, more);
const internalTerms = /SBX-|nh_0|clientUpdate|"key_0|registry_code/;

test('lets a customer change nameservers, child nameservers, DS records, theft protection and privacy', async () => {
  const changes: [string, string, Record<string, string> | undefined][] = [
    ['POST', '/childns', { hostname: `ns1.${name}`, ip_address: '192.0.2.9' }],
    ['PUT', `/childns/ns1.${name}/192.0.2.9`, { hostname: `ns1.${name}`, ip_address: '192.0.2.10' }],
    ['PUT', '/ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' }],
    ['DELETE', `/childns/ns1.${name}/192.0.2.10`, undefined],
    ['POST', '/dnssec', { keytag: '7', algorithm: '13', digesttype: '2', digest: 'AB'.repeat(32) }],
    ['DELETE', `/dnssec/7/13/2/${'AB'.repeat(32)}`, undefined],
    ['DELETE', '/theft_protection', undefined],
    ['PUT', '/theft_protection', {}],
    ['DELETE', '/privacy_protection', undefined],
    ['PUT', '/privacy_protection', {}],
  ];
  for (const [method, path, form] of changes) {
    const called = await callOnDomain(method, path, form);
    expect(called.status, `${method} ${path}: ${called.text}`).toBe(200);
    expect(called.text).not.toMatch(internalTerms);
  }
  expect((await callOnDomain('GET', '/ns')).text).toContain('ns1.elsewhere.example');
  expect((await t.control('GET', `/domains/${name}`)).body.hosts).toEqual(
    expect.arrayContaining(['ns1.elsewhere.example']),
  );
  const operations = await t.ctx.db.as(allTenants).many<{ key_id: string | null; person: { id: string } }>(sql`
    select o.key_id, o.person from operation o join domain d on d.id = o.domain_id where d.name = ${name} and o.kind <> 'register'`);
  expect(operations).toHaveLength(changes.length);
  for (const each of operations) expect(each).toMatchObject({ key_id: null, person: { id: `customer:${id}` } });
  const audited = await t.ctx.db.as(allTenants).one<{ n: number }>(sql`
    select count(*)::integer as n from audit a join domain d on d.id::text = a.object_id and a.object_type = 'domain'
    where d.name = ${name} and a.person_id = ${`customer:${id}`} and a.key_id is null`);
  expect(audited.n).toBeGreaterThanOrEqual(changes.length);
});

test('returns 404 or 403 for calls reserved for the reseller and for objects of others', async () => {
  const closed: [string, string][] = [
    ['PUT', `/domains/${name}/locked`],
    ['DELETE', `/domains/${name}/locked`],
    ['PUT', `/domains/${name}/suspended`],
    ['DELETE', `/domains/${name}`],
    ['POST', `/domains/${name}/renew`],
    ['POST', '/domains'],
    ['POST', `/domains/${name}/transfer/approve`],
    ['PUT', `/customers/${id}/access`],
  ];
  for (const [method, path] of closed) {
    const called = await callAsCustomer(method, path, method === 'DELETE' ? undefined : {});
    expect([404, 403], `${method} ${path}`).toContain(called.status);
  }
  for (const path of ['/domains/others.com/ns', '/domains/unknown.com/ns'])
    expect((await callAsCustomer('PUT', path, { ns: 'ns1.x.example,ns2.x.example' })).status).toBe(404);
  expect((await callAsCustomer('POST', '/customers/2001/contacts', person())).status).toBe(404);
  const foreign = await callOnDomain('PUT', '/contacts', {
    registrant_contact_id: '3001',
    admin_contact_id: contact,
    tech_contact_id: contact,
    billing_contact_id: contact,
  });
  expect([foreign.status, foreign.body.errors[0].field]).toEqual([400, 'registrant_contact_id']);
  // The reseller's notes are not shown to the customer.
  await t.call('PUT', `/v1/domains/${name}/locked`, { form: { reason: 'zebra dispute' } });
  const refused = await callOnDomain('PUT', '/ns', { ns: 'ns1.elsewhere.example,ns3.elsewhere.example' });
  expect([refused.status, refused.body.code]).toEqual([400, 'domain_blocked']);
  expect(refused.text).not.toMatch(/zebra|DELETE \/v1/);
  await t.call('DELETE', `/v1/domains/${name}/locked`);
});

test("manages the customer's own contacts, and holds a change of registrant for confirmation", async () => {
  const made = await callAsCustomer(
    'POST',
    `/customers/${id}/contacts`,
    person({ email: 'second@registrant.example', name: 'Rani' }),
  );
  expect(made.status, made.text).toBe(200);
  const second = made.body.contact_id as string;
  const form = person({ email: 'second@registrant.example', name: 'Rani', city: 'Bogor' });
  const changed = await callAsCustomer('PUT', `/customers/${id}/contacts/${second}`, form);
  expect([changed.status, changed.body.city], changed.text).toEqual([200, 'Bogor']);
  const roles = { admin_contact_id: second, tech_contact_id: contact, billing_contact_id: contact };
  const moved = await callOnDomain('PUT', '/contacts', { registrant_contact_id: contact, ...roles });
  expect([moved.status, moved.body.admin_contact_id], moved.text).toEqual([200, second]);
  const updated = await callAsCustomer(
    'PUT',
    `/customers/${id}/contacts/${contact}`,
    person({ address_line_1: 'Jalan Baru 7' }),
  );
  expect(updated.status, updated.text).toBe(200);
  const agent = await callOnDomain('PUT', '/contacts', {
    registrant_contact_id: second,
    ...roles,
    designated_agent: 'true',
  });
  expect([agent.status, agent.body.errors?.[0].field]).toEqual([400, 'designated_agent']);
  const another = await callOnDomain('PUT', '/contacts', { registrant_contact_id: second, ...roles });
  expect(another.status, another.text).toBe(202);
  const waiting = await callAsCustomer('GET', `/operations/${another.body.operation_id}`);
  expect(waiting.body).toMatchObject({
    state: 'action_required',
    approval: { change: 'holder', asked_by: `customer:${id}` },
  });
  const dropped = await t.call('POST', `/v1/operations/${another.body.operation_id}/decline`);
  expect(dropped.status, dropped.text).toBe(200);
  await vi.waitFor(async () => {
    const open = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from operation where state not in ('done', 'refused', 'cancelled') and person ->> 'id' = ${`customer:${id}`}`);
    expect(open.n).toBe('0');
  }, wait);
  const spare = await callAsCustomer(
    'POST',
    `/customers/${id}/contacts`,
    person({ email: 'spare@registrant.example' }),
  );
  expect((await callAsCustomer('DELETE', `/customers/${id}/contacts/${spare.body.contact_id}`)).status).toBe(200);
});

test('returns the auth code after the customer has confirmed its identity by password', async () => {
  const age = () =>
    t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update person_session set sudo_until = now() - interval '1 minute' where customer_id = ${id}`),
    );
  const old = session;
  await age();
  session = await openCustomerSession(t, '1000', id, 'manage');
  expect((await t.call('GET', '/v1/session', { session: old })).status).toBe(401);
  await age();
  const requested = await callOnDomain('GET', '/auth_code');
  expect([requested.status, requested.body.code, requested.body.methods]).toEqual([
    403,
    'reauthentication_required',
    ['password'],
  ]);
  const wrong = await callAsCustomer('POST', '/session/sudo', { password: 'not this one' });
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'password']);
  const proven = await callAsCustomer('POST', '/session/sudo', { password: 'chosen by the customer' });
  expect(proven.status, proven.text).toBe(200);
  session = cookieOf(proven);
  const code = await callOnDomain('GET', '/auth_code');
  expect(code.status, code.text).toBe(200);
  expect(code.body.length).toBeGreaterThan(10);
  const given = await callOnDomain('PUT', '/auth_code', { auth_code: 'xK7-pQ2mWz9_Lr4tYb8.Hn3c' });
  expect(given.status, given.text).toBe(200);
});

test("sets the renewal mode without showing the reseller's cost", async () => {
  await t.call('PUT', `/v1/domains/${name}/renewal_mode`, { json: { renewal_mode: 'manual', max_price: '77.77' } });
  const chosen = await callOnDomain('PUT', '/renewal_mode', { renewal_mode: 'renew' });
  expect(chosen.status, chosen.text).toBe(200);
  expect(chosen.body).toMatchObject({ renewal_mode: 'renew', price: null, max_price: null });
  const read = await callOnDomain('GET', '/renewal_mode');
  expect(read.body).toMatchObject({ renewal_mode: 'renew', price: null, max_price: null });
  expect(chosen.text + read.text).not.toMatch(/77\.77|USD/);
  for (const form of [{ renewal_mode: 'delete' }, { renewal_mode: 'renew', max_price: '1' }])
    expect((await callOnDomain('PUT', '/renewal_mode', form as Record<string, string>)).status).toBe(400);
  const row = await t.ctx.db
    .as(allTenants)
    .one(sql`select renewal_mode, renewal_max_price from domain where name = ${name}`);
  expect(row).toEqual({ renewal_mode: 'renew', renewal_max_price: '77.77' });
  await callOnDomain('PUT', '/renewal_mode', { renewal_mode: 'manual' });
});

test('sets web and mail forwarding', async () => {
  await callOnDomain('PUT', '/ns', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' });
  const rules = { rules: [{ host: '@', target: 'https://elsewhere.example/' }] };
  const web = await t.call('PUT', `/v1/domains/${name}/forwarding`, {
    session,
    json: rules,
    headers: { 'If-Match': '*' },
  });
  expect(web.status, web.text).toBe(200);
  expect((await callOnDomain('GET', '/forwarding')).text).toContain('https://elsewhere.example/');
  const mail = await t.call('POST', `/v1/domains/${name}/email_forwarding`, {
    session,
    json: { email: 'info', forward_to: ['rani@mail.example'] },
  });
  expect(mail.status, mail.text).toBe(200);
  const targets = await callAsCustomer('GET', '/mail_targets');
  expect(targets.body).toMatchObject([{ customer_id: id, address: 'rani@mail.example' }]);
  expect((await callAsCustomer('GET', '/mail_targets', undefined, { query: { customer_id: '2001' } })).body).toEqual(
    [],
  );
  expect((await callOnDomain('DELETE', '/email_forwarding/info')).status).toBe(200);
});

test("holds a customer's change for approval by a key that did not create the customer's password", async () => {
  const maker = await keyFor(t, '1000');
  const other = await keyFor(t, '1000');
  const on = await t.call('PUT', '/v1/account/security', { json: { second_yes: ['nameservers', 'auth_code'] } });
  expect(on.status, on.text).toBe(200);
  session = await openCustomerSession(t, '1000', id, 'manage', maker);
  const requested = await callOnDomain('PUT', '/ns', { ns: 'ns5.elsewhere.example,ns6.elsewhere.example' });
  expect(requested.status, requested.text).toBe(202);
  const operation = requested.body.operation_id as string;
  const seen = await callAsCustomer('GET', `/operations/${operation}`);
  expect(seen.body).toMatchObject({ state: 'action_required', approval: { asked_by: `customer:${id}` } });
  expect((await callAsCustomer('POST', `/operations/${operation}/approve`, {})).status).toBe(404);
  const events = await t.ctx.db.as(allTenants).many<{ type: string; customer_id: string | null }>(sql`
    select type, customer_id from event where payload ->> 'operation_id' = ${operation} order by number`);
  expect(events).toEqual([{ type: 'approval.requested', customer_id: null }]);
  const approve = (as: string) => t.call('POST', `/v1/operations/${operation}/approve`, { as });
  // The creator of its password could be the requester.
  expect((await approve(maker)).status).toBe(409);
  const approved = await approve(other);
  expect([approved.status, approved.body.state], approved.text).toEqual([200, 'done']);
  expect((await callOnDomain('GET', '/ns')).text).toContain('ns5.elsewhere.example');
});

test('refuses changes at a lower access level', async () => {
  session = await openCustomerSession(t, '1000', id, 'dns');
  const called = await callOnDomain('PUT', '/ns', { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
  expect([called.status, called.body.code]).toEqual([403, 'scope_missing']);
  expect((await callOnDomain('GET', '/auth_code')).body.code).toBe('scope_missing');
});
