import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import type { TestService } from '../support/service.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';

/** Trouble with the account at Realtime Register, and its limits. */
let upstream: RealtimeRegisterSimulator;
let seller: Seller;
const org = { provider: 'pir', create: 1_040, renew: 1_060, transfer: 1_020, restore: 7_000 };
const more = {
  dialect: 'realtimeregister',
  timeouts: { queryMs: 20_000, transformMs: 2_000 },
  realtimeregister: { visibleAfterSeconds: 1 },
};
const ns = 'ns1.host.example,ns2.host.example';

beforeAll(async () => {
  const tlds = { ...strictSettings.tlds, org };
  upstream = await RealtimeRegisterSimulator.start({ tlds }, new SimulatorClock(Date.now));
  seller = await Seller.open(way(), ['org'], more);
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const way = (key = upstream.state.settings.apiKey) => ({
  port: upstream.server.port,
  reseller: upstream.state.settings.customer,
  key,
});
const check = async (name: string, t: TestService = seller.t) =>
  (await t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0]?.[name]?.status;
const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);
const charges = (name: string) => upstream.state.ledger.charges(name).length;

describe('an account that is refused', () => {
  const trouble = {
    'a wrong key': async () => {
      await seller.connect(way('another-key-0123456789'), ['org'], more);
      return () => seller.connect(way(), ['org'], more);
    },
    'an address that is not allowed': async () => {
      upstream.allowed = false;
      return async () => {
        upstream.allowed = true;
        await seller.connect(way(), ['org'], more);
      };
    },
  };
  test.each(Object.entries(trouble))('raises an alarm and is not queried again: %s', async (what, begin) => {
    const name = `${what.replaceAll(' ', '-')}.org`;
    const end = await begin();
    expect(await check(name)).toBe('unknown');
    await expect.poll(alarms).toContain('registry:up:login');
    const requests = upstream.log.requests.length;
    expect(await check(name)).toBe('unknown');
    expect(upstream.log.requests).toHaveLength(requests);
    await end();
    expect((await seller.order(name, { ns })).status).toBe(200);
    await expect.poll(alarms).not.toContain('registry:up:login');
    expect(charges(name)).toBe(1);
  });

  test('waits with an alarm if it is suspended, and orders once', async () => {
    expect(await check('suspended.org')).toBe('available');
    upstream.suspended = true;
    const called = await seller.order('suspended.org', { ns }, '3001', 3);
    await expect.poll(alarms).toContain('registry:up:login');
    upstream.suspended = false;
    await seller.connect(way(), ['org'], more);
    if (called.status === 202) expect(await seller.settled(called.body.operation_id)).toBe('done');
    else expect((await seller.order('suspended.org', { ns })).status).toBe(200);
    expect(charges('suspended.org')).toBe(1);
  });
});

test('waits for money with an alarm, and orders once', async () => {
  const { ledger } = upstream.state;
  const funds = ledger.available;
  ledger.hold('other', funds);
  const called = await seller.order('unfunded.org', { ns }, '3001', 5);
  expect(called.status, called.text).toBe(202);
  await expect.poll(alarms).toContain('registry:up:balance');
  ledger.release('other');
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(charges('unfunded.org')).toBe(1);
});

test('names the currency of an account that has another one', async () => {
  await seller.connect(way(), ['org'], { ...more, currency: 'EUR' });
  const { ok, findings } = await testConnection(seller.t.ctx, 'up');
  expect(ok).toBe(false);
  expect(findings.join()).toContain('USD');
  await seller.connect(way(), ['org'], more);
});

describe('releases the money of an order that is refused', () => {
  const refusals = {
    'a TLD without a contract': 'NoContractException',
    'a TLD that is not supported': 'UnsupportedTld',
    'a contact that the TLD refuses': 'ValidationError',
    'a field that is not known': 'UnrecognizedPropertyException',
  };
  test.each(Object.entries(refusals))('%s', async (what, type) => {
    const name = `${what.replaceAll(' ', '-').toLowerCase()}.org`;
    upstream.faults.add({ kind: 'refused', call: 'createDomain', message: `${type}: refused` });
    const called = await seller.order(name, { ns });
    expect(called.status, called.text).toBe(400);
    expect(await seller.paid(name)).toBe(0);
    expect(charges(name)).toBe(0);
  });
});

test('does not sell a premium domain, whose price needs consent', async () => {
  upstream.state.premium.set('gold.org', { create: 4_000, renew: 4_000 });
  expect(await check('gold.org')).not.toBe('available');
  expect((await seller.order('gold.org', { ns })).status).not.toBe(200);
  expect(charges('gold.org')).toBe(0);
});

test('settles a lost answer of an upstream whose clock is an hour off', async () => {
  for (const skewMs of [3_600_000, -3_600_000]) {
    const name = `skew${skewMs > 0 ? '-ahead' : '-behind'}.org`;
    upstream.state.clock.skewMs = skewMs;
    upstream.faults.add({ kind: 'lost_after', call: 'createDomain', domain: name });
    const called = await seller.order(name, { ns });
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(charges(name)).toBe(1);
  }
  upstream.state.clock.skewMs = 0;
});

test('agrees with our records', async () => {
  expect(upstream.problems()).toEqual([]);
  await expectReconciled(seller.t);
});

test('reads prices and TLDs', async () => {
  const registry = await seller.t.ctx.registries.of('up');
  const prices = await registry.priceList!(['org', 'co.uk', 'missing']);
  const fee = (amount: string) => ({ amount, currency: 'USD' });
  expect(prices.kind === 'done' && prices.data.filter(({ tld }) => tld === 'org')).toEqual([
    { tld: 'org', command: 'create', years: 1, fee: fee('10.4') },
    { tld: 'org', command: 'renew', years: 1, fee: fee('10.6') },
    { tld: 'org', command: 'transfer', years: 1, fee: fee('10.2') },
    { tld: 'org', command: 'restore', years: 1, fee: fee('70') },
  ]);
  const offered = await registry.offeredTlds!();
  expect(offered.kind === 'done' && offered.data.map(({ tld }) => tld)).toEqual(['co.uk', 'com', 'nl', 'org']);
});

test('reads the queue of notifications only if the profile says so', async () => {
  expect((await seller.t.ctx.registries.of('up')).compared).toBeDefined();
  const realtimeregister = { ...more.realtimeregister, readsNotifications: true };
  await seller.connect(way(), ['org'], { ...more, realtimeregister });
  upstream.notify('suspended.org', 'The domain was changed');
  const registry = await seller.t.ctx.registries.of('up');
  expect(registry.compared).toBeUndefined();
  const polled = await registry.poll();
  const content = { kind: 'domain', name: 'suspended.org' };
  expect(polled).toMatchObject({ kind: 'done', data: { id: '1', count: 1, content } });
  await registry.acknowledge('1');
  expect(await registry.poll()).toMatchObject({ kind: 'done', data: null });
  await seller.connect(way(), ['org'], more);
});

test('lists 10,000 domains in 10 calls', async () => {
  const { portfolio } = upstream.state;
  for (let number = portfolio.domains.size; number < 10_000; number += 1) upstream.addDomain(`d${number}.org`);
  const before = upstream.log.of('listDomains').length;
  const registry = await seller.t.ctx.registries.of('up');
  const listed = await registry.holdings!({ after: '', limit: 20_000 });
  const names = new Set(
    [...portfolio.domains.values()].filter(({ status }) => status === 'active').map(({ name }) => name),
  );
  expect(listed.kind === 'done' && listed.data.filter(({ isOurs }) => isOurs).length).toBe(names.size);
  expect(upstream.log.of('listDomains').length - before).toBe(10);
});
