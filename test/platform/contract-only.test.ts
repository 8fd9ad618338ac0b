import { everyTenant, sql } from '@namehold/base';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { booksAgree } from '../support/books.ts';
import { Seller } from './chain.ts';
import { type Habit, StrictUpstream } from './strict-upstream.ts';

/** An upstream without Idempotency-Key and event log, which answers late, breaks off and doubles. */
let upstream: StrictUpstream;
let seller: Seller;
const way = () => ({ port: upstream.port, ...upstream.credentials, reseller: upstream.credentials.reseller });
const more = { dialect: 'contract', customerId: '9', timeouts: { queryMs: 20_000, transformMs: 1_000 } };

beforeAll(async () => {
  upstream = await StrictUpstream.start();
  seller = await Seller.open(way(), 'org', more);
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.habits.length = 0;
  upstream.refusal = undefined;
});

const alarms = async () => (await openAlarms(seller.t.house)).map(({ key }) => key);

test('the profile says what the upstream is', async () => {
  const { ok, findings } = await testConnection(seller.t.house, 'up');
  expect(ok, findings.join('; ')).toBe(true);
});

describe('a create whose answer is lost is asked about, not repeated', () => {
  const cases: readonly (readonly [Habit, number])[] = [
    ['late', 1],
    ['cut', 1],
    ['lost', 2],
    ['twice', 1],
    ['broken', 1],
  ];
  test.each(cases)('%s', async (habit, sends) => {
    const name = `create-${habit}.org`;
    upstream.habits.push({ of: 'POST /v1/domains', habit });
    const called = await seller.order(name);
    expect([200, 202], called.text).toContain(called.status);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.holding(name)).toHaveLength(1);
    expect(upstream.charges(name)).toEqual([10.4]);
    expect(upstream.seen.filter(({ method, url }) => method === 'POST' && url === '/v1/domains').length).toBe(sends);
    upstream.seen.length = 0;
    expect(await seller.paid(name)).toBe(1300);
  });
});

test('a charge without a name is waited for, not ordered once more', async () => {
  upstream.habits.push({ of: 'POST /v1/domains', habit: 'lost' });
  // As if the upstream took the order in and had not got round to showing it.
  const description = 'Registration of slow-show.org';
  const posting = { transaction_id: '900', amount: 10.4, description, status: 'pending', date: '2026-11-16 00:00:00' };
  upstream.postings.push(posting);
  const called = await seller.order('slow-show.org', {}, '3001', 3);
  expect(called.status, called.text).toBe(202);
  expect(upstream.holding('slow-show.org')).toHaveLength(0);
  // Given up there: now it may be ordered.
  posting.status = 'cancelled';
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(upstream.holding('slow-show.org')).toHaveLength(1);
  expect(await seller.paid('slow-show.org')).toBe(1300);
});

describe('a renewal is charged once', () => {
  test.each(['cut', 'twice', 'lost'] as const)('%s', async (habit) => {
    const name = `renew-${habit}.org`;
    expect((await seller.order(name)).status).toBe(200);
    upstream.habits.push({ of: `POST /v1/domains/${upstream.holding(name)[0]!.id}/renew`, habit });
    const called = await seller.renew(name);
    expect([200, 202], called.text).toContain(called.status);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.charges(name)).toEqual([10.4, 10.6]);
    expect(await seller.paid(name)).toBe(2700);
  });
});

test('what was changed there is found by comparing, and a change of ours arrives', async () => {
  const name = 'changed.org';
  expect((await seller.order(name, { ns: 'ns1.one.example,ns2.one.example' })).status).toBe(200);
  const put = await seller.t.call('PUT', `/v1/domains/${name}/ns`, { form: { ns: 'ns1.two.example,ns2.two.example' } });
  expect(put.status, put.text).toBe(200);
  expect(upstream.holding(name)[0]!.ns.sort()).toEqual(['ns1.two.example', 'ns2.two.example']);
  const on = await seller.t.call('PUT', `/v1/domains/${name}/theft_protection`);
  expect(on.status, on.text).toBe(200);
  expect(upstream.holding(name)[0]!.theft).toBe(true);
});

test('a delete whose answer is lost is a delete', async () => {
  expect((await seller.order('going.org')).status).toBe(200);
  upstream.habits.push({ of: `DELETE /v1/domains/${upstream.holding('going.org')[0]!.id}`, habit: 'cut' });
  const called = await seller.t.call('DELETE', '/v1/domains/going.org');
  expect([200, 202], called.text).toContain(called.status);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(upstream.holding('going.org')).toHaveLength(0);
});

describe('refusals that are not the fault of whoever ordered', () => {
  test('an empty account there: the order waits, the operator is called', async () => {
    const left = upstream.balance;
    upstream.balance = 0;
    const called = await seller.order('unfunded.org', {}, '3001', 5);
    expect(called.status, called.text).toBe(202);
    await vi.waitFor(async () => expect(await alarms()).toContain('registry:up:balance'), 300_000);
    upstream.balance = left;
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.charges('unfunded.org')).toEqual([10.4]);
  });

  test('a redirect is not followed, and the key goes nowhere', async () => {
    const stranger = await StrictUpstream.start();
    upstream.refusal = { status: 307, headers: { Location: `http://127.0.0.1:${stranger.port}/v1/account/balance` } };
    const { ok } = await testConnection(seller.t.house, 'up');
    expect(ok).toBe(false);
    expect(stranger.seen).toEqual([]);
    await stranger.stop();
  });

  test('429: nothing is sent until the time that it names is over', async () => {
    upstream.refusal = { status: 429, headers: { 'Retry-After': '2' } };
    const called = await seller.order('paced.org', {}, '3001', 1);
    expect([202, 503], called.text).toContain(called.status);
    const asked = upstream.seen.length;
    upstream.refusal = undefined;
    const early = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'pause.org' } });
    expect(early.body[0]['pause.org'].status).toBe('unknown');
    expect(upstream.seen.length).toBe(asked);
    await vi.waitFor(async () => {
      const later = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'pause.org' } });
      expect(later.body[0]['pause.org'].status).toBe('available');
    }, 300_000);
    if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('done');
  });

  test('a refused login stops everything and tells; a new key goes on at once', async () => {
    upstream.refusal = { status: 401 };
    await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'locked-out.org' } });
    await vi.waitFor(async () => expect(await alarms()).toContain('registry:up:login'), 300_000);
    const asked = upstream.seen.length;
    await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'locked-out.org' } });
    expect(upstream.seen.length).toBe(asked);
    upstream.refusal = undefined;
    await seller.connect(way(), 'org', more);
    expect((await seller.order('let-in.org')).status).toBe(200);
    await vi.waitFor(async () => expect(await alarms()).not.toContain('registry:up:login'), 300_000);
  });
});

test('what we owe is what was taken, no order hangs, and the key was in no address and in no row', async () => {
  const taken = upstream.postings
    .filter(({ status }) => status === 'completed')
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  // The deleted name was within its grace here, and the contract knows no refund.
  expect(await seller.owed()).toBe(taken);
  const { open } = await seller.t.house.db.as(everyTenant).one<{ open: string }>(sql`
    select count(*) as open from operation where state not in ('done', 'refused', 'cancelled')`);
  expect(Number(open)).toBe(0);
  for (const { url } of upstream.seen) expect(url).not.toContain(upstream.credentials.key);
  const rows = await seller.t.house.db.as(everyTenant).many(sql`select * from registry`);
  expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    upstream.credentials.key,
  );
  await booksAgree(seller.t);
});
