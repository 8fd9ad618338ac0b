import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import type { Registry } from '../../packages/server/src/core/ports/registry.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { quick, Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import type { TestService } from '../support/service.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { OpenproviderSimulator } from './simulators/openprovider/simulator.ts';

/** Trouble with the account at Openprovider, and its limits of identical requests. */
let upstream: OpenproviderSimulator;
let seller: Seller;
const ns = 'ns1.host.example,ns2.host.example';
const more = {
  dialect: 'openprovider',
  limits: quick,
  timeouts: { queryMs: 20_000, transformMs: 2_000 },
  openprovider: { visibleAfterSeconds: 1 },
};

beforeAll(async () => {
  upstream = await OpenproviderSimulator.start({}, new SimulatorClock(Date.now));
  seller = await Seller.open(way(), ['org'], more);
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const way = (key = upstream.state.settings.password) => ({
  port: upstream.server.port,
  reseller: upstream.state.settings.username,
  key,
});
const check = async (name: string, t: TestService = seller.t) =>
  (await t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0]?.[name]?.status;
const alarms = async () => (await openAlarms(seller.t.ctx)).map(({ key }) => key);
const charges = (name: string) => upstream.state.ledger.charges(name).map(({ amount }) => -amount);
const registry = (): Promise<Registry> => seller.t.ctx.registries.of('up');

test('shows the present balance, and names another currency of the account', async () => {
  const { ok, findings } = await testConnection(seller.t.ctx, 'up');
  expect(ok).toBe(true);
  expect(findings.join()).toContain(String(upstream.state.ledger.available / 100));
  await seller.connect(way(), ['org'], { ...more, currency: 'EUR' });
  const other = await testConnection(seller.t.ctx, 'up');
  expect(other.ok).toBe(false);
  expect(other.findings.join()).toContain('billed in USD');
  await seller.connect(way(), ['org'], more);
});

describe('tokens', () => {
  test('are renewed when they have ended, and the order is sent once', async () => {
    await check('before-token.org');
    const logins = upstream.logins;
    upstream.endTokens();
    const called = await seller.order('token.org', { ns });
    expect(called.status, called.text).toBe(200);
    expect(charges('token.org')).toEqual([1_040]);
    expect(upstream.logins).toBe(logins + 1);
  });

  test('are shared by all processes', async () => {
    const other = await seller.t.second();
    await other.service.parts.registries.reload('up');
    const logins = upstream.logins;
    upstream.endTokens();
    const names = Array.from({ length: 5 }, (_, at) => `shared${at}.org`);
    await Promise.all(names.flatMap((name) => [check(`a-${name}`), check(`b-${name}`, other)]));
    expect(upstream.logins - logins).toBe(1);
    await other.stop();
  });
});

describe('identical requests', () => {
  test('sends identical queries of all processes once within a few seconds', async () => {
    const other = await seller.t.second();
    await other.service.parts.registries.reload('up');
    const ports = [await registry(), await other.ctx.registries.of('up')];
    const before = upstream.log.of('searchDomain').length;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ports[at % 2]!.queryTransfer('not-here.org')),
    );
    expect(replies.map(({ kind }) => kind)).toEqual(replies.map(() => 'done'));
    expect(upstream.log.of('searchDomain').length - before).toBe(1);
    await other.stop();
  });

  test('about a changed domain show the change at once', async () => {
    expect((await seller.order('changed.org', { ns })).status).toBe(200);
    const port = await registry();
    const shown = async () => {
      const reply = await port.info('changed.org');
      return reply.kind === 'done' && reply.data!.nameservers.toSorted();
    };
    expect(await shown()).toEqual(['ns1.host.example', 'ns2.host.example']);
    const form = { ns: 'ns3.host.example,ns4.host.example' };
    expect((await seller.t.call('PUT', '/v1/domains/changed.org/ns', { form })).status).toBe(200);
    expect(await shown()).toEqual(['ns3.host.example', 'ns4.host.example']);
  });

  test('never exceed the limits of the account', async () => {
    const port = await registry();
    for (let round = 0; round < 400; round += 1) {
      await port.check(['busy.org']);
      await port.queryTransfer('busy.org');
      // Without the shared answers, each round is sent.
      if (round % 2 === 0) await port.remove('busy.org', {});
    }
    expect(upstream.repeats.most.check).toBeLessThanOrEqual(20);
    expect(upstream.repeats.most.query).toBeLessThan(300);
    expect(upstream.server.blockedBecause).toBeUndefined();
  });

  test('to register wait for the end of the block, which is not begun', async () => {
    const wanted = { name: 'twice.org', years: 1, contacts: {}, nameservers: [], extra: {} };
    const port = await registry();
    const first = await port.create(wanted, {});
    const second = await port.create(wanted, {});
    expect(first.kind).toBe('refused');
    expect(second).toMatchObject({ kind: 'unsent', why: expect.stringContaining('too often') });
    expect(upstream.log.of('createDomain').filter(({ domain }) => domain === 'twice.org')).toHaveLength(1);
  });
});

test('waits for money with an alarm, and orders once', async () => {
  const { ledger } = upstream.state;
  ledger.hold('other', ledger.available);
  const called = await seller.order('unfunded.org', { ns }, '3001', 5);
  expect(called.status, called.text).toBe(202);
  await expect.poll(alarms).toContain('registry:up:balance');
  ledger.release('other');
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(charges('unfunded.org')).toEqual([1_040]);
});

describe('a premium domain', () => {
  test('is sold with a price guard, which is sent in the currency of the registry', async () => {
    upstream.state.premium.set('gold.org', { product: 4_500, reseller: 5_000 });
    const called = await seller.order('gold.org', { ns, max_price: '60.00' });
    expect(called.status, called.text).toBe(200);
    expect(charges('gold.org')).toEqual([5_000]);
    const [request] = upstream.log.of('createDomain').filter(({ domain }) => domain === 'gold.org');
    expect(request!.parameters).toContain('"accept_premium_fee":45');
  });

  test('is refused if its price has changed', async () => {
    upstream.state.premium.set('silver.org', { product: 4_500, reseller: 5_000 });
    const port = await registry();
    const order = { name: 'silver.org', years: 1, contacts: {}, nameservers: [], extra: {} };
    const reply = await port.create({ ...order, fee: { amount: '40.00', currency: 'USD' } }, {});
    expect(reply).toMatchObject({ kind: 'refused', evidence: { code: 2004 } });
    expect(upstream.log.of('createDomain').some(({ domain }) => domain === 'silver.org')).toBe(false);
  });
});

test('reports a domain whose availability is not known as unknown', async () => {
  upstream.state.unknown.add('dim.org');
  expect(await check('dim.org')).toBe('unknown');
});

test('reads prices and TLDs of the account', async () => {
  const port = await registry();
  const prices = await port.priceList!(['org', 'unsold']);
  expect(prices.kind === 'done' && prices.data).toEqual([
    { tld: 'org', command: 'create', years: 1, fee: { amount: '10.4', currency: 'USD' } },
    { tld: 'org', command: 'renew', years: 1, fee: { amount: '10.6', currency: 'USD' } },
    { tld: 'org', command: 'transfer', years: 1, fee: { amount: '10.2', currency: 'USD' } },
    { tld: 'org', command: 'restore', years: 1, fee: { amount: '70', currency: 'USD' } },
  ]);
  const tlds = await port.offeredTlds!();
  expect(tlds.kind === 'done' && tlds.data.map(({ tld }) => tld).sort()).toEqual(['com', 'es', 'eu', 'nl', 'org']);
});

test('agrees with our records', async () => {
  expect(upstream.problems()).toEqual([]);
  await expectReconciled(seller.t);
});

test('lists 10,000 domains in 10 calls', async () => {
  const own = upstream.state.portfolio.domains.size;
  for (let number = own; number < 10_000; number += 1) upstream.addDomain(`d${number}.org`);
  const before = upstream.log.of('searchDomain').length;
  const listed = await (await registry()).holdings!({ after: '', limit: 20_000 });
  expect(listed.kind === 'done' && listed.data.length).toBeGreaterThan(9_900);
  expect(upstream.log.of('searchDomain').length - before).toBe(10);
});
