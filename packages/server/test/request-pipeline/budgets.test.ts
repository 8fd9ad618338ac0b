import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { basic, parseAnswer } from './support/raw.ts';

let t: TestService;
const usualLimits = { ...httpLimits };
afterEach(async () => {
  Object.assign(httpLimits, usualLimits);
  await t.stop();
});

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
const slowAnonymous = 'POST /v1/invitations/accept HTTP/1.1\r\n';

/** Slow bodies are dropped after some seconds, and are then replaced. */
const openAgainMs = 2_000;
const answeredWithinMs = 300_000;

async function until(
  status: number,
  method = 'GET',
  path = '/v1/account/profile',
  before: () => Promise<void> = async () => undefined,
) {
  const giveUp = performance.now() + answeredWithinMs;
  for (let again = performance.now() + openAgainMs; ; ) {
    // Not at every try: what was opened before must have the time to arrive, also on a busy machine.
    if (performance.now() >= again) {
      await before();
      again = performance.now() + openAgainMs;
    }
    const called = await t.call(method, path, method === 'GET' ? {} : { json: { label: 'x' } });
    if (called.status === status) return called;
    if (performance.now() > giveUp) throw new Error(`${method} ${path} is answered with ${called.status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('returns 503 with Retry-After above the limit of a process, without affecting other requests', async () => {
  t = await startTestService({ env: { NAMEHOLD_REQUESTS_IN_FLIGHT: '10' } });
  const closers = [await openBodies(12, 100)];
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
  // A body is charged with its reservation and one step of growth: exactly this many of them fill the share of the account.
  const each = httpLimits.bodyReservationBytes + httpLimits.bodyGrowthBytes;
  const share = 8;
  Object.assign(httpLimits, { openBodyBytesOfAccount: share * each, openBodyBytesOfPrincipal: share * each });
  t = await startTestService({ env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0' } });
  const change = async (as?: string) =>
    (await t.call('PUT', '/v1/account/keys/none', { json: { label: 'x' }, ...(as ? { as } : {}) })).status;
  const closers: (() => void)[] = [];
  // They must be counted before the next try: its own body would take the last bytes, and one of these would be refused for it.
  const fill = async (count: number) => {
    closers.push(await openBodies(count, each, slowOf(t.demo), each - 1));
    for (let i = 0; i < 20; i++) await t.call('GET', '/v1/account/profile');
  };
  await fill(share);
  const refused = await until(503, 'PUT', '/v1/account/keys/none', () => fill(1));
  expect(refused.body.code).toBe('overloaded');
  // Requests without a body and other accounts are served.
  expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  expect(await change(t.operator)).toBe(404);
  for (const close of closers.splice(0)) close();
  expect((await until(404, 'PUT', '/v1/account/keys/none')).status).toBe(404);

  // Callers without a key: large announced bodies are refused at once, slow ones displace only each other.
  const accept = (json: object = { token: 'x' }) => t.call('POST', '/v1/invitations/accept', { json, as: null });
  closers.push(await openBodies(400, 1_000_000, slowAnonymous), await openBodies(400, 60, slowAnonymous));
  expect([await change(), await change(t.operator)]).toEqual([404, 404]);
  expect((await accept()).status).toBe(400);
  expect((await accept({ token: 'x'.repeat(20_000) })).status).toBe(413);
  for (const close of closers) close();
});

describe('the accounts below one top account', () => {
  const limits = { ...httpLimits };
  afterEach(() => void Object.assign(httpLimits, limits));
  const change = async (as: string) =>
    (await t.call('PUT', '/v1/account/keys/none', { json: { label: 'x' }, as })).status;
  const read = async (as: string) => (await t.call('GET', '/v1/account/profile', { as })).status;
  const treeOf = async () => {
    const top = await makeReseller(t);
    const below = await makeReseller(t, top);
    return [below, await makeReseller(t, below), await makeReseller(t, top), await makeReseller(t, top)];
  };
  const others = async () => [t.demo, t.operator, await makeReseller(t)];

  test('together have three quarters of the bytes of bodies', async () => {
    const each = httpLimits.bodyReservationBytes;
    Object.assign(httpLimits, { openBodyBytes: 16 * each, openBodyBytesOfAccount: 4 * each });
    t = await startTestService({ env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0' } });
    const [tree, rest] = [await treeOf(), await others()];
    const closers: (() => void)[] = [];
    // More than all of it; what does not fit is refused.
    await expect
      .poll(async () => {
        for (const as of tree) closers.push(await openBodies(4, each, slowOf(as), each - 1));
        return Promise.all(tree.map(change));
      })
      .toEqual([503, 503, 503, 503]);
    expect(await Promise.all(tree.map(read))).toEqual([200, 200, 200, 200]);
    expect(await Promise.all(rest.map(change))).toEqual([404, 404, 404]);
    for (const close of closers) close();
    await expect.poll(() => change(tree[0]!)).toBe(404);
  });

  test('together have three quarters of the requests in progress', async () => {
    t = await startTestService({ env: { NAMEHOLD_REQUESTS_IN_FLIGHT: '20' } });
    const [tree, rest] = [await treeOf(), await others()];
    const closers: (() => void)[] = [];
    await expect
      .poll(async () => {
        for (const as of tree) closers.push(await openBodies(2, 100, slowOf(as)));
        return Promise.all(tree.map(read));
      })
      .toEqual([503, 503, 503, 503]);
    for (const as of rest) expect(await read(as)).toBe(200);
    for (const close of closers) close();
    await expect.poll(() => read(tree[0]!)).toBe(200);
  });
});

describe('bodies without credentials', () => {
  const limits = { ...httpLimits };
  afterEach(() => void Object.assign(httpLimits, limits));
  const open = async () => {
    const env = { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0', NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1,::1' };
    t = await startTestService({ env });
  };
  const accept = (address: string) => {
    const headers = { 'X-Forwarded-For': address };
    return t.call('POST', '/v1/invitations/accept', { json: { token: 'x' }, as: null, headers });
  };
  const body = '{"token":"x"}';

  /** A request whose body is not complete. `held` is false once the service has answered or closed it. */
  function halfSentFrom(address: string, contentType = 'application/json') {
    const { hostname, port } = new URL(t.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const pieces: Buffer[] = [];
    let isHeld = true;
    const end = () => {
      isHeld = false;
    };
    const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', end);
    socket.on('data', end).on('close', end);
    const length = `Content-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n`;
    socket.write(
      `${slowAnonymous}Host: x\r\nConnection: close\r\nX-Forwarded-For: ${address}\r\n${length}\r\n${body.slice(0, 5)}`,
    );
    return {
      isHeld: () => isHeld,
      finish: () => socket.write(body.slice(5)),
      close: () => socket.destroy(),
      answer: async () => {
        await ended;
        return parseAnswer(Buffer.concat(pieces).toString('utf8'));
      },
    };
  }
  type Half = ReturnType<typeof halfSentFrom>;
  const held = (bodies: readonly Half[]) => bodies.filter(({ isHeld }) => isHeld()).length;
  const openFrom = (count: number, addressOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => halfSentFrom(addressOf(n)));

  test.each([
    ['IPv6', (site: number, n: number) => `2001:db8:${site}:${n % 16}::1`],
    ['IPv4', (site: number, n: number) => `198.51.${site}.${n % 16}`],
  ])('keep room for complete ones of any network when two sites send half of theirs (%s)', async (_name, at) => {
    await open();
    const { anonymousBodies: all, anonymousBodiesOfSite: each } = httpLimits;
    const attackers = [openFrom(2 * all, (n) => at(1, n)), openFrom(2 * all, (n) => at(2, n))];
    await expect.poll(() => attackers.map(held)).toEqual([each, each]);
    // From a third site, from another network of a full site, and from a full network.
    for (const address of [at(3, 1), at(1, 99), at(2, 1)])
      for (let n = 0; n < 20; n++) expect((await accept(address)).status).toBe(400);
    // Each of the three displaced one at most.
    expect(held(attackers.flat())).toBeGreaterThanOrEqual(all - 3);
    for (const half of attackers.flat()) half.close();
  });

  test('keep their place if their network holds fewer than others', async () => {
    Object.assign(httpLimits, { anonymousBodies: 6, anonymousBodiesOfSite: 4, anonymousBodiesOfNetwork: 2 });
    await open();
    const attackers = openFrom(40, (n) => `198.51.${n % 2}.${n % 7}`);
    await expect.poll(() => held(attackers)).toBe(6);
    const slow = halfSentFrom('203.0.113.1');
    await expect.poll(() => held(attackers)).toBe(5);
    attackers.push(...openFrom(40, (n) => `198.51.${n % 2}.${n % 7}`));
    await expect.poll(() => held(attackers)).toBe(5);
    expect(slow.isHeld()).toBe(true);
    slow.finish();
    expect((await slow.answer()).status).toBe(400);
    for (const half of attackers) half.close();
  });

  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'return 408 with Retry-After when they are displaced (%s)',
    async (contentType) => {
      Object.assign(httpLimits, { anonymousBodiesOfNetwork: 1 });
      await open();
      const half = halfSentFrom('198.51.100.1', contentType);
      await expect.poll(async () => [(await accept('198.51.100.1')).status, half.isHeld()]).toEqual([400, false]);
      const { status, body: answer, headers } = await half.answer();
      expect([status, answer.code, headers['retry-after'], headers.connection]).toEqual([
        408,
        'request_timeout',
        '1',
        'close',
      ]);
    },
  );

  test('return 503 with Retry-After if no place can be freed', async () => {
    Object.assign(httpLimits, { anonymousBodies: 0 });
    await open();
    const refused = await accept('198.51.100.1');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
  });
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

test('caps the connections of the networks of one site together, and leaves the others to other sites', async () => {
  Object.assign(httpLimits, { connections: 80 });
  t = await startTestService({
    env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '5', NAMEHOLD_TRUSTED_PROXIES: '127.0.7.200' },
  });
  const networks = Array.from({ length: 8 }, (_, n) => halfSent(5, `127.0.7.${n + 1}`));
  const open = () => networks.reduce((sum, each) => sum + each.open(), 0);
  // A quarter of all for one site: the networks with five each would have 40.
  await expect.poll(open).toBe(20);
  expect(await answersFrom('127.0.7.9')).toBe(false);
  expect(await answersFrom('127.0.8.9')).toBe(true);
  expect(await answersFrom('127.0.7.200')).toBe(true);
  const elsewhere = halfSent(5, '127.0.8.1');
  // Connections are accepted in order, so the five were when this one is answered.
  expect(await answersFrom('127.0.8.2')).toBe(true);
  expect([open(), elsewhere.open()]).toEqual([20, 5]);
  for (const each of [...networks, elsewhere]) each.close();
  await expect.poll(() => answersFrom('127.0.7.9')).toBe(true);
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
