import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, SimulatorClock } from './simulators/clock.ts';
import type { FaultKind } from './simulators/faults.ts';
import { type OpsMap, readEnvelope, writeEnvelope } from './simulators/opensrs/envelope.ts';
import { lenientSettings, type OpenSrsSettings } from './simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from './simulators/opensrs/simulator.ts';

/** The fields of answers that the tests read. */
interface Reply {
  readonly id: string;
  readonly orders: { readonly id: string }[];
  readonly field_hash: Record<string, string>;
  readonly forced_pending: string;
  readonly cancelled_orders: string[];
  readonly charge: string;
  readonly domain_auth_info: string;
  readonly count: string;
  readonly events: { readonly event_id: string }[];
  readonly exp_domains: { readonly name: string }[];
  readonly remainder: string;
}

let running: OpenSrsSimulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
});

const person = {
  first_name: 'Ada',
  last_name: 'Example',
  org_name: 'Example',
  address1: '1 Main Street',
  city: 'Berlin',
  country: 'DE',
  postal_code: '10115',
  phone: '+49.301234567',
  email: 'ada@example.com',
};

async function open(settings: Partial<OpenSrsSettings> = {}, wall?: () => number) {
  const simulator = await OpenSrsSimulator.start(settings, new SimulatorClock(), wall);
  running.push(simulator);
  const { username, key } = simulator.state.settings;
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const call = async (action: string, attributes: OpsMap = {}, object = 'domain') => {
    const body = writeEnvelope({ protocol: 'XCP', action, object, attributes });
    const headers = { 'Content-Type': 'text/xml', 'X-Username': username, 'X-Signature': md5(md5(body + key) + key) };
    const response = await fetch(simulator.server.url, { method: 'POST', body, headers });
    const reply = readEnvelope(await response.text());
    return { code: Number(reply.response_code), attributes: (reply.attributes ?? {}) as unknown as Reply };
  };
  const register = (domain: string, values: OpsMap = {}) =>
    call('sw_register', {
      domain,
      reg_type: 'new',
      reg_username: 'profile',
      reg_password: 'secret-password',
      handle: 'process',
      period: '1',
      auto_renew: '0',
      custom_nameservers: '1',
      nameserver_list: ['ns1.example.net', 'ns2.example.net'].map((name) => ({ name })),
      contact_set: { owner: person, admin: person, billing: person },
      ...values,
    });
  const renew = (domain: string, year: number, values: OpsMap = {}) => {
    const currentexpirationyear = String(year);
    return call('renew', { domain, currentexpirationyear, handle: 'process', period: '1', auto_renew: '0', ...values });
  };
  return { simulator, ...simulator.state, call, register, renew };
}

describe('orders and money', () => {
  it('keeps our reference in the order, and shows it after a lost answer', async () => {
    const { call, register, renew, simulator, ledger } = await open();
    simulator.faults.add({ kind: 'lost_after', call: 'sw_register domain' });
    await expect(register('lost.com', { affiliate_id: 'op_1' })).rejects.toThrow();
    await renew('lost.com', 2027, { affiliate_id: 'op_2' });
    const { attributes } = await call('get_orders_by_domain', { domain: 'lost.com', order_from: '2026-01-15' });
    expect(attributes.orders).toMatchObject([
      { type: 'new', status: 'completed' },
      { type: 'renewal', status: 'completed' },
    ]);
    const infos = await Promise.all(attributes.orders.map(({ id }) => call('get_order_info', { order_id: id })));
    expect(infos.map(({ attributes: { field_hash: order } }) => [order.affiliate_id, order.cost])).toEqual([
      ['op_1', '10.50'],
      ['op_2', '11.50'],
    ]);
    expect(ledger.netOfDomain('lost.com')).toBe(2_200);
    expect((await call('get_balance', {}, 'balance')).attributes).toEqual({
      balance: '99978.00',
      hold_balance: '0.00',
    });
    expect(simulator.problems()).toEqual([]);
  });

  it('refuses a renewal by a year that is past, as the setting says', async () => {
    for (const repeatedRenewal of [465, 555] as const) {
      const { register, renew, ledger } = await open({ repeatedRenewal });
      await register('a.com');
      expect((await renew('a.com', 2027)).code).toBe(200);
      expect((await renew('a.com', 2027)).code).toBe(repeatedRenewal);
      expect((await renew('a.com', 2020)).code).toBe(465);
      expect(ledger.charges('a.com')).toHaveLength(2);
    }
  });

  it('a saved order is charged when it is processed, and cancelled by a new one', async () => {
    const { call, register, ledger, simulator } = await open();
    const saved = await register('saved.com', { handle: 'save' });
    expect(saved.attributes.forced_pending).toBe(saved.attributes.id);
    expect(ledger.charges()).toHaveLength(0);
    expect((await call('lookup', { domain: 'saved.com', no_cache: '1' })).code).toBe(221);
    const second = await register('saved.com', { handle: 'save' });
    expect(second.attributes.cancelled_orders).toEqual([saved.attributes.id]);
    expect((await call('process_pending', { order_id: saved.attributes.id })).code).toBe(465);
    expect((await call('process_pending', { order_id: second.attributes.id })).code).toBe(200);
    expect(ledger.netOfDomain('saved.com')).toBe(1_050);
    expect(simulator.problems()).toEqual([]);
  });

  it('an order at an asynchronous registry waits, and another one is refused until then', async () => {
    const { call, register, renew, portfolio, simulator } = await open({ ordersWait: true });
    const waiting = await register('async.com');
    expect(waiting.code).toBe(250);
    expect((await register('async.com')).code).toBe(486);
    portfolio.complete(waiting.attributes.id);
    expect((await renew('async.com', 2027)).code).toBe(250);
    expect((await renew('async.com', 2027)).code).toBe(437);
    const { attributes } = await call('get_orders_by_domain', { domain: 'async.com', type: 'renewal' });
    expect(attributes.orders).toMatchObject([{ status: 'processed' }]);
    portfolio.settle();
    expect(simulator.problems()).toEqual([]);
  });

  it('revokes with and without a refund, and redeems', async () => {
    const { call, register, clock, ledger, settings, simulator } = await open();
    await register('soon.com');
    await register('late.com');
    await call('revoke', { domain: 'soon.com', reseller: settings.username });
    clock.advance(10 * dayMs);
    expect((await call('revoke', { domain: 'late.com', reseller: settings.username })).attributes.charge).toBe('1');
    expect((await call('get', { domain: 'late.com', type: 'all_info' })).code).toBe(480);
    const deleted = await call('get_deleted_domains', { domain: 'late.com' });
    expect(deleted.attributes).toMatchObject({ total: '1', del_domains: [{ name: 'late.com', reason: 'Revoked' }] });
    expect((await call('redeem', { domain: 'late.com' })).code).toBe(200);
    expect([ledger.netOfDomain('soon.com'), ledger.netOfDomain('late.com')]).toEqual([0, 1_050 + 8_500]);
    expect(simulator.problems()).toEqual([]);
  });

  it('changes locks, nameservers, codes, contacts and hosts', async () => {
    const { call, register, portfolio } = await open();
    await register('c.com', { f_lock_domain: '1', f_whois_privacy: '1' });
    await call('modify', { domain: 'c.com', data: 'status', lock_state: '0' });
    await call('modify', { domain: 'c.com', data: 'domain_auth_info', domain_auth_info: 'New-Code-1' });
    const hosts = { add_ns: ['ns9.example.net'], remove_ns: ['ns1.example.net'] };
    await call('advanced_update_nameservers', { domain: 'c.com', op_type: 'add_remove', ...hosts });
    await call('update_contacts', {
      domain: 'c.com',
      types: ['owner'],
      contact_set: { owner: { ...person, city: 'Ulm' } },
    });
    await call('create', { name: 'ns1.c.com', domain: 'c.com', ipaddress: '192.0.2.1' }, 'nameserver');
    expect(portfolio.find('c.com')).toMatchObject({
      locked: false,
      privacy: true,
      nameservers: ['ns2.example.net', 'ns9.example.net'],
      hosts: { 'ns1.c.com': ['192.0.2.1'] },
    });
    const { attributes } = await call('get', { domain: 'c.com', type: 'all_info' });
    expect(attributes).toMatchObject({ expiredate: '2027-01-15 12:00:00', contact_set: { owner: { city: 'Ulm' } } });
    const code = await call('get', { domain: 'c.com', type: 'domain_auth_info' });
    expect(code.attributes.domain_auth_info).toBe('New-Code-1');
  });
});

describe('faults and the account', () => {
  const carriedOut: [FaultKind, boolean][] = [
    ['lost_before', false],
    ['maintenance', false],
    ['refused', false],
    ['cut', true],
    ['error_after', true],
    ['doubled', true],
    ['missing_fields', true],
  ];

  it.each(carriedOut)('%s: carried out %s', async (kind, isDone) => {
    const { register, simulator, ledger } = await open();
    simulator.faults.add({ kind, call: 'sw_register domain', fields: ['id'] });
    const answer = await register('a.com').catch(() => undefined);
    expect(answer?.attributes.id).toBeUndefined();
    expect(ledger.charges('a.com')).toHaveLength(isDone ? 1 : 0);
    expect(simulator.problems()).toEqual([]);
    expect((await register('b.com')).code).toBe(200);
  });

  it('a look-up comes from a cache unless it says otherwise', async () => {
    const { call, register, simulator } = await open();
    await register('cached.com');
    simulator.faults.add({ kind: 'stale', call: 'lookup domain', times: 2 });
    expect((await call('lookup', { domain: 'cached.com' })).code).toBe(210);
    expect((await call('lookup', { domain: 'cached.com', no_cache: '1' })).code).toBe(211);
  });

  it('answers 300 above its rate, 480 for the domain of another account, and 430 for an unknown command', async () => {
    const { call } = await open({ limits: { all: { calls: 4, withinMs: 1_000 } } }, () => 0);
    expect((await call('get', { domain: 'other.com', type: 'all_info' })).code).toBe(480);
    expect((await call('explode')).code).toBe(430);
    expect((await call('lookup', { domain: 'x.unknown' })).code).toBe(465);
    expect((await call('lookup', { domain: 'x.com', comment: 'x' })).code).toBe(465);
    expect((await call('lookup', { domain: 'x.com' })).code).toBe(300);
    const lenient = await open(lenientSettings);
    expect((await lenient.call('lookup', { domain: 'x.com', comment: 'x' })).code).toBe(210);
  });

  it('reports events once they are switched on, until they are acknowledged', async () => {
    const { call, register } = await open({ events: true });
    await register('e.com');
    const { attributes } = await call('poll', { limit: '10' }, 'event');
    expect(attributes).toMatchObject({ count: '1', events: [{ object: 'DOMAIN', event: 'REGISTERED' }] });
    await call('ack', { event_id: attributes.events[0]!.event_id }, 'event');
    expect((await call('poll', {}, 'event')).attributes.count).toBe('0');
  });

  it('lists 3,000 domains in 3 pages, and reads no document type but its own', async () => {
    const { call, simulator } = await open();
    for (let number = 0; number < 3_000; number += 1) simulator.addDomain(`d${number}.com`);
    const names = new Set<string>();
    for (let page = 1; ; page += 1) {
      const range = { exp_from: '2026-01-01', exp_to: '2036-01-01', limit: '1000', page: String(page) };
      const { attributes } = await call('get_domains_by_expiredate', range);
      for (const { name } of attributes.exp_domains) names.add(name);
      if (attributes.remainder === '0') break;
    }
    expect(names.size).toBe(3_000);
    expect(simulator.log.of('get_domains_by_expiredate domain')).toHaveLength(3);
    const entity = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><OPS_envelope/>';
    expect(() => readEnvelope(entity)).toThrow();
  });
});
