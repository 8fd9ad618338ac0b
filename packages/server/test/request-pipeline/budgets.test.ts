import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { basic } from './support/raw.ts';

let t: TestService;
afterEach(() => t.stop());

test('charges expensive calls to a budget of the account, over all its keys', async () => {
  t = await startTestService({ env: { NAMEHOLD_COST_LIMIT_PER_MINUTE: '100' } });
  const made = await t.call('POST', '/v1/account/keys', { json: { label: 'second', ip_whitelist: ['127.0.0.1'] } });
  const keys = [t.demo, `1000:${made.body.api_key}`];
  const seen: number[] = [];
  for (let i = 0; i < 20; i++)
    seen.push((await t.call('GET', '/v1/customers', { query: { limit: '100' }, as: keys[i % 2]! })).status);
  expect(seen).toContain(429);
  const refused = await t.call('GET', '/v1/customers', { query: { limit: '100' } });
  if (refused.status === 429) {
    expect(refused.body.message).toContain('units of work');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  // Cheap calls and other accounts are not affected.
  expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  expect((await t.call('GET', '/v1/customers', { query: { limit: '100' }, as: t.operator })).status).toBe(200);
});

/** Requests whose bodies never arrive stay in flight as long as the test needs. */
async function openBodies(count: number, length: number, call = slowOf(t.demo), sent = 1): Promise<() => void> {
  const { hostname, port } = new URL(t.url);
  const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port) }));
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write(
      `${call}Host: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${'{'.repeat(sent)}`,
    );
  }
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

const slowOf = (who: string) => `PUT /v1/account/keys/none HTTP/1.1\r\nAuthorization: ${basic(who)}\r\n`;
const slowStranger = 'POST /v1/invitations/accept HTTP/1.1\r\n';

async function until(
  status: number,
  method = 'GET',
  path = '/v1/account/profile',
  before: () => Promise<void> = async () => undefined,
) {
  for (;;) {
    await before();
    const called = await t.call(method, path, method === 'GET' ? {} : { json: { label: 'x' } });
    if (called.status === status) return called;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('returns 503 with Retry-After above the limit of a process, without affecting other requests', async () => {
  t = await startTestService({ env: { NAMEHOLD_REQUESTS_IN_FLIGHT: '10' } });
  const closers: (() => void)[] = [];
  // Repeated, because one of ours may have taken a place, and slow bodies are dropped after a while.
  const refused = await until(503, 'GET', '/v1/account/profile', async () => {
    closers.push(await openBodies(12, 100));
  });
  expect(refused.body.code).toBe('overloaded');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await t.call('GET', '/healthz')).status).toBe(200);
  expect((await t.call('GET', '/readyz')).status).toBe(200);
  for (const close of closers) close();
  expect((await until(200)).status).toBe(200);
});

test('limits the bytes of received bodies per account and in total, apart from anonymous ones', async () => {
  t = await startTestService({ env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0' } });
  const each = 1_048_576;
  const share = httpLimits.openBodyBytesOfAccount / each;
  const change = async (as?: string) =>
    (await t.call('PUT', '/v1/account/keys/none', { json: { label: 'x' }, ...(as ? { as } : {}) })).status;
  const closers = [await openBodies(share, each, slowOf(t.demo), each - 1)];
  const refused = await until(503, 'PUT', '/v1/account/keys/none', async () => {
    closers.push(await openBodies(8, each, slowOf(t.demo), each - 1));
  });
  expect(refused.body.code).toBe('overloaded');
  // Requests without a body and other accounts are served.
  expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  expect(await change(t.operator)).toBe(404);
  for (const close of closers.splice(0)) close();
  expect((await until(404, 'PUT', '/v1/account/keys/none')).status).toBe(404);

  // Callers without a key: large announced bodies are refused at once, slow ones fill only their own share.
  const accept = () => t.call('POST', '/v1/invitations/accept', { json: { token: 'x' }, as: null });
  closers.push(await openBodies(400, 1_000_000, slowStranger), await openBodies(400, 60, slowStranger));
  let open = await accept();
  while (open.status !== 503) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    closers.push(await openBodies(20, 60, slowStranger));
    open = await accept();
  }
  expect([await change(), await change(t.operator)]).toEqual([404, 404]);
  const large = await t.call('POST', '/v1/invitations/accept', { json: { token: 'x'.repeat(20_000) }, as: null });
  expect([413, 503]).toContain(large.status);
  for (const close of closers) close();
  while ((await accept()).status === 503) await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await accept()).status).toBe(400);
  expect(
    (await t.call('POST', '/v1/invitations/accept', { json: { token: 'x'.repeat(20_000) }, as: null })).status,
  ).toBe(413);
});

test.each([
  ['IPv6', (n: number) => `2001:db8:a:${n}::1`, '2001:db8:b::1'],
  ['IPv4', (n: number) => `198.51.100.${n}`, '203.0.113.1'],
])('keeps room for other networks when one site sends anonymous bodies (%s)', async (_name, at, other) => {
  const trusted = { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0', NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1,::1' };
  t = await startTestService({ env: trusted });
  const from = (address: string) => `${slowStranger}X-Forwarded-For: ${address}\r\n`;
  const accept = async (address: string) => {
    const headers = { 'X-Forwarded-For': address };
    return (await t.call('POST', '/v1/invitations/accept', { json: { token: 'x' }, as: null, headers })).status;
  };
  const { anonymousBodies, anonymousBodiesOfNetwork: each } = httpLimits;
  const networks = Array.from({ length: anonymousBodies / each + 2 }, (_, n) => at(n + 1));
  const closers = await Promise.all(networks.map((address) => openBodies(each, 60, from(address))));
  await expect.poll(() => accept(at(99))).toBe(503);
  expect(await accept(other)).toBe(400);
  for (const close of closers) close();
  await expect.poll(() => accept(at(99))).toBe(400);
});

/** Connections that send half of their headers, from one address; `open` returns how many the service still holds. */
function halfSent(count: number, localAddress: string) {
  const { hostname, port } = new URL(t.url);
  const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port), localAddress }));
  let open = count;
  for (const socket of sockets) {
    socket.on('error', () => undefined).on('close', () => open--);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half: ');
    socket.resume();
  }
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { open: () => open, close };
}

const answersFrom = (localAddress: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(t.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    socket.on('data', () => resolve(true));
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
  });

test('caps the connections of one network, not those of other networks and trusted proxies', async () => {
  t = await startTestService({
    env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '20', NAMEHOLD_TRUSTED_PROXIES: '127.0.0.9' },
  });
  const stranger = halfSent(50, '127.0.0.2');
  await expect.poll(stranger.open).toBe(20);
  expect(await answersFrom('127.0.0.2')).toBe(false);
  expect(await answersFrom('127.0.0.3')).toBe(true);
  const proxy = halfSent(50, '127.0.0.9');
  expect(await answersFrom('127.0.0.9')).toBe(true);
  expect(proxy.open()).toBe(50);
  stranger.close();
  await expect.poll(() => answersFrom('127.0.0.2')).toBe(true);
  proxy.close();
});

test('closes a connection whose headers do not arrive in time', async () => {
  const { headersTimeoutMs, connectionsCheckMs } = httpLimits;
  Object.assign(httpLimits, { headersTimeoutMs: 200, connectionsCheckMs: 50 });
  try {
    t = await startTestService();
    const slow = halfSent(3, '127.0.0.2');
    // The deadline before was 30 s.
    await expect.poll(slow.open, { timeout: 15_000 }).toBe(0);
  } finally {
    Object.assign(httpLimits, { headersTimeoutMs, connectionsCheckMs });
  }
});
