import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { testUpstream, upstreamTestLimits } from '../../packages/server/src/core/upstreams/add.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';
import { upstreams } from './simulators/upstreams.ts';

/** Setup of an account at an upstream over the operator API. */
let t: TestService;
let upstream: LogicBoxesSimulator;
let customerId: string;
const domorg = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };
const { apiKey, resellerId } = strictSettings;
const { totalMs } = upstreamTestLimits;

beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  const products = { ...strictSettings.products, domorg };
  upstream = await LogicBoxesSimulator.start({ ...strictSettings, products }, new SimulatorClock(Date.now));
  customerId = upstream.addCustomer('shop@example.com').id;
  upstream.addDomain('ours.org', customerId);
});
afterEach(() => {
  upstreamTestLimits.totalMs = totalMs;
  upstream.server.faults.clear();
});
afterAll(async () => {
  await t?.stop();
  await upstream?.stop();
});

const limits = { sessions: 4, requestsPerMinute: 60_000 };
const account = (changes: object = {}) => ({
  service: 'resellerclub',
  client_id: resellerId,
  secret: apiKey,
  upstream_customer_id: customerId,
  currency: 'USD',
  upstream_host: '127.0.0.1',
  upstream_port: upstream.server.port,
  profile: { transport: 'http', logicboxes: {}, limits },
  ...changes,
});
const post = (path: string, json: object, headers: Record<string, string> = {}) =>
  t.call('POST', `/v1/operator/${path}`, { json, headers, as: t.operator });
const testAccount = (changes: object = {}) => post('upstreams/test', account(changes));
const add = (changes: object = {}, headers: Record<string, string> = {}) =>
  post('upstreams', account({ registry_id: 'lb', tlds: ['org'], ...changes }), headers);
const sent = () => upstream.server.log.requests.length;
const isStored = async (id: string) =>
  (await t.ctx.db.as(allTenants).many(sql`select id from registry where id = ${id}`)).length === 1;
const costs = () =>
  t.ctx.db.as(allTenants).many<{ action: string; amount: string }>(sql`
    select action, amount from registry_cost where tld = 'org' order by action, valid_from`);

test('lists the services with the fields that each requires, and which of them is secret', async () => {
  const { body } = await t.call('GET', '/v1/operator/upstream_services', { as: t.operator });
  const named = Object.fromEntries(
    body.services.map(({ service, fields }: { service: string; fields: { name: string; is_secret: boolean }[] }) => [
      service,
      fields.map(({ name, is_secret }) => (is_secret ? `(${name})` : name)),
    ]),
  );
  expect(named).toMatchObject({
    resellerclub: ['client_id', 'upstream_customer_id', '(secret)'],
    opensrs: ['client_id', '(secret)'],
    namehold: ['client_id', 'upstream_customer_id', '(secret)', 'upstream_host'],
  });
});

test('is only for the operator', async () => {
  const before = sent();
  const bodies = { 'upstreams/test': account(), upstreams: account({ tlds: ['org'] }) };
  for (const [path, json] of Object.entries(bodies))
    expect(await t.call('POST', `/v1/operator/${path}`, { json })).toMatchObject({
      status: 403,
      body: { code: 'operator_only' },
    });
  expect(await t.call('GET', '/v1/operator/upstream_services')).toMatchObject({ status: 403 });
  expect(sent()).toBe(before);
});

test.each([
  ['resellerclub', '127.0.0.1', 443],
  ['resellerclub', 'httpapi.com', 8_443],
  ['namehold', 'localhost', 443],
  ['namehold', '10.0.0.1', 443],
  ['namehold', 'db.internal', 443],
  ['namehold', 'api.upstream.example', 22],
])('sends nothing in production mode for %s to %s:%i', async (service, host, port) => {
  const ctx = { ...t.ctx, config: { ...t.ctx.config, mode: 'production' as const } };
  const stated = { clientId: '1', secret: apiKey, customerId: '1', currency: 'USD', isTestSystem: false, host, port };
  await expect(testUpstream(ctx, systemActor, service, stated)).rejects.toMatchObject({
    details: { errors: [{ field: expect.stringMatching(/^upstream(Host|Port)$/) }] },
  });
});

describe('a test of an account', () => {
  test.each(['logicboxes', 'realtimeregister'])('returns balance, domains and TLDs of %s', async (dialect) => {
    const simulated = await upstreams[dialect]!();
    simulated.addDomain('one.org');
    const { customerId: customer, ...profile } = { customerId: undefined, ...simulated.profile };
    const changes = {
      service: dialect,
      client_id: simulated.way.reseller,
      secret: simulated.way.key,
      upstream_port: simulated.way.port,
      upstream_customer_id: customer,
      currency: simulated.ledger.currency,
      profile: { ...profile, transport: 'http' },
    };
    const { body, text } = await testAccount(changes);
    expect(body).toMatchObject({ ok: true, balance: expect.stringMatching(/^\d+/), domains: 1, are_all_counted: true });
    expect(body.tlds.map(({ tld }: { tld: string }) => tld)).toContain('org');
    expect(text).not.toContain(simulated.way.key);
    await simulated.stop();
  });

  test.each([
    ['a wrong key', { secret: 'another-key-0123456789' }, 'login', /Invalid credentials/, /API settings.*suspended/],
    ['another currency', { currency: 'EUR' }, 'currency', /billed in USD/, /in place of EUR/],
    ['no connection', { upstream_port: 1 }, 'network', /ECONNREFUSED/, /127\.0\.0\.1:1/],
  ])('returns the message of the service and a remedy for %s', async (_, changes, problem, message, remedy) => {
    const { status, body } = await testAccount(changes);
    expect([status, body.ok, body.problem]).toEqual([200, false, problem]);
    expect(body.upstream_message).toMatch(message);
    expect(body.remedy).toMatch(remedy);
  });

  test('reports an address that is not allowed, and a page in place of an answer', async () => {
    upstream.allowed = false;
    expect((await testAccount()).body).toMatchObject({ problem: 'login', remedy: expect.stringContaining('address') });
    upstream.allowed = true;
    upstream.server.faults.add({ kind: 'maintenance', call: 'billing/reseller-balance' });
    expect((await testAccount()).body).toMatchObject({ ok: false, problem: 'answer' });
  });

  test('ends after its time', async () => {
    upstreamTestLimits.totalMs = 400;
    upstream.server.faults.add({ kind: 'delayed', call: 'billing/reseller-balance' });
    const { body } = await testAccount();
    expect(body).toMatchObject({ ok: false, problem: 'slow', remedy: expect.stringContaining('fewer TLDs') });
  });

  test('returns the number of domains that were counted within its time', async () => {
    for (let n = 0; n < 500; n += 1) upstream.addDomain(`many-${n}.org`, customerId);
    let body: { ok: boolean } = { ok: false };
    // A busy machine needs longer for the first pages. The second one is never answered.
    for (upstreamTestLimits.totalMs = 500; !body.ok; upstreamTestLimits.totalMs *= 2) {
      upstream.server.faults.clear();
      upstream.server.faults.add({ kind: 'delayed', call: 'domains/search', skip: 1 });
      ({ body } = await testAccount());
    }
    expect(body).toMatchObject({ ok: true, domains: 500, are_all_counted: false });
  });

  test('is refused while two others run', async () => {
    upstream.server.faults.add({ kind: 'delayed', call: 'billing/reseller-balance', times: 2 });
    const held = [testAccount(), testAccount()];
    await upstream.server.faults.untilHeld(2);
    expect(await testAccount()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    upstream.server.faults.release();
    for (const each of await Promise.all(held)) expect(each.body.ok).toBe(true);
  });

  test.each([
    ['an unknown service', { service: 'nothing' }, 'service'],
    ['a property of objects as a service', { service: 'constructor' }, 'service'],
    ['a missing customer', { upstream_customer_id: undefined }, 'upstream_customer_id'],
    ['an unknown field of the profile', { profile: { colour: 'red' } }, 'profile.colour'],
    ['plain HTTP to another machine', { upstream_host: '192.0.2.1' }, 'profile.transport'],
    ['an unknown currency', { currency: 'QQQ' }, 'currency'],
    ['a missing test system', { service: 'openprovider', test_system: true, upstream_host: undefined }, 'test_system'],
  ])('refuses %s at its field, without a request', async (_, changes, name) => {
    const before = sent();
    const { status, body } = await testAccount(changes);
    expect([status, body.errors?.[0]?.field]).toEqual([400, name]);
    expect(sent()).toBe(before);
  });
});

describe('a hostile service', () => {
  let server: Server;
  let answers: Record<string, unknown> = {};
  let status = 200;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const call = /\/api\/(.*)\.json/.exec(request.url ?? '')?.[1] ?? '';
      const body = answers[call] ?? {};
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());
  const attack = (given: Record<string, unknown>, code = 200) => {
    answers = given;
    status = code;
    return testAccount({ upstream_port: (server.address() as AddressInfo).port, secret: 'key/with&signs-01' });
  };

  test('does not get the secret into an answer, in whatever form it repeats it', async () => {
    const message = 'No: key\\/with&signs-01 key%2Fwith%26signs-01 key/with&signs-01\\u001b[31m\\u202e end';
    const refused = await attack({ 'billing/reseller-balance': `{"status":"ERROR","message":"${message}"}` }, 500);
    expect(refused.body).toMatchObject({ ok: false });
    expect(refused.body.upstream_message).toMatch(/^No: \*\*\* \*\*\* \*\*\* \[31m end/);
    expect(refused.text).not.toMatch(/with.{1,4}signs/);
  });

  test('has its texts cut, and anything that is no amount and no TLD left out', async () => {
    const { body } = await attack({
      'billing/reseller-balance': { sellingcurrencysymbol: 'USD', sellingcurrencybalance: '<script>1</script>' },
      'products/category-keys-mapping': {
        domorder: [{ domorg: ['org', '../../etc', '<b>', 'ORG', 'a'.repeat(400), 'co.uk'] }],
      },
      'domains/search': { recsonpage: '0', recsindb: '0' },
    });
    expect(body).toMatchObject({ ok: true, balance: null });
    expect(body.tlds.map(({ tld }: { tld: string }) => tld)).toEqual(['co.uk', 'org']);
    const long = await attack({ 'billing/reseller-balance': { status: 'ERROR', message: 'x'.repeat(5_000) } }, 500);
    expect(long.body.upstream_message.length).toBeLessThan(310);
  });
});

describe('adding an account', () => {
  test('shows catalogue and prices in a dry run, and stores nothing', async () => {
    const { status, body } = await add({ margin: '15%', dry_run: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: true, registry_id: 'lb', tlds: ['org'], catalogue_version: null });
    expect(body.costs[0]).toMatchObject({ tld: 'org', action: 'create', before: null, after: '10.40' });
    expect(body.prices[0]).toMatchObject({ tld: 'org', action: 'create', after: '11.96' });
    expect(await isStored('lb')).toBe(false);
    expect(await costs()).toEqual([]);
  });

  test('stores nothing if the prices have changed since the preview', async () => {
    const { body } = await add({ dry_run: true });
    domorg.addnewdomain = 1_100;
    expect(await add({ preview: body.preview })).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    domorg.addnewdomain = 1_040;
    expect(await isStored('lb')).toBe(false);
  });

  test.each([
    ['a wrong key', { secret: 'another-key-0123456789' }, 400, 'secret'],
    ['another currency', { currency: 'EUR' }, 400, 'currency'],
    ['a TLD that the account cannot sell', { tlds: ['zz'] }, 400, 'tlds'],
    ['a text that is no TLD', { tlds: ['../x'] }, 400, 'tlds'],
    ['a margin that is no amount', { margin: 'much' }, 400, 'margin'],
    ['a rounding without a margin', { rounding_step: '1.00' }, 400, 'margin'],
    ['a service that cannot be reached', { upstream_port: 1 }, 503, undefined],
  ])('is refused for %s', async (_, changes, status, name) => {
    const refused = await add(changes);
    expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([status, name]);
    expect(await isStored('lb')).toBe(false);
  });

  test('stores the connection encrypted and loads what the preview showed, once', async () => {
    const { body: shown } = await add({ margin: '15%', dry_run: true });
    const once = { 'Idempotency-Key': 'add-lb' };
    const order = { margin: '15%', preview: shown.preview };
    const { status, body, text } = await add(order, once);
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ dry_run: false, catalogue_version: expect.any(Number), refused: [] });
    expect([body.costs, body.prices]).toEqual([shown.costs, shown.prices]);
    expect((await costs()).find(({ action }) => action === 'create')).toEqual({ action: 'create', amount: '1040' });
    const before = sent();
    expect((await add(order, once)).body).toEqual(body);
    expect(sent()).toBe(before);
    const repeated = await add({ margin: '15%' });
    expect(repeated.body).toMatchObject({ costs: [], prices: [], catalogue_version: null });
  });

  test('makes it sell, and shows its status', async () => {
    const { body } = await t.call('GET', '/v1/domains/availability', { query: { domain: 'free.org' } });
    expect(body[0]['free.org'].status).toBe('available');
    const { body: listed } = await t.call('GET', '/v1/operator/registries', { as: t.operator });
    const found = listed.registries.find((each: { registry_id: string }) => each.registry_id === 'lb');
    expect(found).toMatchObject({ dialect: 'logicboxes', is_reachable: true, last_request_at: expect.any(String) });
  });

  test('is written to the audit log, without the secret', async () => {
    const { body, text } = await t.call('GET', '/v1/account/audit', {
      query: { action: 'registry.connect' },
      as: t.operator,
    });
    expect(body[0]).toMatchObject({ object_id: 'lb', after: { dialect: 'logicboxes', tlds: ['org'] } });
    expect(text).not.toContain(apiKey);
  });

  test('refuses the id of another account', async () => {
    expect(await add({ client_id: '4711' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', errors: [{ field: 'registry_id' }] },
    });
  });

  test('leaves new domains of a TLD where they are, unless it is confirmed', async () => {
    const { body } = await add({ registry_id: 'second', dry_run: true });
    expect(body).toMatchObject({ moved_tlds: [], alternative_tlds: [{ tld: 'org', route_registry_id: 'lb' }] });
    const moved = await add({ registry_id: 'second', dry_run: true, confirm_tlds: true });
    expect(moved.body).toMatchObject({ moved_tlds: [{ tld: 'org', from_registry_id: 'lb' }], alternative_tlds: [] });
    expect(await isStored('second')).toBe(false);
  });

  test('refuses to remove a TLD without a confirmation', async () => {
    expect(await add({ tlds: ['net'] })).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });
});
