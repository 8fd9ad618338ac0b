import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import type { Reply } from '../../packages/server/src/core/ports/registry.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { localFields } from './local-fields.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
const prices = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };

let upstream: LogicBoxesSimulator;
let seller: Seller;
const more = () => ({
  dialect: 'logicboxes',
  customerId: [...upstream.state.customers.keys()][0],
  nameserversWithTransfer: true,
  logicboxes: { visibleAfterSeconds: 0, tlds: { org: { fields: { local_number: 'number' } } } },
});
const autoRenewCalls = { on: 'domains/enable-auto-renewal', off: 'domains/disable-auto-renewal' };
const way = () => {
  const { resellerId: reseller, apiKey: key } = upstream.state.settings;
  return { port: upstream.server.port, reseller, key };
};

beforeAll(async () => {
  const products = { ...strictSettings.products, domorg: prices };
  upstream = await LogicBoxesSimulator.start({ ...strictSettings, products }, new SimulatorClock(Date.now));
  upstream.addCustomer('shop@example.com');
  seller = await Seller.open(way(), ['org'], more());
  await loadCatalogue(seller.t.ctx, JSON.stringify([localFields('org')]), 'org.json');
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

describe('an order', () => {
  test('has the additional fields of the domain', async () => {
    await register('fields.org', { extra: 'local_number=4711' });
    const [request] = upstream.log.of('domains/register').filter(({ domain }) => domain === 'fields.org');
    expect(request?.parameters).toContain('attr-name1=number&attr-value1=4711');
  });

  test('includes contacts, nameservers and additional fields in a transfer', async () => {
    upstream.addElsewhere('comes.org');
    const called = await seller.order('comes.org', { auth_code: 'Code-4711', ns, extra: 'local_number=12' });
    expect(called.status, called.text).toBe(202);
    await seller.until(called.body.operation_id, ['waiting_registry']);
    const [request] = upstream.log.of('domains/transfer').filter(({ domain }) => domain === 'comes.org');
    expect(request?.parameters).toContain('attr-name1=number&attr-value1=12');
    const { contacts, nameservers, id } = domain('comes.org')!;
    expect(nameservers).toEqual(ns.split(','));
    const registrant = upstream.state.contacts.get(contacts.reg!);
    expect(registrant?.fields.email).toBe('budi@customer.example');
    const { portfolio } = upstream.state;
    portfolio.complete(portfolio.openOrder(id)!.id);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(domain('comes.org')!.contacts).toEqual(contacts);
    expect(upstream.log.of('domains/modify-contact')).toEqual([]);
    expect(upstream.log.of('domains/modify-ns')).toEqual([]);
  });
});

describe('a renewal by the upstream itself', () => {
  test('is off in each order', async () => {
    await register('off.org');
    expect(domain('off.org')!.autoRenew).toBe(false);
    expect(await reconcileNames(seller.t.ctx, ['off.org'])).toMatchObject([{ drift: [] }]);
  });

  test('is reported if the profile has no call for it', async () => {
    await register('on.org');
    domain('on.org')!.autoRenew = true;
    const difference = { field: 'auto_renewal', ours: false, theirs: true };
    const [reported] = await reconcileNames(seller.t.ctx, ['on.org']);
    expect(reported?.drift).toEqual([{ ...difference, action: 'reported' }]);
    expect(domain('on.org')!.autoRenew).toBe(true);
  });

  test('is switched off', async () => {
    const { logicboxes, ...others } = more();
    await seller.connect(way(), ['org'], { ...others, logicboxes: { ...logicboxes, autoRenewCalls } });
    const [repaired] = await reconcileNames(seller.t.ctx, ['on.org']);
    expect(repaired?.drift).toMatchObject([{ field: 'auto_renewal', action: 'repaired' }]);
    expect(domain('on.org')!.autoRenew).toBe(false);
    const { body } = await seller.t.call('GET', '/v1/events', { query: { limit: '500' } });
    const about = body.events.filter(
      (event: { payload: { domain_name?: string } }) => event.payload.domain_name === 'on.org',
    );
    expect(about.map(({ type }: { type: string }) => type)).toContain('domain.repaired');
    expect(await reconcileNames(seller.t.ctx, ['on.org'])).toMatchObject([{ drift: [] }]);
  });
});

const port = () => seller.t.ctx.registries.of('up');
const dataOf = <T>(reply: Reply<T>): T => {
  if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
  return reply.data;
};

describe('the price list', () => {
  const wanted = ['com', 'co.uk', 'shop'];
  const fee = (amount: string) => ({ amount, currency: 'USD' });

  test('has our costs of one year, and none of what is not sold', async () => {
    const listed = dataOf(await (await port()).priceList!(wanted));
    expect(listed.filter(({ tld }) => tld === 'com')).toEqual([
      { tld: 'com', command: 'create', years: 1, fee: fee('10.29') },
      { tld: 'com', command: 'renew', years: 1, fee: fee('10.99') },
      { tld: 'com', command: 'transfer', years: 1, fee: fee('10.29') },
      { tld: 'com', command: 'restore', years: 1, fee: fee('80') },
    ]);
    expect(listed).toContainEqual({ tld: 'co.uk', command: 'transfer', years: 1, fee: fee('0') });
    expect(listed.some(({ tld }) => tld === 'shop')).toBe(false);
  });

  test('is not read if an answer has another form', async () => {
    upstream.faults.add({ kind: 'missing_fields', call: 'products/category-keys-mapping', fields: ['domorder'] });
    expect(await (await port()).priceList!(wanted)).toMatchObject({ kind: 'unsent' });
  });

  test('has the TLDs of the account', async () => {
    const offered = dataOf(await (await port()).offeredTlds!());
    expect(offered.map(({ tld }) => tld)).toEqual(['ca', 'co.uk', 'com', 'es', 'net', 'org']);
  });
});

describe('the privacy service', () => {
  const privacy = (method: string, name: string, more = '') =>
    seller.t.call(method, `/v1/domains/${name}/privacy_protection${more}`, { headers: { Prefer: 'wait=60' } });

  beforeAll(async () => {
    const rules = { privacy_offered: true, privacy_method: 'upstream' };
    await loadCatalogue(seller.t.ctx, JSON.stringify([localFields('org', rules)]), 'org.json');
    const csv = 'tld,action,years,currency,amount\norg,privacy,1,USD,3.00';
    for (const target of ['cost', 'reseller']) {
      const json = { target, csv: target === 'cost' ? csv.replace('3.00', '0.00') : csv };
      const called = await seller.t.call('POST', '/v1/account/price_list/import', { json, as: seller.t.operator });
      expect(called.status, called.text).toBe(200);
    }
  });

  test('is part of the order, and of what we charge', async () => {
    await register('private.org', { purchase_privacy_protection: 'true' });
    expect(domain('private.org')!.privacy).toBe(true);
    expect(await seller.paid('private.org')).toBe(1_600);
    const info = dataOf(await (await port()).info('private.org'));
    expect(info).toMatchObject({ isPrivate: true });
    const { fields } = upstream.state.contacts.get(domain('private.org')!.contacts.reg!)!;
    expect(fields.email).toBe('budi@customer.example');
  });

  test('is switched off and on, also with a lost answer', async () => {
    upstream.faults.add({ kind: 'lost_after', call: 'domains/modify-privacy-protection', domain: 'private.org' });
    expect((await privacy('DELETE', 'private.org')).status).toBe(200);
    expect(domain('private.org')!.privacy).toBe(false);
    expect((await privacy('PUT', 'private.org')).status).toBe(200);
    expect(domain('private.org')!.privacy).toBe(true);
  });

  test('is bought later', async () => {
    await register('later-private.org');
    const form = { invoice_option: 'no_invoice' };
    const path = '/v1/domains/later-private.org/privacy_protection/buy';
    const called = await seller.t.call('POST', path, { form, headers: { Prefer: 'wait=60' } });
    expect(called.status, called.text).toBe(200);
    expect(domain('later-private.org')!.privacy).toBe(true);
    const { paid } = await seller.t.ctx.db.as(allTenants).one<{ paid: string }>(sql`
      select sum(t.captured - t.refunded) as paid from ledger_transaction t join domain d on d.id = t.domain_id
      where d.name = 'later-private.org' and t.reseller_id = 1000`);
    expect(Number(paid)).toBe(1_600);
  });
});

describe('auth codes of the upstream', () => {
  beforeAll(() => seller.connect(way(), ['org'], { ...more(), authCode: { madeBy: 'upstream' } }));
  const code = () => seller.t.call('GET', '/v1/domains/off.org/auth_code', { headers: { Prefer: 'wait=60' } });

  test('are read when they are requested', async () => {
    const answer = await code();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toBe(domain('off.org')!.authCode);
    expect(upstream.log.of('domains/modify-auth-code')).toEqual([]);
  });

  test('are not replaced by ours', async () => {
    const form = { auth_code: 'An-Auth-Code-4711' };
    const { status, body } = await seller.t.call('PUT', '/v1/domains/off.org/auth_code', { form });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: 'auth_code' }]);
  });

  test('requests prices again that cannot be read now', async () => {
    upstream.faults.add({ kind: 'missing_fields', call: 'domains/details', fields: ['domsecret'] });
    const called = await seller.t.call('GET', '/v1/domains/on.org/auth_code', { headers: { Prefer: 'wait=1' } });
    expect(called.status, called.text).toBe(202);
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    const { body } = await seller.t.call('GET', '/v1/domains/on.org/auth_code');
    expect(body).toBe(domain('on.org')!.authCode);
  });
});

describe('a list of 10,000 domains', () => {
  const rows = async () => {
    const { count } = await seller.t.ctx.db
      .as(allTenants)
      .one<{ count: string }>(sql`select count(*) as count from registry_listing`);
    return Number(count);
  };

  test('is read with 20 requests, in byte order, and leaves no rows', async () => {
    const customer = [...upstream.state.customers.keys()][0]!;
    const before = upstream.state.portfolio.domains.size;
    for (let place = before; place < 10_000; place += 1)
      upstream.addDomain(`listed-${(place * 7919) % 10_007}.org`, customer);
    const requests = () => upstream.log.of('domains/search').length;
    const [began, registry] = [requests(), await port()];
    const names: string[] = [];
    const limit = 1_000;
    for (let after = ''; ; ) {
      const page = dataOf(await registry.holdings!({ after, limit }));
      names.push(...page.map(({ name }) => name));
      if (page.length < limit) break;
      after = page.at(-1)!.name;
      expect(await rows()).toBeGreaterThan(0);
    }
    expect(requests() - began).toBe(20);
    expect(names).toEqual([...upstream.state.portfolio.domains.values()].map(({ name }) => name).sort());
    expect(await rows()).toBe(0);
  });

  test('has the charges of each domain', async () => {
    const registry = await port();
    const page = dataOf(await registry.holdings!({ after: 'fields', limit: 1 }));
    expect(page).toMatchObject([
      {
        name: 'fields.org',
        isOurs: true,
        lines: [{ kind: 'charge', command: 'create', fee: { amount: '10.4', currency: 'USD' } }],
      },
    ]);
    expect(page[0]!.lines![0]!.at).toBeInstanceOf(Date);
    expect(dataOf(await registry.holdings!({ name: 'fields.org' }))).toEqual(page);
  });

  test('keeps no rows of a list that cannot be read to its end', async () => {
    upstream.faults.add({ kind: 'maintenance', call: 'billing/reseller-transactions/search' });
    expect(await (await port()).holdings!({ after: '', limit: 10 })).toMatchObject({ kind: 'unsent' });
    expect(await rows()).toBe(0);
  });
});
