import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SimulatorClock } from './simulators/clock.ts';
import { lenientSettings, type OpenproviderSettings, strictSettings } from './simulators/openprovider/settings.ts';
import { OpenproviderSimulator } from './simulators/openprovider/simulator.ts';

let upstream: OpenproviderSimulator;
let wall = 0;
let token = '';

async function begin(settings: Partial<OpenproviderSettings> = {}): Promise<void> {
  await upstream?.stop();
  wall = 0;
  upstream = await OpenproviderSimulator.start(settings, new SimulatorClock(), () => wall);
  token = (await logIn()).data.token;
}
beforeEach(() => begin());
afterEach(() => upstream.stop());

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer holds
async function send(method: string, path: string, body?: object, bearer = token): Promise<any> {
  const response = await fetch(`${upstream.server.url}/v1beta${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, ...((await response.json()) as object) };
}
const { username, password } = strictSettings;
const logIn = (secret = password) => send('POST', '/auth/login', { username, password: secret });

const customer = {
  name: { first_name: 'Ann', last_name: 'Example' },
  email: 'ann@example.com',
  phone: { country_code: '+31', area_code: '', subscriber_number: '205550100' },
  address: { street: 'Main Street 1', city: 'Amsterdam', zipcode: '1011AA', country: 'NL' },
};
const makeHandle = async (more = {}): Promise<string> =>
  (await send('POST', '/customers', { ...customer, ...more })).data.handle;

async function orderOf(label: string, extension = 'org', more = {}) {
  const handle = await makeHandle();
  return {
    domain: { name: label, extension },
    period: 1,
    owner_handle: handle,
    admin_handle: handle,
    tech_handle: handle,
    name_servers: [{ name: 'ns1.host.example' }, { name: 'ns2.host.example' }],
    autorenew: 'off',
    ...more,
  };
}
const create = async (label: string, extension = 'org', more = {}) =>
  send('POST', '/domains', await orderOf(label, extension, more));
const rows = async (name: string, more = '') => (await send('GET', `/domains?full_name=${name}${more}`)).data.results;

describe('sessions', () => {
  test('need the right password, and the token of the last login', async () => {
    expect(await logIn('wrong')).toMatchObject({ status: 500, code: 196 });
    const former = token;
    token = (await logIn()).data.token;
    expect(await send('GET', '/resellers', undefined, former)).toMatchObject({ code: 196 });
    expect(await send('GET', '/resellers')).toMatchObject({ status: 200, code: 0 });
  });

  test('end after two days', async () => {
    upstream.state.clock.advance(49 * 3_600_000);
    expect(await send('GET', '/resellers')).toMatchObject({ code: 196 });
  });

  test('are limited to 30 logins a minute', async () => {
    for (let number = 0; number < 29; number += 1) await logIn();
    expect(await logIn()).toMatchObject({ code: 50, desc: 'Calls limit has been reached' });
    wall += 60_000;
    expect(await logIn()).toMatchObject({ code: 0 });
  });
});

describe('identical requests', () => {
  test('block the account after 300 in 300 seconds, until the block is removed', async () => {
    for (let number = 0; number < 300; number += 1) expect(await send('GET', '/resellers')).toMatchObject({ code: 0 });
    expect(await send('GET', '/resellers')).toMatchObject({ code: 10_005, desc: 'Access denied' });
    wall += 3_600_000;
    expect(await send('GET', '/tlds')).toMatchObject({ code: 10_005 });
    upstream.server.blockedBecause = undefined;
    expect(await send('GET', '/tlds')).toMatchObject({ code: 0 });
  });

  test('limits identical checks to 20 in 300 seconds', async () => {
    const body = { domains: [{ name: 'free', extension: 'org' }] };
    for (let number = 0; number < 20; number += 1)
      expect(await send('POST', '/domains/check', body)).toMatchObject({ code: 0 });
    expect(await send('POST', '/domains/check', body)).toMatchObject({ code: 50 });
    wall += 600_000;
    expect(await send('POST', '/domains/check', body)).toMatchObject({ code: 0 });
  });

  test.each([
    { createBlock: 'all', other: 4007 },
    { createBlock: 'request', other: 0 },
  ] as const)('of a create within 10 seconds begin a block ($createBlock)', async ({ createBlock, other }) => {
    await begin({ createBlock });
    const order = await orderOf('twice');
    expect(await send('POST', '/domains', order)).toMatchObject({ code: 0 });
    expect(await send('POST', '/domains', order)).toMatchObject({ code: 4007 });
    expect(await send('GET', '/resellers')).toMatchObject({ code: other });
    wall += 300_000;
    expect(await send('POST', '/domains', order)).toMatchObject({ code: 346 });
    expect(upstream.state.ledger.charges('twice.org')).toHaveLength(1);
  });
});

describe('a registration', () => {
  test('is charged, and shown with its comment and times of Amsterdam', async () => {
    const made = await create('first', 'org', { comments: 'namehold register op_1' });
    expect(made).toMatchObject({
      status: 200,
      code: 0,
      data: { status: 'ACT', activation_date: '2026-01-15 13:00:00' },
    });
    const [row] = await rows('first.org');
    expect(row).toMatchObject({
      domain: { name: 'first', extension: 'org' },
      status: 'ACT',
      autorenew: 'off',
      comments: 'namehold register op_1',
      renewal_date: '2027-01-15 13:00:00',
    });
    const { data } = await send('GET', '/transactions?filter_for_subject=first.org');
    expect(data).toMatchObject({
      total: 1,
      results: [{ action: 'CREATE', total: { reseller: { price: 10.4, currency: 'USD' } } }],
    });
    expect(upstream.problems()).toEqual([]);
  });

  test.each([
    ['an unknown TLD', 307, () => create('x', 'unsold')],
    ['an unknown contact', 316, () => create('x', 'org', { owner_handle: 'OP1-NL' })],
    ['a contact without a field of the TLD', 399, () => create('x', 'es')],
    ['a text instead of a number', 310, () => create('x', 'org', { period: '1' })],
    ['an unknown field', 310, () => create('x', 'org', { idempotency_key: 'k' })],
    ['no nameservers', 310, () => create('x', 'org', { name_servers: undefined })],
  ])('is refused with %s', async (_, code, order) => {
    expect(await order()).toMatchObject({ status: 500, code });
    expect(upstream.state.ledger.charges()).toEqual([]);
  });

  test('is refused beside a failed one until that is removed', async () => {
    upstream.faults.add({ kind: 'fails_later', call: 'createDomain' });
    expect(await create('again')).toMatchObject({ data: { status: 'REQ' } });
    upstream.state.portfolio.settle();
    expect(await create('again')).toMatchObject({ code: 312 });
    const [failed] = await rows('again.org');
    expect(failed.status).toBe('FAI');
    expect(await send('DELETE', `/domains/${failed.id}`)).toMatchObject({ code: 0 });
    expect(await create('again')).toMatchObject({ data: { status: 'ACT' } });
    expect(upstream.state.ledger.charges('again.org')).toHaveLength(1);
  });

  test('requires the price of a premium domain in the currency of the registry', async () => {
    upstream.state.premium.set('gold.org', { product: 4_500, reseller: 5_000 });
    expect(await create('gold')).toMatchObject({ code: 399 });
    expect(await create('gold', 'org', { accept_premium_fee: 50 })).toMatchObject({ code: 399 });
    expect(await create('gold', 'org', { accept_premium_fee: 45 })).toMatchObject({ code: 0 });
    expect(upstream.state.ledger.charges('gold.org').map(({ amount }) => -amount)).toEqual([5_000]);
  });
});

test('renews as often as it is ordered, because a renewal has no date', async () => {
  const { data } = await create('long');
  for (const year of [2028, 2029]) {
    expect(await send('POST', `/domains/${data.id}/renew`, { period: 1 })).toMatchObject({ data: { status: 'ACT' } });
    const [row] = await rows('long.org', '&with_api_history=true');
    expect(row.renewal_date).toBe(`${year}-01-15 13:00:00`);
    expect(row.api_history).toHaveLength(year - 2027);
  }
  expect(upstream.state.ledger.charges('long.org')).toHaveLength(3);
});

test('deletes a domain at its own expiry date if its auto-renewal is off, and restores it', async () => {
  const { data } = await create('ends', 'nl');
  upstream.state.clock.advance(364 * 86_400_000);
  token = (await logIn()).data.token;
  expect((await rows('ends.nl'))[0].status).toBe('DEL');
  expect(await send('POST', `/domains/${data.id}/restore`, { id: data.id })).toMatchObject({ data: { status: 'ACT' } });
  expect(upstream.state.ledger.charges('ends.nl').map(({ amount }) => -amount)).toEqual([500, 2_500]);
});

test('auto-renews a domain if its auto-renewal is on', async () => {
  await create('keeps', 'org', { autorenew: 'default' });
  upstream.state.clock.advance(366 * 86_400_000);
  token = (await logIn()).data.token;
  const [row] = await rows('keeps.org');
  expect(row).toMatchObject({ status: 'ACT', renewal_date: '2028-01-15 13:00:00' });
  expect(upstream.state.ledger.charges('keeps.org')).toHaveLength(2);
});

test('keeps what clients send that the documents do not name, in the lenient form', async () => {
  await begin(lenientSettings);
  expect(await create('loose', 'org', { period: '1', idempotency_key: 'k' })).toMatchObject({ status: 200, code: 0 });
  expect(await create('x', 'unsold')).toMatchObject({ status: 200, code: 307 });
  const { data } = await send('GET', '/transactions?filter_for_subject=loose.org');
  expect(data.results[0]).toMatchObject({ vat: 21, total: { reseller: { price: 12.58 } } });
});
