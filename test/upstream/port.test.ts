import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Registry } from '../../packages/server/src/core/ports/registry.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { Platform, Seller } from '../namehold-upstream/chain.ts';
import { StrictUpstream } from '../namehold-upstream/strict-upstream.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { CentralNicUpstream } from './centralnic-upstream.ts';
import { SimulatorClock, yearsLater } from './simulators/clock.ts';
import { strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';
import { OpenproviderSimulator } from './simulators/openprovider/simulator.ts';
import { strictSettings as strictOpenSrs } from './simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from './simulators/opensrs/simulator.ts';
import { strictSettings as strictRealtimeRegister } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';
import { dialectsOverEpp, foldersIn } from './simulators/upstreams.ts';

/** A seller at an upstream with this dialect, where the domain `foreign` is of another registrar. */
interface Row {
  readonly seller: Seller;
  /** The number of charges of a domain, by the upstream's own records. */
  charges(name: string): Promise<number> | number;
  stop(): Promise<void>;
}

const foreign = 'foreign-port.org';

/** One row for each dialect. */
const rows: Readonly<Record<string, () => Promise<Row>>> = {
  async namehold() {
    const platform = await Platform.start(['org']);
    await platform.asOtherRegistrar((other) => other.hold(foreign, 'a-long-auth-code-4711'));
    const seller = await Seller.open(platform.way, ['org']);
    const charges = async (name: string) =>
      (await platform.charged(name)).filter((line) => line.startsWith('charge')).length;
    return { seller, charges, stop: () => platform.stop() };
  },
  async contract() {
    const upstream = await StrictUpstream.start();
    const way = { port: upstream.port, ...upstream.credentials };
    const seller = await Seller.open(way, ['org'], { dialect: 'contract', customerId: '9' });
    return { seller, charges: (name) => upstream.charges(name).length, stop: () => upstream.stop() };
  },
  async logicboxes() {
    const domorg = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };
    const settings = { products: { ...strictSettings.products, domorg } };
    const upstream = await LogicBoxesSimulator.start(settings, new SimulatorClock(Date.now));
    upstream.addElsewhere(foreign);
    const customerId = upstream.addCustomer('shop@example.com').id;
    const { resellerId: reseller, apiKey: key } = upstream.state.settings;
    const way = { port: upstream.server.port, reseller, key };
    const seller = await Seller.open(way, ['org'], { dialect: 'logicboxes', basePath: '/api', customerId });
    const { ledger } = upstream.state;
    return { seller, charges: (name) => ledger.charges(name).length, stop: () => upstream.stop() };
  },
  async openprovider() {
    const upstream = await OpenproviderSimulator.start({}, new SimulatorClock(Date.now));
    upstream.addElsewhere(foreign);
    const { username: reseller, password: key } = upstream.state.settings;
    const way = { port: upstream.server.port, reseller, key };
    const seller = await Seller.open(way, ['org'], { dialect: 'openprovider' });
    const { ledger } = upstream.state;
    return { seller, charges: (name) => ledger.charges(name).length, stop: () => upstream.stop() };
  },
  async opensrs() {
    const org = { new: 1_040, renewal: 1_060, transfer: 1_020, redeem: 7_000 };
    const settings = { ...strictOpenSrs, tlds: { ...strictOpenSrs.tlds, org } };
    const upstream = await OpenSrsSimulator.start(settings, new SimulatorClock(Date.now));
    upstream.addElsewhere(foreign);
    const { username: reseller, key } = upstream.state.settings;
    const seller = await Seller.open({ port: upstream.server.port, reseller, key }, ['org'], { dialect: 'opensrs' });
    const { ledger } = upstream.state;
    return { seller, charges: (name) => ledger.charges(name).length, stop: () => upstream.stop() };
  },
  async realtimeregister() {
    const org = { provider: 'pir', create: 1_040, renew: 1_060, transfer: 1_020, restore: 7_000 };
    const tlds = { ...strictRealtimeRegister.tlds, org };
    const upstream = await RealtimeRegisterSimulator.start({ tlds }, new SimulatorClock(Date.now));
    upstream.addElsewhere(foreign);
    const { customer: reseller, apiKey: key } = upstream.state.settings;
    const way = { port: upstream.server.port, reseller, key };
    const seller = await Seller.open(way, ['org'], { dialect: 'realtimeregister' });
    const { ledger } = upstream.state;
    return { seller, charges: (name) => ledger.charges(name).length, stop: () => upstream.stop() };
  },
  async 'centralnic-reseller'() {
    const upstream = await CentralNicUpstream.open(['org']);
    await upstream.asOtherRegistrar((other) => other.hold(foreign, 'Long-auth-code-4711'));
    const charges = async (name: string) => (await upstream.charges(name)).length;
    return { seller: upstream.seller, charges, stop: () => upstream.sandbox.stop() };
  },
};

test('every dialect has a row', () => {
  expect(Object.keys(rows).sort()).toEqual([...foldersIn('upstream/dialects'), ...dialectsOverEpp()].sort());
});

describe.each(Object.entries(rows))('the registry port with the dialect %s', (_, open) => {
  let row: Row;
  let port: Registry;
  const name = 'port.org';
  beforeAll(async () => {
    row = await open();
    port = await row.seller.t.ctx.registries.of('up');
  });
  afterAll(async () => {
    await row?.seller.t.stop();
    await row?.stop();
  });
  const info = async (wanted: string) => {
    const reply = await port.info(wanted);
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
    return reply.data;
  };
  const isAvailable = async (wanted: string) => {
    const reply = await port.check([wanted]);
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
    return reply.data[0]!.available;
  };

  test('passes the test of a connection', async () => {
    const { ok, findings } = await testConnection(row.seller.t.ctx, 'up');
    expect(ok, findings.join('; ')).toBe(true);
  });

  test('shows no domain that is free', async () => {
    expect(await isAvailable('free-port.org')).toBe(true);
    expect(await info('free-port.org')).toBeNull();
  });

  test('shows a domain of another registrar as taken and not ours', async () => {
    expect(await isAvailable(foreign)).toBe(false);
    expect(await info(foreign)).toMatchObject({ isOurs: false });
    expect(await port.remove(foreign, {})).toMatchObject({ kind: 'refused', evidence: { code: 2303 } });
  });

  test('shows a domain of ours after its order, which is charged once', async () => {
    const called = await row.seller.order(name, { ns: 'ns1.host.example,ns2.host.example' });
    expect(called.status, called.text).toBe(200);
    const shown = (await info(name))!;
    expect(shown).toMatchObject({ name, isOurs: true, registrant: expect.stringMatching(/^nh/) });
    expect([...shown.nameservers].sort()).toEqual(['ns1.host.example', 'ns2.host.example']);
    expect(Math.abs(shown.expiresAt!.getTime() - yearsLater(Date.now(), 1))).toBeLessThan(86_400_000);
    expect(await isAvailable(name)).toBe(false);
    expect(await row.charges(name)).toBe(1);
    // Only one side may renew.
    expect(shown.autoRenew ?? false).toBe(false);
  });

  test('does not order it again', async () => {
    const { registrant, contacts, nameservers } = (await info(name))!;
    const hosts = nameservers.map((hostname) => ({ hostname, addresses: [] }));
    const order = { name, years: 1, registrant: registrant!, contacts, nameservers: hosts, extra: {} };
    expect((await port.create(order, {})).kind).not.toBe('done');
    expect(await row.charges(name)).toBe(1);
  });

  test('renews only from the present date', async () => {
    const before = (await info(name))!.expiresAt!;
    const outdated = await port.renew(name, '2001-01-01', 1, undefined, {});
    expect(outdated).toMatchObject({ kind: 'refused', evidence: { code: 2306 } });
    expect(await row.charges(name)).toBe(1);
    const called = await row.seller.renew(name);
    expect(called.status, called.text).toBe(200);
    expect((await info(name))!.expiresAt!.getTime()).toBe(yearsLater(before.getTime(), 1));
    expect(await row.charges(name)).toBe(2);
  });

  test('changes child nameservers', async () => {
    const host = `ns1.${name}`;
    const addressesOf = async () => {
      const reply = await port.hostInfo(host);
      return reply.kind === 'done' ? [...(reply.data?.addresses ?? [])].sort() : JSON.stringify(reply);
    };
    const [four, six] = ['192.0.2.7', '2001:db8::7'];
    for (const ip_address of [four, six]) {
      const path = `/v1/domains/${name}/childns`;
      const called = await row.seller.t.call('POST', path, { form: { hostname: host, ip_address } });
      expect(called.status, called.text).toBe(200);
    }
    expect(await addressesOf()).toEqual([four, six]);
    for (const address of [four, six]) {
      const path = `/v1/domains/${name}/childns/${host}/${encodeURIComponent(address)}`;
      expect((await row.seller.t.call('DELETE', path)).status).toBe(200);
    }
    expect(await addressesOf()).toEqual([]);
  });

  test('changes nameservers and the lock', async () => {
    const put = (path: string, form = {}) => row.seller.t.call('PUT', `/v1/domains/${name}/${path}`, { form });
    expect((await put('ns', { ns: 'ns3.host.example,ns4.host.example' })).status).toBe(200);
    expect([...(await info(name))!.nameservers].sort()).toEqual(['ns3.host.example', 'ns4.host.example']);
    expect((await put('theft_protection')).status).toBe(200);
    expect((await info(name))!.statuses).toContain('clientTransferProhibited');
  });

  test('agrees with our records', () => expectReconciled(row.seller.t));
});
