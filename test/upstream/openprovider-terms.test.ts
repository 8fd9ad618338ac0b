import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { quick, Seller } from '../namehold-upstream/chain.ts';
import { localFields } from './local-fields.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { OpenproviderSimulator } from './simulators/openprovider/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
/** The tests change domains at the simulator directly, so no answer may be shared. */
const often = { requests: 10_000, seconds: 1 };
const identical = { shareSeconds: 0, query: often, check: often, create: often };

let upstream: OpenproviderSimulator;
let seller: Seller;
const way = () => {
  const { username: reseller, password: key } = upstream.state.settings;
  return { port: upstream.server.port, reseller, key };
};
const openprovider = { visibleAfterSeconds: 0, domainFields: { local_number: 'number' } };
const more = {
  dialect: 'openprovider',
  nameserversWithTransfer: true,
  limits: { ...quick, identical },
  openprovider,
};

beforeAll(async () => {
  const org = { create: 1_040, renew: 1_060, transfer: 1_020, restore: 7_000, renewalOffsetDays: 2 };
  upstream = await OpenproviderSimulator.start({ tlds: { org } }, new SimulatorClock(Date.now));
  seller = await Seller.open(way(), ['org'], more);
  const rules = { privacy_offered: true, privacy_method: 'upstream' };
  await loadCatalogue(seller.t.ctx, JSON.stringify([localFields('org', rules)]), 'org.json');
  for (const target of ['cost', 'reseller']) {
    const json = { target, csv: 'tld,action,years,currency,amount\norg,privacy,1,USD,0.00' };
    const called = await seller.t.call('POST', '/v1/account/price_list/import', { json, as: seller.t.operator });
    expect(called.status, called.text).toBe(200);
  }
});
afterAll(async () => {
  await seller?.t.stop();
  await upstream?.stop();
});

const domain = (name: string) => upstream.state.portfolio.find(name);
const register = async (name: string, extra: Record<string, string> = {}) => {
  const called = await seller.order(name, { ns, ...extra });
  expect(called.status, called.text).toBe(200);
};
const sent = (name: string, call = 'createDomain') => {
  const { parameters } = upstream.log.of(call).find((each) => each.domain === name)!;
  return JSON.parse(parameters.slice(parameters.indexOf(' '))).body;
};

test('an order has the additional fields of the domain', async () => {
  await register('fields.org', { extra: 'local_number=4711' });
  expect(sent('fields.org')).toMatchObject({ autorenew: 'off', additional_data: { number: '4711' } });
});

test('a transfer has the contacts, nameservers and additional fields', async () => {
  upstream.addElsewhere('comes.org');
  const called = await seller.order('comes.org', { auth_code: 'Code-4711', ns, extra: 'local_number=12' });
  expect(called.status, called.text).toBe(202);
  await seller.until(called.body.operation_id, ['waiting_registry']);
  const order = sent('comes.org', 'transferDomain');
  expect(order).toMatchObject({ additional_data: { number: '12' }, autorenew: 'off', auth_code: '***' });
  expect(upstream.state.customers.get(order.owner_handle)!.fields).toMatchObject({ email: 'budi@customer.example' });
  const { portfolio } = upstream.state;
  portfolio.complete(portfolio.openOrder(domain('comes.org')!.id)!.id);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(domain('comes.org')!.nameservers).toEqual(ns.split(','));
  expect(upstream.log.of('updateDomain')).toEqual([]);
});

test('a renewal by the upstream itself is switched off', async () => {
  await register('renews.org');
  Object.assign(upstream.state.extras.get(domain('renews.org')!.id)!, { autorenew: 'default' });
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

test('a domain ends at the date of the upstream, or at that of the registry with a date to renew by', async () => {
  const shown = async () => {
    const reply = await (await seller.t.ctx.registries.of('up')).info('fields.org');
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
    return reply.data!;
  };
  const end = Math.floor(domain('fields.org')!.expiresAt! / 1_000) * 1_000;
  const early = end - 2 * 86_400_000;
  expect((await shown()).expiresAt!.getTime()).toBe(early);
  expect((await shown()).renewBy).toBeUndefined();
  await seller.connect(way(), ['org'], { ...more, openprovider: { ...openprovider, paidUntil: 'expiration_date' } });
  expect((await shown()).expiresAt!.getTime()).toBe(end);
  expect((await shown()).renewBy!.getTime()).toBe(early);
  await seller.connect(way(), ['org'], more);
});
