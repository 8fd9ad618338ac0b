import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../../../test/support/browser.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';

let t: TestService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
/** One page for all tests, in order, because rendering this document is expensive. */
let page: Page;
const complaints: string[] = [];
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  browser = await openBrowser();
  page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(300_000);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${t.url}/swagger`);
  await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
});
afterAll(async () => {
  await browser.close();
  await t.stop();
});

/** Complaints of the browser since the last check. */
const newComplaints = () => complaints.splice(0);

async function authorize(credentials: string): Promise<void> {
  const [user, password] = credentials.split(':') as [string, string];
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.modal-ux');
  const logout = dialog.getByRole('button', { name: 'Remove authorization' });
  if (await logout.isVisible()) await logout.click();
  await dialog.locator('input[type=text]').fill(user);
  await dialog.locator('input[type=password]').fill(password);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

/** Scrolls half a screen, from the end back to the top. Returns when it is rendered, or shortly after. */
const scrollOn = `new Promise((drawn) => {
  const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  scrollTo(0, isAtEnd ? 0 : scrollY + innerHeight / 2);
  requestAnimationFrame(() => setTimeout(drawn, 50));
})`;

/** From a hundred rows on, Swagger UI renders only visible rows, so the test scrolls to them. */
async function scrollTo(part: Locator): Promise<Locator> {
  for (let looks = 0; looks < 500 && (await part.count()) === 0; looks += 1) await page.evaluate(scrollOn);
  return part;
}

async function openTag(tag: string): Promise<void> {
  await (await scrollTo(page.locator(`#operations-tag-${tag}`))).click();
}

/** "Try it out" and "Execute" with the prefilled values. Returns the status that the page shows, and the body. */
async function execute(tag: string, operationId: string): Promise<{ status: string; body: string }> {
  const operation = await scrollTo(page.locator(`#operations-${tag}-${operationId}`));
  await operation.locator('.opblock-summary').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const live = operation.locator('.live-responses-table');
  await live.waitFor();
  const status = (await live.locator('tr.response td.response-col_status').first().innerText()).trim().split(/\s/)[0]!;
  const body = await live.locator('.highlight-code').first().innerText();
  // Otherwise the next call would find this response.
  await operation.getByRole('button', { name: 'Clear', exact: true }).click();
  await live.waitFor({ state: 'detached' });
  await operation.getByRole('button', { name: 'Cancel' }).click();
  await operation.locator('.opblock-summary').click();
  return { status, body };
}

const prefilled = [
  [
    'domains',
    [
      ['checkAvailability', 'available'],
      ['createQuote', 'quote_id'],
      ['registerDomain', 'order_id'],
    ],
  ],
  ['customers', [['createCustomer', 'customer_id']]],
  ['dns', [['createARecord', '192.0.2.1']]],
] as const;

/**
 * The page renders the whole document again at every click. It is therefore loaded once as a whole, and further calls with only their
 * own part of the document.
 */
async function drawOnly(operationIds: readonly string[]): Promise<void> {
  await page.route('**/swagger/openapi.json', async (route) => {
    const response = await route.fetch();
    const document = (await response.json()) as { paths: Record<string, Record<string, { operationId?: string }>> };
    const isWanted = (path: string) =>
      Object.values(document.paths[path]!).some(({ operationId }) => operationIds.includes(operationId ?? ''));
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isWanted(path)));
    await route.fulfill({ response, json: { ...document, paths } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Authorize' }).first().waitFor();
}

test('loads without credentials and errors, and requires credentials for its calls', async () => {
  expect(await page.title()).toContain('Namehold');
  expect(newComplaints()).toEqual([]);
  await openTag('account');
  expect((await execute('account', 'getAccountProfile')).status).toBe('401');
  // The browser logs an error response itself.
  expect(newComplaints()).toEqual([expect.stringContaining('401')]);
});

describe('single calls', () => {
  beforeAll(() =>
    drawOnly(['getAccountProfile', ...prefilled.flatMap(([, calls]) => calls.map(([operationId]) => operationId))]),
  );

  test('show why a key that is not whitelisted for this address is refused', async () => {
    const made = await t.call('POST', '/v1/account/keys', {
      json: { label: 'elsewhere', ip_whitelist: ['192.0.2.10'] },
    });
    await openTag('account');
    await authorize(`1000:${made.body.api_key}`);
    const { status, body } = await execute('account', 'getAccountProfile');
    expect(status).toBe('403');
    expect(body).toContain('ip_not_allowed');
    expect(body).toContain('127.0.0.1');
    expect(newComplaints()).toEqual([expect.stringContaining('403')]);
  });

  test('return 200 for the profile after Authorize with account ID and key', async () => {
    await authorize(t.demo);
    const { status, body } = await execute('account', 'getAccountProfile');
    expect(status).toBe('200');
    expect(body).toContain('"reseller_id": "1000"');
    expect(newComplaints()).toEqual([]);
  });

  test.each(prefilled)('succeed with the prefilled example: %s', async (tag, calls) => {
    await openTag(tag);
    for (const [operationId, expected] of calls) {
      const { status, body } = await execute(tag, operationId);
      expect(`${operationId} ${status} ${body}`).toMatch(new RegExp(`^${operationId} 20[02] [^]*${expected}`));
    }
    expect(newComplaints()).toEqual([]);
  });
});

test('cannot load external content and cannot be framed', async () => {
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
