import { execFile } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databaseUrl } from '../../../../test/support/database.ts';
import { insertDomainRow, removeDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { certificatesToCheck, recordRecheck } from '../../src/core/certificates/certificate.sql.ts';
import { moveForwarding } from '../../src/core/forwarding/forwarding.sql.ts';
import { purgeWebForwarding } from '../../src/core/forwarding/purge.ts';
import { AcmeChallengePages } from '../../src/edge/acme-challenge-pages.ts';
import { Certificates } from '../../src/edge/certificates.ts';
import { ClickCounter } from '../../src/edge/click-counter.ts';
import { RuleCache } from '../../src/edge/rule-cache.ts';
import { rulesOnDisk } from '../../src/edge/run.ts';
import { serveWeb } from '../../src/edge/web-server.ts';
import { probeEdge } from '../../src/embedded/edge-probes.ts';
import { spawnNamehold, threadsOf } from '../support/process.ts';
import { makeDomain, patch } from '../zones/support.ts';
import { certificateRows, sendHellos } from './tls-handshakes.ts';

const run = promisify(execFile);
let t: TestService;
beforeAll(async () => {
  t = await startTestService({
    env: {
      NAMEHOLD_REDIRECT_PORT: '0',
      NAMEHOLD_REDIRECT_TLS_PORT: '0',
      NAMEHOLD_DNS_PORT: '0',
      NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
      NAMEHOLD_ABUSE_ADDRESS: 'abuse@operator.example',
    },
  });
  slow = [
    lingering('GET / HTTP/1.1\r\nHost: wire.com\r\n', edgePort()),
    lingering('GET /\u00c3\u00bc HTTP/1.1\r\nHost: wire.com\r\n', edgePort()),
    lingering(helloBegun, tlsPort()),
    // Opens a connection and sends nothing.
    lingering('', tlsPort(), ''),
    lingering('', edgePort(), ''),
  ];
});
afterAll(() => t.stop());

const edgePort = () => t.service.edge!.port;
const tlsPort = () => t.service.edge!.tlsPort!;

const helloBegun = '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003';

/** Connections that send a byte a second, or nothing: the time until the edge closes them, in milliseconds. */
let slow: Promise<number>[] = [];

function lingering(bytes: string, port: number, more = 'X'): Promise<number> {
  const began = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    const timer = setInterval(() => socket.write(more), 1_000);
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(performance.now() - began);
    });
  });
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A visit without a DNS lookup of the host. */
async function curl(url: string, more: readonly string[] = [], port = edgePort()): Promise<Got> {
  const args = ['-sS', '-i', '--path-as-is', '--connect-to', `::127.0.0.1:${port}`, ...more, url];
  const { stdout } = await run('curl', args);
  const [head = '', ...rest] = stdout.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(':')[0]!.toLowerCase(), field.replace(/^[^:]*: /, '')]),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** Sends raw bytes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(edgePort(), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const put = async (id: string, rules: readonly object[], as?: string) => {
  const called = await t.call('PUT', `/v1/domains/${id}/forwarding`, {
    json: { rules },
    headers: { 'If-Match': '*' },
    ...(as ? { as } : {}),
  });
  expect(called.status, called.text).toBe(200);
  return called.body;
};
const soon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 300_000, interval: 50 });
const status = (url: string, wanted: number, port?: number) =>
  soon(async () => expect((await curl(url, [], port)).status).toBe(wanted));

test('serves a new rule: the embedded nameserver returns the address, the edge redirects', async () => {
  const id = await makeDomain(t, 'visit.com');
  await put(id, [{ host: '@', target: 'https://shop.example/', path_mode: 'append', query_mode: 'append' }]);
  const resolver = new Resolver();
  const { host, port } = t.service.nameserver!.at;
  resolver.setServers([`${host}:${port}`]);
  await soon(async () => expect(await resolver.resolve4('visit.com')).toEqual(['127.0.0.1']));
  await status('http://visit.com/', 301);
  const got = await curl('http://VISIT.com:80/a%2Fb/../c?d=1&e', ['-H', 'User-Agent: x']);
  expect(got.headers).toMatchObject({ location: 'https://shop.example/c?d=1&e', 'cache-control': 'max-age=3600' });
  expect((await curl('http://visit.com./x')).headers.location).toBe('https://shop.example/x');
  await put(id, []);
  await status('http://visit.com/', 404);
  const facts = { redirectAddresses: ['127.0.0.1'], acmeDirectory: 'http://127.0.0.1:1/', acmeCaFile: undefined };
  const ports = { http: edgePort(), https: tlsPort() };
  expect(await probeEdge({ ...facts, acmeSecondDirectory: undefined }, ports)).toMatchObject([
    { name: 'edge at 127.0.0.1', ok: true },
    { name: 'edge HTTPS at 127.0.0.1', ok: true },
    { name: 'certificate authority 127.0.0.1:1', ok: false, text: 'does not answer' },
  ]);
  await soon(async () => expect(await resolver.resolve4('visit.com').catch(() => [])).toEqual([]));
});

test('accepts the absolute form of a request, whose host overrides the Host header', async () => {
  const id = await makeDomain(t, 'absolute.com');
  await put(id, [{ host: '@', target: 'https://shop.example/', path_mode: 'append', query_mode: 'append' }]);
  await status('http://absolute.com/', 301);
  const locationOf = async (target: string, host: string) =>
    /^Location: (.*)\r$/m.exec(await raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))?.[1];
  expect(await locationOf('http://absolute.com/a?b=1', 'absolute.com')).toBe('https://shop.example/a?b=1');
  expect(await locationOf('HTTP://Absolute.com:80?b=1', 'elsewhere.example')).toBe('https://shop.example/?b=1');
  expect(await raw('GET ftp://absolute.com/ HTTP/1.1\r\nHost: absolute.com\r\nConnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 /,
  );
});

test('accepts bytes beyond ASCII in the path and redirects to their escaped form', async () => {
  const id = await makeDomain(t, 'letters.com');
  await put(id, [
    { host: '@', target: 'https://shop.example/', path_mode: 'append', query_mode: 'append' },
    { host: '@', path: '/café', target: 'https://cafe.example/' },
  ]);
  await status('http://letters.com/', 301);
  const responseHead = (method: string, target: string) =>
    raw(`${method} ${target} HTTP/1.1\r\nHost: letters.com\r\n\r\n`).then((text) => text.split('\r\n\r\n')[0]!);
  expect(await responseHead('GET', '/menü?süß=1')).toMatch(
    /^HTTP\/1\.1 301 [\s\S]*\r\nLocation: https:\/\/shop\.example\/men%C3%BC\?s%C3%BC%C3%9F=1\r\n[\s\S]*Connection: close/,
  );
  expect(await responseHead('HEAD', '/café')).toMatch(/^HTTP\/1\.1 301 [\s\S]*Location: https:\/\/cafe\.example\/\r\n/);
  expect(await responseHead('GET', '/voilà')).toMatch(/^HTTP\/1\.1 301 [\s\S]*\/voil%C3%A0\r\n/);
  for (const byte of [0x00, 0x01, 0x08, 0x0b, 0x1f, 0x7f])
    expect(await responseHead('GET', `/ü${String.fromCharCode(byte)}x`), `byte ${byte}`).toMatch(/^HTTP\/1\.1 400 /);
  // With a second error in the head.
  for (const bytes of ['GET /ü x HTTP/1.1\r\nHost: letters.com\r\n\r\n', 'GET /ü HTTP/1.1\r\nHost letters.com\r\n\r\n'])
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 400 /);
});

/** Sends pieces that the server reads one by one, without Nagle's algorithm. */
async function inPieces(pieces: readonly Buffer[], port = edgePort()): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined);
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ended;
  return Buffer.concat(parts).toString();
}

const locations = (text: string) => [...text.matchAll(/^Location: (.*)\r$/gm)].map(([, to]) => to);

test('reads a non-ASCII path or answers 400 if the request head is split before its first non-ASCII byte', async () => {
  const id = await makeDomain(t, 'pieces.com');
  await put(id, [{ host: '@', target: 'https://shop.example/', path_mode: 'append' }]);
  await status('http://pieces.com/', 301);
  const head = (target: string) => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: pieces.com\r\nAccept: */*\r\n\r\n`);
  const firstNonAscii = (bytes: Buffer) => bytes.findIndex((byte) => byte > 0x7f);
  const one = head('/menü/süß');
  const to = 'https://shop.example/men%C3%BC/s%C3%BC%C3%9F';
  for (let at = 1; at < one.length; at += 1) {
    const got = await inPieces([one.subarray(0, at), one.subarray(at)]);
    if (at <= firstNonAscii(one) && got.startsWith('HTTP/1.1 400 ')) continue;
    expect(locations(got), `divided at ${at}`).toEqual([to]);
  }
  // After others, each gets its own response, in order.
  const others = Buffer.concat([head('/one'), head('/two')]);
  const three = Buffer.concat([others, head('/zwölf')]);
  const all = ['one', 'two', 'zw%C3%B6lf'].map((path) => `https://shop.example/${path}`);
  expect(locations(await inPieces([three]))).toEqual(all);
  for (let at = 1; at < three.length; at += 1) {
    const got = await inPieces([three.subarray(0, at), three.subarray(at)]);
    const codes = got.match(/^HTTP\/1\.1 \d+/gm);
    const isRefused = at > others.length && at <= firstNonAscii(three) && codes?.[2] === 'HTTP/1.1 400';
    expect(codes, `divided at ${at}`).toHaveLength(3);
    expect(locations(got), `divided at ${at}`).toEqual(isRefused ? all.slice(0, 2) : all);
  }
  // With a second error it is refused after the responses before it.
  const broken = Buffer.concat([head('/one'), head('/two'), Buffer.from('GET /ü x HTTP/1.1\r\n\r\n')]);
  for (const pieces of [[broken], [broken.subarray(0, -9), broken.subarray(-9)]])
    expect((await inPieces(pieces)).match(/^HTTP\/1\.1 \d+/gm)).toEqual([301, 301, 400].map((n) => `HTTP/1.1 ${n}`));
  // Bytes of a body are not parsed as a request.
  const body = Buffer.from(
    'POST /a HTTP/1.1\r\nHost: pieces.com\r\nContent-Length: 9\r\n\r\nx\r\n\r\nGET T /ü HTTP/1.1\r\n\r\n',
  );
  const posted = await inPieces([body]);
  expect(locations(posted)).toEqual(['https://shop.example/a']);
});

test('redirects GET, HEAD, POST and DELETE with each configured code, and refuses other methods', async () => {
  const id = await makeDomain(t, 'codes.com');
  await put(
    id,
    [301, 302, 307, 308].map((code) => ({ host: '@', path: `/${code}`, target: 'https://x.example/y', code })),
  );
  await status('http://codes.com/301', 301);
  for (const code of [301, 302, 307, 308])
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const body = method === 'POST' ? ['-d', 'a=b'] : [];
      const got = await curl(`http://codes.com/${code}`, [...(method === 'HEAD' ? ['-I'] : ['-X', method]), ...body]);
      expect([got.status, got.headers.location], `${method} ${code}`).toEqual([code, 'https://x.example/y']);
      expect(got.headers['cache-control']).toBe(code === 301 || code === 308 ? 'max-age=3600' : 'max-age=0');
    }
  for (const method of ['OPTIONS', 'TRACE'])
    expect((await curl('http://codes.com/301', ['-X', method])).status).toBe(405);
  expect((await curl('http://codes.com/other')).status).toBe(404);
});

test('serves a masked page with one frame and a policy that forbids everything else', async () => {
  const id = await makeDomain(t, 'mask.com');
  await put(id, [
    {
      host: '@',
      target: 'https://framed.example/',
      path_mode: 'append',
      masking: { title: '</title><script>x()</script>', text: '<p>Hello <b onclick=x()>you</b></p>' },
    },
  ]);
  await status('http://mask.com/', 200);
  const got = await curl('http://mask.com/a"><script>');
  expect(got.body).toContain('<iframe src="https://framed.example/a%22%3E%3Cscript%3E"><p>Hello you</p></iframe>');
  expect(got.body).not.toMatch(/<script|onclick/);
  const nonce = /nonce="([\w-]+)"/.exec(got.body)![1];
  expect(got.headers).toMatchObject({
    'content-security-policy': `default-src 'none'; frame-src https://framed.example; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  expect((await curl('http://mask.com/')).body).not.toContain(nonce);
  expect((await curl('http://mask.com/', ['-d', 'a=b'])).status).toBe(405);
});

test('returns 410 for domains out of service, and 404 with the abuse contact for unknown ones', async () => {
  const id = await makeDomain(t, 'held.com');
  await put(id, [{ host: '*', target: 'https://x.example/{sub}' }]);
  await status('http://a.held.com/', 301);
  const set = (what: string) =>
    t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`update domain set ${sql.raw(what)} where id = ${id}`));
  await set('suspended = true');
  await status('http://a.held.com/', 410);
  expect((await t.call('GET', `/v1/domains/${id}/forwarding`)).body.rules[0]).toMatchObject({
    state: 'blocked',
    reason: 'the domain is suspended',
  });
  await set('suspended = false');
  await status('http://a.held.com/', 301);
  await set("state = 'redemption'");
  await status('http://a.held.com/', 410);
  await set("state = 'live'");
  await removeDomainRow(t, id);
  await status('http://a.held.com/', 410);
  // Another account registers it: the new domain applies, not the old row.
  const again = await makeDomain(t, 'held.com');
  await put(again, [{ host: '*', target: 'https://new.example/{sub}' }]);
  await status('http://a.held.com/', 301);
  await removeDomainRow(t, again);
  await status('http://a.held.com/', 410);
  t.moveClock('+8d');
  await purgeWebForwarding(t.ctx);
  await status('http://a.held.com/', 404);
  expect((await curl('http://nobody.com/')).body).toContain('abuse@operator.example');
});

test('keeps serving the rules of a domain that moved to another reseller', async () => {
  const id = await makeDomain(t, 'moves.com');
  await put(id, [{ host: '@', target: 'https://x.example/' }]);
  await status('http://moves.com/', 301);
  const otherRegistrar = await makeReseller(t);
  const resellerId = otherRegistrar.split(':')[0]!;
  const customerId = await makeCustomer(t, otherRegistrar);
  await removeDomainRow(t, id);
  const newOwner = await insertDomainRow(t, { resellerId, customerId, name: 'moves.com' });
  await t.ctx.db.transaction(allTenants, (tx) =>
    moveForwarding(tx, { id, reseller_id: '1000' }, { id: newOwner, reseller_id: resellerId }),
  );
  await status('http://moves.com/', 301);
  const read = await t.call('GET', `/v1/domains/${newOwner}/forwarding`, { as: otherRegistrar });
  expect(read.body.rules).toMatchObject([{ host: '@', target: 'https://x.example/' }]);
  expect((await t.call('GET', `/v1/domains/${id}/forwarding`)).body.rules).toEqual([]);
});

test('refuses invalid HTTP requests', async () => {
  const id = await makeDomain(t, 'wire.com');
  await put(id, [{ host: '@', target: 'https://x.example/', path_mode: 'append' }]);
  await status('http://wire.com/', 301);
  const head = (lines: string) => `${lines}\r\nConnection: close\r\n\r\n`;
  const codeOf = async (bytes: string) => Number((await raw(bytes)).split(' ')[1]);
  const cases: [string, number][] = [
    [head('GET / HTTP/1.1\r\nHost: wire.com'), 301],
    [head('GET / HTTP/1.1'), 400],
    [head('GET / HTTP/1.1\r\nHost: wire.com\r\nHost: wire.com'), 400],
    [head('GET / HTTP/1.1\r\nHost: user@wire.com'), 400],
    [head('GET / HTTP/1.1\r\nHost: wire.com:8081'), 301],
    [head('GET / HTTP/1.1\r\nHost: wire.com.'), 301],
    [head('GET / HTTP/1.1\r\nHost: wire.com..'), 400],
    [head('GET / HTTP/1.1\r\nHost: .wire.com'), 400],
    [head('GET / HTTP/1.1\r\nHost:'), 400],
    [head('GET / HTTP/1.1\r\nHost: wire.com, wire.com'), 400],
    [head('GET / HTTP/1.1\r\nHost: wire.com/x'), 400],
    [head('GET / HTTP/1.1\r\nHost: w\u0000ire.com'), 400],
    [head(`GET / HTTP/1.1\r\nHost: ${'a'.repeat(300)}`), 400],
    [head('GET / HTTP/1.0\r\nHost: wire.com'), 301],
    [head('GET /%zz%2 HTTP/1.1\r\nHost: wire.com'), 301],
    [head('BREW / HTTP/1.1\r\nHost: wire.com'), 400],
    [head('OPTIONS * HTTP/1.1\r\nHost: wire.com'), 400],
    [head('POST / HTTP/1.1\r\nHost: wire.com\r\nContent-Length: 5\r\nTransfer-Encoding: chunked'), 400],
    [head(`GET / HTTP/1.1\r\nHost: wire.com\r\n${'X: 1\r\n'.repeat(3_000)}X: 1`), 431],
    [head(`GET / HTTP/1.1\r\nHost: ${'a.'.repeat(150)}wire.com`), 400],
    [head('GET / HTTP/1.1\r\nHost: wire.com:99999999'), 400],
    [head('GET / HTTP/1.1\r\nHost: 127.0.0.1'), 404],
    [head('GET http://evil.test/ HTTP/1.1\r\nHost: wire.com'), 404],
    [head('CONNECT evil.test:443 HTTP/1.1\r\nHost: wire.com'), 405],
    [head(`GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: wire.com`), 431],
    [head('GET / HTTP/1.1\r\nHost: wire.com\r\nX: a\rb'), 400],
    ['\u0016\u0003\u0001\r\n\r\n', 400],
  ];
  for (const [bytes, code] of cases) expect(await codeOf(bytes), JSON.stringify(bytes.slice(0, 80))).toBe(code);
  const odd = await raw(head('GET //evil.test/%0d%0aSet-Cookie:x HTTP/1.1\r\nHost: wire.com'));
  expect(odd).toMatch(/\r\nLocation: https:\/\/x\.example\/evil\.test\/%0D%0ASet-Cookie:x\r\n/);
  const bad = await raw(head('GET /%zz/%2/%c3%28 HTTP/1.1\r\nHost: wire.com'));
  expect(bad).toMatch(/\r\nLocation: https:\/\/x\.example\/%25zz\/%252\/%C3%28\r\n/);
});

test('takes only the domain with invalid stored rules out of service', async () => {
  const [odd, other] = [await makeDomain(t, 'odd.com'), await makeDomain(t, 'other.com')];
  await put(odd, [{ host: '@', target: 'https://x.example/' }]);
  await status('http://odd.com/', 301);
  const good = { host: '@', path: '/', match: 'prefix', target: 'https://x.example/', code: 301, enabled: true };
  for (const rules of [[{}], [{ enabled: true }], [7], [{ ...good, target: 'x' }], [{ ...good, masking: {} }]]) {
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        with spoiled as (update forwarding set rules = ${JSON.stringify(rules)}, changed_xid = pg_current_xact_id() where domain_id = ${odd} returning domain_id)
        select pg_notify('namehold_forwarding', domain_id::text) from spoiled`),
    );
    await soon(async () => expect([404, 410]).toContain((await curl('http://odd.com/')).status));
    await put(other, [{ host: '@', target: `https://x.example/${JSON.stringify(rules).length}` }]);
    await soon(async () =>
      expect((await curl('http://other.com/')).headers.location).toBe(
        `https://x.example/${JSON.stringify(rules).length}`,
      ),
    );
  }
});

test('serves HTTPS in the sandbox with certificates of its CA, and none for unknown names', async () => {
  const id = await makeDomain(t, 'secure.com');
  await put(id, [
    { host: '@', target: 'https://x.example/' },
    { host: '*', target: 'https://x.example/{sub}' },
  ]);
  await status('http://secure.com/', 301);
  const port = t.service.edge!.tlsPort!;
  const trusting = ['--cacert', t.service.credentials!.edge!.ca_file!];
  await soon(async () => expect((await curl('https://secure.com/', trusting, port)).status).toBe(301));
  expect((await curl('https://secure.com/', trusting, port)).headers.location).toBe('https://x.example/');
  expect((await curl('https://a.secure.com/', trusting, port)).headers.location).toBe('https://x.example/a');
  expect((await curl('https://secure.com/', ['--tlsv1.2', '--tls-max', '1.2', ...trusting], port)).status).toBe(301);
  // No handshake for an unknown host or an old protocol version, and no publicly trusted certificate.
  const failing = [
    curl('https://unknown.com/', trusting, port),
    curl('https://secure.com.evil.test/', trusting, port),
    curl('https://secure.com/', ['--tls-max', '1.1', ...trusting], port),
    curl('https://secure.com/', [], port),
  ];
  for (const outcome of await Promise.allSettled(failing)) expect(outcome.status).toBe('rejected');
  expect((await t.call('GET', `/v1/domains/${id}/forwarding`)).body.schemes).toEqual(['http', 'https']);
  // HSTS only if requested, by HTTPS, and once the certificate is seven days old.
  const strict = async (host: string, scheme = 'https') =>
    (await curl(`${scheme}://${host}/`, trusting, scheme === 'https' ? port : undefined)).headers[
      'strict-transport-security'
    ];
  await put(id, [
    { host: '@', target: 'https://x.example/new', hsts: true },
    { host: 'www', target: 'https://x.example/' },
  ]);
  await soon(async () =>
    expect((await curl('https://secure.com/', trusting, port)).headers.location).toBe('https://x.example/new'),
  );
  expect(await strict('secure.com')).toBeUndefined();
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`update certificate set live_since = now() - interval '8 days' where domain_id = ${id}`);
    await tx.many(sql`select pg_notify('namehold_forwarding', ${id})::text as told`);
  });
  await soon(async () => expect(await strict('secure.com')).toBe('max-age=15552000'));
  expect([await strict('www.secure.com'), await strict('secure.com', 'http')]).toEqual([undefined, undefined]);
  await put(id, []);
  await status('http://secure.com/', 404);
  await expect(curl('https://secure.com/', trusting, port)).rejects.toThrow();
});

test('starts and redirects with `namehold edge` while the database is down, and catches up later', async () => {
  const id = await makeDomain(t, 'alone.com');
  await put(id, [
    { host: '@', target: 'https://one.example/' },
    { host: '@', path: '/denied', target: 'https://a.denied.example/' },
  ]);
  const start = async () => {
    const child = spawnNamehold(['edge'], {
      folder: t.folder,
      env: {
        DATABASE_URL: t.databaseUrl,
        NAMEHOLD_REDIRECT_PORT: '0',
        NAMEHOLD_REDIRECT_TLS_PORT: '0',
        NAMEHOLD_REDIRECT_RATE_LIMIT: '30',
        NAMEHOLD_REDIRECT_DENY: 'denied.example',
      },
    });
    const ports = await new Promise<[number, number]>((resolve) => {
      let text = '';
      child.stdout!.on('data', (piece: Buffer) => {
        text += piece.toString();
        const found = /listens at 127\.0\.0\.1:(\d+), and HTTPS at port (\d+)/.exec(text);
        if (found) resolve([Number(found[1]), Number(found[2])]);
      });
    });
    return { child, ports };
  };
  let { child, ports } = await start();
  try {
    expect(threadsOf(child.pid!)).toContain('watchdog');
    const trusting = ['--cacert', t.service.credentials!.edge!.ca_file!];
    const secure = () => curl('https://alone.com/', trusting, ports[1]);
    await soon(async () => expect((await secure()).headers.location).toBe('https://one.example/'));
    const location = async (wanted: string) =>
      vi.waitFor(async () => expect((await curl('http://alone.com/', [], ports[0])).headers.location).toBe(wanted), {
        timeout: 300_000,
        interval: 300,
      });
    await location('https://one.example/');
    // A target that is denied after the rule was set is not served.
    expect((await curl('http://alone.com/denied', [], ports[0])).status).toBe(410);
    await soon(async () => expect(readFileSync(join(t.folder, 'edge', 'rules'), 'utf8')).toContain('"alone.com"'));
    const name = new URL(t.databaseUrl.replace(/^postgres(ql)?:\/\/[^/]*@?\//, 'http://x/')).pathname.slice(1);
    const admin = new pg.Client({ connectionString: databaseUrl('postgres') });
    await admin.connect();
    try {
      await admin.query(`alter database ${name} with allow_connections false`);
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and (application_name = 'namehold-edge' or query like 'listen%' or query = 'select 1')`,
        [name],
      );
      expect(rowCount).toBeGreaterThan(0);
      for (let again = 0; again < 5; again++) await location('https://one.example/');
      expect((await secure()).headers.location).toBe('https://one.example/');
      // After a kill it starts with its copy on disk; an unknown domain may be new.
      child.kill('SIGKILL');
      ({ child, ports } = await start());
      await location('https://one.example/');
      expect((await secure()).headers.location).toBe('https://one.example/');
      expect((await curl('http://nobody.com/', [], ports[0])).status).toBe(503);
    } finally {
      await admin.query(`alter database ${name} with allow_connections true`);
      await admin.end();
    }
    await put(id, [{ host: '@', target: 'https://two.example/' }]);
    await location('https://two.example/');
    const visitor = ['-A', 'Mozilla/5.0', '-e', 'https://me:pw@News.example:8443/x?who=me'];
    for (let visit = 0; visit < 3; visit++)
      await soon(async () => expect((await curl('http://alone.com/', visitor, ports[0])).status).toBe(301));
    await curl('http://alone.com/', ['-e', 'http://192.168.1.7/x'], ports[0]);
    // Thirty a second: further requests get 429.
    const urls = Array.from({ length: 200 }, (_, at) => `http://alone.com/${at}`);
    const many = await run('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code} ',
      '--connect-to',
      `::127.0.0.1:${ports[0]}`,
      ...urls.flatMap((url, at) => (at === 0 ? [url] : ['-o', '/dev/null', url])),
    ]);
    expect(many.stdout).toMatch(/301/);
    expect(many.stdout).toMatch(/429/);
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
  // Counts are stored before the exit, and contain no data of visitors.
  const counted = await t.call('GET', `/v1/domains/${id}/forwarding/statistics`, { query: { step: 'hour' } });
  const { requests, bots, rules } = counted.body;
  expect([requests - bots, rules.length, rules[0].referrers]).toEqual([3, 1, { 'news.example': 3 }]);
  expect(rules[0]).toMatchObject({ rule: '@ / prefix', requests, codes: { '301': requests } });
  expect(Object.values(counted.body.steps).reduce((sum, n) => Number(sum) + Number(n), 0)).toBe(requests);
  expect(bots).toBeGreaterThan(10);
  const rows = await t.ctx.db.as(allTenants).many<{ all: string }>(sql`select f::text as all from forward_hour f`);
  expect(rows.map((row) => row.all).join()).not.toMatch(/127\.0\.0|192\.168|who=me|me:pw|Mozilla/);
  for (const query of [
    { from: '2026-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' },
    { from: '2025-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z', step: 'hour' },
    { from: 'yesterday' },
    { step: 'minute' },
  ])
    expect((await t.call('GET', `/v1/domains/${id}/forwarding/statistics`, { query })).status).toBe(400);
});

test('refuses handshakes for unknown names, and stores nothing about them', async () => {
  const before = await certificateRows(t);
  await sendHellos(tlsPort(), 300);
  expect(await certificateRows(t)).toEqual(before);
  const id = await makeDomain(t, 'after.com');
  await put(id, [{ host: '@', target: 'https://x.example/' }]);
  await status('http://after.com/', 301);
});

test('closes slow connections after ten seconds, and allows twenty connections for one address', async () => {
  for (const ms of await Promise.all(slow)) {
    expect(ms).toBeGreaterThan(9_000);
    expect(ms).toBeLessThan(60_000);
  }
  const sockets: Socket[] = [];
  let gone = 0;
  const open = (localAddress: string) =>
    new Promise<void>((resolve) => {
      const socket = connect({ port: edgePort(), host: '127.0.0.1', localAddress }, resolve);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        gone += 1;
      });
      socket.resume();
      sockets.push(socket);
    });
  for (let at = 0; at < 25; at++) await open('127.0.0.1');
  await vi.waitFor(() => expect(gone).toBe(5), { timeout: 300_000, interval: 20 });
  await expect(curl('http://after.com/')).rejects.toThrow();
  expect((await curl('http://after.com/', ['--interface', '127.0.0.2'])).status).toBe(301);
  for (const socket of sockets) socket.destroy();
  await status('http://after.com/', 301);
});

test('stops at once, also during a handshake', async () => {
  const cache = new RuleCache();
  const {
    port,
    tlsPort: secured,
    close,
  } = await serveWeb({
    cache,
    settings: {
      databaseUrl: '',
      host: '127.0.0.1',
      port: 0,
      tls: { port: 0 },
      abuseAddress: '',
      deniedHosts: [],
      mailHosts: [],
      limits: { requestsPerSecond: 0, connections: 0 },
    },
    certificates: new Certificates(cache, () => ''),
    proofs: new AcmeChallengePages(cache, [], async () => undefined),
    clicks: new ClickCounter(),
    watch: { isComplete: () => true, answered: () => undefined },
  });
  const waiting = [lingering('', secured!, ''), lingering(helloBegun, secured!, ''), lingering('', port, '')];
  // Connections are accepted in order, so those before this one are established.
  await sendHellos(secured!, 1);
  const began = performance.now();
  await close();
  expect(performance.now() - began).toBeLessThan(5_000);
  await Promise.all(waiting);
});

test('leaves a delegated host out of the next certificate', async () => {
  const id = await makeDomain(t, 'partly.com');
  const names = async () => (await t.call('GET', `/v1/domains/${id}/forwarding`)).body.certificate?.names;
  const rule = (host: string) => ({ host, target: 'https://x.example/' });
  const always = ['partly.com', '*.partly.com'];
  await put(id, [rule('@'), rule('x.cut')]);
  await soon(async () => expect(await names()).toEqual([...always, 'x.cut.partly.com']));
  const cut = await patch(t, id, [{ name: 'cut', type: 'NS', records: ['ns1.example.net.'] }]);
  expect(cut.status, cut.text).toBe(200);
  await put(id, [rule('@'), rule('x.cut'), rule('y.deep')]);
  await soon(async () => expect(await names()).toEqual([...always, 'y.deep.partly.com']));
});

test('checks a domain again if its rules change during the check', async () => {
  const id = await makeDomain(t, 'meanwhile.com');
  await put(id, [{ host: '@', target: 'https://x.example/' }]);
  const isDue = (isWritten: boolean) =>
    t.ctx.db.transaction(allTenants, async (tx) => {
      // Blocks other writers of the row until this is over.
      const due = (ago: string) =>
        tx.run(sql`update certificate set look_at = now() - ${ago}::interval where domain_id = ${id}`);
      await due('2 minutes');
      const row = (await certificatesToCheck(tx, [], 1_000)).find((each) => each.domain_id === id)!;
      if (isWritten) await due('1 minute');
      await recordRecheck(tx, row, { state: 'live', reason: null, againMs: null });
      const { due: is } = await tx.one<{ due: boolean }>(
        sql`select look_at <= now() as due from certificate where domain_id = ${id}`,
      );
      return is;
    });
  // Until then the job processes the domain: a row with an open order is not checked, and a due one is checked concurrently.
  const isSettled = sql`
    select from certificate c where c.domain_id = ${id} and c.state = 'live' and c.look_at > now() + interval '1 minute'
      and not exists (select from certificate_order o where o.subject = c.subject and o.state = 'open')`;
  await soon(async () => expect(await t.ctx.db.as(allTenants).maybe(isSettled)).toBeDefined());
  expect(await isDue(false)).toBe(false);
  expect(await isDue(true)).toBe(true);
});

test('ignores an incomplete copy on disk', async () => {
  const file = join(t.folder, 'edge', 'rules-copy');
  const row = {
    domain_id: '1',
    name: 'copied.com',
    rules: [],
    state: 'live',
    removed_reason: null,
    suspended: false,
    unverified: false,
    unpaid: false,
    certificate_id: null,
    chain: null,
    key_sealed: null,
    live_since: new Date(0),
  } as const;
  const read = async () => {
    const rows: unknown[] = [];
    return { isWhole: await rulesOnDisk(file).read((one) => rows.push(one)), rows };
  };
  expect(await read()).toEqual({ isWhole: false, rows: [] });
  const many = Array.from({ length: 450 }, (_, at) => ({ ...row, rules: [], domain_id: String(at) }));
  await rulesOnDisk(file).write(many);
  expect(await read()).toEqual({ isWhole: true, rows: many });
  const text = readFileSync(file, 'utf8');
  for (const spoiled of [text.slice(0, -5), text.replace('copied', 'copier'), text.split('\n').slice(1).join('\n')]) {
    writeFileSync(file, spoiled);
    expect(await read()).toEqual({ isWhole: false, rows: [] });
  }
});
