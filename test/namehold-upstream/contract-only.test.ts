import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testAuthority } from '../../packages/epp/test/support/certificates.ts';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { refundLate } from '../../packages/server/src/core/domains/end/late-refunds.ts';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { reconcileDomains } from '../../packages/server/src/jobs/reconcile-domains.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import type { TestService } from '../support/service.ts';
import { quick, Seller, upstreamAt } from './chain.ts';
import { type Habit, StrictUpstream } from './strict-upstream.ts';

/** An upstream without Idempotency-Key and event log, which answers late, breaks off and repeats. */
let upstream: StrictUpstream;
let seller: Seller;
const way = () => ({ port: upstream.port, ...upstream.credentials, reseller: upstream.credentials.reseller });
const more = { dialect: 'contract', customerId: '9', timeouts: { queryMs: 20_000, transformMs: 1_000 } };

beforeAll(async () => {
  upstream = await StrictUpstream.start();
  seller = await Seller.open(way(), ['org'], more);
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});
beforeEach(() => {
  upstream.capabilities.length = 0;
  upstream.refusal = undefined;
});

const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);

test('reads the profile of the upstream', async () => {
  const { ok, findings } = await testConnection(seller.t.ctx, 'up');
  expect(ok, findings.join('; ')).toBe(true);
});

test('reports a check as failed if no database session is free, and answers the next one', async () => {
  const { ctx } = seller.t;
  const ask = () => seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'turn-taken.org' } });
  expect((await ask()).status).toBe(200);
  const taken = () =>
    ctx.db
      .as(allTenants)
      .one<{ n: number }>(sql`select count(owner)::int as n from registry_slot where leased_until > now()`);
  // A session that is kept for the next caller needs no database.
  await expect.poll(async () => (await taken()).n).toBe(0);
  const owner = new pg.Client({ connectionString: seller.t.databaseUrl });
  await owner.connect();
  await owner.query('alter table registry_slot rename to registry_slot_away');
  const requests = [await ask(), await ask()];
  await owner.query('alter table registry_slot_away rename to registry_slot');
  await owner.end();
  expect(requests.map(({ status }) => status)).toEqual([500, 500]);
  const found = await ask();
  expect([found.status, JSON.stringify(found.body)]).toEqual([200, expect.stringContaining('available')]);
});

describe('a create with a lost answer', () => {
  const cases: readonly (readonly [Habit, number])[] = [
    ['late', 1],
    ['cut', 1],
    ['lost', 2],
    ['twice', 1],
    ['broken', 1],
  ];
  test.each(cases)('is queried and not repeated (%s)', async (habit, sends) => {
    const name = `create-${habit}.org`;
    upstream.capabilities.push({ of: 'POST /v1/domains', habit });
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

test('waits for a domain that was charged and is not shown yet, and does not reorder it', async () => {
  upstream.capabilities.push({ of: 'POST /v1/domains', habit: 'lost' });
  // As if the upstream had accepted the order without showing it yet.
  const description = 'Registration of slow-show.org';
  const posting = { transaction_id: '900', amount: 10.4, description, status: 'pending', date: '2026-11-16 00:00:00' };
  upstream.postings.push(posting);
  const called = await seller.order('slow-show.org', {}, '3001', 3);
  expect(called.status, called.text).toBe(202);
  expect(upstream.holding('slow-show.org')).toHaveLength(0);
  // Cancelled there: now it may be ordered.
  posting.status = 'cancelled';
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(upstream.holding('slow-show.org')).toHaveLength(1);
  expect(await seller.paid('slow-show.org')).toBe(1300);
});

describe('a renewal', () => {
  test.each(['cut', 'twice', 'lost'] as const)('is charged once (%s)', async (habit) => {
    const name = `renew-${habit}.org`;
    expect((await seller.order(name)).status).toBe(200);
    upstream.capabilities.push({ of: `POST /v1/domains/${upstream.holding(name)[0]!.id}/renew`, habit });
    const called = await seller.renew(name);
    expect([200, 202], called.text).toContain(called.status);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.charges(name)).toEqual([10.4, 10.6]);
    expect(await seller.paid(name)).toBe(2700);
  });
});

test('finds changes made at the upstream by comparison, and sends our changes', async () => {
  const name = 'changed.org';
  expect((await seller.order(name, { ns: 'ns1.one.example,ns2.one.example' })).status).toBe(200);
  const put = await seller.t.call('PUT', `/v1/domains/${name}/ns`, { form: { ns: 'ns1.two.example,ns2.two.example' } });
  expect(put.status, put.text).toBe(200);
  expect(upstream.holding(name)[0]!.ns.sort()).toEqual(['ns1.two.example', 'ns2.two.example']);
  const on = await seller.t.call('PUT', `/v1/domains/${name}/theft_protection`);
  expect(on.status, on.text).toBe(200);
  expect(upstream.holding(name)[0]!.theft).toBe(true);
});

test('settles a delete with a lost answer as done', async () => {
  expect((await seller.order('going.org')).status).toBe(200);
  upstream.capabilities.push({ of: `DELETE /v1/domains/${upstream.holding('going.org')[0]!.id}`, habit: 'cut' });
  const called = await seller.t.call('DELETE', '/v1/domains/going.org');
  expect([200, 202], called.text).toContain(called.status);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(upstream.holding('going.org')).toHaveLength(0);
  expect(await seller.paid('going.org'), 'the refund in its transactions').toBe(0);
});

test('refunds no delete without a refund at the upstream, with an alarm', async () => {
  expect((await seller.order('kept.org')).status).toBe(200);
  upstream.givesBack = false;
  const called = await seller.t.call('DELETE', '/v1/domains/kept.org');
  upstream.givesBack = true;
  expect(called.status, called.text).toBe(200);
  expect(called.body.refunded).toEqual([]);
  expect(await seller.paid('kept.org')).toBe(1300);
  const key = `refund:${called.body.operation_id}`;
  expect(await alarms()).toContain(key);
  await refundLate(seller.t.ctx);
  expect(await alarms()).toContain(key);
  // The refund arrives later and is then given here, once.
  upstream.giveBack('kept.org');
  for (const _ of [1, 2]) await refundLate(seller.t.ctx);
  expect(await seller.paid('kept.org')).toBe(0);
  expect(await alarms()).not.toContain(key);
  const { outcome } = (await seller.t.call('GET', `/v1/operations/${called.body.operation_id}`)).body;
  expect(outcome.refunded).toMatchObject([{ amount: '13.00', currency: 'USD' }]);
  const { events } = (await seller.t.call('GET', '/v1/events', { query: { type: 'domain.purchase_refunded' } })).body;
  expect(events.filter((event: { type: string }) => event.type === 'domain.purchase_refunded')).toHaveLength(1);
});

describe('a domain of another registrar', () => {
  const ordered = async (name: string) => {
    const called = await seller.order(name, { auth_code: 'a-long-auth-code-4711' });
    expect(called.status, called.text).toBe(202);
    // On a busy machine its answer is late, and the state is queried.
    expect(await seller.until(called.body.operation_id, ['waiting_registry'])).toBe('waiting_registry');
    return called.body.operation_id as string;
  };

  test('is pending, whatever status the order returned, and arrives', async () => {
    const operation = await ordered('foreign-comes.org');
    expect((await seller.read('foreign-comes.org')).order_status).toBe('Pending Transfer');
    const coming = upstream.names.find((each) => each.name === 'foreign-comes.org')!;
    expect(coming.contacts.registrant_contact_id).not.toBe('501');
    upstream.decide('foreign-comes.org', true);
    expect(await seller.settled(operation)).toBe('done');
    expect(await seller.read('foreign-comes.org')).toMatchObject({ order_status: 'Live', ns1: 'ns1.before.example' });
    expect(upstream.holding('foreign-comes.org')[0]!.contacts.registrant_contact_id).not.toBe('501');
    expect(upstream.charges('foreign-comes.org')).toEqual([10.2]);
    expect(await seller.paid('foreign-comes.org')).toBe(1200);
  });

  test('costs nothing if the transfer is rejected', async () => {
    const operation = await ordered('foreign-stays.org');
    upstream.decide('foreign-stays.org', false);
    await seller.age(operation);
    expect(await seller.settled(operation)).toBe('refused');
    expect(await seller.paid('foreign-stays.org')).toBe(0);
  });

  test('has unknown transferability if the upstream does not report it', async () => {
    const ask = async (name: string, auth_code = 'a-long-auth-code-4711') =>
      (await seller.t.call('POST', '/v1/domains/transfer/validity', { form: { domain_name: name, auth_code } })).body;
    expect(await ask('foreign-asked.org')).toMatchObject({ transferable: true, auth_code_is_right: true });
    const wrong = [{ reason: 'wrong_auth_code' }];
    expect(await ask('foreign-asked.org', 'another-code')).toMatchObject({ obstacles: wrong });
    expect(await ask('foreign-kept.org')).toMatchObject({ obstacles: [{ reason: 'other' }], possible_from: null });
    const ordered = await seller.order('foreign-kept.org', { auth_code: 'a-long-auth-code-4711' });
    expect(ordered.body).toMatchObject({ code: 'transfer_not_possible' });
  });

  test('is ordered once, also after a lost answer', async () => {
    upstream.capabilities.push({ of: 'POST /v1/domains/transfer', habit: 'cut' });
    const called = await seller.order('foreign-cut.org', { auth_code: 'a-long-auth-code-4711' });
    expect(called.status, called.text).toBe(202);
    upstream.decide('foreign-cut.org', true);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.charges('foreign-cut.org')).toEqual([10.2]);
  });
});

/** No event log reports it: the comparison at the rate of the profile does. */
describe('changes made at the upstream', () => {
  const next = async (after: string) => {
    seller.t.moveClock(after);
    await seller.t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`delete from job_lease where name = 'compare:up'`));
    await reconcileDomains(seller.t.ctx);
  };

  test('shows changes at the upstream within an hour', async () => {
    const names = ['gone-away.org', 'redeemed.org', 'extended.org', 'delegated.org', 'dropped.org'];
    for (const name of names) expect((await seller.order(name)).status).toBe(200);
    await next('+61m');
    const [away, redeemed, extended, delegated, dropped] = names.map((name) => upstream.holding(name)[0]!);
    away!.status = 'Transferred Away';
    redeemed!.status = 'Pending Delete Restorable';
    extended!.expires = new Date(extended!.expires!.getTime() + 365 * 86_400_000);
    delegated!.ns = ['ns1.stranger.example', 'ns2.stranger.example'];
    upstream.names.splice(upstream.names.indexOf(dropped!), 1);
    await next('+10m');
    expect(await seller.read('redeemed.org')).toMatchObject({ state: 'live' });
    await next('+51m');
    expect(await seller.read('gone-away.org')).toMatchObject({ order_status: 'Transferred Away' });
    expect(await seller.read('redeemed.org')).toMatchObject({ state: 'redemption' });
    expect((await seller.read('extended.org')).registry_expires_at.slice(0, 10)).toBe(
      extended!.expires!.toISOString().slice(0, 10),
    );
    expect((await openAlarms(seller.t.ctx)).map(({ sentence }) => sentence).join()).toContain('delegated.org');
    // One answer does not mark a domain as removed.
    expect(await seller.read('dropped.org')).toMatchObject({ state: 'live' });
    await next('+16m');
    expect(await seller.read('dropped.org')).toMatchObject({ state: 'removed', removed_reason: 'dropped' });
    delegated!.ns = [...(await seller.read('delegated.org')).nameservers];
    extended!.expires = new Date(extended!.expires!.getTime() - 365 * 86_400_000);
    await next('+61m');
  });

  test('are queried by one process at a time, within a third of the rate limit', async () => {
    await next('+61m');
    upstream.seen.length = 0;
    seller.t.moveClock('+61m');
    await reconcileDomains(seller.t.ctx);
    expect(upstream.seen.filter(({ url }) => url.includes('details-by-name'))).toEqual([]);
    const registry = await seller.t.ctx.registries.of('up');
    expect(registry.compared).toEqual({ everyMs: 3_600_000, namesPerMinute: quick.requestsPerMinute / 3 });
  });

  test('allow a restore at the restore price', async () => {
    const form = { invoice_option: 'no_invoice' };
    const restored = await seller.t.call('POST', '/v1/domains/redeemed.org/restore', { form });
    expect(restored.status, restored.text).toBe(200);
    expect(upstream.charges('redeemed.org')).toEqual([10.4, 70]);
    expect(await seller.paid('redeemed.org')).toBe(1300 + 9000);
  });
});

test('waits for a restore that was charged and is not shown yet, and does not reorder it', async () => {
  const name = 'slow-back.org';
  expect((await seller.order(name)).status).toBe(200);
  upstream.holding(name)[0]!.status = 'Pending Delete Restorable';
  // The registration is older than the difference of the clocks.
  upstream.postings.findLast(({ description }) => description.includes(name))!.date = '2026-01-01 00:00:00';
  await reconcileNames(seller.t.ctx, [name]);
  upstream.capabilities.push({ of: `POST /v1/domains/${upstream.holding(name)[0]!.id}/restore`, habit: 'lost' });
  const date = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const posting = { transaction_id: '901', amount: 70, description: `Restore of ${name}`, status: 'pending', date };
  upstream.postings.push(posting);
  const form = { invoice_option: 'no_invoice' };
  const headers = { Prefer: 'wait=3' };
  const called = await seller.t.call('POST', `/v1/domains/${name}/restore`, { form, headers });
  expect(called.status, called.text).toBe(202);
  expect(upstream.charges(name)).toEqual([10.4, 70]);
  // Cancelled there: now it may be ordered.
  posting.status = 'cancelled';
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(upstream.charges(name)).toEqual([10.4, 70, 70]);
  expect(await seller.paid(name)).toBe(1300 + 9000);
});

test('raises an alarm with both amounts for a charge that differs from our cost', async () => {
  upstream.surcharge = 1;
  expect((await seller.order('dearer.org')).status).toBe(200);
  upstream.surcharge = 0;
  await vi.waitFor(async () => {
    const alarm = (await openAlarms(seller.t.ctx)).find(({ key }) => key === 'charge:up:org:register');
    expect(alarm?.sentence).toContain('charged 11.4 USD for dearer.org');
    expect(alarm?.sentence).toContain('10.40 USD');
  }, 300_000);
});

describe('a connection over TLS', () => {
  test.each([
    ['certificate and key are correct', {}, true],
    ['the key is not the pinned one', { pins: [`${'A'.repeat(43)}=`] }, false],
    ['the certificate is of an unknown authority', { caPem: undefined }, false],
    ['the certificate is for another name', { serverName: 'elsewhere.test' }, false],
  ])('is accepted or refused: %s', async (_what, wrong, isRight) => {
    const authority = await testAuthority();
    const identity = await authority.issue('upstream.test');
    const secure = await StrictUpstream.start(identity);
    const to = { port: secure.port, ...secure.credentials };
    const own = { ...more, transport: 'https' };
    const tls = { serverName: 'upstream.test', caPem: authority.ca, pins: [identity.pin], ...wrong };
    await connectRegistry(seller.t.ctx, { ...upstreamAt(to, [], own), id: 'secure', ...tls } as never);
    const { ok, findings } = await testConnection(seller.t.ctx, 'secure');
    expect(ok, findings.join('; ')).toBe(isRight);
    expect(secure.seen.length > 0).toBe(isRight);
    await secure.stop();
  });
});

describe('an account shared by two processes', () => {
  let other: TestService;
  beforeAll(async () => {
    other = await seller.t.second();
  });
  afterAll(() => other?.stop());
  const check = (service: TestService, name: string) =>
    service.call('GET', '/v1/domains/availability', { query: { domain: name } });

  test('has one rate limit and one limit of concurrent requests', async () => {
    const limits = { sessions: 2, requestsPerMinute: 600, namesPerCheck: 1 };
    await seller.connect(way(), ['org'], { ...more, limits });
    await other.service.parts.registries.reload('up');
    await Promise.all([check(seller.t, 'first-pace.org'), check(other, 'first-pace.org')]);
    upstream.seen.length = 0;
    upstream.mostAtOnce = 0;
    // A request that gets no slot in time is answered with "unknown", and nothing was sent: it is repeated until it was sent.
    const known = async (service: TestService, name: string) => {
      const status = async () => (await check(service, name)).body[0][name].status;
      await expect.poll(status, { interval: 500, timeout: 300_000 }).not.toBe('unknown');
    };
    const requests = Array.from({ length: 15 }, (_, at) => [
      known(seller.t, `pace-a${at}.org`),
      known(other, `pace-b${at}.org`),
    ]);
    await Promise.all(requests.flat());
    expect(upstream.mostAtOnce).toBeLessThanOrEqual(2);
    const times = upstream.seen.filter(({ url }) => url.includes('pace-')).map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(30);
    // Ten at once, and ten in each second after that: with two separate limits all would be sent within one second.
    expect(times.at(-1)! - times[0]!).toBeGreaterThan(1_500);
  });

  test('pauses in both, and one of them tries first', async () => {
    upstream.refusal = { status: 429, headers: { 'Retry-After': '2' } };
    await check(seller.t, 'paused-a.org');
    const seen = upstream.seen.length;
    expect((await check(other, 'paused-b.org')).body[0]['paused-b.org'].status).toBe('unknown');
    expect(upstream.seen.length).toBe(seen);
    upstream.refusal = undefined;
    await vi.waitFor(async () => {
      expect((await check(other, 'paused-b.org')).body[0]['paused-b.org'].status).toBe('available');
      expect((await check(seller.t, 'paused-a.org')).body[0]['paused-a.org'].status).toBe('available');
    }, 300_000);
    await seller.connect(way(), ['org'], more);
  });
});

describe('refusals that are not caused by the order', () => {
  test('make the order wait, with an alarm, if the account at the upstream is empty', async () => {
    const left = upstream.balance;
    upstream.balance = 0;
    const called = await seller.order('unfunded.org', {}, '3001', 5);
    expect(called.status, called.text).toBe(202);
    await vi.waitFor(async () => expect(await alarms()).toContain('registry:up:balance'), 300_000);
    upstream.balance = left;
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(upstream.charges('unfunded.org')).toEqual([10.4]);
  });

  test('include redirects, which are not followed, so that no other host gets the key', async () => {
    const stranger = await StrictUpstream.start();
    upstream.refusal = { status: 307, headers: { Location: `http://127.0.0.1:${stranger.port}/v1/account/balance` } };
    const { ok } = await testConnection(seller.t.ctx, 'up');
    expect(ok).toBe(false);
    expect(stranger.seen).toEqual([]);
    await stranger.stop();
  });

  test('pauses all requests after 429 until the returned time', async () => {
    upstream.refusal = { status: 429, headers: { 'Retry-After': '2' } };
    const called = await seller.order('paced.org', {}, '3001', 1);
    expect([202, 503], called.text).toContain(called.status);
    const requests = upstream.seen.length;
    upstream.refusal = undefined;
    const early = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'pause.org' } });
    expect(early.body[0]['pause.org'].status).toBe('unknown');
    expect(upstream.seen.length).toBe(requests);
    await vi.waitFor(async () => {
      const later = await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'pause.org' } });
      expect(later.body[0]['pause.org'].status).toBe('available');
    }, 300_000);
    if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('done');
  });

  test.each([401, 403])(
    'stops all requests after %i with an alarm, and continues at once with a new key',
    async (status) => {
      upstream.refusal = { status };
      await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'locked-out.org' } });
      await vi.waitFor(async () => expect(await alarms()).toContain('registry:up:login'), 300_000);
      const requests = upstream.seen.length;
      await seller.t.call('GET', '/v1/domains/availability', { query: { domain: 'locked-out.org' } });
      expect(upstream.seen.length).toBe(requests);
      upstream.refusal = undefined;
      await seller.connect(way(), ['org'], more);
      expect((await seller.order(`let-in-${status}.org`)).status).toBe(200);
      await vi.waitFor(async () => expect(await alarms()).not.toContain('registry:up:login'), 300_000);
    },
  );
});

test('leaves no open order, a balance equal to the charges, and no key in URLs and rows', async () => {
  const taken = upstream.postings
    .filter(({ status }) => status === 'completed')
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  // One domain cost a unit more than our cost, as its alarm reports.
  expect(await seller.owed()).toBe(taken - 100);
  const { open } = await seller.t.ctx.db.as(allTenants).one<{ open: string }>(sql`
    select count(*) as open from operation where state not in ('done', 'refused', 'cancelled')`);
  expect(Number(open)).toBe(0);
  for (const { url } of upstream.seen) expect(url).not.toContain(upstream.credentials.key);
  const rows = await seller.t.ctx.db.as(allTenants).many(sql`select * from registry`);
  expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    upstream.credentials.key,
  );
  await expectReconciled(seller.t);
});
