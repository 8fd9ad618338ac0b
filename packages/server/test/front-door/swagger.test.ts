import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { processTimeout } from '../support/process.ts';

vi.setConfig(processTimeout);
let t: TestService;
let browser: Browser;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});
afterAll(async () => {
  await browser.close();
  await t.stop();
});

/** A new page at /swagger, with what the browser complained about. */
async function openTester(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${t.url}/swagger`);
  await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
  return { page, complaints };
}

async function authorize(page: Page, user: string, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.modal-ux');
  await dialog.locator('input[type=text]').fill(user);
  await dialog.locator('input[type=password]').fill(password);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

/** "Try it out" and "Execute" on the profile; answers with the status that the page shows, and the body. */
async function tryProfile(page: Page): Promise<{ status: string; body: string }> {
  await page.locator('#operations-tag-account').click();
  const operation = page.locator('.opblock').filter({ hasText: '/account/profile' }).first();
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  const status = (await live.locator('tr.response td.response-col_status').first().innerText()).trim().split(/\s/)[0]!;
  return { status, body: await live.locator('.highlight-code').first().innerText() };
}

test('loads without credentials, and its calls need them', async () => {
  const { page, complaints } = await openTester();
  expect(await page.title()).toContain('Namehold');
  expect(complaints).toEqual([]);
  const { status } = await tryProfile(page);
  expect(status).toBe('401');
  await page.close();
});

test('Authorize with reseller id and key, try it out on the profile: 200', async () => {
  const { page, complaints } = await openTester();
  const [user, password] = t.demo.split(':') as [string, string];
  await authorize(page, user, password);
  const { status, body } = await tryProfile(page);
  expect(status).toBe('200');
  expect(body).toContain('"reseller_id": "1000"');
  expect(complaints).toEqual([]);
  await page.close();
});

/** As prefilled: "Try it out" and "Execute", nothing typed. */
async function execute(page: Page, tag: string, operationId: string): Promise<{ status: string; body: string }> {
  const operation = page.locator(`#operations-${tag}-${operationId}`);
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  const status = (await live.locator('tr.response td.response-col_status').first().innerText()).trim().split(/\s/)[0]!;
  return { status, body: await live.locator('.highlight-code').first().innerText() };
}

test.each([
  ['account', [['getAccountProfile', 'reseller_id']]],
  [
    'domains',
    [
      ['getDomainsAvailability', 'available'],
      ['postQuotes', 'quote_id'],
      ['postDomains', 'order_id'],
    ],
  ],
  ['customers', [['postCustomers', 'customer_id']]],
  ['dns', [['postDomainsDomainIdDnsIp', '192.0.2.1']]],
] as const)('what is prefilled works: %s', async (tag, calls) => {
  const { page, complaints } = await openTester();
  const [user, password] = t.demo.split(':') as [string, string];
  await authorize(page, user, password);
  await page.locator(`#operations-tag-${tag}`).click();
  for (const [operationId, expected] of calls) {
    const { status, body } = await execute(page, tag, operationId);
    expect(`${operationId} ${status} ${body}`).toMatch(new RegExp(`^${operationId} 20[02] [^]*${expected}`));
  }
  expect(complaints).toEqual([]);
  await page.close();
});

test('a key that is not whitelisted for this address is refused, and the page says why', async () => {
  const made = await t.call('POST', '/v1/account/keys', { json: { label: 'elsewhere', ip_whitelist: ['192.0.2.10'] } });
  const { page } = await openTester();
  await authorize(page, '1000', made.body.api_key);
  const { status, body } = await tryProfile(page);
  expect(status).toBe('403');
  expect(body).toContain('ip_not_allowed');
  expect(body).toContain('127.0.0.1');
  await page.close();
});

test('the page may load nothing from elsewhere and may not be framed', async () => {
  const page = await t.call('GET', '/swagger', { as: null });
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-eval|https?:/);
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js', 'openapi.json'])
    expect((await t.call('GET', `/swagger/${asset}`, { as: null })).status, asset).toBe(200);
  expect((await t.call('GET', '/swagger/../../package.json', { as: null })).status).toBe(404);
});
