import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { bodyLimits } from '../../src/http/body.ts';
import { catalogue } from '../../src/http/errors.ts';
import { httpLimits } from '../../src/http/limits.ts';
import { renderError } from '../../src/http/render-error.ts';
import { type RawAnswer, rawRequest, sendRaw } from './support/raw.ts';

let t: TestService;
const kept = { ...httpLimits };
beforeAll(async () => {
  httpLimits.requestTimeoutMs = 1_000;
  httpLimits.headersTimeoutMs = 1_000;
  httpLimits.connectionsCheckMs = 100;
  t = await startTestService();
});
afterAll(async () => {
  Object.assign(httpLimits, kept);
  await t.stop();
});

type Shown = Pick<RawAnswer, 'status' | 'text'> & { body: Record<string, unknown> };

/** Checks the common shape, which reveals no internals. */
function expectError(called: Shown, status: number, code: keyof typeof catalogue): void {
  expect({ status: called.status, code: called.body?.code, text: called.text }).toMatchObject({ status, code });
  const { type, message, request_id, errors } = called.body;
  expect(type).toBe(
    status === 401 || status === 403 ? 'unauthorized' : status === 402 ? 'card_error' : 'invalid_request',
  );
  expect(message).toBeTypeOf('string');
  expect((message as string).length).toBeGreaterThan(5);
  expect(request_id).toMatch(/^req_[0-9a-f]{32}$/);
  expect(called.body.docs).toMatch(new RegExp(`/errors/${code}$`));
  if (errors !== undefined) {
    for (const entry of errors as object[]) expect(Object.keys(entry).sort()).toEqual(['code', 'field', 'message']);
  }
  expect(called.text).not.toMatch(/\bat .+\.ts:\d+|node_modules|select |insert into|FST_|statusCode|syntax for type/i);
}

const raw = (method: string, target: string, headers: string[] = [], body = '') =>
  sendRaw(t.url, rawRequest(t.demo, method, target, headers, body));
const json = ['Content-Type: application/json'];

describe('URLs', () => {
  test.each([
    '/',
    '/v1',
    '/v1/nothing',
    '/v2/account/profile',
    '/v1/customers/1/nothing',
    '/v1/../v1/x',
    '/favicon.ico',
  ])('return 404 for %s', async (path) => {
    const called = await raw('GET', path);
    expectError(called, 404, 'route_not_found');
    expect(called.headers['x-request-id']).toBe(called.body.request_id);
  });
  test('return 404 also for a body of an unknown type', async () => {
    expectError(await raw('POST', '/v1/nothing', ['Content-Type: text/xml'], '<a/>'), 404, 'route_not_found');
    expectError(await raw('POST', '/v1/nothing', json, '{broken'), 404, 'route_not_found');
  });
  test.each([
    ['PATCH', '/v1/customers', 'GET, HEAD, POST'],
    ['DELETE', '/v1/account/profile', 'GET, HEAD'],
    ['POST', '/v1/customers/1', 'GET, HEAD, PUT, DELETE'],
    ['PROPFIND', '/v1/customers', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/customers', 'GET, HEAD, POST'],
    ['PUT', '/v1/customers/', 'GET, HEAD, POST'],
  ])('return 405 with Allow for %s %s', async (method, path, allow) => {
    const called = await raw(method, path);
    expectError(called, 405, 'method_not_allowed');
    expect(called.headers.allow?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });
  test.each(['/v1/customers/%ZZ', '/v1/customers/%', '/v1/%c3%28', '/%'])(
    'are refused if invalid: %s',
    async (path) => {
      const called = await raw('GET', path);
      expect([400, 404]).toContain(called.status);
      expectError(called, called.status, called.status === 400 ? 'invalid_argument' : 'route_not_found');
    },
  );
  test('are refused with a hint to percent-encode non-ASCII letters', async () => {
    const called = await raw('GET', '/v1/domains/availability?domain=münchen.com');
    expectError(called, 400, 'invalid_argument');
    expect(called.body.message).toContain('percent-encode');
    expect(called.body.docs).toBe(`${t.url}/errors/invalid_argument`);
    for (const path of ['/v1/domains/m%FCnchen.com', '/v1/domains/%zz']) {
      const refused = await raw('GET', path);
      expectError(refused, 400, 'invalid_argument');
      expect(refused.body.message).toContain('UTF-8');
    }
  });
  test('returns a public page for the URLs of errors', async () => {
    for (const code of ['insufficient_funds', 'conflict']) {
      const page = await raw('GET', `/errors/${code}`);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain(code);
    }
    expectError(await raw('GET', '/errors/constructor'), 404, 'route_not_found');
  });
  test('does not repeat a URL that contains a key in the response', async () => {
    const called = await raw('GET', `/v1/nothing/nh_${'A'.repeat(43)}`);
    expect(called.text).not.toContain('AAAA');
  });
});

describe('sizes', () => {
  test('return 413 for a declared and an undeclared body above the limit', async () => {
    const big = 'x'.repeat(bodyLimits.bytes + 1);
    expectError(await raw('POST', '/v1/customers', json, JSON.stringify({ big })), 413, 'body_too_large');
    expectError(
      await raw('POST', '/v1/customers', ['Content-Type: application/x-www-form-urlencoded'], `name=${big}`),
      413,
      'body_too_large',
    );
    const part = `--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n${big}\r\n--b--\r\n`;
    const multipart = ['Content-Type: multipart/form-data; boundary=b'];
    expectError(await raw('POST', '/v1/customers', multipart, part), 413, 'body_too_large');
    const chunked = rawRequest(t.demo, 'POST', '/v1/customers', [...multipart, 'Transfer-Encoding: chunked']);
    const piece = `${(65_536).toString(16)}\r\n${'y'.repeat(65_536)}\r\n`;
    const lead = `${(part.length - big.length).toString(16)}\r\n${part.slice(0, part.length - big.length)}\r\n`;
    expectError(await sendRaw(t.url, `${chunked}${lead}${piece.repeat(40)}`), 413, 'body_too_large');
  });
  test('accept a body just below the limit', async () => {
    const fields = { ...person({ email: 'big@made.example', password: 'a long enough one' }), padding: '' };
    fields.padding = 'x'.repeat(bodyLimits.bytes - JSON.stringify(fields).length);
    const called = await t.call('POST', '/v1/customers', { json: fields });
    expect(called.status).toBe(200);
  });
  test('return 414 for a long URL', async () => {
    expectError(await raw('GET', `/v1/customers?name=${'x'.repeat(httpLimits.urlLength)}`), 414, 'uri_too_long');
    expect((await raw('GET', `/v1/customers?name=${'x'.repeat(100)}`)).status).toBe(200);
  });
  test('return 400, 404 or 414 for a long path parameter', async () => {
    const called = await raw('GET', `/v1/customers/${'1'.repeat(2_000)}`);
    expect([400, 404, 414]).toContain(called.status);
    expectError(called, called.status, called.body.code as never);
  });
  test('return 431 for long headers', async () => {
    const called = await raw('GET', '/v1/customers', [`X-Long: ${'x'.repeat(20_000)}`]);
    expectError(called, 431, 'headers_too_large');
  });
});

describe('request bodies', () => {
  const bad: [string, string][] = [
    ['truncated JSON', '{"a":'],
    ['text that is not JSON', 'hello'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['text', '"x"'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['nesting one level too deep', `{"a":${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`],
    ['more values than the limit', `{"a":[${'1,'.repeat(2_000)}1]}`],
    ['more fields than the limit', `{${Array.from({ length: 2_001 }, (_, i) => `"f${i}":0`).join(',')}}`],
    ['__proto__', '{"__proto__":{"isOperator":true}}'],
    ['a nested __proto__', '{"a":{"__proto__":{"x":1}}}'],
    ['a byte order mark and invalid text', '\ufeff{'],
    ['two documents', '{}{}'],
    ['a trailing comma', '{"a":1,}'],
    ['a NUL outside a string', '{"a":\u00001}'],
  ];
  test.each(bad)('are refused with 400: %s', async (_name, body) => {
    const called = await raw('POST', '/v1/customers', json, body);
    expectError(called, 400, 'invalid_body');
    expect((await raw('POST', '/v1/account/keys', json, body)).status).toBe(400);
  });
  test.each([
    ['a NUL', 'a\u0000b'],
    ['a control character', 'a\u0007b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a reversed pair', '\udc00\ud800'],
  ])('are refused if a string contains %s', async (_name, name) => {
    const fields = { ...person({ password: 'a long enough one' }), name };
    const text = JSON.stringify(fields);
    expectError(await raw('POST', '/v1/customers', json, text), 400, 'invalid_argument');
    const key = JSON.stringify({ label: name, ip_whitelist: [name] });
    const called = await raw('POST', '/v1/account/keys', json, key);
    expectError(called, 400, 'invalid_argument');
    expect(called.body.errors.map((e: { field: string }) => e.field).sort()).toEqual(['ip_whitelist', 'label']);
  });
  test('are refused with the first fifty fields, shortened, and the count of the rest', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`${'x'.repeat(500)}${i}`, 0]));
    const good = { label: 'x', ip_whitelist: ['127.0.0.1'] };
    const called = await raw('POST', '/v1/account/keys', json, JSON.stringify({ ...good, ...many }));
    expectError(called, 400, 'invalid_argument');
    expect([called.body.errors.length, called.body.more_errors]).toEqual([50, 1_450]);
    expect(called.text.length).toBeLessThan(20_000);
    const few = await raw('POST', '/v1/account/keys', json, JSON.stringify({ ...good, y: 0, z: 0 }));
    expect([few.body.errors.length, few.body.more_errors]).toEqual([2, undefined]);
  });
  test('are refused with a NUL, as are queries and paths', async () => {
    expectError(await raw('GET', '/v1/customers?name=%00'), 400, 'invalid_argument');
    const inPath = await raw('GET', '/v1/account/keys/%00');
    expectError(inPath, 400, 'invalid_argument');
    const form = ['Content-Type: application/x-www-form-urlencoded'];
    expectError(await raw('POST', '/v1/customers', form, 'name=%00&email=%ff%fe'), 400, 'invalid_argument');
  });
  test('are refused with all problems in one response', async () => {
    const called = await t.call('POST', '/v1/customers', { json: { email: 'x', country_code: 'ZZZ' } });
    expectError(called, 400, 'invalid_argument');
    expect(called.body.errors.length).toBeGreaterThan(3);
    expect(called.body.message).toContain(called.body.errors[0].field);
  });
  test('do not affect other requests by prototype keys', async () => {
    await raw(
      'POST',
      '/v1/customers',
      ['Content-Type: application/x-www-form-urlencoded'],
      '__proto__=x&constructor[prototype][a]=1',
    );
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    const own = await raw(
      'POST',
      '/v1/account/keys',
      ['Content-Type: application/x-www-form-urlencoded'],
      '__proto__=x&label=a&ip_whitelist=127.0.0.1',
    );
    expectError(own, 400, 'invalid_argument');
    expect(own.body.errors[0]).toMatchObject({ field: '__proto__', code: 'unknown' });
  });
});

describe('HTTP messages', () => {
  test.each([
    ['a message that is not HTTP', 'hello\r\n\r\n'],
    ['an invalid header', 'GET / HTTP/1.1\r\nHost localhost\r\n\r\n'],
    ['two lengths', 'POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunked encoding',
      'POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an invalid chunk',
      `${'POST /v1/customers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'}`,
    ],
  ])('are refused with 400: %s', async (_name, bytes) => {
    const called = await sendRaw(t.url, bytes);
    expect([400, 401]).toContain(called.status);
    if (called.status === 400) expectError(called, 400, 'invalid_body');
  });
  test.each(['/v1/countries', '/healthz', '/app', '/no-such-path'])(
    'are refused with two Host headers at %s',
    async (path) => {
      const called = await sendRaw(
        t.url,
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhOST: other.example\r\nConnection: close\r\n\r\n`,
      );
      expectError(called, 400, 'invalid_body');
    },
  );
  test('return 408 to a sender that never finishes, while other requests continue', async () => {
    const slow = sendRaw(t.url, rawRequest(t.demo, 'POST', '/v1/customers', [...json, 'Content-Length: 100']));
    const slowHead = sendRaw(t.url, 'GET /v1/customers HTTP/1.1\r\nHost: localhost\r\nX-A');
    for (let i = 0; i < 5; i++) expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
    expectError(await slow, 408, 'request_timeout');
    expectError(await slowHead, 408, 'request_timeout');
  });
  test('cause no error when the client disconnects during its body', async () => {
    const { hostname, port } = new URL(t.url);
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const socket = connect({ host: hostname, port: Number(port) });
        const type = i % 2 ? 'application/json' : 'multipart/form-data; boundary=b';
        socket.write(rawRequest(t.demo, 'POST', '/v1/customers', [`Content-Type: ${type}`, 'Content-Length: 1000']));
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.destroy();
      }),
    );
    expect((await t.call('GET', '/v1/account/profile')).status).toBe(200);
  });
  test('are answered in order when pipelined on one connection', async () => {
    const one = rawRequest(t.demo, 'GET', '/v1/account/profile').replace('Connection: close\r\n', '');
    const last = rawRequest(t.demo, 'GET', '/v1/account/profile');
    const { hostname, port } = new URL(t.url);
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('data', (piece) => {
        got += piece;
      });
      socket.on('end', () => resolve(got));
      socket.write(one.repeat(9) + last);
    });
    expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(10);
  });
  test('returns for HEAD the headers of GET without a body', async () => {
    const called = await raw('HEAD', '/v1/customers');
    expect(called.status).toBe(200);
    expect(called.text).toBe('');
    expect(called.headers['x-total-count']).toMatch(/^\d+$/);
  });
});

describe('internal errors', () => {
  test('reveal nothing about an unexpected error', () => {
    const { status, body } = renderError(new Error('select * from reseller where password = hunter2'), 'req_1');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(body).toEqual({
      type: 'invalid_request',
      code: 'internal',
      message: catalogue.internal.sentence,
      request_id: 'req_1',
      docs: '/errors/internal',
    });
  });
  test.each([
    [{ code: '57P01' }, 503],
    [{ code: '57P03' }, 503],
    [{ code: '53300' }, 503],
    [{ code: '57014' }, 503],
    [{ code: '55P03' }, 503],
    [{ code: '08006' }, 503],
    [{ code: 'ECONNREFUSED' }, 503],
    [new Error('Connection terminated unexpectedly'), 503],
    [new Error('Client has encountered a connection error and is not queryable'), 503],
    [new Error('timeout exceeded when trying to connect'), 503],
    [{ code: '23505' }, 500],
    [undefined, 500],
    [null, 500],
    ['text', 500],
  ])('render %o as %i', (error, status) => {
    const rendered = renderError(error, 'req_1');
    expect(rendered.status).toBe(status);
    if (status === 503) expect(rendered.headers['Retry-After']).toMatch(/^\d+$/);
  });
});

test('every response has its own request id', async () => {
  const ids = await Promise.all(
    ['/v1/account/profile', '/v1/nothing', '/healthz'].map(async (path) =>
      (await t.call('GET', path)).headers.get('x-request-id'),
    ),
  );
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^req_/);
  const sent = await t.call('GET', '/v1/account/profile', { headers: { 'X-Request-Id': 'mine' } });
  expect(sent.headers.get('x-request-id')).not.toBe('mine');
});
