import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/support/browser.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

const panel = 'https://panel.example';
// An address of this machine outside the loopback range.
const port = await freePort();
const publicUrl = `http://0.0.0.0:${port}`;
let t: TestService;
let any: TestService;
let customer: string;
beforeAll(async () => {
  t = await startTestService({
    env: {
      NAMEHOLD_CORS_ORIGINS: panel,
      NAMEHOLD_PUBLIC_URL: publicUrl,
      NAMEHOLD_PORT: String(port),
      NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  any = await startTestService({ env: { NAMEHOLD_CORS_ORIGINS: '*' } });
  customer = await makeCustomer(t);
});
afterAll(async () => {
  await any.stop();
  await t.stop();
});

const write = (headers: Record<string, string>, on = t) =>
  on.call('PUT', '/v1/account/keys/key_none', { json: { label: 'x' }, headers });

describe('a write from a page', () => {
  test.each([
    ['of the same origin', { 'Sec-Fetch-Site': 'same-origin' }],
    ['opened from the address bar', { 'Sec-Fetch-Site': 'none' }],
    ['of the same origin with another Origin header', { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }],
    ['at the public URL', { Origin: publicUrl }],
    ['of a listed origin', { Origin: panel }],
    ['of a listed origin, by script', { Origin: panel, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' }],
    ['without browser headers (a program)', {}],
  ])('%s is accepted', async (_, headers) => {
    expect((await write(headers)).status).toBe(404);
  });

  test.each([
    ['of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['of a sibling site', { 'Sec-Fetch-Site': 'same-site' }],
    ['of another site, by its Origin', { Origin: 'https://evil.example' }],
    ['with the Origin null', { Origin: 'null' }],
    ['of loopback at another port', { Origin: 'http://127.0.0.1:1' }],
    ['of an origin that resembles a listed one', { Origin: `${panel}.evil.example` }],
    ['of the public host at another port', { Origin: `http://0.0.0.0:${port + 1}` }],
    ['of the public host with another scheme', { Origin: `https://0.0.0.0:${port}` }],
    ['of a listed origin, by a form', { Origin: panel, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' }],
    ['of a cross-site request with our Origin', { Origin: publicUrl, 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s is refused', async (_, headers) => {
    const called = await write(headers);
    expect(called.status, called.text).toBe(403);
    expect(called.body.code).toBe('foreign_page');
  });

  test('is accepted from loopback at our own port in sandbox mode', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await write({ Origin: `http://${host}:${new URL(any.url).port}` }, any)).status).toBe(404);
  });

  test('is refused for the setting `*`, which allows reads only', async () => {
    const headers = { Origin: 'https://any.example' };
    expect((await any.call('GET', '/v1/account/profile', { headers })).status).toBe(200);
    expect((await write(headers, any)).body.code).toBe('foreign_page');
    expect((await write({ Origin: '*' }, any)).body.code).toBe('foreign_page');
  });
});

test('refuses a foreign page for reads that change something, not for plain reads', async () => {
  const headers = { 'Sec-Fetch-Site': 'cross-site' };
  for (const path of ['/v1/domains/1/auth_code', `/v1/customers/temp_password?customer_id=${customer}`]) {
    expect((await t.call('GET', path, { headers })).body.code, path).toBe('foreign_page');
    expect((await t.call('HEAD', path, { headers })).status, path).toBe(403);
  }
  expect((await t.call('GET', '/v1/account/profile', { headers })).status).toBe(200);
});

test('refuses a foreign page for every operation that is not a plain read', async () => {
  let tried = 0;
  for (const [path, methods] of Object.entries(t.openApi.paths)) {
    for (const method of Object.keys(methods).filter((each) => each !== 'get')) {
      const called = await t.call(method.toUpperCase(), `/v1${path.replaceAll(/\{\w+\}/g, '1')}`, {
        headers: { 'Sec-Fetch-Site': 'cross-site' },
        form: {},
      });
      expect(called.body?.code, `${method} ${path}`).toBe('foreign_page');
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(60);
});

describe('headers of every answer', () => {
  test.each([
    ['/v1/account/profile', 200],
    ['/v1/nothing', 404],
    ['/healthz', 200],
    ['/swagger', 200],
    ['/swagger/openapi.json', 200],
  ])('%s has X-Content-Type-Options: nosniff', async (path, status) => {
    const called = await t.call('GET', path);
    expect(called.status).toBe(status);
    expect(called.headers.get('x-content-type-options')).toBe('nosniff');
    expect(called.headers.get('strict-transport-security')).toBeNull();
  });
  test('include HSTS over TLS of a trusted proxy, not by the claim of another sender', async () => {
    const headers = { 'X-Forwarded-Proto': 'https' };
    const trusted = await t.call('GET', '/v1/account/profile', { headers });
    expect(trusted.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}$/);
    const claimed = await any.call('GET', '/v1/account/profile', { headers });
    expect(claimed.headers.get('strict-transport-security')).toBeNull();
  });
});

test('redirects a browser from / to the console, and returns JSON to programs', async () => {
  const html = await fetch(`${any.url}/`, { headers: { Accept: 'text/html,*/*' }, redirect: 'manual' });
  expect([html.status, html.headers.get('location')]).toEqual([302, '/app']);
  const json = await any.call('GET', '/', { as: null });
  expect(json.status).toBe(404);
  expect(json.body.code).toBe('route_not_found');
});

test('returns a page to a browser at an unknown address, but JSON below /v1 and to programs', async () => {
  const at = async (path: string, accept: string) => {
    const { status, headers } = await fetch(`${any.url}${path}`, { headers: { Accept: accept } });
    return [status, headers.get('content-type')?.split(';')[0]];
  };
  expect(await at('/nosuch', 'text/html,*/*')).toEqual([404, 'text/html']);
  expect(await at('/nosuch', '*/*')).toEqual([404, 'application/json']);
  expect(await at('/v1/nosuch', 'text/html,*/*')).toEqual([404, 'application/json']);
});

test('changes nothing by a form of a foreign page with cached credentials in Chromium', async () => {
  const browser = await openBrowser();
  try {
    const [username, password] = any.demo.split(':') as [string, string];
    const context = await browser.newContext({ httpCredentials: { username, password, send: 'always' } });
    const page = await context.newPage();
    await page.goto(`${any.url}/v1/account/profile`);
    expect(await page.content()).toContain('"reseller_id"');
    const before = await countRows(any, 'customer');
    const answered = page.waitForResponse((response) => response.url().endsWith('/v1/customers'));
    // A page with an opaque origin, which submits its form automatically.
    const form = `<form method=post action="${any.url}/v1/customers"></form><script>document.forms[0].submit()</script>`;
    await page.goto(`data:text/html,${encodeURIComponent(form)}`);
    const response = await answered;
    expect(response.status()).toBe(403);
    expect(await countRows(any, 'customer')).toBe(before);
  } finally {
    await browser.close();
  }
});
