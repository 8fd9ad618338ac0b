import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { rollUpDomainTotals } from '../../src/core/domains/list.sql.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let customer: string;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  customer = await makeCustomer(t, undefined, { email: 'Lister@List.Example', name: 'List Person' });
});
afterAll(async () => {
  await life.ledgerIsSound();
  await t.stop();
});

const row = async (name: string, more: Record<string, unknown> = {}) => {
  const id = await insertDomainRow(t, { resellerId: '1000', customerId: customer, name });
  const values = { end_date: new Date('2031-05-01'), ...more };
  await t.ctx.db.transaction(allTenants, async (tx) => {
    for (const [column, value] of Object.entries(values))
      await tx.run(sql`update domain set ${sql.raw(column)} = ${value} where id = ${id}`);
  });
  return id;
};

async function list(query: Record<string, string>, as?: string) {
  const called = await t.call('GET', '/v1/domains', { query: { limit: '100', ...query }, ...(as ? { as } : {}) });
  expect(called.status, called.text).toBe(200);
  const rows = called.body as Record<string, unknown>[];
  return { names: rows.map((each) => each.domain_name), rows, total: called.headers.get('x-total-count') };
}

test('returns an empty list for an account without domains', async () => {
  expect(await list({})).toMatchObject({ names: [], total: '0' });
});

test('leaves out page links that are too long for clients when the filter is long', async () => {
  const links = async (octets: number) => {
    const called = await t.call('GET', '/v1/account/transactions', { query: { domain_name: 'a'.repeat(octets) } });
    expect(called.status, called.text).toBe(200);
    return (called.headers.get('link') ?? '').split(', ').filter((link) => link !== '');
  };
  expect((await links(1_000)).map((link) => link.replace(/.*; /, ''))).toEqual(['rel="first"', 'rel="last"']);
  expect(await links(7_000)).toHaveLength(1);
});

test('returns a registered domain with the fields of both generations of the API', async () => {
  const id = await life.buy('listed.com');
  const { rows, total } = await list({});
  expect(total).toBe('1');
  expect(rows[0]).toMatchObject({
    domain_id: id,
    order_id: id,
    domain_name: 'listed.com',
    order_status: 'Live',
    order_status_id: '1',
    status: 'active',
    tld_id: 'com',
    is_privacy: '0',
    is_lock: '0',
    locked: false,
    suspended: false,
    suspend: false,
    privacy_protection_enabled: 'false',
    auth_code: null,
    attr: '[]',
    registrant_contact_id: '3001',
    reg_contact_id: '3001',
    ns1: expect.stringContaining('.'),
    end_date_reason: null,
    operation: null,
  });
  const { end_date, end_time, expiry_date, registry_expires_at, renew_by, nameservers, ns1, ns3 } = rows[0]!;
  expect([end_time, expiry_date]).toEqual([end_date, end_date]);
  expect(registry_expires_at).toBe(`${String(end_date).replace(' ', 'T')}Z`);
  expect(String(renew_by) > String(registry_expires_at)).toBe(true);
  expect((nameservers as string[])[0]).toBe(ns1);
  expect(ns3).toBeNull();
  expect(await list({ domain_id: id })).toMatchObject({ names: ['listed.com'], total: '1' });
  expect(await list({ domain_id: '999999' })).toMatchObject({ names: [], total: '0' });
});

describe('list filters', () => {
  beforeAll(async () => {
    await row('alpha.com');
    await row('alphabet.net', { privacy_enabled: true });
    await row('beta.net', { end_date: new Date('2020-01-01'), registry_created_at: new Date('2019-01-01') });
    await row('gamma.org', { state: 'redemption' });
    await row('delta.org', { suspended: true });
    await row('waiting.org', { state: 'pending', end_date: null });
    const gone = await row('gone.com');
    await removeDomainRow(t, gone);
  });

  test.each([
    [{ domain_name: 'alpha' }, ['alpha.com', 'alphabet.net']],
    [{ domain_name: 'ALPHA.com', exact_domain_name: '1' }, ['alpha.com']],
    [{ domain_name: 'alpha', exact_domain_name: '1' }, []],
    [{ exact_domain_name: '1' }, []],
    [{ domain_name: 'gone.com', exact_domain_name: '1' }, []],
    [{ tld: '.NET' }, ['alphabet.net', 'beta.net']],
    [{ status: 'Expired' }, ['beta.net']],
    [{ status: 'live', tld: 'org' }, ['delta.org']],
    [{ status: 'Pending Delete Restorable' }, ['gamma.org']],
    [{ status: 'Pending' }, ['waiting.org']],
    [{ status: 'Suspended' }, ['delta.org']],
    [{ status: 'Unpaid' }, []],
    [{ status: 'Deleted' }, ['gone.com']],
    [{ privacy_protection_enabled: 'true' }, ['alphabet.net']],
    [{ creation_time_end: '2019-06-01 00:00:00' }, ['beta.net']],
    [{ expiry_date_end: '2020-01-01' }, ['beta.net']],
    [{ expiry_date_start: '2031-05-01 00:00:00', tld: 'com' }, ['alpha.com']],
    [{ customer_email: 'lister@LIST.example', tld: 'com' }, ['alpha.com']],
    [{ customer_email: 'nobody@list.example' }, []],
    [{ reseller_id: '1000', tld: 'com', domain_name: 'listed' }, ['listed.com']],
    [{ reseller_id: '1' }, []],
    [{ reseller_email: 'nobody@list.example' }, []],
  ])('select the domains by %j', async (query, names) => {
    const found = await list(query as unknown as Record<string, string>);
    expect(found.names).toEqual(names);
    expect(found.total).toBe(String(names.length));
  });

  test('select the domains of one customer', async () => {
    const { names, rows } = await list({ customer_id: customer });
    expect(names).toHaveLength(6);
    expect(rows[0]).toMatchObject({ customer_name: 'List Person', customer_email: 'Lister@List.Example' });
  });

  test('return consecutive pages, with the total in the header', async () => {
    const called = await t.call('GET', '/v1/domains', { query: { limit: '3', page_no: '2' } });
    expect(called.headers.get('x-total-count')).toBe('7');
    expect((called.body as { domain_name: string }[]).map((each) => each.domain_name)).toEqual([
      'beta.net',
      'gamma.org',
      'delta.org',
    ]);
    expect(called.headers.get('link')).toMatch(/page_no=3>; rel="next".*page_no=1>; rel="prev"/);
    const beyond = await t.call('GET', '/v1/domains', { query: { limit: '100', page_no: '9' } });
    expect([beyond.text, beyond.headers.get('x-total-count')]).toEqual(['[]', '7']);
  });

  test('return a pending domain without an end date and with the reason', async () => {
    const { rows } = await list({ status: 'Pending' });
    expect(rows[0]).toMatchObject({ end_date: null, end_date_reason: 'the registration is not finished' });
  });

  test('are refused with the field of an invalid value', async () => {
    for (const query of [{ status: 'Nice' }, { expiry_date_end: 'x' }, { limit: '101' }, { customer_id: 'me' }]) {
      const called = await t.call('GET', '/v1/domains', { query: query as unknown as Record<string, string> });
      expect(called.status).toBe(400);
      expect(called.body.errors[0].field).toBe(Object.keys(query)[0]);
    }
  });
});

test('sorts by name, expiry or creation, in both directions, across pages, and refuses anything else', async () => {
  const sorted = async (sort: string) => (await list({ sort })).rows;
  const names = (await sorted('name')).map((each) => String(each.domain_name));
  expect(names.length).toBeGreaterThan(4);
  expect(names).toEqual([...names].sort());
  expect((await sorted('-name')).map((each) => each.domain_name)).toEqual([...names].reverse());
  const ends = (await sorted('expiry')).map((each) => String(each.expiry_date ?? '9'));
  expect(ends).toEqual([...ends].sort());
  expect((await sorted('-expiry')).map((each) => String(each.expiry_date ?? '9'))).toEqual([...ends].reverse());
  expect((await sorted('created')).map((each) => each.domain_id)).toEqual(
    (await sorted('-created')).map((each) => each.domain_id).reverse(),
  );
  const second = await list({ sort: 'name', limit: '2', page_no: '2' });
  expect(second.names).toEqual(names.slice(2, 4));
  const wrong = await t.call('GET', '/v1/domains', { query: { sort: 'price' } });
  expect([wrong.status, wrong.body.errors?.[0]?.field]).toEqual([400, 'sort']);
});

describe('the list of a parent', () => {
  let child: string;
  let childId: string;
  beforeAll(async () => {
    child = await makeReseller(t, t.demo);
    childId = child.split(':')[0]!;
    const theirs = await makeCustomer(t, child, { name: 'Hidden Person' });
    await insertDomainRow(t, { resellerId: childId, customerId: theirs, name: 'childs.com' });
  });

  test("includes domains of its child only on request, without the child's customers", async () => {
    expect((await list({})).names).not.toContain('childs.com');
    expect((await list({ reseller_id: childId })).names).toEqual([]);
    const { names, rows, total } = await list({ show_child_orders: '1', reseller_id: childId });
    expect([names, total]).toEqual([['childs.com'], '1']);
    expect(rows[0]).toMatchObject({ customer_name: null, customer_email: null, reseller_id: childId });
    const all = await list({ show_child_orders: 'true' });
    expect([all.total, all.names.at(-1)]).toEqual(['8', 'childs.com']);
  });

  test('allows only reading, and includes no grandchildren', async () => {
    const { rows } = await list({ show_child_orders: '1', reseller_id: childId });
    expect((await t.call('GET', `/v1/domains/${rows[0]!.domain_id}`)).status).toBe(404);
    expect((await list({ show_child_orders: '1' }, t.operator)).names).not.toContain('childs.com');
  });
});

test('keeps correct totals after the roll-up of the counters', async () => {
  const counted = () =>
    t.ctx.db.as(allTenants).many(sql`
      select reseller_id, state, sum(difference)::int as n from domain_total group by 1, 2 having sum(difference) <> 0 order by 1, 2`);
  const before = await counted();
  const folded = await t.ctx.db.transaction(allTenants, (tx) => rollUpDomainTotals(tx, 1_000));
  expect(folded).toBeGreaterThan(0);
  expect(await counted()).toEqual(before);
  const there = await t.ctx.db
    .as(allTenants)
    .many(sql`select reseller_id, state, count(*)::int as n from domain group by 1, 2 order by 1, 2`);
  expect(before).toEqual(there);
});
