import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, SimulatorClock } from './simulators/clock.ts';
import type { FaultKind } from './simulators/faults.ts';
import { type LogicBoxesSettings, lenientSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';

type Values = Record<string, string | number | boolean | readonly string[]>;

let running: LogicBoxesSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});

/** A client that knows nothing of our drivers. */
async function open(settings: Partial<LogicBoxesSettings> = {}, clock = new SimulatorClock(), wall?: () => number) {
  const simulator = await LogicBoxesSimulator.start(settings, clock, wall);
  running.push(simulator);
  const { resellerId, apiKey } = simulator.state.settings;
  const customer = simulator.addCustomer('shop@example.com').id;

  const form = (values: Values): URLSearchParams => {
    const pairs = Object.entries({ 'auth-userid': resellerId, 'api-key': apiKey, ...values });
    return new URLSearchParams(
      pairs.flatMap(([key, value]) =>
        Array.isArray(value) ? value.map((each) => [key, `${each}`]) : [[key, `${value}`]],
      ),
    );
  };
  const read = async (response: Response) => {
    const text = await response.text();
    return {
      status: response.status,
      text,
      body: response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    };
  };
  const ask = async (call: string, values: Values = {}) =>
    read(await fetch(`${simulator.server.url}/api/${call}.json?${form(values)}`));
  const order = async (call: string, values: Values = {}) =>
    read(await fetch(`${simulator.server.url}/api/${call}.json`, { method: 'POST', body: form(values) }));

  const contact = {
    name: 'Ada Example',
    company: 'Example',
    email: 'ada@example.com',
    'address-line-1': '1 Main Street',
    city: 'Berlin',
    country: 'DE',
    zipcode: '10115',
    'phone-cc': '49',
    phone: '301234567',
    type: 'Contact',
    'customer-id': customer,
  };
  const contactId = String((await order('contacts/add', contact)).body);
  const roles = {
    'reg-contact-id': contactId,
    'admin-contact-id': contactId,
    'tech-contact-id': contactId,
    'billing-contact-id': contactId,
  };
  const common = { 'customer-id': customer, ...roles, 'invoice-option': 'NoInvoice', 'auto-renew': false };
  const nameservers = { ns: ['ns1.example.net', 'ns2.example.net'] };
  const register = (name: string, years = 1, values: Values = {}) =>
    order('domains/register', { 'domain-name': name, years, ...nameservers, ...common, ...values });
  const renew = (name: string, values: Values = {}) => {
    const { id, expiresAt } = simulator.state.portfolio.find(name)!;
    const date = Math.floor(expiresAt! / 1000);
    const rest = { 'exp-date': date, 'invoice-option': 'NoInvoice', 'auto-renew': false };
    return order('domains/renew', { 'order-id': id, years: 1, ...rest, ...values });
  };
  return { simulator, ...simulator.state, customer, contact, common, ask, order, register, renew };
}

describe('orders and money', () => {
  it('registers, renews, deletes with a refund, and the money agrees', async () => {
    const { ask, order, register, renew, ledger, simulator, portfolio, clock } = await open();
    const before = ledger.balance;
    const created = await register('one.com', 2);
    expect(created).toMatchObject({ status: 200, body: { description: 'one.com', actionstatus: 'Success' } });
    expect(created.body.sellingamount).toBeUndefined();
    expect((await renew('one.com')).body.actiontype).toBe('RenewDomain');
    expect(ledger.balance).toBe(before - 2 * 1_029 - 1_099);
    const { body } = await ask('domains/details-by-name', { 'domain-name': 'one.com', options: 'All' });
    expect(body.endtime).toBe(String(Math.floor(Date.UTC(2029, 0, 15, 12) / 1000)));
    expect(body.registrantcontact.emailaddr).toBe('ada@example.com');
    clock.advance(3 * dayMs);
    await order('domains/delete', { 'order-id': portfolio.find('one.com')!.id });
    expect(ledger.balance).toBe(before - 1_099);
    expect(simulator.problems()).toEqual([]);
    const balance = await ask('billing/reseller-balance', { 'reseller-id': simulator.state.settings.resellerId });
    expect(balance.body).toMatchObject({ sellingcurrencysymbol: 'USD', sellingcurrencybalance: 99_989.01 });
  });

  it('refuses a renewal by an outdated date, and charges nothing', async () => {
    const { register, renew, ledger } = await open();
    await register('twice.com');
    const outdated = (await renew('twice.com')).status === 200 ? Math.floor(Date.UTC(2027, 0, 15, 12) / 1000) : 0;
    const second = await renew('twice.com', { 'exp-date': outdated });
    expect(second.status).toBe(500);
    expect(second.body.status).toBe('error');
    expect(ledger.charges('twice.com')).toHaveLength(2);
  });

  it('restores what is deleted late, and forgets it after the redemption period', async () => {
    const { order, register, simulator, portfolio, clock, ledger } = await open();
    await register('late.com');
    const id = portfolio.find('late.com')!.id;
    clock.advance(20 * dayMs);
    await order('domains/delete', { 'order-id': id });
    expect(portfolio.find('late.com')!.status).toBe('redemption');
    await order('domains/restore', { 'order-id': id, 'invoice-option': 'NoInvoice' });
    expect(ledger.netOfDomain('late.com')).toBe(1_029 + 8_000);
    await order('domains/delete', { 'order-id': id });
    clock.advance(31 * dayMs);
    expect((await order('domains/restore', { 'order-id': id, 'invoice-option': 'NoInvoice' })).status).toBe(500);
    expect(simulator.problems()).toEqual([]);
  });

  it('transfers in with the code, and charges when the transfer is complete', async () => {
    const { ask, order, common, simulator, portfolio, ledger } = await open();
    simulator.addElsewhere('coming.org', { authCode: 'right' });
    expect((await ask('domains/validate-transfer', { 'domain-name': 'coming.org' })).body).toBe(true);
    const wrong = await order('domains/transfer', { 'domain-name': 'coming.org', 'auth-code': 'wrong', ...common });
    expect(wrong.body.actionstatus).toBe('Failed');
    const { body } = await order('domains/transfer', { 'domain-name': 'coming.org', 'auth-code': 'right', ...common });
    expect(ledger.charges('coming.org')).toHaveLength(0);
    expect(ledger.held).toBe(1_099);
    portfolio.complete(body.eaqid);
    expect(portfolio.find('coming.org')!.status).toBe('active');
    expect(simulator.problems()).toEqual([]);
    expect(ledger.netOfDomain('coming.org')).toBe(1_099);
  });

  it('refuses an order without money, and one for a premium domain without its attribute', async () => {
    const { register, simulator, ledger, ask } = await open({ funds: 5_000 });
    simulator.state.premium.set('gold.com', { create: 4_000, renew: 4_000, transfer: 4_000 });
    const check = await ask('domains/available', { 'domain-name': ['gold', 'plain'], tlds: ['com'] });
    expect(check.body['gold.com'].costHash.create).toBe('40.00');
    expect((await register('gold.com')).status).toBe(500);
    const premium = { 'attr-name1': 'premium', 'attr-value1': 'true' };
    expect((await register('gold.com', 1, premium)).status).toBe(200);
    expect((await register('plain.com')).body.error).toMatch(/funds/);
    expect(ledger.balance).toBe(1_000);
    expect(simulator.problems()).toEqual([]);
  });

  it('auto-renews, and charges, what is set to auto-renew', async () => {
    const { ask, register, clock, ledger, portfolio } = await open();
    await register('left-on.com', 1, { 'auto-renew': true });
    await register('off.com');
    clock.advance(366 * dayMs);
    await ask('domains/search', { 'no-of-records': 10, 'page-no': 1 });
    expect(ledger.netOfDomain('left-on.com')).toBe(1_029 + 1_099);
    expect(ledger.netOfDomain('off.com')).toBe(1_029);
    expect(portfolio.find('left-on.com')!.expiresAt).toBe(Date.UTC(2028, 0, 15, 12));
  });
});

describe('faults', () => {
  const carriedOut: Record<string, boolean> = {
    lost_before: false,
    error_before: false,
    maintenance: false,
    refused: false,
    lost_after: true,
    error_after: true,
    cut: true,
    numbers_as_text: true,
    doubled: true,
  };

  it.each(Object.entries(carriedOut))('%s: carried out %s', async (kind, isDone) => {
    const { register, simulator, ledger } = await open();
    simulator.faults.add({ kind: kind as FaultKind, call: 'domains/register', domain: 'a.com' });
    const answer = await register('a.com').catch(() => 'no answer');
    const isSilent = ['lost_before', 'lost_after', 'cut'].includes(kind);
    expect(answer === 'no answer').toBe(isSilent);
    expect(ledger.charges('a.com')).toHaveLength(isDone ? 1 : 0);
    expect(simulator.problems()).toEqual([]);
    expect((await register('b.com')).status).toBe(200);
  });

  it('a lost answer after the commit is visible in the search of orders and of transactions', async () => {
    const { ask, register, simulator } = await open();
    simulator.faults.add({ kind: 'lost_after', call: 'domains/register' });
    await expect(register('silent.com')).rejects.toThrow();
    const since = Math.floor(simulator.state.clock.now() / 1000) - 60;
    const found = await ask('domains/search', {
      'no-of-records': 10,
      'page-no': 1,
      'domain-name': 'silent.com',
      'creation-date-start': since,
    });
    expect(found.body).toMatchObject({ recsindb: '1', '1': { 'entity.currentstatus': 'Active' } });
    const paid = await ask('billing/reseller-transactions/search', {
      'no-of-records': 10,
      'page-no': 1,
      'transaction-description': 'silent.com',
    });
    expect(paid.body['1']['reseller_transaction.sellingamount']).toBe('10.29');
    expect(paid.body['1']['reseller_transaction.orderid']).toBe(found.body['1']['orders.orderid']);
  });

  it('saved and doubtful orders are open actions, and are charged when they complete', async () => {
    const { ask, register, simulator, ledger, portfolio } = await open();
    simulator.faults.add({ kind: 'saved', call: 'domains/register' });
    simulator.faults.add({ kind: 'in_doubt', call: 'domains/register' });
    simulator.faults.add({ kind: 'fails_later', call: 'domains/register' });
    const [saved, doubtful, failing] = [await register('s.com'), await register('d.com'), await register('f.com')];
    expect(saved.body.actionstatus).toBe('PendingExecution');
    expect((await ask('domains/orderid', { 'domain-name': 's.com' })).body).toBe(Number(saved.body.entityid));
    const { body } = await ask('actions/search-current', {
      'order-id': [saved.body.entityid, doubtful.body.entityid, failing.body.entityid],
      'no-of-records': 10,
      'page-no': 1,
    });
    expect(body.recsindb).toBe('3');
    expect(ledger.charges()).toHaveLength(0);
    portfolio.settle();
    expect(ledger.charges().map(({ domain }) => domain)).toEqual(['s.com', 'd.com']);
    expect(simulator.problems()).toEqual([]);
  });

  it('a held answer is sent when the test releases it', async () => {
    const { register, simulator, ledger } = await open();
    simulator.faults.add({ kind: 'delayed', call: 'domains/register' });
    let isAnswered = false;
    const answer = register('held.com').then((each) => {
      isAnswered = true;
      return each;
    });
    await simulator.faults.untilHeld();
    expect(ledger.charges('held.com')).toHaveLength(1);
    expect(isAnswered).toBe(false);
    simulator.faults.release();
    expect((await answer).status).toBe(200);
  });

  it('a cache shows the state before the last change', async () => {
    const { ask, register, renew, simulator } = await open();
    await register('cached.com');
    simulator.faults.add({ kind: 'stale', times: 2 });
    const check = await ask('domains/available', { 'domain-name': 'cached', tlds: 'com' });
    expect(check.body['cached.com'].status).toBe('available');
    expect((await ask('domains/orderid', { 'domain-name': 'cached.com' })).status).toBe(500);
    await renew('cached.com');
    simulator.faults.add({ kind: 'stale' });
    const old = await ask('domains/details-by-name', { 'domain-name': 'cached.com', options: 'OrderDetails' });
    const now = await ask('domains/details-by-name', { 'domain-name': 'cached.com', options: 'OrderDetails' });
    expect(Number(now.body.endtime) - Number(old.body.endtime)).toBe(365 * 86_400);
  });

  it('texts for numbers, missing fields, and a clock that is an hour off', async () => {
    const { ask, register, simulator, clock } = await open();
    simulator.faults.add({ kind: 'numbers_as_text', call: 'billing/reseller-balance' });
    const reseller = { 'reseller-id': simulator.state.settings.resellerId };
    const { body } = await ask('billing/reseller-balance', reseller);
    expect(body.sellingcurrencybalance).toBe('100000');
    clock.skewMs = 3_600_000;
    await register('m.com');
    simulator.faults.add({ kind: 'missing_fields', fields: ['endtime'] });
    const details = await ask('domains/details-by-name', { 'domain-name': 'm.com', options: 'All' });
    expect(details.body.endtime).toBeUndefined();
    expect(details.body.creationtime).toBe(String(Math.floor(Date.UTC(2026, 0, 15, 13) / 1000)));
  });

  it('random faults are the same for the same seed, and never charge twice', async () => {
    const run = async () => {
      const { register, simulator, ledger } = await open();
      const kinds = ['lost_before', 'lost_after', 'cut', 'doubled', 'saved', 'error_after'] as const;
      simulator.faults.random({ seed: 4711, rate: 0.5, kinds, call: /register/ });
      for (let number = 0; number < 40; number += 1) await register(`n${number}.com`).catch(() => undefined);
      expect(simulator.problems()).toEqual([]);
      for (let number = 0; number < 40; number += 1) expect(ledger.charges(`n${number}.com`).length).toBeLessThan(2);
      expect(ledger.held).toBeGreaterThan(0);
      return simulator.log.of('domains/register').map(({ fault }) => fault);
    };
    const [first, second] = [await run(), await run()];
    expect(first).toEqual(second);
    expect(new Set(first).size).toBeGreaterThan(4);
  });
});

describe('the account', () => {
  it('is blocked for too many identical calls, and for too many calls, until a test ends it', async () => {
    let now = 0;
    const limits = { identical: { calls: 3, withinMs: 1_000 }, all: { calls: 8, withinMs: 1_000 } };
    const { ask, simulator } = await open({ limits }, new SimulatorClock(), () => now);
    const same = { 'domain-name': 'x', tlds: 'com' };
    for (let count = 0; count < 3; count += 1) expect((await ask('domains/available', same)).status).toBe(200);
    await expect(ask('domains/available', same)).rejects.toThrow();
    await expect(ask('domains/available', { 'domain-name': 'y', tlds: 'com' })).rejects.toThrow();
    expect(simulator.server.blockedBecause).toMatch(/identical/);
    expect(simulator.log.mostIdentical(1_000)).toBe(4);
    now = 5_000;
    simulator.server.blockedBecause = undefined;
    for (let count = 0; count < 8; count += 1)
      expect((await ask('domains/available', { 'domain-name': `y${count}`, tlds: 'com' })).status).toBe(200);
    await expect(ask('domains/available', { 'domain-name': 'z', tlds: 'com' })).rejects.toThrow();
    expect(simulator.log.fastest(1_000)).toBe(9);
  });

  it('refuses a wrong key and an address that is not allowed, and logs no secret', async () => {
    const { ask, order, simulator } = await open();
    const wrong = await ask('domains/orderid', { 'domain-name': 'x.com', 'api-key': 'wrong-key' });
    expect(wrong).toMatchObject({ status: 500, body: { status: 'ERROR' } });
    simulator.allowed = false;
    expect((await ask('domains/orderid', { 'domain-name': 'x.com' })).status).toBe(403);
    await order('domains/transfer', { 'domain-name': 'x.com', 'auth-code': 'secret-code' });
    const logged = JSON.stringify(simulator.log.requests);
    for (const secret of ['wrong-key', 'secret-code', simulator.state.settings.apiKey])
      expect(logged).not.toContain(secret);
  });

  it('strict refuses what the documents do not name; lenient takes what clients send', async () => {
    const strict = await open();
    const { 'auto-renew': _, ...without } = strict.common;
    const asked = { 'domain-name': 'c.com', years: 1, ns: 'ns1.example.net', ...without };
    expect((await strict.order('domains/register', asked)).body.message).toMatch(/auto-renew/);
    expect((await strict.register('c.com', 1, { comment: 'x' })).body.message).toMatch(/comment/);
    expect((await strict.ask('domains/register', { ...asked, 'auto-renew': false })).status).toBe(500);
    expect((await strict.register('c.unknown')).body.message).toMatch(/unknown/);
    const lenient = await open(lenientSettings);
    const { 'auto-renew': __, ...common } = lenient.common;
    const sent = { 'domain-name': 'c.com', years: 1, ns: 'ns1.example.net', comment: 'x', ...common };
    expect((await lenient.order('domains/register', sent)).status).toBe(200);
  });

  it('gives contacts of a ccTLD their type and attributes, and -1 for roles that it lacks', async () => {
    const { order, contact, register, customer, simulator } = await open();
    expect((await order('contacts/add', { ...contact, type: 'EsContact' })).body.message).toMatch(/es_identificacion/);
    const id = { 'attr-name1': 'es_identificacion', 'attr-value1': '123' };
    const spanish = String((await order('contacts/add', { ...contact, type: 'EsContact', ...id })).body);
    expect((await register('a.es')).status).toBe(500);
    expect((await register('a.es', 1, { 'reg-contact-id': spanish })).status).toBe(200);
    const british = String((await order('contacts/add', { ...contact, type: 'UkContact' })).body);
    const none = { 'admin-contact-id': -1, 'tech-contact-id': -1, 'billing-contact-id': -1 };
    expect((await register('a.co.uk', 1, { 'reg-contact-id': british, ...none })).status).toBe(200);
    const other = simulator.addCustomer('other@example.com').id;
    expect((await register('b.com', 1, { 'customer-id': other })).body.message).toMatch(/not registered by you/);
    expect(customer).not.toBe(other);
  });

  it('lists 10,000 domains in 20 calls', async () => {
    const { ask, simulator, customer } = await open();
    for (let number = 0; number < 10_000; number += 1) simulator.addDomain(`d${number}.com`, customer);
    const names = new Set<string>();
    for (let number = 1; ; number += 1) {
      const { body } = await ask('domains/search', { 'no-of-records': 500, 'page-no': number, 'order-by': 'orderid' });
      const { recsonpage, recsindb, ...records } = body as Record<string, Record<string, string>>;
      for (const each of Object.values(records)) names.add(each['entity.description']!);
      if (number * 500 >= Number(recsindb)) break;
    }
    expect(names.size).toBe(10_000);
    expect(simulator.log.of('domains/search')).toHaveLength(20);
  });
});
