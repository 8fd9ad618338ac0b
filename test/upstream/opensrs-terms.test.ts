import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { localFields } from './local-fields.ts';
import { SimulatorClock, yearsLater } from './simulators/clock.ts';
import { strictSettings } from './simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from './simulators/opensrs/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
const prices = { new: 1_040, renewal: 1_060, transfer: 1_020, redeem: 7_000 };

let upstream: OpenSrsSimulator;
let seller: Seller;

beforeAll(async () => {
  const settings = { ...strictSettings, tlds: { ...strictSettings.tlds, org: prices } };
  upstream = await OpenSrsSimulator.start(settings, new SimulatorClock(Date.now));
  const { username: reseller, key } = upstream.state.settings;
  const opensrs = { visibleAfterSeconds: 0, tldFields: { org: { local_number: 'number' } } };
  const more = { dialect: 'opensrs', nameserversWithTransfer: true, opensrs, authCode: { madeBy: 'upstream' } };
  seller = await Seller.open({ port: upstream.server.port, reseller, key }, ['org'], more);
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
const charges = (name: string) => upstream.state.ledger.charges(name).map(({ amount }) => -amount);
const register = async (name: string, extra: Record<string, string> = {}) => {
  const called = await seller.order(name, { ns, ...extra });
  expect(called.status, called.text).toBe(200);
};
const sent = (name: string, at = 0) =>
  JSON.parse(upstream.log.of('sw_register domain').filter((each) => each.domain === name)[at]!.parameters);

test('an order has the additional fields of the domain', async () => {
  await register('fields.org', { extra: 'local_number=4711' });
  expect(sent('fields.org')).toMatchObject({ tld_data: { number: '4711' } });
});

test('a transfer has the contacts, nameservers and additional fields', async () => {
  upstream.addElsewhere('comes.org');
  const called = await seller.order('comes.org', { auth_code: 'Code-4711', ns, extra: 'local_number=12' });
  expect(called.status, called.text).toBe(202);
  await seller.until(called.body.operation_id, ['waiting_registry']);
  expect(sent('comes.org')).toMatchObject({
    tld_data: { number: '12' },
    contact_set: { owner: { email: 'budi@customer.example' } },
    custom_transfer_nameservers: '1',
    auto_renew: '0',
  });
  const { portfolio } = upstream.state;
  portfolio.complete(portfolio.openOrder(domain('comes.org')!.id)!.id);
  expect(await seller.settled(called.body.operation_id)).toBe('done');
  expect(domain('comes.org')!.nameservers).toEqual(ns.split(','));
  expect(upstream.log.of(/update_contacts|advanced_update/)).toEqual([]);
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

test('the price list is read with three requests for each TLD', async () => {
  const before = upstream.log.of('get_price domain').length;
  const reply = await (await seller.t.ctx.registries.of('up')).priceList!(['com', 'shop']);
  const fee = (amount: string) => ({ amount, currency: 'USD' });
  expect(reply).toMatchObject({
    kind: 'done',
    data: [
      { tld: 'com', command: 'create', years: 1, fee: fee('10.50') },
      { tld: 'com', command: 'renew', years: 1, fee: fee('11.50') },
      { tld: 'com', command: 'transfer', years: 1, fee: fee('10.50') },
    ],
  });
  expect(upstream.log.of('get_price domain').length - before).toBe(6);
});

describe('a renewal that is guarded by the year alone', () => {
  /** The guard lets a second one pass for as long as the first was not carried out. */
  test('is not repeated while an earlier one waits', async () => {
    await register('waits.org');
    const expires = domain('waits.org')!.expiresAt!;
    upstream.faults.add({ kind: 'in_doubt', call: 'renew domain', domain: 'waits.org' });
    const called = await seller.renew('waits.org', 3);
    expect(called.status, called.text).toBe(202);
    const looks = () => upstream.log.of('get_orders_by_domain domain').filter((each) => each.domain === 'waits.org');
    await expect.poll(() => looks().length, { timeout: 30_000 }).toBeGreaterThan(0);
    upstream.state.portfolio.settle();
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(domain('waits.org')!.expiresAt).toBe(yearsLater(expires, 1));
    expect(charges('waits.org')).toEqual([1_040, 1_060]);
  });

  test('charges an order once whose lost answer arrived late', async () => {
    await register('late.org');
    upstream.faults.add({ kind: 'lost_after', call: 'renew domain', domain: 'late.org' });
    const called = await seller.renew('late.org');
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(charges('late.org')).toEqual([1_040, 1_060]);
    expect(await seller.paid('late.org')).toBe(2_700);
  });
});
