import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
const org = {
  provider: 'pir',
  create: 1_040,
  renew: 1_060,
  transfer: 1_020,
  restore: 7_000,
  expiryDateOffset: 3 * 86_400,
  without: ['BILLING'],
};

/** Renewal and privacy by the upstream itself, its auth codes and contacts, and several changes at once. */
let upstream: RealtimeRegisterSimulator;
let seller: Seller;
const more = (settings: object = {}) => ({
  dialect: 'realtimeregister',
  nameserversWithTransfer: true,
  authCode: { madeBy: 'upstream' },
  realtimeregister: {
    visibleAfterSeconds: 0,
    tlds: { org: { without: ['billing'] } },
    contactProperties: { pir: { local_number: 'pir-number' } },
    ...settings,
  },
});
const way = () => {
  const { customer: reseller, apiKey: key } = upstream.state.settings;
  return { port: upstream.server.port, reseller, key };
};

beforeAll(async () => {
  const tlds = { ...strictSettings.tlds, org };
  const settings = { tlds, missing: 'empty_404', otherAccount: 'forbidden' } as const;
  upstream = await RealtimeRegisterSimulator.start(settings, new SimulatorClock(Date.now));
  seller = await Seller.open(way(), ['org'], more());
  const rules = { privacy_offered: true, privacy_method: 'upstream' };
  await loadCatalogue(seller.t.ctx, JSON.stringify([{ name: 'org', registry: 'up', rules }]), 'org.json');
  for (const target of ['cost', 'reseller']) {
    const json = { target, csv: 'tld,action,years,currency,amount\norg,privacy,1,USD,0.00' };
    await seller.t.call('POST', '/v1/account/price_list/import', { json, as: seller.t.operator });
  }
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const domain = (name: string) => upstream.state.portfolio.find(name);
const port = () => seller.t.ctx.registries.of('up');
const register = async (name: string, form: Record<string, string> = {}) => {
  const called = await seller.order(name, { ns, ...form });
  expect(called.status, called.text).toBe(200);
};
const info = async (name: string) => {
  const reply = await (await port()).info(name);
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return reply.data;
};

test('an order leaves out the roles that the TLD does not have', async () => {
  await register('roles.org');
  expect(Object.keys(domain('roles.org')!.contacts)).toEqual(['REGISTRANT', 'ADMIN', 'TECH']);
});

test('a transfer has the contacts and nameservers of the order', async () => {
  upstream.addElsewhere('comes.org');
  const called = await seller.order('comes.org', { auth_code: 'Code-4711', ns });
  await seller.until(called.body.operation_id, ['waiting_registry']);
  const { contacts, nameservers, id, autoRenew } = domain('comes.org')!;
  expect({ nameservers, autoRenew }).toEqual({ nameservers: ns.split(','), autoRenew: false });
  expect(upstream.state.contacts.get(contacts.REGISTRANT!)?.fields.email).toBe('budi@customer.example');
  const { portfolio } = upstream.state;
  portfolio.complete(portfolio.openOrder(id)!.id);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
});

test('a renewal by the upstream itself is switched off', async () => {
  await register('renews.org');
  domain('renews.org')!.autoRenew = true;
  const [repaired] = await reconcileNames(seller.t.ctx, ['renews.org']);
  expect(repaired?.drift).toMatchObject([{ field: 'auto_renewal', action: 'repaired' }]);
  expect(domain('renews.org')!.autoRenew).toBe(false);
  expect(await reconcileNames(seller.t.ctx, ['renews.org'])).toMatchObject([{ drift: [] }]);
});

test('the privacy service is part of the order, and switched off', async () => {
  await register('private.org', { purchase_privacy_protection: 'true' });
  expect(domain('private.org')!.privacy).toBe(true);
  const called = await seller.t.call('DELETE', '/v1/domains/private.org/privacy_protection');
  expect(called.status, called.text).toBe(200);
  expect(domain('private.org')!.privacy).toBe(false);
});

test('auth codes of the upstream are read when they are requested', async () => {
  await register('coded.org');
  const { body } = await seller.t.call('GET', '/v1/domains/coded.org/auth_code', { headers: { Prefer: 'wait=60' } });
  expect(body).toBe(domain('coded.org')!.authCode);
});

test('the date to renew by follows the TLD, whose facts are read once', async () => {
  await register('early.org');
  const { expiresAt, renewBy } = (await info('early.org'))!;
  expect(expiresAt!.getTime() - renewBy!.getTime()).toBe(3 * 86_400_000);
  expect(upstream.log.of('getTldInfo').length).toBeLessThanOrEqual(1);
});

test('a domain of another account is not ours, and does not stop other queries', async () => {
  upstream.addElsewhere('cousin.org', { sameRegistrar: true });
  expect(await info('cousin.org')).toMatchObject({ isOurs: false });
  expect(await info('nowhere.org')).toBeNull();
  expect(await info('early.org')).toMatchObject({ isOurs: true });
});

describe('several changes at once', () => {
  const update = async (change: object) => {
    const reply = await (await port()).update('changed.org', change, {});
    expect(reply).toMatchObject({ kind: 'done', pending: false });
  };
  const updates = () => upstream.log.of('updateDomain').filter((each) => each.domain === 'changed.org').length;
  const lock = ['clientUpdateProhibited', 'clientDeleteProhibited', 'clientTransferProhibited'];

  test('are one request', async () => {
    await register('changed.org');
    const addDs = [{ keytag: 7, algorithm: 13, digesttype: 2, digest: 'AB12' }];
    const addNameservers = [{ hostname: 'ns3.host.example', addresses: [] }];
    const before = updates();
    await update({
      addNameservers,
      removeNameservers: ['ns1.host.example'],
      addDs,
      addStatuses: [...lock, 'clientHold'],
    });
    expect(updates() - before).toBe(1);
    expect(domain('changed.org')).toMatchObject({
      nameservers: ['ns2.host.example', 'ns3.host.example'],
      dnssec: [{ keyTag: 7, digest: 'AB12' }],
      locked: true,
      suspended: true,
    });
    expect((await info('changed.org'))!.statuses).toEqual(expect.arrayContaining([...lock, 'clientHold']));
  });

  test('wait until a lock is removed', async () => {
    const before = updates();
    await update({ removeStatuses: [...lock, 'clientHold'], removeNameservers: ['ns3.host.example'] });
    expect(updates() - before).toBe(2);
    expect(domain('changed.org')).toMatchObject({ nameservers: ['ns2.host.example'], locked: false, suspended: false });
    expect(upstream.state.locked.has('changed.org')).toBe(false);
  });
});

describe('contacts', () => {
  const contact = (handle: string) => ({
    handle,
    name: 'Ada Example',
    organisation: null,
    street: ['1 Main Street'],
    city: 'Berlin',
    state: null,
    postalCode: '10115',
    countryCode: 'DE',
    voice: '+49.30 1234567',
    fax: null,
    email: 'ada@example.com',
    extra: { local_number: '4711' },
    isHidden: false,
  });
  const made = (handle: string) => upstream.state.contacts.get(handle);
  const properties = { pir: { 'pir-number': '4711' } };

  test('have our handles and the properties of the registry', async () => {
    await (await port()).createContact(contact('nh-first'), {});
    expect(made('nh-first')).toMatchObject({ fields: { voice: '+49.301234567' }, properties });
  });

  test.each(['createContact', 'addContactProperties'])('are completed after a lost answer of %s', async (call) => {
    const handle = `nh-${call}`;
    upstream.faults.add({ kind: call === 'createContact' ? 'lost_after' : 'lost_before', call });
    expect(await (await port()).createContact(contact(handle), {})).toMatchObject({ kind: 'unknown' });
    expect(await (await port()).createContact(contact(handle), {})).toMatchObject({ kind: 'done' });
    expect(made(handle)).toMatchObject({ properties });
  });
});

describe('the expiry date in a renewal', () => {
  test('is refused by an upstream that does not know it, and costs nothing', async () => {
    await seller.connect(way(), ['org'], more({ sendsExpiryDate: true }));
    await register('dated.org');
    const called = await seller.renew('dated.org');
    expect(called.status, called.text).toBe(400);
    expect(upstream.state.ledger.charges('dated.org')).toHaveLength(1);
    expect(await seller.paid('dated.org')).toBe(1_300);
  });
});
