import { connect } from 'node:net';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCustomer, person } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { Sessions } from '../../src/http/identity/sessions.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { basic, parseAnswer, type RawAnswer } from './support/raw.ts';

let t: TestService;
const limits = { ...httpLimits };
beforeAll(async () => {
  t = await startTestService({
    env: { NAMEHOLD_CONNECTIONS_PER_NETWORK: '0', NAMEHOLD_REQUESTS_IN_FLIGHT: '200' },
  });
});
afterEach(() => void Object.assign(httpLimits, limits));
afterAll(() => t.stop());

const byKey = (as: string) => [`Authorization: ${basic(as)}`];
const bySession = (session: string) => [`Cookie: ${session}`, 'Namehold-Console: 1', 'Sec-Fetch-Site: same-origin'];

interface Slow {
  readonly credentials: readonly string[];
  /** The budget of the credentials, which has a row once they were accepted. */
  readonly bucket: string;
  readonly method?: string;
  readonly path: string;
  readonly body: object;
  readonly isChunked?: boolean;
}

const isKnown = async (bucket: string) =>
  (await t.ctx.db.as(allTenants).maybe(sql`select from rate_bucket where bucket = ${bucket}`)) !== undefined;

/** Sends the headers and five bytes of a body, then runs `meanwhile`, then sends the rest. */
async function whileBodyArrives(
  slow: Slow,
  meanwhile: () => Promise<{ readonly status: number; readonly text?: string }>,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(t.url);
  const socket = connect({ host: hostname, port: Number(port) });
  const pieces: Buffer[] = [];
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined);
  const body = JSON.stringify(slow.body);
  const piece = (text: string) => (slow.isChunked ? `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n` : text);
  const length = slow.isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${Buffer.byteLength(body)}`;
  const headers = ['Host: localhost', 'Connection: close', 'Content-Type: application/json', length];
  const head = `${slow.method ?? 'POST'} ${slow.path} HTTP/1.1\r\n${[...headers, ...slow.credentials].join('\r\n')}`;
  socket.write(`${head}\r\n\r\n${piece(body.slice(0, 5))}`);
  await expect.poll(() => isKnown(slow.bucket)).toBe(true);
  const { status, text } = await meanwhile();
  expect(status, text).toBe(200);
  socket.write(`${piece(body.slice(5))}${slow.isChunked ? '0\r\n\r\n' : ''}`);
  await ended;
  return parseAnswer(Buffer.concat(pieces).toString('utf8'));
}

async function madeKey(scopes = ['full']) {
  const json = { label: 'slow', ip_whitelist: ['127.0.0.1'], scopes };
  const { body } = await t.call('POST', '/v1/account/keys', { json });
  return { id: body.key_id as string, as: `1000:${body.api_key}`, bucket: `key:${body.key_id}` };
}

/** The most recent session; it has made no request yet. */
const newestSession = async () => {
  const newest = sql`select id from person_session order by created_at desc, id desc limit 1`;
  return `session:${(await t.ctx.db.as(allTenants).one<{ id: string }>(newest)).id}`;
};

const newKey = { label: 'late', ip_whitelist: ['127.0.0.1'], scopes: ['full'] };
const labels = async () =>
  ((await t.call('GET', '/v1/account/keys')).body as { label: string }[]).map(({ label }) => label);

describe('credentials that end while the body arrives', () => {
  const password = 'a long enough one';

  test.each([
    ['by a password change', 'PUT', '/v1/me/password', { password, new_password: 'another long one' }],
    ['by ending all other sessions', 'DELETE', '/v1/me/sessions', undefined],
  ])('return 401 for a session ended %s', async (_how, method, path, json) => {
    const email = `slow-${method.toLowerCase()}@slow.example`;
    const session = await openSession(t, '1000', { email });
    const opened = await t.call('POST', '/v1/session', { json: { email, password }, session: '' });
    const [other] = opened.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
    const bucket = `session:${opened.body.session_id}`;
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const slow = { credentials: bySession(other!), bucket, path: '/v1/account/keys', body: newKey };
    const answer = await whileBodyArrives(slow, () => t.call(method, path, { session, ...(json ? { json } : {}) }));
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    expect(await labels()).not.toContain('late');
  });

  test.each([false, true])('return 401 for a revoked key (chunked: %s)', async (isChunked) => {
    const key = await madeKey();
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const slow = { credentials: byKey(key.as), bucket: key.bucket, path: '/v1/account/keys', body: newKey, isChunked };
    const answer = await whileBodyArrives(slow, () => t.call('DELETE', `/v1/account/keys/${key.id}`));
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
    expect(await labels()).not.toContain('late');
  });

  test('return 401 for a key revoked through another process, despite the cache', async () => {
    const other = await t.second();
    try {
      const key = await madeKey();
      Object.assign(httpLimits, { bodyAtOnceMs: 0 });
      const slow = { credentials: byKey(key.as), bucket: key.bucket, path: '/v1/account/keys', body: newKey };
      const answer = await whileBodyArrives(slow, () => other.call('DELETE', `/v1/account/keys/${key.id}`));
      expect(answer.status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  test('allow only the remaining scopes of a key', async () => {
    const change = (id: string, scopes: string[]) => t.call('PUT', `/v1/account/keys/${id}`, { json: { scopes } });
    const path = '/v1/account/keys';
    const [lost, kept] = [await madeKey(), await madeKey()];
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const of = (key: typeof lost) => ({ credentials: byKey(key.as), bucket: key.bucket, path, body: newKey });
    const without = await whileBodyArrives(of(lost), () => change(lost.id, ['dns:read']));
    expect([without.status, without.body.code]).toEqual([403, 'scope_missing']);
    // It still reaches the operation, but cannot grant what it no longer has.
    const beyond = await whileBodyArrives(of(kept), () => change(kept.id, ['account:write']));
    expect([beyond.status, beyond.body.errors[0].code]).toEqual([400, 'beyond_own_scope']);
    expect(await labels()).not.toContain('late');
  });

  test('return 403 for a key that is no longer allowed from the address', async () => {
    const key = await madeKey();
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const slow = { credentials: byKey(key.as), bucket: key.bucket, path: '/v1/account/keys', body: newKey };
    const json = { ip_whitelist: ['192.0.2.1'] };
    const answer = await whileBodyArrives(slow, () => t.call('PUT', `/v1/account/keys/${key.id}`, { json }));
    expect([answer.status, answer.body.code]).toEqual([403, 'ip_not_allowed']);
  });

  test('are refused for the keys of a suspended account', async () => {
    const as = await makeReseller(t);
    const [id] = as.split(':');
    const own = sql`select id from api_key where reseller_id = ${id}`;
    const { id: keyId } = await t.ctx.db.as(allTenants).one<{ id: string }>(own);
    const slow = { credentials: byKey(as), bucket: `key:${keyId}`, path: '/v1/account/keys', body: newKey };
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const form = { reason: 'unpaid' };
    const answer = await whileBodyArrives(slow, () =>
      t.call('POST', `/v1/resellers/${id}/suspend`, { form, as: t.operator }),
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'account_suspended']);
  });

  test('are refused for a user whose role changed', async () => {
    const owner = await openSession(t, '1000');
    const email = 'slow-staff@slow.example';
    const session = await openSession(t, '1000', { email, role: 'staff', scopes: ['account:write', 'account:read'] });
    const bucket = await newestSession();
    const users = (await t.call('GET', '/v1/people', { session: owner })).body as {
      person_id: string;
      email: string;
    }[];
    const { person_id } = users.find((each) => each.email === email)!;
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const body = { ...newKey, scopes: ['account:read'] };
    const answer = await whileBodyArrives(
      { credentials: bySession(session), bucket, path: '/v1/account/keys', body },
      () => t.call('PUT', `/v1/people/${person_id}`, { session: owner, json: { role: 'read_only' } }),
    );
    expect([401, 403]).toContain(answer.status);
    expect(await labels()).not.toContain('late');
  });

  test('return 401 for a customer whose access was removed', async () => {
    const id = await makeCustomer(t);
    const session = await openCustomerSession(t, '1000', id, 'manage');
    const bucket = await newestSession();
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    // Not for its own password, because the transaction of that call checks the access again itself.
    const path = `/v1/customers/${id}/contacts`;
    const answer = await whileBodyArrives(
      { credentials: bySession(session), bucket, path, body: person({ email: 'late@slow.example' }) },
      () => t.call('PUT', `/v1/customers/${id}/access`, { json: { access: 'none' } }),
    );
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized']);
  });
});

describe('the second check of a slow body', () => {
  const remaining = (header: string | null | undefined) => Number(/r=(\d+)/.exec(header ?? '')?.[1]);

  test('charges no budget, and serves a caller that is still admitted', async () => {
    const key = await madeKey();
    Object.assign(httpLimits, { bodyAtOnceMs: 0 });
    const slow = { credentials: byKey(key.as), bucket: key.bucket, path: '/v1/account/keys', body: newKey };
    const answer = await whileBodyArrives(slow, async () => ({ status: 200 }));
    expect(answer.status).toBe(200);
    const next = await t.call('GET', '/v1/account/profile', { as: key.as });
    const spent = remaining(answer.headers.ratelimit) - remaining(next.headers.get('ratelimit'));
    expect(spent).toBeLessThanOrEqual(1);
  });

  test('makes no query if the body came with the headers', async () => {
    const session = await openSession(t, '1000');
    const reads = vi.spyOn(Sessions.prototype, 'identify');
    const count = async (bodyAtOnceMs: number) => {
      Object.assign(httpLimits, { bodyAtOnceMs });
      const before = reads.mock.calls.length;
      expect((await t.call('PUT', '/v1/me', { session, json: { name: 'Sari' } })).status).toBe(200);
      return reads.mock.calls.length - before;
    };
    const [atOnce, slow] = [await count(60_000), await count(0)];
    reads.mockRestore();
    expect([atOnce, slow]).toEqual([1, 2]);
  });
});

describe('bodies that do not arrive', () => {
  const opened: (() => void)[] = [];
  afterEach(() => {
    for (const close of opened.splice(0)) close();
  });

  /** Requests that send only the first bytes of the body. */
  function openSlow(count: number, credentials: readonly string[], target: string, length: number): void {
    const { hostname, port } = new URL(t.url);
    for (let n = 0; n < count; n++) {
      const socket = connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
      const headers = [
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${length}`,
        ...credentials,
      ];
      socket.write(`${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n{"a"`);
      opened.push(() => socket.destroy());
    }
  }

  const change = async () => (await t.call('PUT', '/v1/account/keys/none', { json: { label: 'x' } })).status;

  test('serves calls of the reseller while bodies of its customer do not arrive', async () => {
    const session = await openCustomerSession(t, '1000', await makeCustomer(t), 'read');
    const own = async () => {
      openSlow(4, bySession(session), 'PUT /v1/me/password', 1_000);
      return (await t.call('POST', '/v1/session/sudo', { session, json: { password: 'wrong by intent' } })).status;
    };
    // The customer has used up its share.
    await expect.poll(own, { interval: 20 }).toBe(503);
    expect([await change(), await change()]).toEqual([404, 404]);
    expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  });

  test('use no memory budget for their announced length', async () => {
    const session = await openCustomerSession(t, '1000', await makeCustomer(t), 'read');
    openSlow(40, byKey(t.demo), 'PUT /v1/account/keys/none', 1_048_576);
    openSlow(16, bySession(session), 'PUT /v1/me/password', 1_048_576);
    const seen: number[] = [];
    for (let n = 0; n < 20; n++) seen.push(await change());
    expect(new Set(seen)).toEqual(new Set([404]));
  });

  test('are refused at once if larger than a password needs', async () => {
    const session = await openSession(t, '1000');
    const json = { password: 'x'.repeat(20_000), new_password: 'another long one' };
    const large = await t.call('PUT', '/v1/me/password', { session, json });
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
  });
});
