import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession } from '../../../../test/support/users.ts';
import { lifeOf } from '../domains/life.ts';
import { type Differing, multiply } from '../support/crowd.ts';
import { explainReads } from '../support/explain.ts';

/** Several times the limit up to which a list is counted. */
const others = 40_000;
/** Rows that are slow to write: slightly more than are counted. */
const fewer = 10_200;

/** Tables that grow without bound, with the columns that differ in each copied row. */
const grown: Readonly<Record<string, Differing>> = {
  domain: { id: '900000 + n', name: `'other-' || n || '.com'` },
  customer: { id: '900000 + n', email: `'other-' || n || '@customer.test'` },
  operation: { id: `'op_' || lpad(n::text, 26, '0')`, domain_id: '900000 + n', kind: `'register'` },
  audit: { object_id: '900000 + n', action: `'crowd.grow'` },
  expected_payment: { id: `'pay_' || lpad(n::text, 26, '0')`, reference: `'other-' || n` },
  event: { number: 'row.number + 1000 * n', object_id: '900000 + n' },
  ledger_transaction: {
    id: '900000 + n',
    purchase_id: '900000 + n',
    operation_id: `'other-' || n`,
    domain_id: '900000 + n',
  },
};

let t: TestService;
let owner: pg.Client;
let domainId: string;
let reads: ReturnType<typeof explainReads>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  const life = lifeOf(t);
  domainId = await life.buy('first.com');
  expect((await life.renew('first.com')).status).toBe(200);
  await life.buy('second.com');
  const [{ customer_id }] = (await t.call('GET', '/v1/customers?limit=1')).body;
  const details = { details: 'Bank 1, 4711' };
  await t.call('PUT', '/v1/account/payment_providers/bank_transfer', { json: details });
  expect((await t.call('POST', '/v1/payments', { json: { customer_id, amount: '5' } })).status).toBe(200);
  await expectReconciled(t);
  await owner.query('set session_replication_role = replica');
  for (const trigger of ['domain_total_add on domain', 'transaction_total_add on ledger_transaction']) {
    const [name, table] = trigger.split(' on ');
    await owner.query(`alter table ${table} enable always trigger ${name}`);
  }
  await owner.query('alter table customer enable always trigger customer_total_add');
  for (const [table, differing] of Object.entries(grown))
    await multiply(owner, table, ['domain', 'customer'].includes(table) ? fewer : others, differing);
  await owner.query('vacuum analyze');
  reads = explainReads(t);
});
afterAll(async () => {
  await owner.end();
  await t.stop();
});

async function list(path: string, as?: string): Promise<Called> {
  const called = await t.call('GET', `/v1${path}`, as === undefined ? {} : { as });
  expect(called.status, `${path} ${called.text}`).toBe(200);
  return called;
}

/** Maps `rel` to the parameters of its URL. */
function links(called: Called): Record<string, Record<string, string>> {
  const found = called.headers.get('link')!.matchAll(/<([^>]+)>; rel="(\w+)"/g);
  return Object.fromEntries(
    [...found].map(([, address, rel]) => [rel!, Object.fromEntries(new URL(address!).searchParams)]),
  );
}

const totals = (called: Called) => [called.headers.get('x-total-count'), called.headers.get('x-total-count-is')];
const truth = async (statement: string) => Number((await owner.query<{ n: string }>(statement)).rows[0]!.n);

/** Late pages of ten. */
const late = Math.ceil(fewer / 10);

describe('a page of a list', () => {
  test.each([
    '/account/audit',
    '/account/audit?object_id=900007',
    '/account/audit?action=key.create',
    '/account/audit?after=30000',
    '/account/audit?key_id=key_00000000000000000000000007',
    '/account/audit?person_id=per_00000000000000000000000007',
    '/operations',
    '/operations?kind=renew',
    '/operations?state=unknown',
    '/operations?domain_id=900007',
    '/operations?after=op_00000000000000000000000500',
    '/account/transactions',
    `/account/transactions?page_no=${Math.ceil(others / 10)}`,
    '/account/transactions?transaction_type=deposit',
    `/domains?page_no=${late}`,
    `/domains?status=Live&page_no=${late}`,
    ...['name', '-name', 'expiry', '-expiry', 'created', '-created'].map((by) => `/domains?sort=${by}&page_no=${late}`),
    `/customers?page_no=${late}`,
    '/customers?page_no=1000000',
    '/notices',
    '/invoices',
    '/mail_targets',
    '/payments',
    '/payments?status=open',
    '/payments?after=pay_00000000000000000000000500',
    '/operator/operations',
    '/operator/operations?state=open',
    '/operator/operations?state=unknown',
    '/operator/events',
  ])('does not read or count the whole table: %s', async (path) => {
    const from = reads.length;
    await list(path, path.startsWith('/operator/') ? t.operator : undefined);
    const made = reads.slice(from);
    expect(made.length).toBeGreaterThan(0);
    // The rows counted for a list, its page, and related rows.
    const most = /^\/(domains|customers)/.test(path) ? fewer / 3 : 11_000;
    expect(made.filter(({ rows }) => rows > most)).toEqual([]);
  });
});

describe('totals', () => {
  test('counts own lists up to 10,000, then marks the total as at-least', async () => {
    expect(totals(await list('/account/audit?limit=1'))).toEqual(['10000', 'at-least']);
    expect(totals(await list('/operations?limit=1'))).toEqual(['10000', 'at-least']);
    expect(totals(await list('/operations?kind=renew'))).toEqual(['1', null]);
    expect(totals(await list(`/operations?domain_id=${domainId}`))[1]).toBeNull();
  });
  test('returns exact totals of transactions unfiltered and by kind, and at-most with other filters', async () => {
    const own = `select count(*) as n from ledger_transaction where reseller_id = 1000 and customer_id is null and type <> 'registry'`;
    const all = String(await truth(own));
    expect(totals(await list('/account/transactions?limit=1'))).toEqual([all, null]);
    const deposits = String(await truth(`${own} and type = 'deposit'`));
    expect(totals(await list('/account/transactions?limit=1&transaction_type=deposit'))).toEqual([deposits, null]);
    expect(totals(await list('/account/transactions?limit=1&date_start=2000-01-01'))).toEqual([all, 'at-most']);
    expect(totals(await list('/account/transactions?limit=1&transaction_id=900001'))).toEqual(['1', null]);
  });
  test('counts filtered domains and customers up to 10,000, then marks the total as at-most', async () => {
    const names = String(
      await truth(`select count(*) as n from domain where reseller_id = 1000 and state <> 'removed'`),
    );
    const customers = String(await truth('select count(*) as n from customer where reseller_id = 1000'));
    expect(Math.min(Number(names), Number(customers))).toBeGreaterThan(10_000);
    expect(totals(await list('/domains?limit=1&tld=com'))).toEqual([names, 'at-most']);
    expect(totals(await list('/domains?limit=1&tld=com&status=Live'))).toEqual([names, 'at-most']);
    expect(totals(await list('/domains?limit=1&domain_name=first.com'))).toEqual(['1', null]);
    expect(totals(await list('/domains?limit=1&tld=net'))).toEqual(['0', null]);
    expect(totals(await list('/customers?limit=1&status=Active'))).toEqual([customers, 'at-most']);
    expect(totals(await list('/customers?limit=1&customer_id=900001'))).toEqual(['1', null]);
  });
  test("counts a customer's lists up to 10,000, then marks the total as at-least", async () => {
    const [{ customer_id }] = (await owner.query('select customer_id from domain where id = 900001')).rows;
    const session = await openCustomerSession(t, '1000', customer_id, 'order');
    for (const path of ['/v1/domains?limit=1', '/v1/domains?limit=1&tld=com', '/v1/domains?limit=1&status=Live'])
      expect(totals(await t.call('GET', path, { session })), path).toEqual(['10000', 'at-least']);
  });
  test('links incompletely counted lists to a next page only if it exists', async () => {
    const last = Math.ceil(Number((await list('/domains?limit=1')).headers.get('x-total-count')) / 100);
    for (const path of ['/domains?tld=com', '/customers?status=Active']) {
      const atEnd = await list(`${path}&limit=100&page_no=${last}`);
      expect(atEnd.body.length, path).toBeLessThan(100);
      expect(atEnd.body.length, path).toBeGreaterThan(0);
      expect(links(atEnd).next, path).toBeUndefined();
      expect(links(atEnd).last, path).toBeUndefined();
      expect(links(await list(`${path}&limit=100&page_no=${last - 1}`)).next, path).toMatchObject({
        page_no: String(last),
      });
    }
    const beyond = await list(`/domains?tld=com&limit=100&page_no=${last + 1}`);
    expect([beyond.body, links(beyond).next]).toEqual([[], undefined]);
  });
});

describe('late pages', () => {
  const ids = (called: Called, name: string) => called.body.map((row: Record<string, string>) => row[name]);

  test.each([
    ['/domains', 'domain_id', `select id from domain where reseller_id = 1000 and state <> 'removed' order by id`],
    [
      '/domains?sort=-name',
      'domain_id',
      `select id from domain where reseller_id = 1000 and state <> 'removed' order by name using ~>~, id desc`,
    ],
    [
      '/customers',
      'customer_id',
      'select id from customer where reseller_id = 1000 and deleted_at is null order by id',
    ],
    [
      '/account/transactions',
      'transaction_id',
      `select id from ledger_transaction where reseller_id = 1000 and customer_id is null and type <> 'registry' order by id desc`,
    ],
  ])('returns late pages of %s with the same rows as when read in order', async (path, name, statement) => {
    const all = (await owner.query<{ id: string }>(statement)).rows.map(({ id }) => id);
    const last = Math.ceil(all.length / 7);
    const middle = Math.ceil(last / 2);
    for (const page of [1, 2, middle - 1, middle, middle + 1, last - 1, last, last + 1]) {
      const called = await list(`${path}${path.includes('?') ? '&' : '?'}limit=7&page_no=${page}`);
      expect(ids(called, name), `page ${page}`).toEqual(all.slice((page - 1) * 7, page * 7));
      expect(totals(called)).toEqual([String(all.length), null]);
      expect(links(called).last).toMatchObject({ page_no: String(last) });
      const { next } = links(called);
      if (page >= last) expect(next).toBeUndefined();
      else
        expect(next).toMatchObject(
          path === '/account/transactions' ? { after: ids(called, name).at(-1) } : { page_no: String(page + 1) },
        );
    }
  });

  test.each([
    ['/operations?kind=register', 'operation_id'],
    ['/account/audit?action=crowd.grow', 'audit_id'],
    ['/payments?status=open', 'payment_id'],
  ])('links late pages of %s by the last row, not by page number', async (path, name) => {
    const first = await list(`${path}&limit=3`);
    const { next } = links(first);
    expect(next).toMatchObject({ limit: '3', after: ids(first, name)[2] });
    expect(next).not.toHaveProperty('page_no');
    const second = await list(`${path}&limit=3&after=${next!.after}`);
    expect(ids(second, name)).toEqual(ids(await list(`${path}&limit=3&page_no=2`), name));
    expect(links(second).prev).toBeUndefined();
  });

  test('skip no row when rows are added during reading', async () => {
    const path = '/account/audit?object_type=domain&limit=2';
    const wanted = await truth(
      `select count(*) as n from audit where reseller_id = 1000 and object_type = 'domain' and object_id in ('${domainId}')`,
    );
    const seen: string[] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const called: Called = await list(`${path}&object_id=${domainId}${after && `&after=${after}`}`);
      seen.push(...ids(called, 'audit_id'));
      after = links(called).next?.after;
      if (seen.length === 2) expect((await lifeOf(t).renew('first.com')).status).toBe(200);
    }
    expect([seen.length, new Set(seen).size]).toEqual([wanted, wanted]);
  });

  test('continues late pages of transactions after a row although others are added', async () => {
    for (const path of ['/account/transactions?limit=5', '/account/transactions?limit=5&date_start=2000-01-01']) {
      const first = await list(path);
      const next = links(first).next!;
      expect(next.after).toBe(first.body.at(-1).transaction_id);
      expect((await lifeOf(t).renew('first.com')).status).toBe(200);
      const second = await list(`${path}&after=${next.after}`);
      expect(second.body.length).toBe(5);
      const all = ids(await list(`${path.replace('limit=5', 'limit=12')}`), 'transaction_id');
      const seen = [...ids(first, 'transaction_id'), ...ids(second, 'transaction_id')];
      expect(all.filter((id: string) => seen.includes(id))).toEqual(seen);
      expect(totals(second)[0]).toBe(totals(await list(path))[0]);
    }
    const oldest = await truth(
      `select min(id) as n from ledger_transaction where reseller_id = 1000 and customer_id is null and type <> 'registry'`,
    );
    const end = await list(`/account/transactions?limit=5&after=${oldest + 1}`);
    expect([ids(end, 'transaction_id'), links(end).next]).toEqual([[String(oldest)], undefined]);
  });

  const another = 'ntc_06zzzzzzzzzzzzzzzzzzzzzzzz';
  test.each([
    '/operations?after=op_06zzzzzzzzzzzzzzzzzzzzzzzz&page_no=2',
    '/account/audit?after=1&page_no=2',
    '/account/transactions?after=1&page_no=2',
    '/account/transactions?after=x',
    ...['x', another].map((after) => `/account/audit?after=${after}`),
    // An invalid id, and the id of another list.
    ...['op_x', "';drop", '../..', another].map((after) => `/operations?after=${encodeURIComponent(after)}`),
    ...['doc_zzz', another].map((after) => `/invoices?after=${after}`),
    ...['ntc_', another.replace('ntc', 'op')].map((after) => `/notices?after=${after}`),
    ...['pay_', another].map((after) => `/payments?after=${after}`),
    ...['mtg_', another].map((after) => `/mail_targets?after=${after}`),
  ])('refuses after, with the field, for %s', async (path) => {
    const called = await t.call('GET', `/v1${path}`);
    expect([called.status, called.body.errors?.[0].field]).toEqual([400, 'after']);
  });
});
