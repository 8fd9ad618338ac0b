import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import type { Browser, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../../test/support/ports.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { startChromium } from '../../../../tools/chromium.ts';
import { checkTargets } from '../../src/core/forwarding/check-targets.ts';
import { refusesFrame } from '../../src/core/forwarding/framing.ts';
import { makeDomain, patch } from '../zones/support.ts';

type Headers = Record<string, string | string[]>;

let t: TestService;
let server: Server;
let port: number;
const folder = mkdtempSync(join(tmpdir(), 'namehold-targets-'));
let browser: Browser | undefined;
/** The response of each host of the target; `silent` and `endless` are hosts with special behaviour. */
const pages = new Map<string, Headers>();
const requested: string[] = [];

beforeAll(async () => {
  const at = (name: string) => join(folder, name);
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  execFileSync('openssl', [...made, '-keyout', at('k'), '-out', at('c'), '-subj', '/CN=frames.com'], {
    stdio: 'ignore',
  });
  server = createServer({ cert: readFileSync(at('c')), key: readFileSync(at('k')) }, (request, response) => {
    const host = request.headers.host!.split('.')[0]!;
    requested.push(`${host}${request.url}`);
    if (host === 'silent') return;
    if (host === 'inner') return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>inside</p>');
    if (host === 'endless') return void response.writeHead(200, { 'X-Long': 'a'.repeat(20_000) }).end();
    response.writeHead(host === 'lost' ? 404 : host === 'moved' ? 302 : 200, pages.get(host) ?? {});
    response.write('a page');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  const dnsPort = String(await freePort());
  t = await startTestService({
    env: {
      NAMEHOLD_DNS_PORT: dnsPort,
      NAMEHOLD_RESOLVER: `127.0.0.1:${dnsPort}`,
      NAMEHOLD_REDIRECT_PORT: '0',
      NAMEHOLD_REDIRECT_TLS_PORT: '0',
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await t?.stop();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = async (id: string, rules: readonly object[]) => {
  const called = await t.call('PUT', `/v1/domains/${id}/forwarding`, { json: { rules }, headers: { 'If-Match': '*' } });
  expect(called.status, called.text).toBe(200);
  return called.body.rules;
};
interface Shown {
  readonly host: string;
  readonly warnings: string[];
  readonly checked_at: string | null;
}
const rulesOf = async (id: string): Promise<Shown[]> =>
  (await t.call('GET', `/v1/domains/${id}/forwarding`)).body.rules;
const soon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 300_000, interval: 200 });

const cases: [host: string, headers: Headers, warning: RegExp | undefined][] = [
  ['plain', {}, undefined],
  ['deny', { 'X-Frame-Options': 'DENY' }, /forbids framing \(X-Frame-Options/],
  ['none', { 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'" }, /frame-ancestors/],
  ['names', { 'Content-Security-Policy': 'frame-ancestors https://shown.com', 'X-Frame-Options': 'DENY' }, undefined],
  ['lost', {}, /answers 404/],
  ['moved', { Location: 'https://deny.frames.com/followed' }, undefined],
  ['silent', {}, /does not answer/],
  ['endless', {}, /does not answer/],
];

test('checks masked targets after the call, and reports problems on the rule', async () => {
  for (const [host, headers] of cases) pages.set(host, headers);
  const frames = await makeDomain(t, 'frames.com');
  expect((await patch(t, frames, [{ name: '*', type: 'A', records: ['127.0.0.1'] }])).status).toBe(200);
  expect((await patch(t, frames, [{ name: 'inside', type: 'A', records: ['10.1.2.3'] }])).status).toBe(200);
  expect((await patch(t, frames, [{ name: 'empty', type: 'TXT', records: ['no address'] }])).status).toBe(200);
  const id = await makeDomain(t, 'shown.com');
  const masked = cases.map(([host]) => ({
    host: host === 'names' ? '@' : host,
    target: `https://${host}.frames.com:${port}/page`,
    masking: {},
  }));
  const others = [
    { host: 'redirect', target: `https://quiet.frames.com:${port}/` },
    { host: 'nowhere', target: 'https://empty.frames.com/' },
    { host: 'inside', target: 'https://inside.frames.com/', masking: {} },
    { host: 'off', target: 'https://empty.frames.com/off', enabled: false },
  ];
  const answered = await put(id, [...masked, ...others]);
  expect(answered.every((rule: Shown) => rule.warnings.length === 0 && rule.checked_at === null)).toBe(true);
  await soon(async () => {
    const unchecked = (await rulesOf(id)).filter((rule) => rule.checked_at === null).map((rule) => rule.host);
    // A sandbox only queries hosts on this machine.
    expect(unchecked).toEqual(['inside', 'off']);
  });
  const rules = await rulesOf(id);
  const warningsOf = (host: string) => rules.find((rule) => rule.host === host)!.warnings.join('\n');
  for (const [host, , warning] of cases) {
    const warnings = warningsOf(host === 'names' ? '@' : host);
    if (warning) expect(warnings, host).toMatch(warning);
    else expect(warnings.replace(/^browsers do not trust the certificate of .*$/m, ''), host).toBe('');
  }
  expect(warningsOf('plain')).toContain('browsers do not trust the certificate of plain.frames.com');
  expect([warningsOf('redirect'), warningsOf('inside')]).toEqual(['', '']);
  expect(warningsOf('nowhere')).toBe('empty.frames.com does not resolve: it has no address');
  // Each once, without redirects, and no target of a plain redirect.
  expect(requested.sort()).toEqual(cases.map(([host]) => `${host}/page`).sort());
  // An unchanged rule is not checked again; a changed one is.
  await put(id, [...masked.slice(0, 1), { ...masked[1]!, masking: null }]);
  await soon(async () => expect((await rulesOf(id)).map((rule) => rule.warnings.length)).toEqual([1, 0]));
  expect(requested).toHaveLength(cases.length);
  const kept = await t.ctx.db.as(allTenants).one<{ n: number }>(sql`select count(*)::integer as n from forward_target`);
  expect(kept.n).toBe(2);
});

test('never queries local addresses, edges or other ports in production', async () => {
  const id = await makeDomain(t, 'careful.com');
  await put(id, [{ host: '@', target: 'https://victim.example/', masking: {} }]);
  const probed: string[] = [];
  const checkWith = async (addresses: readonly string[] | Error, target = 'https://victim.example/') => {
    await t.ctx.db.autocommit(allTenants).run(sql`
      update forward_target set check_at = case when domain_id = ${id} then now() else 'infinity' end, target = case when domain_id = ${id} then ${target} else target end,
        warnings = '{}', checked_at = null`);
    const config = {
      ...t.ctx.config,
      mode: 'production' as const,
      resolvers: [],
      redirectAddresses: ['198.51.100.80'],
    };
    const lookup = {
      ...t.ctx.lookup,
      addresses: async () => {
        if (addresses instanceof Error) throw addresses;
        return addresses;
      },
    };
    const probe = {
      request: async (url: URL, address: string) => {
        probed.push(`${url.href} ${address}`);
        return { status: 200, headers: { 'x-frame-options': 'SAMEORIGIN' }, isTrusted: true };
      },
    };
    await checkTargets({ ...t.ctx, config, lookup, probe });
    return t.ctx.db
      .as(allTenants)
      .one<{ warnings: string[]; checked: boolean }>(
        sql`select warnings, checked_at is not null as checked from forward_target where domain_id = ${id}`,
      );
  };
  for (const address of ['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '0.0.0.0', '100.64.0.1', '::1'])
    expect((await checkWith([address])).warnings, address).toEqual([
      'victim.example resolves to an address that is not publicly reachable',
    ]);
  for (const address of ['::ffff:127.0.0.1', 'fe80::1', 'fd00::1', '64:ff9b::a00:1', '224.0.0.1'])
    expect((await checkWith(['192.0.43.8', address])).warnings, address).toHaveLength(1);
  expect((await checkWith(['198.51.100.80'])).warnings[0]).toMatch(/publicly|itself/);
  expect(await checkWith(['93.184.216.34'], 'https://victim.example:22/')).toEqual({ warnings: [], checked: true });
  expect(await checkWith(new Error('the resolver is away'))).toEqual({ warnings: [], checked: false });
  expect(probed).toEqual([]);
  expect((await checkWith(['93.184.216.34'])).warnings[0]).toContain('X-Frame-Options');
  expect(probed).toEqual(['https://victim.example/ 93.184.216.34']);
});

test('evaluates framing headers like browsers', () => {
  const csp = (value: string) => ({ headers: { 'content-security-policy': value } });
  const allowed = [
    csp('frame-ancestors *'),
    csp('Frame-Ancestors https:'),
    csp("frame-ancestors 'self' https://*.shown.com:443/x"),
    csp("default-src 'none'"),
    { headers: { 'x-frame-options': 'ALLOW-FROM https://other.example' } },
    { headers: {} },
  ];
  const forbidden = [
    csp('frame-ancestors'),
    csp("frame-ancestors 'self'"),
    csp('frame-ancestors https://shown.com'),
    csp('frame-ancestors *.other.com'),
    csp("frame-ancestors *, frame-ancestors 'none'"),
    { headers: { 'x-frame-options': 'SAMEORIGIN, SAMEORIGIN' } },
    { headers: { 'x-frame-options': 'deny' } },
  ];
  for (const headers of allowed)
    expect(refusesFrame(headers, 'www.shown.com'), JSON.stringify(headers)).toBeUndefined();
  for (const headers of forbidden)
    expect(refusesFrame(headers, 'www.shown.com'), JSON.stringify(headers)).toBeDefined();
});

/** A browser that resolves every host to the edge, and those of the target to the target, and trusts these certificates. */
async function openBrowser(chains: readonly string[]): Promise<Browser> {
  const keys = chains.map((chain) => {
    const der = new X509Certificate(chain).publicKey.export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(der).digest('base64');
  });
  const { port: plain, tlsPort } = t.service.edge!;
  const rules = ['*.frames.com 127.0.0.1', `*:443 127.0.0.1:${tlsPort}`, `*:80 127.0.0.1:${plain}`];
  return startChromium([
    `--host-resolver-rules=${rules.map((rule) => `MAP ${rule}`).join(', ')}`,
    `--ignore-certificate-errors-spki-list=${keys.join(',')}`,
  ]);
}

/** Every URL of a visit, in order. */
function passed(response: Response | null): string[] {
  const urls: string[] = [];
  for (let at = response?.request() ?? null; at; at = at.redirectedFrom()) urls.unshift(at.url());
  return urls;
}

test('loads only the frame of a masked page, follows redirects and applies HSTS in a browser', async () => {
  const ids = await Promise.all(['masked.com', 'led.com', 'strict.com'].map((name) => makeDomain(t, name)));
  const [masked, led, strict] = ids as [string, string, string];
  const target = `https://inner.frames.com:${port}`;
  const set = await t.call('PUT', `/v1/domains/${masked}/domain_forwarding`, {
    form: {
      forward_to: `${target}/framed`,
      url_masking: '1',
      meta_tags:
        '<title>Tea &lt;script&gt;</title><script>document.title = "taken"</script><meta name="description" content="\'&quot;&gt;&lt;script&gt;document.title=1&lt;/script&gt;"><meta http-equiv="refresh" content="0;url=https://evil.frames.com/">',
      no_frames_content: '<p onclick="x()">none</p><img src=x onerror="document.title=2">',
    },
  });
  expect(set.status, set.text).toBe(200);
  await put(led, [{ host: '@', target: `${target}/led`, path_mode: 'append' }]);
  await put(strict, [{ host: '@', target: `${target}/strict`, hsts: true }]);
  const chains = () =>
    t.ctx.db
      .as(allTenants)
      .many<{ chain: string }>(
        sql`select chain from certificate where domain_id = any(${ids}::bigint[]) and chain is not null`,
      );
  await soon(async () => expect(await chains()).toHaveLength(3));
  await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`update certificate set live_since = now() - interval '8 days' where domain_id = ${strict}`);
    await tx.many(sql`select pg_notify('namehold_forwarding', ${strict})::text as told`);
  });
  browser = await openBrowser([readFileSync(join(folder, 'c'), 'utf8'), ...(await chains()).map(({ chain }) => chain)]);
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  // The edge receives a certificate a moment after it is stored.
  const visit = (url: string) =>
    vi.waitFor(() => page.goto(url), { timeout: 300_000, interval: 200 }).then((response) => passed(response));
  for (const scheme of ['http', 'https']) {
    expect(await visit(`${scheme}://masked.com/`)).toEqual([`${scheme}://masked.com/`]);
    expect(await page.frameLocator('iframe').locator('p').innerText()).toBe('inside');
    expect(await page.title()).toBe('Tea <script>');
    expect(page.url()).toBe(`${scheme}://masked.com/`);
  }
  expect(complaints).toEqual([]);
  await page.evaluate(`
    const frame = document.createElement('iframe');
    frame.src = 'https://evil.frames.com/';
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken"';
    const image = document.createElement('img');
    image.src = 'https://evil.frames.com/image';
    document.body.append(frame, script, image)`);
  await vi.waitFor(() => expect(complaints.filter((text) => /Content Security Policy/.test(text))).toHaveLength(3), {
    timeout: 300_000,
  });
  expect(await page.title()).toBe('Tea <script>');
  expect(requested.filter((one) => one.startsWith('evil'))).toEqual([]);
  expect(await visit('https://led.com/a?b=1')).toEqual(['https://led.com/a?b=1', `${target}/led/a`]);
  expect(await page.locator('p').innerText()).toBe('inside');
  expect(await visit('http://led.com/x')).toEqual(['http://led.com/x', `${target}/led/x`]);
  // After HSTS by HTTPS it never uses HTTP again.
  expect(await visit('http://strict.com/')).toEqual(['http://strict.com/', `${target}/strict`]);
  await visit('https://strict.com/');
  expect(await visit('http://strict.com/again')).toEqual([
    'http://strict.com/again',
    'https://strict.com/again',
    `${target}/strict`,
  ]);
});
