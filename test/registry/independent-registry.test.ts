import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { changeRegistryPassword } from '../../packages/server/src/registries/password.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { makeContact } from '../support/parties.ts';
import type { TestService } from '../support/service.ts';
import { cutCreates } from './cuts.ts';
import { accounts } from './far-registry.ts';
import { feeOf, newContact, newDomain, ofDomain, Registrar, secret } from './registrar.ts';
import { Shop } from './shop.ts';

/** Through the HTTP API of a service that knows the far registry by configuration alone. */
let shop: Shop;
let otherRegistrar: Registrar;
let other: TestService;
beforeAll(async () => {
  shop = await Shop.open({ NAMEHOLD_THEFT_PROTECTION: 'off' });
  otherRegistrar = await Registrar.login(shop.far, accounts.other);
  expect((await otherRegistrar.say(newContact('other-ada')))?.code).toBe(1000);
});
afterAll(async () => {
  otherRegistrar?.close();
  await shop?.close();
});

const call: Shop['t']['call'] = (...given) => shop.t.call(...given);
const put = async (name: string, path: string, form: Record<string, string>) => {
  const called = await call('PUT', `/v1/domains/${name}/${path}`, { form });
  expect(called.status, called.text).toBe(200);
};
const theirs = async (command: string) => (await otherRegistrar.say(command))?.code;
const otherRegistrarHolds = async (name: string) =>
  expect(await theirs(newDomain(name, 'other-ada', { extension: feeOf('create', '8.10') }))).toBe(1000);
const transferOf = (name: string, op: string, code = '') =>
  ofDomain(
    'transfer',
    `<d:name>${name}</d:name>${code ? `<d:authInfo><d:pw>${code}</d:pw></d:authInfo>` : ''}`,
    '',
    op,
  );
const frames = async (pattern: RegExp) =>
  (await shop.far.log()).filter(({ way, frame }) => way === 'in' && pattern.test(frame));

test('the connection test accepts the profile', async () => {
  expect(await testConnection(shop.t.ctx, 'far')).toEqual({
    ok: true,
    findings: ['the server calls itself The Far Registry', 'check, info and poll are answered as expected'],
  });
});

describe('a domain of ours', () => {
  test("is bought with host attributes and an auth code by the registry's rules", async () => {
    const found = await call('GET', '/v1/domains/availability', { query: { domain: 'first.far' } });
    expect(found.body[0]).toMatchObject({ status: 'available' });
    await shop.buy('first.far', { years: '2', ns: 'ns1.elsewhere.example,ns2.elsewhere.example' });
    const there = await shop.far.name('first.far');
    expect(Object.keys(there.nameservers)).toEqual(['ns1.elsewhere.example', 'ns2.elsewhere.example']);
    expect(there.auth).toMatch(/^(?=.*\d)(?=.*[a-z])(?=.*[^a-z0-9]).{8,16}$/i);
    expect(await shop.charged('first.far')).toEqual(['charge create 1620']);
    const { end_date } = await shop.read('first.far');
    expect(end_date.slice(0, 10)).toBe(there.expires_at.slice(0, 10));
  });

  test('is renewed once, by its date', async () => {
    const { end_date } = await shop.read('first.far');
    const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice' };
    const called = await call('POST', '/v1/domains/first.far/renew', { form });
    expect(called.status, called.text).toBe(200);
    expect(await shop.charged('first.far')).toEqual(['charge create 1620', 'charge renew 935']);
    const there = await shop.far.name('first.far');
    expect((await shop.read('first.far')).end_date.slice(0, 10)).toBe(there.expires_at.slice(0, 10));
    const row = await shop.row('first.far');
    expect(row.registry_expires_at.toISOString()).toBe(new Date(there.expires_at).toISOString());
  });

  test('gets other nameservers, contacts, keys, locks and another auth code', async () => {
    await put('first.far', 'ns', { ns: 'ns2.elsewhere.example,ns3.elsewhere.example' });
    const contact = await makeContact(shop.t, '2001', undefined, { name: 'Second Holder' });
    const before = (await shop.far.name('first.far')).registrant;
    const form = Object.fromEntries(
      ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, contact]),
    );
    await put('first.far', 'contacts', form);
    const ds = { keytag: '4711', algorithm: '13', digesttype: '2', digest: 'ab'.repeat(32) };
    const added = await call('POST', '/v1/domains/first.far/dnssec', { form: ds });
    expect(added.status, added.text).toBe(200);
    await put('first.far', 'theft_protection', {});
    await put('first.far', 'auth_code', { auth_code: 'Qw3.rtzuiopX' });
    const there = await shop.far.name('first.far');
    expect(Object.keys(there.nameservers)).toEqual(['ns2.elsewhere.example', 'ns3.elsewhere.example']);
    expect(there.registrant).not.toBe(before);
    expect(there.ds).toEqual([['4711', '13', '2', 'AB'.repeat(32)]]);
    expect(there.statuses).toContain('clientTransferProhibited');
    expect(there.auth).toBe('Qw3.rtzuiopX');
    expect(await frames(/host-1\.0|hostObj/)).toEqual([]);
  });

  test('is deleted within its grace period, and later deleted and restored', async () => {
    await shop.buy('returned.far');
    expect((await call('DELETE', '/v1/domains/returned.far')).status).toBe(200);
    expect(await shop.charged('returned.far')).toEqual(['charge create 810', 'refund create 810']);
    expect(await shop.far.name('returned.far')).toBeUndefined();
    await shop.buy('restored.far');
    await shop.moveClock('+6d');
    expect((await call('DELETE', '/v1/domains/restored.far')).status).toBe(200);
    expect(await shop.far.name('restored.far')).toMatchObject({ leaving: 'redemptionPeriod' });
    // Neither the answer to the request nor the one to the report arrives.
    await shop.far.fault({ on: 'domain:update', do: 'drop', times: 2 });
    const form = { invoice_option: 'no_invoice' };
    const called = await call('POST', '/v1/domains/restored.far/restore', { form });
    expect(called.status, called.text).toBe(200);
    expect(await shop.far.name('restored.far')).toMatchObject({ leaving: '' });
    expect(await shop.charged('restored.far')).toEqual(['charge create 810', 'charge restore 4400']);
  });
});

describe('a domain of another registrar', () => {
  test('is unavailable, and the registry returns no data to others', async () => {
    await otherRegistrarHolds('taken.far');
    const called = await shop.order('taken.far');
    expect(called.body, called.text).toMatchObject({ code: 'domain_not_available' });
    expect(await shop.held()).toBe(0);
  });

  test('registered between check and order leads to a refusal and releases the money', async () => {
    await shop.far.fault({ on: 'domain:check', do: 'hold' });
    const ordered = shop.order('raced.far');
    await shop.until(async () => expect((await frames(/check>.*raced\.far/)).length).toBeGreaterThan(0));
    await otherRegistrarHolds('raced.far');
    await shop.far.release();
    const called = await ordered;
    expect(called.status, called.text).toBeGreaterThanOrEqual(400);
    expect(called.body.code).toBe('domain_not_available');
    expect(await frames(/create>.*raced\.far/)).toHaveLength(2);
    expect(await shop.held()).toBe(0);
  });

  test('sells a domain with a premium price only at an accepted price', async () => {
    const found = await call('GET', '/v1/domains/availability', { query: { domain: 'golden.far' } });
    expect(found.body[0]['golden.far']).toMatchObject({ price: { amount: '550.00' }, premium: true });
    expect((await shop.order('golden.far')).status).toBe(400);
    expect(await shop.charged('golden.far')).toEqual([]);
    await shop.buy('golden.far', { max_price: '550.00' });
    const { end_date } = await shop.read('golden.far');
    const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice', max_price: '550.00' };
    const renewed = await call('POST', '/v1/domains/golden.far/renew', { form });
    expect(renewed.status, renewed.text).toBe(200);
    expect(await shop.charged('golden.far')).toEqual(['charge create 50000', 'charge renew 50000']);
  });
});

test('refuses to renew at list price a domain that became premium after its sale', async () => {
  await shop.buy('turned.far');
  await shop.far.makePremium('turned.far');
  const { end_date } = await shop.read('turned.far');
  const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice' };
  const renew = (more: Record<string, string> = {}) =>
    call('POST', '/v1/domains/turned.far/renew', { form: { ...form, ...more } });
  expect((await renew()).body, 'without a guard').toMatchObject({ code: 'price_guard_required' });
  expect(await shop.charged('turned.far')).toEqual(['charge create 810']);
  const renewed = await renew({ max_price: '550.00' });
  expect(renewed.status, renewed.text).toBe(200);
  expect(await shop.charged('turned.far')).toEqual(['charge create 810', 'charge renew 50000']);
});

describe('a transfer', () => {
  test('completes a transfer in by approval, and after five days without a response', async () => {
    await otherRegistrarHolds('coming.far');
    await otherRegistrarHolds('silent.far');
    await shop.moveClock('+61d');
    const orders: { operation_id: string; domain_id: string }[] = [];
    for (const [name, code] of [
      ['coming.far', 'wrong.1234'],
      ['silent.far', secret],
    ] as const) {
      if (name === 'silent.far') await shop.far.fault({ on: 'domain:transfer', do: 'drop' });
      const called = await shop.order(name, { auth_code: code });
      expect(called.status, called.text).toBe(202);
      orders.push(called.body);
    }
    const another = await call('PUT', `/v1/domains/${orders[0]!.domain_id}/transfer/auth_code`, {
      form: { auth_code: secret },
    });
    expect(another.status, another.text).toBeLessThan(300);
    await shop.until(async () => expect((await shop.far.name('coming.far')).statuses).toContain('pendingTransfer'));
    expect(await theirs(transferOf('coming.far', 'approve'))).toBe(1000);
    await shop.poll();
    expect(await shop.settled(orders[0]!.operation_id)).toBe('done');
    await shop.moveClock('+6d');
    await shop.poll();
    expect(await shop.settled(orders[1]!.operation_id)).toBe('done');
    for (const name of ['coming.far', 'silent.far']) {
      expect(await shop.charged(name)).toEqual(['charge transfer 890']);
      expect((await shop.read(name)).order_status).toBe('Live');
      await shop.until(async () => expect((await shop.far.name(name)).registrant).not.toBe('other-ada'));
    }
  });

  test('completes a transfer out after our approval, and ends it after our rejection', async () => {
    for (const name of ['going.far', 'staying.far']) await shop.buy(name);
    await shop.moveClock('+61d');
    for (const name of ['going.far', 'staying.far']) {
      const { body: code } = await call('GET', `/v1/domains/${name}/auth_code`);
      expect(await theirs(transferOf(name, 'request', code))).toBe(1001);
    }
    await shop.poll();
    for (const name of ['going.far', 'staying.far'])
      await shop.until(async () => expect((await shop.read(name)).order_status).toBe('Pending Transfer'));
    const approved = await call('POST', '/v1/domains/going.far/transfer/approve', { form: {} });
    expect(approved.status, approved.text).toBe(200);
    const rejected = await call('POST', '/v1/domains/staying.far/transfer/reject', { form: { reason: 'fraud' } });
    expect(rejected.status, rejected.text).toBe(200);
    expect(await shop.far.name('going.far')).toMatchObject({ sponsor: accounts.other.id });
    expect(await shop.far.name('staying.far')).toMatchObject({ sponsor: accounts.ours.id });
    expect((await shop.read('going.far')).order_status).toBe('Transferred Away');
  });
});

test('reads poll messages of any kind to the end of the queue', async () => {
  await shop.far.tell(accounts.ours.id, 'Low balance: 12.00 USD');
  await shop.far.tell(
    accounts.ours.id,
    'of another world',
    '<x:odd xmlns:x="urn:x"><x:at>2026-13-45 25:00</x:at></x:odd>',
  );
  await shop.far.tell(
    accounts.ours.id,
    'a transfer without its dates',
    '<d:trnData xmlns:d="urn:ietf:params:xml:ns:domain-1.0"><d:name>first.far</d:name><d:trStatus>pending</d:trStatus></d:trnData>',
  );
  await shop.poll();
  await shop.until(async () => expect(await shop.far.waiting(accounts.ours.id)).toEqual([]));
  // The last message has a type that must be parsed, and is unreadable.
  const alarmKeys = (await openAlarms(shop.t.ctx)).map(({ key }) => key);
  expect(alarmKeys.filter((key) => key.includes(':message:'))).toHaveLength(1);
});

test('executes and charges a command with a lost answer once', async () => {
  const { end_date } = await shop.read('first.far');
  for (const on of ['domain:renew', 'contact:create', 'domain:update', 'domain:delete'])
    await shop.far.fault({ on, do: 'drop' });
  const form = { years: '1', current_date: end_date.slice(0, 10), invoice_option: 'no_invoice' };
  const renewed = await call('POST', '/v1/domains/first.far/renew', { form });
  expect(renewed.status, renewed.text).toBe(200);
  const contact = await makeContact(shop.t, '2001', undefined, { name: 'Third Holder' });
  await shop.buy('lost.far', { registrant_contact_id: contact });
  await put('lost.far', 'ns', { ns: 'ns8.elsewhere.example,ns9.elsewhere.example' });
  const deleted = await call('DELETE', '/v1/domains/lost.far');
  expect(deleted.status, deleted.text).toBe(200);
  expect(await shop.far.pendingFaults()).toEqual([]);
  expect(await shop.charged('first.far')).toEqual(['charge create 1620', 'charge renew 935', 'charge renew 935']);
  expect(await shop.charged('lost.far')).toEqual(['charge create 810', 'refund create 810']);
});

test('settles creates with truncated answers with one domain and one charge', async () => {
  const length = await shop.lengthOfCreated('first.far');
  const places = [0, 1, 3, 4, 5, 40, 120, 200, length >> 1, length - 60, length - 2, length - 1];
  await cutCreates(shop, 'cut', places);
});

test('books renewals by the registry itself in the ledger', async () => {
  await shop.moveClock('+250d');
  expect(await shop.charged('restored.far')).toEqual([
    'charge create 810',
    'charge restore 4400',
    'charge autorenew 935',
  ]);
  await shop.until(async () => expect(await shop.owed()).toBe(await shop.taken()));
});

test('completes orders although the registry closes the connection after a few commands', async () => {
  await shop.far.capabilities({ commands_per_session: 3 });
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `closed-${letter}.far`);
  const orders = await Promise.all(names.map((name) => shop.order(name)));
  for (const [index, { status, body, text }] of orders.entries()) {
    if (status === 202) expect(await shop.settled(body.operation_id)).toBe('done');
    else expect(status, text).toBe(200);
    expect(await shop.charged(names[index]!)).toEqual(['charge create 810']);
  }
  await shop.far.capabilities({ commands_per_session: 1_000 });
});

test('raises an alarm while the account is empty, and executes the order later', async () => {
  await shop.far.pay(accounts.ours.id, -10_000_00);
  const waits = await shop.order('poor.far');
  expect(waits.body, waits.text).toMatchObject({ status: 'Pending', operation_state: 'waiting_registry' });
  // The alarm is raised separately from the order.
  await shop.until(async () => {
    const alarmKeys = (await openAlarms(shop.t.ctx)).map(({ key }) => key);
    expect(alarmKeys).toContain('registry:far:balance');
  });
  await shop.far.pay(accounts.ours.id, 10_000_00);
  await shop.makeDue(waits.body.operation_id);
  expect(await shop.settled(waits.body.operation_id)).toBe('done');
  expect(await shop.charged('poor.far')).toEqual(['charge create 810']);
});

test('changes our password, with or without an answer, and continues orders', async () => {
  for (const fault of [undefined, { on: 'login', do: 'drop' }, { on: 'login', do: 'cut', at: 10 }] as const) {
    if (fault) await shop.far.fault(fault);
    await changeRegistryPassword(shop.t.ctx, systemActor, 'far');
  }
  const changes = (await frames(/<newPW>/)).map(({ frame }) => /<pw>(.*?)<.*<newPW>(.*?)</s.exec(frame)!.slice(1));
  // Each starts with the password that the previous one set.
  expect(changes.map(([was]) => was)).toEqual([
    accounts.ours.password,
    ...changes.slice(0, -1).map(([, made]) => made),
  ]);
  expect(changes).toHaveLength(3);
  await expect(changeRegistryPassword(shop.t.ctx, systemActor, 'far', 'a'.repeat(17))).rejects.toThrow(
    'password: Must have 6 to 16 characters at this registry.',
  );
  await shop.t.service.parts.registries.reload('far');
  await shop.buy('after-the-change.far');
  const [login] = (await frames(/<login>/)).slice(-1);
  shop.password = changes.at(-1)![1]!;
  expect(login!.frame).toContain(`<pw>${shop.password}</pw>`);
});

/** Other settings, as `registry add` stores them. */
const reconnect = async (password: string, limits: object = {}) => {
  await shop.connect(password, limits);
  for (const service of [shop.t, other]) await service.service.parts.registries.reload('far');
};
/** Whether the registry reports a name as available. */
const answers = async (service: TestService, name: string): Promise<boolean> => {
  const called = await service.call('GET', '/v1/domains/availability', { query: { domain: name } });
  return called.status === 200 && called.body[0].status === 'available';
};
const loginAlarms = async () => (await openAlarms(shop.t.ctx)).filter(({ key }) => key === 'registry:far:login');

describe('processes that share the account', () => {
  beforeAll(async () => {
    other = await shop.t.second();
  });
  afterAll(() => other.stop());

  test('keep its rate limit together', async () => {
    const perSecond = 10;
    await reconnect(shop.password, { commandsPerSecond: perSecond, maxNamesPerCheck: 1, sessions: 4 });
    const before = (await shop.far.log()).at(-1)!.id;
    let isOver = false;
    const crowd = [shop.t, other].flatMap((service, place) =>
      Array.from({ length: 6 }, async (_, at) => {
        for (let round = 0; round < 200 && !isOver; round += 1) {
          await answers(service, `pace-${place}-${at}-${round}.far`);
        }
      }),
    );
    for (let round = 0; round < 3; round += 1)
      expect(await testConnection(other.ctx, 'far')).toMatchObject({ ok: true });
    isOver = true;
    await Promise.all(crowd);
    const times = (await shop.far.log(before))
      .filter(({ way, frame }) => way === 'in' && !/<(logout|hello)/.test(frame))
      .map(({ ms }) => ms);
    // Within the same second: the collected tokens and the refill. Logins are not delayed.
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));
    expect(most).toBeLessThanOrEqual(2 * perSecond + 10);
    const seconds = (times.at(-1)! - times[0]!) / 1_000;
    expect(times.length).toBeLessThanOrEqual(perSecond * (seconds + 1) + 10);
    expect(times.length).toBeGreaterThan(perSecond);
  });

  test('pause together after a refused login, until one succeeds', async () => {
    const refused = async () =>
      (await shop.far.log()).filter(({ way, frame }) => way === 'out' && /"2200"/.test(frame));
    const before = (await refused()).length;
    const { password } = shop;
    await reconnect('not.the.one');
    expect(await answers(shop.t, 'paused-1.far')).toBe(false);
    await shop.until(async () => expect(await loginAlarms()).toHaveLength(1));
    expect(await answers(other, 'paused-2.far')).toBe(false);
    expect(await answers(shop.t, 'paused-3.far')).toBe(false);
    // One, or one each: a process learns of the other's login only after its answer, and none comes after.
    expect((await refused()).length - before).toBeLessThanOrEqual(2);
    await reconnect(password);
    expect(await answers(other, 'paused-4.far')).toBe(true);
    await shop.until(async () => expect(await loginAlarms()).toEqual([]));
    expect(await answers(shop.t, 'paused-5.far')).toBe(true);
  });
});

test('ledger and registry statement agree to the cent', async () => {
  expect(await shop.held()).toBe(0);
  await shop.agree();
});
