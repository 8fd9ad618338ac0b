import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let id: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  id = await life.buy('shown.com');
});
afterAll(async () => {
  expect(await life.count('operation')).toBe(2);
  await life.ledgerIsSound();
  await t.stop();
});

const read = (path: string, query: Record<string, string> = {}) => t.call('GET', `/v1/domains/${path}`, { query });

describe('domain details', () => {
  test('return all sections without fields', async () => {
    const [bare, all, small] = [await read(id), await read(id, { fields: 'All' }), await read(id, { fields: 'all' })];
    expect(bare.body).toEqual(all.body);
    expect(bare.body).toEqual(small.body);
    expect(bare.body).toMatchObject({
      domain_id: id,
      order_status: 'Live',
      theft_protection: expect.stringMatching(/^(true|false)$/),
      privacy_protection_enabled: 'false',
      suspended: false,
      auth_code: null,
      registrant_contact: { contact_id: '3001', country: expect.any(String) },
      cns: [],
      dnssec: [],
      dns: { A: expect.any(Array), SRV: [] },
      raa_verification: { status: 'NotRequired', is_offered: false },
      domain_forwarding: { url_dest: '', is_url_masking: '0' },
      ns1: expect.any(String),
    });
    expect(bare.body.adm_contact).toEqual(bare.body.admin_contact);
  });

  test('return one section flat', async () => {
    const contact = await read(id, { fields: 'Registrant_Contact' });
    expect(contact.body).toMatchObject({ contact_id: '3001', customer_id: '2001' });
    expect(contact.body.domain_id).toBeUndefined();
    const ns = await read(id, { fields: 'ns' });
    expect(Object.keys(ns.body)).toHaveLength(13);
    expect(ns.body).toMatchObject({ ns2: expect.any(String), ns3: null });
    const details = await read(id, { fields: 'domain_details' });
    expect(details.body).toMatchObject({ customer_id: '2001', end_date: expect.any(String) });
    expect(details.body.registrant_contact).toBeUndefined();
    const dns = await read(id, { fields: 'dns' });
    expect(Object.keys(dns.body).sort()).toEqual(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']);
    expect((await read(id, { fields: 'raa_verification' })).body).toMatchObject({ status: 'NotRequired' });
    expect((await read(id, { fields: 'cns' })).body).toEqual([]);
    expect((await read(id, { fields: 'dnssec' })).body).toEqual([]);
  });

  test('return several sections by name, also if the field is repeated', async () => {
    const several = await read(id, { fields: 'ns,tech_contact,dnssec,domain_details' });
    expect(Object.keys(several.body).sort()).toEqual(['dnssec', 'domain_details', 'ns', 'tech_contact']);
    expect(several.body.tech_contact.contact_id).toBe('3001');
    const repeated = await t.call('GET', `/v1/domains/${id}?fields=ns&fields=billing_contact`);
    expect(Object.keys(repeated.body).sort()).toEqual(['billing_contact', 'ns']);
    expect(repeated.body.billing_contact.contact_id).toBe('3001');
  });

  test('are refused for an unknown section', async () => {
    const called = await read(id, { fields: 'everything' });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe('fields');
    expect(called.body.message).toContain('childns');
  });

  test('return lists flat too', async () => {
    expect((await read(id, { fields: 'dnssec' })).body).toEqual([]);
    expect(Array.isArray((await read(id, { fields: 'childns' })).body)).toBe(true);
  });

  test('contain no pending confirmation when none is requested', async () => {
    expect((await read(id)).body).toMatchObject({ raaVerificationStatus: 'NotRequired' });
  });

  test('are found by domain name in the path and in details-by-name', async () => {
    expect((await read('Shown.COM')).body.domain_id).toBe(id);
    const named = await read('details-by-name', { domain_name: 'shown.com' });
    expect(named.body.domain_id).toBe(id);
    expect((await read('details-by-name', { domain_name: 'shown.com', fields: 'ns' })).body).toMatchObject({
      ns13: null,
    });
    // One client sends only that spelling and uses today's date as the expiry date.
    expect((await read('details-by-name', { 'domain-name': 'shown.com' })).status).toBe(400);
  });

  test('return 404 for an unknown domain in the path, and 400 with the contract text in the query', async () => {
    expect((await read('999999')).status).toBe(404);
    expect((await read('nothing.com')).status).toBe(404);
    expect((await read(id, { customer_id: '2999' })).status).toBe(404);
    for (const domain_name of ['nothing.com', id, '-.com']) {
      const called = await read('details-by-name', { domain_name });
      expect(called.status).toBe(400);
      expect(called.body.message).toContain('not found');
    }
  });

  test('name the open operation', async () => {
    const row = await insertDomainRow(t, { resellerId: '1000', customerId: '2001', name: 'busy.com' });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        insert into operation (id, reseller_id, kind, domain_id, request, state, due_at, created_at, updated_at)
        values ('op_busy', 1000, 'renew', ${row}, '{}', 'waiting_registry', ${new Date('2100-01-01')}, now(), now())`),
    );
    const called = await read(row);
    expect(called.body.operation).toEqual({ operation_id: 'op_busy', kind: 'renew', state: 'waiting_registry' });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update operation set state = 'cancelled', finished_at = now() where id = 'op_busy'`),
    );
  });

  test('are not returned for a refused order', async () => {
    const row = await insertDomainRow(t, { resellerId: '1000', customerId: '2001', name: 'refused.com' });
    await removeDomainRow(t, row, 'refused');
    const called = await read('details-by-name', { domain_name: 'refused.com' });
    expect([called.status, called.body.errors[0].field]).toEqual([400, 'domain_name']);
    expect((await read(row)).status).toBe(200);
  });

  test('contain an empty auth code for an unfinished order', async () => {
    const row = await insertDomainRow(t, {
      resellerId: '1000',
      customerId: '2001',
      name: 'soon.com',
      state: 'pending',
    });
    const called = await t.call('GET', `/v1/domains/${row}/auth_code`);
    expect([called.status, called.body]).toEqual([200, '']);
  });

  test('return a tombstone with its reason and date', async () => {
    const row = await insertDomainRow(t, {
      resellerId: '1000',
      customerId: '2001',
      contactId: '3001',
      name: 'tomb.com',
    });
    await removeDomainRow(t, row);
    const called = await read('details-by-name', { domain_name: 'tomb.com' });
    expect(called.body).toMatchObject({
      order_status: 'Deleted',
      status: 'cancelled',
      removed_reason: 'deleted',
      removed_at: expect.stringMatching(/Z$/),
      registrant_contact: { contact_id: '3001' },
    });
  });
});

describe('single sections', () => {
  test('are returned in the form of the contract', async () => {
    expect((await read(`${id}/ns`)).body).toEqual({
      ns1: expect.stringContaining('.'),
      ns2: expect.stringContaining('.'),
    });
    expect((await read(`${id}/childns`)).body).toEqual([]);
    expect((await read(`${id}/locked`)).body).toBe(false);
    expect((await read(`${id}/locks`)).body.locked).toEqual({ is_set: false, reason: null, since: null });
    expect((await read(`${id}/suspended`)).body).toEqual({ suspended: 'false', reason: null, suspended_at: null });
    expect(typeof (await read(`${id}/theft_protection`)).body).toBe('boolean');
    expect((await read(`${id}/privacy_protection`)).body).toEqual({
      privacy_protection_enabled: 'false',
      privacy_ends_at: null,
    });
    expect((await read(`${id}/dnssec`)).body).toEqual([]);
    expect((await read(`${id}/raa_verification`)).body).toMatchObject({ status: 'NotRequired', start_time: null });
  });

  test('return flags with reason and date', async () => {
    const row = await insertDomainRow(t, { resellerId: '1000', customerId: '2001', name: 'parts.com' });
    const ds = { keytag: 7, algorithm: 13, digesttype: 2, digest: 'AB'.repeat(32) };
    await t.ctx.db.transaction(allTenants, async (tx) => {
      await tx.run(sql`
        update domain set locked = true, locked_reason = 'dispute', locked_at = '2030-01-01T00:00:00Z', suspended = true,
          suspended_reason = 'unpaid', suspended_at = '2030-01-02T00:00:00Z', ds = ${JSON.stringify([ds])} where id = ${row}`);
      await tx.run(sql`
        insert into child_host (domain_id, reseller_id, hostname, addresses)
        values (${row}, 1000, 'ns1.parts.com', ${['192.0.2.1', '2001:db8::1']})`);
    });
    expect((await read(`${row}/locked`)).body).toBe(true);
    const since = '2030-01-01T00:00:00Z';
    expect((await read(`${row}/locks`)).body.locked).toEqual({ is_set: true, reason: 'dispute', since });
    expect((await read(row, { fields: 'dnssec' })).body).toEqual([ds]);
    expect((await read(row, { fields: 'childns' })).body).toHaveLength(2);
    expect((await read(`${row}/suspended`)).body).toMatchObject({ suspended: 'true', reason: 'unpaid' });
    expect((await read(`${row}/dnssec`)).body).toEqual([ds]);
    expect((await read(`${row}/childns`)).body).toEqual([
      { hostname: 'ns1.parts.com', ip: '192.0.2.1' },
      { hostname: 'ns1.parts.com', ip: '2001:db8::1' },
    ]);
    expect((await read(`${row}/ns`)).body).toEqual({ ns1: '' });
    expect((await read(row)).body).toMatchObject({ locked: true, is_lock: '1', suspended: true, status: 'suspended' });
  });

  test('return the text that clients match for a TLD without privacy protection', async () => {
    const row = await insertDomainRow(t, { resellerId: '1000', customerId: '2001', name: 'plain.co.id' });
    await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update domain set tld = 'co.id' where id = ${row}`));
    const called = await read(`${row}/privacy_protection`);
    expect(called.status).toBe(400);
    expect(called.body.message).toContain('privacy protect not available');
  });

  test.each([
    'ns',
    'childns',
    'locked',
    'suspended',
    'theft_protection',
    'privacy_protection',
    'dnssec',
    'raa_verification',
  ])('return 404 for an unknown domain: %s', async (part) => {
    expect((await read(`999999/${part}`)).status).toBe(404);
    expect((await read(`${id}/${part}`, { customer_id: '2999' })).status).toBe(404);
  });
});

test('refuses to resend the transfer mail with 409 if no transfer is pending, and 404 if unknown', async () => {
  const send = (domain: string) => t.call('POST', `/v1/domains/${domain}/transfer/resend_approval_email`, { form: {} });
  const called = await send(id);
  expect(called.status, called.text).toBe(409);
  expect(called.body).toMatchObject({ type: 'invalid_request', code: 'conflict' });
  expect((await send('999999')).status).toBe(404);
});
