import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';

/** Limits and prices of the account at Realtime Register. Bad input and trouble are in `bad-input.test.ts`. */
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
const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);
const charges = (name: string) => upstream.state.ledger.charges(name).length;

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

describe('a premium domain', () => {
  const price = { create: 4_000, renew: 3_000 };

  test('is sold and renewed with a price guard, and each order consents to its product', async () => {
    upstream.state.premium.set('gold.org', price);
    const bought = await seller.order('gold.org', { ns, max_price: '60.00' });
    expect(bought.status, bought.text).toBe(200);
    const { end_date } = await seller.read('gold.org');
    const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice', max_price: '60.00' };
    const renewed = await seller.t.call('POST', '/v1/domains/gold.org/renew', { form, headers: { Prefer: 'wait=60' } });
    expect(renewed.status, renewed.text).toBe(200);
    expect(upstream.state.ledger.charges('gold.org').map(({ amount }) => -amount)).toEqual([4_000, 3_000]);
    const requests = upstream.log.requests.filter(({ domain }) => domain === 'gold.org');
    const consents = requests.filter(({ parameters }) => parameters.includes('"billables"'));
    expect(consents.map(({ call }) => call)).toEqual(['createDomain', 'renewDomain']);
  });

  test('is refused if its price has changed since the quote of the order', async () => {
    upstream.state.premium.set('silver.org', price);
    const registry = await seller.t.ctx.registries.of('up');
    const order = { name: 'silver.org', years: 1, contacts: {}, nameservers: [], extra: {} };
    const reply = await registry.create({ ...order, fee: { amount: '30.00', currency: 'USD' } }, {});
    expect(reply.kind).toBe('refused');
    expect(charges('silver.org')).toBe(0);
  });
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
  upstream.notify('gold.org', 'The domain was changed');
  const registry = await seller.t.ctx.registries.of('up');
  expect(registry.compared).toBeUndefined();
  const polled = await registry.poll();
  const content = { kind: 'domain', name: 'gold.org' };
  expect(polled).toMatchObject({ kind: 'done', data: { id: '1', count: 1, content } });
  await registry.acknowledge('1');
  expect(await registry.poll()).toMatchObject({ kind: 'done', data: null });
  await seller.connect(way(), ['org'], more);
});
