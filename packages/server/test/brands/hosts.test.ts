import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { request } from 'node:http';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeContact, makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { codeFor, openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { checkHosts, hostLimits } from '../../src/core/brands/hosts.ts';
import { makeLink } from '../../src/core/links/link.ts';

let t: TestService;
let other: string;
let child: string;
/** The TXT records in the public DNS. */
const records = new Map<string, string[] | Error>();

beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_RESOLVER: '127.0.0.1:9' } });
  other = await makeReseller(t);
  child = await makeReseller(t, t.demo);
  vi.spyOn(t.ctx.lookup, 'texts').mockImplementation(async (name) => {
    const found = records.get(name) ?? [];
    if (found instanceof Error) throw found;
    return found;
  });
  vi.spyOn(t.ctx.lookup, 'addresses').mockImplementation(async () => ['127.0.0.1']);
  // Hosts that begin with "shop." lead to the service; any other answers like another server that has copied our headers.
  vi.spyOn(t.ctx.probe, 'request').mockImplementation(async ({ hostname, pathname, search }) => {
    const leadsHere = hostname.startsWith('shop.');
    const headers = leadsHere ? await headersAt(hostname, `${pathname}${search}`) : { 'x-request-id': 'req_1' };
    return { status: 204, headers, isTrusted: leadsHere || hostname.startsWith('fake.') };
  });
  await t.call('PUT', '/v1/brand', { json: { name: 'Toko Melati' } });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await t.stop();
});

/** The headers of the service's answer to a request for this host. */
const headersAt = (host: string, path: string) =>
  new Promise<Record<string, string>>((resolve, reject) => {
    const sent = request(`${t.url}${path}`, { headers: { Host: host } }, (answer) => {
      answer.resume();
      resolve(answer.headers as Record<string, string>);
    });
    sent.on('error', reject).end();
  });

interface Sent {
  readonly json?: object;
  readonly cookie?: string;
  readonly headers?: Record<string, string>;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: any JSON answer
  readonly body: any;
  readonly cookie: string;
}

/** A request by host, like a browser without an Origin header; `fetch` does not allow to set Host. */
function at(
  host: string,
  method: string,
  path: string,
  { json, cookie = '', headers = {} }: Sent = {},
): Promise<Answer> {
  const page = { 'Namehold-Console': '1', Origin: `https://${host}`, Cookie: cookie, Host: host };
  const body = json ? JSON.stringify(json) : undefined;
  const more = body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } : {};
  return new Promise((resolve, reject) => {
    const sent = request(`${t.url}/v1${path}`, { method, headers: { ...page, ...more, ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (piece) => (text += piece));
      answer.on('end', () => {
        const [set = ''] = answer.headers['set-cookie'] ?? [];
        resolve({ status: answer.statusCode!, body: text && JSON.parse(text), cookie: set.split(';')[0]! });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const claim = (host: string, as = t.demo) => t.call('POST', '/v1/brand/hosts', { json: { hostname: host }, as });
const check = (host: string, as = t.demo) => t.call('POST', `/v1/brand/hosts/${host}/check`, { as });
const remove = (host: string, as = t.demo) => t.call('DELETE', `/v1/brand/hosts/${host}`, { as });
const publish = ({ body }: { body: Record<string, string> }) => {
  const known = records.get(body.record_name!);
  records.set(body.record_name!, [...(Array.isArray(known) ? known : []), body.record_value!]);
};
const prove = async (host: string, as = t.demo) => {
  publish(await claim(host, as));
  const checked = await check(host, as);
  expect(checked.body, checked.text).toMatchObject({ state: 'verified' });
};
/** The headers that a browser sends with a call of the same page. */
const samePage = { 'Sec-Fetch-Site': 'same-origin' };
const shownAt = async (host: string) => (await at(host, 'GET', '/brand/shown', { headers: samePage })).body;
const idOf = (credentials: string) => credentials.split(':')[0]!;
const verified = (host: string) => countRows(t, 'brand_host', sql`host = ${host} and verified_at is not null`);
const open = (host: string) => countRows(t, 'person_session', sql`host = ${host} and ended_at is null`);

describe('claiming a brand host', () => {
  test('accepts five public host names per account, each once', async () => {
    for (const host of [
      'localhost',
      'a.localhost',
      'printer.local',
      '127.0.0.1',
      '192.0.2.1',
      '[::1]',
      '2001:db8::1',
      'com',
      'a..b',
      'shop.example.com:8443',
      'https://shop.example.com',
      'shop.example.com/app',
      'user@shop.example.com',
      '*.example.com',
      '-a.example.com',
      `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}`,
    ])
      expect((await claim(host)).body, host).toMatchObject({ errors: [{ field: 'hostname' }] });
    expect((await claim('Toko-Kopi.Example.')).body).toMatchObject({ hostname: 'toko-kopi.example', state: 'waiting' });
    expect((await claim('toko-kopi.example')).status).toBe(409);
    expect((await claim('bücher.example')).body).toMatchObject({ hostname: 'xn--bcher-kva.example' });
    const more = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((each) => claim(`${each}.example.com`)));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(3);
    const listed = (await t.call('GET', '/v1/brand/hosts')).body as { hostname: string }[];
    expect(listed).toHaveLength(hostLimits.perAccount);
    expect((await t.call('GET', '/v1/brand/hosts', { as: other })).body).toEqual([]);
    for (const { hostname } of listed) expect((await remove(hostname)).body).toEqual({ removed: true });
  });

  test('verifies the host for the account whose TXT record exists, and for no other account', async () => {
    const mine = await claim('shop.toko.example');
    const theirs = await claim('shop.toko.example', other);
    expect(mine.body.record_name).toBe('_brand-host.shop.toko.example');
    expect(mine.body.record_value).not.toBe(theirs.body.record_value);
    expect((await check('shop.toko.example')).body).toMatchObject({ state: 'waiting', verified_at: null });
    records.set(mine.body.record_name, new Error('SERVFAIL'));
    expect((await check('shop.toko.example')).body).toMatchObject({ state: 'waiting' });
    records.set(mine.body.record_name, [`x${mine.body.record_value}`, 'v=spf1 -all']);
    expect((await check('shop.toko.example')).body).toMatchObject({ state: 'waiting' });
    expect(await shownAt('shop.toko.example')).toEqual({ brand: null, host_reseller_id: null });
    publish(mine);
    expect((await check('shop.toko.example')).body).toMatchObject({ state: 'verified', is_reached: true });
    expect(await shownAt('shop.toko.example')).toMatchObject({
      brand: { name: 'Toko Melati' },
      host_reseller_id: '1000',
    });
    publish(theirs);
    const refused = await check('shop.toko.example', other);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
    expect((await remove('shop.toko.example', other)).status).toBe(200);
    expect((await check('shop.toko.example', other)).status).toBe(404);
    expect((await remove('shop.toko.example', other)).status).toBe(404);
    expect(await verified('shop.toko.example')).toBe(1);
  });

  test('reports the host as unreachable when the answer is not signed for this host and request', async () => {
    publish(await claim('fake.toko.example'));
    expect((await check('fake.toko.example')).body).toMatchObject({ state: 'verified', is_reached: false });
    const replayed = await headersAt('shop.toko.example', `/.well-known/namehold-host?nonce=${'a'.repeat(40)}`);
    expect(replayed['namehold-host-proof']).toMatch(/^[0-9a-f]{64}$/);
    const ask = vi.mocked(t.ctx.probe.request);
    for (const host of ['fake.toko.example', 'shop.toko.example']) {
      ask.mockResolvedValueOnce({ status: 204, headers: replayed, isTrusted: true });
      expect((await check(host)).body, host).toMatchObject({ is_reached: false });
    }
    expect((await check('shop.toko.example')).body).toMatchObject({ is_reached: true });
    expect((await t.call('GET', '/.well-known/namehold-host', { as: null })).status).toBe(404);
    await remove('fake.toko.example');
  });

  test('succeeds for one of two accounts that check the same host at once', async () => {
    publish(await claim('race.example.net'));
    publish(await claim('race.example.net', other));
    const both = await Promise.all([check('race.example.net'), check('race.example.net', other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await verified('race.example.net')).toBe(1);
    await Promise.all([remove('race.example.net'), remove('race.example.net', other)]);
  });

  test('requires recent authentication in a session', async () => {
    const session = await openSession(t, '1000', { email: 'proof@toko.example' });
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update person_session set sudo_until = null where person_id =
        (select id from person where email = 'proof@toko.example')`),
    );
    for (const [method, path] of [
      ['POST', '/v1/brand/hosts'],
      ['POST', '/v1/brand/hosts/shop.toko.example/check'],
      ['DELETE', '/v1/brand/hosts/shop.toko.example'],
    ] as const)
      expect((await t.call(method, path, { session, json: {} })).body.code, path).toBe('reauthentication_required');
  });
});

test('shows no brand for an unverified host, whatever the Host header contains', async () => {
  for (const host of [
    'shop.toko.example.evil.test',
    'evil.test',
    'shop.toko.example@evil.test',
    'evil.test#shop.toko.example',
    'shop.toko.example,evil.test',
    'shop.toko.example, shop.toko.example',
    '.shop.toko.example',
    'shop.toko.example..',
    '__proto__',
    'constructor.prototype',
    `${'a.'.repeat(2_000)}example`,
  ])
    expect(await shownAt(host), host).toEqual({ brand: null, host_reseller_id: null });
  // The header that a proxy got from its caller is ignored.
  const headers = { ...samePage, 'X-Forwarded-Host': 'shop.toko.example', Forwarded: 'host=shop.toko.example' };
  expect((await at('evil.test', 'GET', '/brand/shown', { headers })).body.host_reseller_id).toBeNull();
  expect((await shownAt('SHOP.toko.example:8443')).host_reseller_id).toBe('1000');
  // At a host no other account is shown.
  expect((await at('shop.toko.example', 'GET', `/brand/shown?reseller_id=${idOf(other)}`)).body).toMatchObject({
    brand: { name: 'Toko Melati' },
  });
});

test('accepts only requests from pages of the same host as same-origin', async () => {
  const startSignIn = (host: string, origin: string) =>
    at(host, 'POST', '/session/challenge', { json: {}, headers: { Origin: origin } });
  expect((await startSignIn('shop.toko.example', 'https://shop.toko.example')).status).toBe(200);
  const own = t.url.replace('127.0.0.1', 'localhost');
  for (const origin of [
    own,
    t.url,
    'http://shop.toko.example',
    'https://evil.test',
    'https://shop.toko.example:1',
    'null',
  ])
    expect((await startSignIn('shop.toko.example', origin)).body.code, origin).toBe('foreign_page');
  const { host } = new URL(t.url);
  expect((await startSignIn(host, 'https://shop.toko.example')).body.code).toBe('foreign_page');
  expect((await startSignIn('evil.test', 'https://evil.test')).body.code).toBe('foreign_page');
  expect((await startSignIn(host, t.url)).status).toBe(200);
});

describe('signing in at a brand host', () => {
  const host = 'shop.toko.example';
  const password = 'chosen by the customer';

  test('accepts customers of the account, and limits the session to that host', async () => {
    const email = 'wati@customer.example';
    const customer = await makeCustomer(t, t.demo, { email });
    const elsewhere = await openCustomerSession(t, '1000', customer, 'read');
    const signIn = (by: string, reseller_id: string, address = email) =>
      at(by, 'POST', '/session', { json: { email: address, password, reseller_id } });
    const opened = await signIn(host, '1000');
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    expect((await at(host, 'GET', '/session', { cookie: opened.cookie })).body.customer).toBeDefined();
    const main = new URL(t.url).host;
    for (const [by, cookie] of [
      [main, opened.cookie],
      ['evil.test', opened.cookie],
      [host, elsewhere],
    ] as const) {
      const headers = { Origin: by === main ? t.url : `https://${by}` };
      expect((await at(by, 'GET', '/session', { cookie, headers })).status, by).not.toBe(200);
    }
    expect((await t.call('GET', '/v1/session', { session: elsewhere })).status).toBe(200);
    const theirs = await makeCustomer(t, other, { email: 'siti@customer.example' });
    await openCustomerSession(t, idOf(other), theirs, 'read', other);
    expect((await signIn(host, idOf(other), 'siti@customer.example')).status).toBe(401);
  });

  test('accepts users of the account and its sub-resellers, and refuses others', async () => {
    const join = async (account: string, email: string) =>
      at(host, 'POST', '/session/code', {
        json: { code: await codeFor(t, account, { email, role: 'read_only' }), password },
      });
    const own = await join('1000', 'own@staff.example');
    expect(own.status, JSON.stringify(own.body)).toBe(200);
    expect((await join(idOf(child), 'below@staff.example')).status).toBe(200);
    expect((await join(idOf(other), 'beside@staff.example')).status).toBe(401);
    expect((await join(idOf(t.operator), 'above@staff.example')).status).toBe(401);
    expect(await countRows(t, 'person', sql`email in ('beside@staff.example', 'above@staff.example')`)).toBe(0);
    // A user who later joins another account can neither switch to it there nor sign in again.
    const session = await openSession(t, '1000', { email: 'both@staff.example', role: 'read_only', password });
    expect(session).toBeTruthy();
    const both = { email: 'both@staff.example', password };
    const inside = await at(host, 'POST', '/session', { json: both });
    expect(inside.status).toBe(200);
    await openSession(t, idOf(other), { ...both, role: 'read_only' });
    const over = { json: { reseller_id: idOf(other) }, cookie: inside.cookie };
    expect((await at(host, 'PUT', '/session/account', over)).status).toBe(409);
    expect((await at(host, 'POST', '/session', { json: both })).status).toBe(401);
    expect((await t.call('POST', '/v1/session', { json: both, session: '' })).status).toBe(200);
  });

  test('accepts a passkey only at the host where it was created, and does not skip it elsewhere', async () => {
    const email = 'keys@staff.example';
    await openSession(t, '1000', { email, role: 'read_only', password });
    const { cookie } = await at(host, 'POST', '/session', { json: { email, password } });
    const wanted = (await at(host, 'POST', '/me/passkeys/challenge', { json: {}, cookie })).body.options;
    expect(wanted.rp.id).toBe(host);
    const key = softKey();
    const put = (passkey: object) => at(host, 'POST', '/me/passkeys', { json: { name: 'Key', passkey }, cookie });
    expect((await put(key.make(wanted.challenge, host, 'localhost'))).status).toBe(400);
    const again = (await at(host, 'POST', '/me/passkeys/challenge', { json: {}, cookie })).body.options;
    const added = await put(key.make(again.challenge, host, host));
    expect(added.body, JSON.stringify(added.body)).toMatchObject({ host });

    const byKey = async (by: string, origin: string, rp: string) => {
      const headers = { Origin: origin };
      const { body } = await at(by, 'POST', '/session/challenge', { json: {}, headers });
      const passkey = key.use(body.challenge, origin, rp);
      return { rp: body.rp_id, ...(await at(by, 'POST', '/session/passkey', { json: { passkey }, headers })) };
    };
    expect(await byKey(host, `https://${host}`, host)).toMatchObject({ status: 200, rp: host });
    const main = new URL(t.url).host;
    expect(await byKey(main, t.url, host)).toMatchObject({ status: 401, rp: 'localhost' });
    expect((await at(host, 'POST', '/session', { json: { email, password } })).body).toEqual({ methods: ['passkey'] });
    const there = await t.call('POST', '/v1/session', { json: { email, password }, session: '' });
    expect([there.status, there.body.code, there.headers.get('set-cookie')]).toEqual([409, 'conflict', null]);
  });

  test('ends the sessions when the host is removed', async () => {
    expect(await open(host)).toBeGreaterThan(0);
    const { cookie } = await at(host, 'POST', '/session', { json: { email: 'own@staff.example', password } });
    expect((await remove(host)).status).toBe(200);
    expect(await open(host)).toBe(0);
    expect((await shownAt(host)).host_reseller_id).toBeNull();
    records.clear();
    await prove(host, other);
    expect((await shownAt(host)).host_reseller_id).toBe(idOf(other));
    expect((await at(host, 'GET', '/session', { cookie })).status).toBe(401);
    await remove(host, other);
    records.clear();
  });
});

/** A P-256 key that signs as an authenticator would. */
function softKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  const hash = (text: string | Buffer) => createHash('sha256').update(text).digest();
  const client = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  const shell = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };
  const cbor = (text: string) => Buffer.from(text, 'hex');
  const credential = { ...shell, clientExtensionResults: {} };
  return {
    make(challenge: string, host: string, rp: string) {
      const cose = [
        cbor('a5010203262001215820'),
        Buffer.from(x!, 'base64url'),
        cbor('225820'),
        Buffer.from(y!, 'base64url'),
      ];
      const length = Buffer.from([0, id.length]);
      const data = Buffer.concat([hash(rp), Buffer.from([0x45]), Buffer.alloc(4 + 16), length, id, ...cose]);
      // {fmt: "none", attStmt: {}, authData}
      const head = cbor('a363666d74646e6f6e656761747453746d74a068617574684461746158');
      const attestationObject = Buffer.concat([head, Buffer.from([data.length]), data]).toString('base64url');
      const clientDataJSON = client('create', challenge, `https://${host}`).toString('base64url');
      return { ...credential, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },
    use(challenge: string, origin: string, rp: string) {
      const data = Buffer.concat([hash(rp), Buffer.from([0x05]), Buffer.alloc(4)]);
      const clientData = client('get', challenge, origin);
      const signature = sign('sha256', Buffer.concat([data, hash(clientData)]), privateKey).toString('base64url');
      const response = {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
      };
      return { ...credential, response: { ...response, signature } };
    },
  };
}

test('reports a missing record, withdraws the host days later, and ignores resolver failures', async () => {
  const host = 'shop.gone.example';
  await prove(host);
  const member = { email: 'gone@staff.example', role: 'read_only', password: 'a long enough one' } as const;
  const code = await codeFor(t, '1000', member);
  const { cookie } = await at(host, 'POST', '/session/code', { json: { code, password: member.password } });
  const noticeCount = () =>
    countRows(t, 'notice', sql`reseller_id = 1000 and kind = 'account_security' and body_text like ${`%${host}%`}`);
  const before = await noticeCount();
  const record = `_brand-host.${host}`;
  const value = records.get(record)!;
  const start = t.ctx.wall.now().getTime();
  const stateAfter = async (hours: number) => {
    const now = new Date(start + hours * 3_600_000);
    await checkHosts({ ...t.ctx, wall: { ...t.ctx.wall, now: () => now } });
    const [row] = (await t.call('GET', '/v1/brand/hosts')).body;
    return row.state as string;
  };
  records.set(record, new Error('timeout'));
  expect(await stateAfter(13)).toBe('verified');
  records.delete(record);
  expect(await stateAfter(14)).toBe('verified');
  expect(await stateAfter(26)).toBe('missing');
  expect(await noticeCount()).toBe(before + 1);
  records.set(record, value);
  expect(await stateAfter(39)).toBe('verified');
  records.delete(record);
  for (const hours of [52, 65, 78, 91, 104]) expect(await stateAfter(hours), `${hours}`).toBe('missing');
  expect(await noticeCount()).toBe(before + 2);
  expect((await at(host, 'GET', '/session', { cookie })).status).toBe(200);
  expect(await stateAfter(52 + 73)).toBe('waiting');
  expect(await noticeCount()).toBe(before + 3);
  expect(await open(host)).toBe(0);
  expect(await verified(host)).toBe(0);
  await expect.poll(() => shownAt(host)).toMatchObject({ host_reseller_id: null });
  await prove(host, other);
  await remove(host, other);
  await remove(host);
});

test('puts only reachable hosts of the same account into links in mail', async () => {
  await prove('dark.toko.example');
  await prove('shop.mail.example');
  const customer = await makeCustomer(t, t.demo, { email: 'links@customer.example' });
  const contact = await makeContact(t, customer);
  const linkOf = (credentials: string, to: string, domainId: string) =>
    t.ctx.db.transaction(credentials === '' ? allTenants : idOf(credentials), async (tx) => {
      const recipient = { name: to, email: to, country_code: 'ID' };
      const options = { resellerId: '1000', domainId, to: recipient, expiresAt: new Date(Date.now() + 60_000) };
      return (await makeLink(t.ctx, tx, options)).link;
    });
  const domain = { resellerId: '1000', customerId: customer, contactId: contact, name: 'links.com' };
  const id = await insertDomainRow(t, domain);
  expect(await linkOf(t.demo, 'a@links.com', id)).toMatch(/^https:\/\/shop\.mail\.example\/confirm\//);
  expect(await linkOf('', 'b@links.com', id)).toMatch(/^https:\/\/shop\.mail\.example\/confirm\//);
  await remove('shop.mail.example');
  expect(await linkOf(t.demo, 'c@links.com', id)).toContain(`${t.url}/confirm/`);
  expect(await linkOf('', 'd@links.com', id)).not.toContain('dark.toko.example');
});
