import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => t.stop());

const profile = '/v1/account/profile';
const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

async function keyFor(whitelist: string[], more: object = {}): Promise<string> {
  const made = await t.call('POST', '/v1/account/keys', { json: { label: 'test', ip_whitelist: whitelist, ...more } });
  expect(made.status).toBe(200);
  return `1000:${made.body.api_key}`;
}

describe('Basic credentials', () => {
  test('return the profile, as in the example of the specification', async () => {
    const called = await t.call('GET', profile);
    expect(called.status).toBe(200);
    expect(called.body).toMatchObject({
      reseller_id: '1000',
      parent_reseller_id: '1',
      status: 'Active',
      address_seen: '127.0.0.1',
    });
    expect(called.headers.get('ratelimit-policy')).toMatch(/q=1000000/);
  });
});

describe('wrong credentials', () => {
  const secret = `nh_${'A'.repeat(43)}`;
  const cases: [string, string | null][] = [
    ['no header', null],
    ['unknown reseller', `999999:${secret}`],
    ['wrong key', `1000:${secret}`],
    ['key of another reseller', ''],
    ['no user', `:${secret}`],
    ['text for an id', `demo:${secret}`],
    ['negative id', `-1:${secret}`],
    ['huge id', `${'9'.repeat(30)}:${secret}`],
    ['empty key', '1000:'],
    ['key with a NUL', `1000:${secret}\u0000`],
    ['key with a blank', `1000: ${secret}`],
  ];
  test.each(cases)('get the same 401: %s', async (name, as) => {
    const credentials = name === 'key of another reseller' ? `1:${t.demo.split(':')[1]}` : as;
    const called = await t.call('GET', profile, { as: credentials });
    expect(called.status).toBe(401);
    expect(called.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
    const { request_id, docs, ...rest } = called.body;
    expect(docs).toMatch(/unauthorized/);
    expect(request_id).toMatch(/^req_/);
    expect(rest).toEqual({
      type: 'unauthorized',
      code: 'unauthorized',
      message: 'The credentials are missing or incorrect.',
    });
  });
  test.each(['Basic', 'Basic !!!', 'Bearer abc', 'Basic MTAwMA==', `Basic ${'A'.repeat(2000)}`])(
    'get the same 401 if malformed: %s',
    async (header) => {
      const called = await t.call('GET', profile, { as: null, headers: { Authorization: header } });
      expect(called.status).toBe(401);
    },
  );
  test('get 401 for revoked and expired keys', async () => {
    const revoked = await t.call('POST', '/v1/account/keys', { json: { label: 'r', ip_whitelist: ['127.0.0.1'] } });
    await t.call('DELETE', `/v1/account/keys/${revoked.body.key_id}`);
    expect((await t.call('GET', profile, { as: `1000:${revoked.body.api_key}` })).status).toBe(401);
    const expires = Date.now() + 2_000;
    const expiring = await keyFor(['127.0.0.1'], { expires_at: new Date(expires).toISOString() });
    const { status } = await t.call('GET', profile, { as: expiring });
    // A machine slower than the lifetime of the key cannot run this check.
    if (Date.now() < expires) expect(status).toBe(200);
    await sleep(Math.max(0, expires - Date.now() + 1));
    expect((await t.call('GET', profile, { as: expiring })).status).toBe(401);
  });
});

describe('the whitelist', () => {
  const allowed: [string[], string][] = [
    [['192.0.2.10'], '192.0.2.10'],
    [['192.0.2.0/24'], '192.0.2.0'],
    [['192.0.2.0/24'], '192.0.2.255'],
    [['192.0.2.128/25'], '192.0.2.128'],
    [['192.0.2.7/24'], '192.0.2.200'],
    [['0.0.0.0/0'], '203.0.113.9'],
    [['::ffff:192.0.2.10'], '192.0.2.10'],
    [['192.0.2.10'], '::ffff:192.0.2.10'],
    [['::ffff:192.0.2.0/120'], '192.0.2.77'],
    [['2001:db8::/32'], '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    [['2001:db8::1'], '2001:0db8:0:0::1'],
    [['2001:DB8::1'], '2001:db8::1'],
    [['10.0.0.0/8', '2001:db8::1'], '10.255.255.255'],
    [['198.51.100.4/32'], '198.51.100.4'],
    [['2001:db8::5/128'], '2001:db8::5'],
  ];
  test.each(allowed)('%j admits %s', async (whitelist, address) => {
    const called = await t.call('GET', profile, { as: await keyFor(whitelist), ...from(address) });
    expect(called.status).toBe(200);
  });
  const refused: [string[], string, string][] = [
    [['192.0.2.10'], '192.0.2.11', '192.0.2.11'],
    [['192.0.2.0/24'], '192.0.1.255', '192.0.1.255'],
    [['192.0.2.0/24'], '192.0.3.0', '192.0.3.0'],
    [['192.0.2.128/25'], '192.0.2.127', '192.0.2.127'],
    [['0.0.0.0/0'], '2001:db8::1', '2001:db8::1'],
    [['::/0'], '2001:db8::1', ''],
    [['2001:db8::/33'], '2001:db8:8000::', '2001:db8:8000::'],
    [['192.0.2.10'], '::ffff:192.0.2.11', '192.0.2.11'],
    [['192.0.2.10'], '127.0.0.1', '127.0.0.1'],
  ];
  test.each(refused)('%j refuses %s with 403 and names the address', async (whitelist, address, seen) => {
    const called = await t.call('GET', profile, { as: await keyFor(whitelist), ...from(address) });
    if (seen === '') {
      expect(called.status).toBe(200);
      return;
    }
    expect(called.status).toBe(403);
    expect(called.body).toMatchObject({ type: 'unauthorized', code: 'ip_not_allowed', address: seen });
    expect(called.body.message).toContain(seen);
  });
  test('counts forwarded addresses from the right, past trusted proxies only', async () => {
    const as = await keyFor(['192.0.2.10']);
    expect((await t.call('GET', profile, { as, ...from('192.0.2.10, 203.0.113.5') })).status).toBe(403);
    expect((await t.call('GET', profile, { as, ...from('203.0.113.5, 192.0.2.10') })).status).toBe(200);
    expect(
      (await t.call('GET', profile, { as, headers: { 'X-Real-Ip': '192.0.2.10', Forwarded: 'for=192.0.2.10' } }))
        .status,
    ).toBe(403);
  });
  test('ignores a forwarded address without trusted proxies', async () => {
    const plain = await startTestService();
    const made = await plain.call('POST', '/v1/account/keys', { json: { label: 'x', ip_whitelist: ['192.0.2.10'] } });
    const called = await plain.call('GET', profile, { as: `1000:${made.body.api_key}`, ...from('192.0.2.10') });
    expect(called.status).toBe(403);
    expect(called.body.address).toBe('127.0.0.1');
    await plain.stop();
  });
  const bad = [
    [],
    ['300.0.0.1'],
    ['10.0.0.0/33'],
    ['2001:db8::/129'],
    ['localhost'],
    ['10.0.0'],
    ['010.0.0.1'],
    ['10.0.0.1/'],
    ['10.0.0.1/8/8'],
    ['*'],
    ['::ffff:1.2.3.4/90'],
    [' '],
  ];
  test.each(bad)('refuses an invalid entry: %j', async (...whitelist) => {
    const called = await t.call('POST', '/v1/account/keys', { json: { label: 'x', ip_whitelist: whitelist } });
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe('ip_whitelist');
  });
});

describe('scopes', () => {
  test('allow only their own operations', async () => {
    const read = await keyFor(['127.0.0.1'], { scopes: ['read'] });
    const write = await keyFor(['127.0.0.1'], { scopes: ['account:write'] });
    const dns = await keyFor(['127.0.0.1'], { scopes: ['dns:write'] });
    expect((await t.call('GET', '/v1/account/keys', { as: read })).status).toBe(200);
    expect((await t.call('GET', '/v1/account/keys', { as: write })).status).toBe(200);
    const refusal = await t.call('GET', '/v1/account/keys', { as: dns });
    expect(refusal.status).toBe(403);
    expect(refusal.body).toMatchObject({ code: 'scope_missing', scope: 'account:read' });
    const make = { json: { label: 'x', ip_whitelist: ['127.0.0.1'], scopes: ['account:read'] } };
    expect((await t.call('POST', '/v1/account/keys', { as: read, ...make })).status).toBe(403);
    expect((await t.call('POST', '/v1/account/keys', { as: write, ...make })).status).toBe(200);
    const beyond = await t.call('POST', '/v1/account/keys', {
      as: write,
      json: { label: 'x', ip_whitelist: ['127.0.0.1'], scopes: ['full'] },
    });
    expect(beyond.status).toBe(400);
    expect(beyond.body.errors[0].code).toBe('beyond_own_scope');
  });
});

describe('credentials in a URL', () => {
  test.each(['api_key=x', 'auth-userid=1000', 'access_token=y'])('are refused with 401: %s', async (query) => {
    const called = await t.call('GET', profile, { query });
    expect(called.status).toBe(401);
    expect(called.body.code).toBe('credentials_in_url');
  });
});

describe('key rotation', () => {
  test('accepts both secrets during the overlap, then only the new one', async () => {
    const made = await t.call('POST', '/v1/account/keys', { json: { label: 'rot', ip_whitelist: ['127.0.0.1'] } });
    const rotated = await t.call('POST', `/v1/account/keys/${made.body.key_id}/rotate`, {
      json: { overlap_seconds: 1 },
    });
    expect(rotated.body.key_id).toBe(made.body.key_id);
    expect(rotated.body.api_key).not.toBe(made.body.api_key);
    expect((await t.call('GET', profile, { as: `1000:${rotated.body.api_key}` })).status).toBe(200);
    await sleep(1_200);
    t.service.evictCachedKeys();
    expect((await t.call('GET', profile, { as: `1000:${made.body.api_key}` })).status).toBe(401);
    expect((await t.call('GET', profile, { as: `1000:${rotated.body.api_key}` })).status).toBe(200);
  });
});

describe('guessing of keys', () => {
  test('is throttled by address, while a valid key is still accepted', async () => {
    const wrong = { as: `1000:nh_${'B'.repeat(43)}`, ...from('198.51.100.66') };
    let last = 0;
    for (let i = 0; i < 40; i++) last = (await t.call('GET', profile, wrong)).status;
    expect(last).toBe(429);
    const owner = await keyFor(['198.51.100.66']);
    expect((await t.call('GET', profile, { as: owner, ...from('198.51.100.66') })).status).toBe(200);
  });
});
