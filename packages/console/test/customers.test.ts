import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allTenants, sql } from '@namehold/postgres';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person } from '../../../test/support/parties.ts';
import { makeReseller } from '../../../test/support/resellers.ts';
import { furnish, type Tenancy } from '../../../test/tenants/fixtures.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';
import { expectPlain, lookedAt } from './support/looks.ts';

/** The account, a customer of it, another customer, and another account with its own customers. */
let c: ConsoleTest;
let own: Tenancy;
let neighbour: Tenancy;
let stranger: Tenancy;
/** A sub-reseller. */
let child: string;
let temporary: string;

beforeAll(async () => {
  c = await openConsole();
  const key = c.t.demo;
  own = await furnish(c.t, key, 'lemur');
  neighbour = await furnish(c.t, key, 'zebra');
  child = (await makeReseller(c.t, key)).split(':')[0]!;
  const form = { amount: '10', description: 'to begin with' };
  await c.t.call('POST', `/v1/resellers/${child}/transactions/fund`, { form });
  stranger = await furnish(c.t, await makeReseller(c.t), 'okapi');
  const path = `/v1/customers/${own.nouns.customer}`;
  await c.t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update reseller set brand_name = 'Lemur Hosting' where id = 1000`),
  );
  await c.t.call('PUT', `${path}/access`, { json: { access: 'dns' } });
  await c.t.call('POST', `${path}/transactions/fund`, { form: { amount: '25', description: 'paid by hand' } });
  const rrsets = [{ name: 'www', type: 'A', records: ['192.0.2.1'] }];
  const zone = `/v1/domains/${own.nouns.domain}/zone/rrsets`;
  await c.t.call('PATCH', zone, { json: { rrsets }, headers: { 'If-None-Match': '*' } });
});
afterAll(() => c.stop());

/** All responses that the page receives, to search them. The event stream is excluded because the log has the same content. */
function listenTo(page: Page) {
  const texts: string[] = [];
  const open = new Set<Request>();
  let quietSince = performance.now();
  const isOurs = (request: Request) => request.url().includes('/v1/') && !request.url().includes('/stream');
  const ended = (request: Request) => {
    open.delete(request);
    quietSince = performance.now();
  };
  page.on('request', (request) => void (isOurs(request) && open.add(request)));
  page.on('requestfailed', ended);
  page.on('response', async (response) => {
    if (!isOurs(response.request())) return;
    texts.push(`${response.url()} ${response.status()} ${await response.text().catch(() => '')}`);
    ended(response.request());
  });
  return {
    texts,
    /** Navigates like a click and waits until no request is open. */
    async visit(path: string) {
      quietSince = performance.now();
      await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
      await page.locator('main h1').first().waitFor();
      while (open.size > 0 || performance.now() - quietSince < 300) await page.waitForTimeout(50);
    },
  };
}

/** Every page, with ids of this account as parameters. */
function everyPath(of: Tenancy): string[] {
  const root = fileURLToPath(new URL('../src/', import.meta.url));
  const { name, customer, operation } = of.nouns;
  const ids: Record<string, string> = { operations: operation, customers: customer, resellers: child };
  return globSync(`${root}*/pages.ts`).flatMap((file) => {
    const id = ids[basename(dirname(file))] ?? '1000';
    const found = [...readFileSync(file, 'utf8').matchAll(/path: '([^']+)'/g)].map((match) => match[1]!);
    return found.map((path) => `/app${path.replace(':name', name).replace(/:\w+/, id)}`);
  });
}

test('lets a reseller manage customers and sub-resellers and create a temporary password', async () => {
  const page = await c.signIn('1000', { at: '/app/customers' });
  await page.getByRole('link', { name: 'lemur Person' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'customers');
  await page.getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('dialog').getByLabel('Company').fill('kept');
  await page.getByRole('dialog').getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('alert').first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'customers-new');
  // Company, state and password may stay empty.
  const { company, state, country_code, ...needed } = person({ email: 'nobody@lemur.example', name: 'Ana Abroad' });
  const adding = page.getByRole('dialog');
  await adding.locator('[name=company]').fill('');
  await adding.locator('[name=country_code]').selectOption('PT');
  const abroad = { ...needed, city: 'Porto', zipcode: '4000-123', tel_cc_no: '351', tel_no: '220000000' };
  for (const [field, text] of Object.entries(abroad)) await adding.locator(`[name=${field}]`).fill(text);
  await adding.getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('heading', { name: 'Ana Abroad' }).waitFor();
  await page.getByText('4000-123 Porto').waitFor();
  expect(await page.getByText('Not Applicable').count()).toBe(0);
  await page.getByText('Save an access level first').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'lemur Person' }).click();
  await page.getByRole('cell', { name: 'lemur-name.com' }).waitFor();
  await page.getByText('USD', { exact: false }).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'customer');
  // Only the domains of this customer.
  await page.getByRole('link', { name: 'View all domains' }).click();
  await page.getByText('Domains of lemur Person').waitFor();
  await page.getByRole('link', { name: 'lemur-name.com' }).waitFor();
  expect(await page.getByRole('link', { name: 'zebra-name.com' }).count()).toBe(0);
  await page.goBack();
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const handed = page.getByRole('dialog', { name: 'Send these details to the customer' });
  await handed.getByText('/app/at/1000').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'customer-invited');
  temporary = (await handed.locator('dd code').nth(2).textContent())!;
  // The password is shown once and stays visible when another user changes the access.
  const level = `/v1/customers/${own.nouns.customer}/access`;
  await c.t.call('PUT', level, { json: { access: 'manage' } });
  const form = { amount: '1', description: 'noticed by the page' };
  await c.t.call('POST', `/v1/customers/${own.nouns.customer}/transactions/fund`, { form });
  await expect.poll(() => page.locator('select[name=access]').inputValue()).toBe('manage');
  expect(await handed.getByText(temporary).count()).toBe(1);
  await c.t.call('PUT', level, { json: { access: 'dns' } });
  await handed.getByRole('button', { name: 'Done' }).click();
  await page.goto(`${c.t.url}/app/resellers`);
  await page.getByRole('link', { name: /./ }).and(page.locator('.tree a')).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'resellers');
  await page.getByRole('button', { name: 'Add sub-reseller' }).click();
  const making = page.getByRole('dialog');
  const below = person({ company: 'Lemur Below', email: 'below@lemur.example' });
  const { country_code: country = '', ...typed } = below;
  await making.locator('[name=country_code]').selectOption(country);
  for (const [field, text] of Object.entries(typed)) await making.locator(`[name=${field}]`).fill(text);
  await making.locator('[name=selling_currency]').fill('nothing');
  await making.locator('[name=password]').fill('a long enough one');
  await making.getByRole('button', { name: 'Add sub-reseller' }).click();
  await making.getByRole('alert').first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'resellers-new');
  await making.locator('[name=selling_currency]').fill('usd');
  await making.getByRole('button', { name: 'Add sub-reseller' }).click();
  await page.getByRole('heading', { name: 'Lemur Below' }).waitFor();
  expect((await c.t.call('GET', '/v1/resellers?limit=100')).text).toContain('below@lemur.example');
  await page.goto(`${c.t.url}/app/resellers/${child}`);
  await page.getByRole('button', { name: 'Add funds' }).click();
  await page.getByLabel('Amount').fill('7.50');
  await page.getByLabel('Description').fill('transfer 1');
  await expectAccessible(page);
  await takePictures(page, 'reseller-fund');
  await page.getByRole('button', { name: 'Add USD 7.50' }).click();
  await page.getByText('17.50').waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByLabel('Reason').fill('a test');
  await takePictures(page, 'reseller-suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Suspended', { exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'reseller');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click();
  await page.getByRole('link', { name: 'Pelanggan', exact: true }).click();
  await page.getByRole('link', { name: 'lemur Person' }).click();
  await page.getByRole('heading', { name: 'Kontak' }).waitFor();
  await takePictures(page, 'customer-id');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('lets a customer sign in with a temporary password, replace it and change a record', async () => {
  const page = await c.open('/app/at/1000');
  await page.getByLabel('Email').fill('lemur@customer.example');
  await page.getByLabel('Password').fill('not the right one');
  await expectAccessible(page);
  await takePictures(page, 'at');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('Incorrect email or password').waitFor();
  await page.getByLabel('Password').fill(temporary);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('New password').fill('chosen by the customer');
  await expectAccessible(page);
  await takePictures(page, 'at-choose');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByText('lemur-name.com').first().waitFor();
  expect(await page.title()).toContain('Lemur Hosting');
  expect(await page.locator('body').textContent()).not.toContain('Namehold');
  await expectAccessible(page);
  await takePictures(page, 'at-home');
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('link', { name: 'lemur-name.com' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  expect(await page.getByRole('button', { name: 'Renew' }).count()).toBe(0);
  expect(
    await page
      .locator('main')
      .getByRole('button', { name: /Auth code|Theft protection/ })
      .count(),
  ).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'at-name');
  await page.getByRole('link', { name: 'DNS', exact: true }).click();
  await page.getByText('192.0.2.1').first().waitFor();
  await takePictures(page, 'at-dns');
  const fresh = page.getByRole('form', { name: 'New record' });
  await fresh.getByRole('textbox', { name: 'Name' }).fill('shop');
  await fresh.getByRole('textbox', { name: 'Content' }).fill('192.0.2.77');
  await page.keyboard.press('Enter');
  await page.getByText('1 added').waitFor();
  await page.getByRole('button', { name: 'Review' }).click();
  const review = page.getByRole('dialog', { name: 'Changes to lemur-name.com' });
  await review.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Changes published.').waitFor();
  const { body } = await c.t.call('GET', `/v1/domains/${own.nouns.domain}/zone/history`, { query: { limit: '1' } });
  expect(body[0].actor).toMatchObject({ kind: 'person', id: `customer:${own.nouns.customer}`, name: 'lemur Person' });
  await page.getByRole('link', { name: 'Balance and invoices', exact: true }).click();
  await page.getByText('paid by hand').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'at-money');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /CSV/ }).click()]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('paid by hand');
  expect(await page.locator('nav a').allTextContents()).toEqual([
    'Home',
    'Domains',
    'Operations',
    'Balance and invoices',
  ]);
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click();
  await page.getByRole('heading', { name: 'Saldo dan tagihan' }).waitFor();
  await takePictures(page, 'at-money-id');
  await page.getByRole('link', { name: 'Domain', exact: true }).click();
  await page.getByRole('link', { name: 'lemur-name.com' }).click();
  await page.getByRole('heading', { name: 'Linimasa' }).waitFor();
  await takePictures(page, 'at-name-id');
  await page.getByRole('button', { name: 'lemur Person' }).click();
  await page.getByRole('menuitem', { name: 'Keluar' }).click();
  await page.waitForURL(/\/app\/at\/1000$/);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows a customer only the actions of the access level', async () => {
  await c.t.call('PUT', `/v1/customers/${own.nouns.customer}/access`, { json: { access: 'manage' } });
  const page = await c.open('/app/at/1000');
  await page.getByLabel('Email').fill('lemur@customer.example');
  await page.getByLabel('Password').fill('chosen by the customer');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('link', { name: 'lemur-name.com' }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  const main = page.locator('main');
  await main.getByRole('button', { name: 'Auth code' }).waitFor();
  for (const absent of ['Renew', 'Delete', 'Restore'])
    expect(await main.getByRole('button', { name: absent, exact: true }).count(), absent).toBe(0);
  expect(await main.getByRole('button', { name: /: (Domain lock|Suspension)$/ }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'manage-name');
  await main.getByRole('button', { name: 'Change: Renewal' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.locator('select option').allTextContents()).not.toContain('Let expire');
  await dialog.locator('select').selectOption('renew');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await c.t.call('GET', `/v1/domains/${own.nouns.domain}`);
  expect(body.renewal_mode).toBe('renew');
  for (const place of ['Nameservers', 'Contacts', 'Forwarding']) {
    await main.getByRole('link', { name: place, exact: true }).click();
    await expect.poll(() => page.title(), { timeout: 300_000 }).toContain(`${place}: `);
    await expectAccessible(page);
    await takePictures(page, `manage-${place.toLowerCase()}`);
  }
  expect(await page.locator('nav a').allTextContents()).not.toContain('Register domain');
  const prices = [{ tld: 'com', action: 'renew', years: 1, amount: '16.00', currency: 'USD' }];
  await c.t.call('PUT', '/v1/account/price_list', { json: { target: 'customer', prices } });
  await c.t.call('PUT', `/v1/customers/${own.nouns.customer}/access`, { json: { access: 'order' } });
  await page.goto(`${c.t.url}/app/domains/lemur-name.com?do=renew`);
  const renewal = page.getByRole('dialog');
  await renewal.getByRole('button', { name: /16\.00/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'order-renew');
  await page.goto(`${c.t.url}/app/domains/new`);
  await page.locator('textarea[name=names]').fill('lemur-second.com');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByText('lemur-second.com').first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'order-new');
  expect(await page.locator('main').textContent()).not.toContain('Customer');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

interface Look {
  readonly foreign: RegExp;
  /** The other account, whose pages are opened too. */
  readonly others: readonly Tenancy[];
  /** Further checks on each page. */
  readonly look?: (path: string) => Promise<void>;
}

/** Opens every page with own and foreign ids, and finds no foreign data in responses or on pages. */
async function walk(walker: Page, { foreign, others, look }: Look): Promise<void> {
  const requests = listenTo(walker);
  const strange = others.flatMap(({ nouns }) => [
    `/app/domains/${nouns.domain}`,
    `/app/domains/${nouns.domain}/dns`,
    `/app/operations/${nouns.operation}`,
    `/app/customers/${nouns.customer}`,
    `/app/resellers/${nouns.reseller}`,
  ]);
  for (const path of [...everyPath(own), ...strange]) {
    await requests.visit(path);
    expect(await walker.title(), path).not.toMatch(foreign);
    expect(await walker.locator('main').textContent(), path).not.toMatch(foreign);
    if (!strange.includes(path)) await look?.(path);
  }
  expect(requests.texts.length).toBeGreaterThan(25);
  expect(requests.texts.filter((text) => foreign.test(text))).toEqual([]);
}

test('shows own data only, in both languages, narrow windows and forced colours', async () => {
  const page = await c.open('/app/at/1000');
  await page.getByLabel('Email').fill('lemur@customer.example');
  await page.getByLabel('Password').fill('chosen by the customer');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const seller = await c.signIn('1000', { at: '/app/operations' });
  await seller.getByRole('button', { name: 'Language' }).click();
  await seller.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click();
  await seller.getByRole('link', { name: 'Beranda' }).waitFor();
  const found: string[] = [];
  const look = async (path: string) => {
    // Operator pages are tested as operator. The component gallery is in English only.
    if (/^\/app\/(operator|parts|at)/.test(path)) return;
    found.push(...(await lookedAt(seller)));
    await expectPlain(seller);
  };
  // In parallel, because most of the time is spent waiting.
  await Promise.all([
    walk(page, { foreign: /zebra|okapi/i, others: [neighbour, stranger] }),
    walk(seller, { foreign: /okapi/i, others: [stranger], look }),
  ]);
  expect(found).toEqual([]);
  await c.leave(page);
  await c.leave(seller);
  expect(c.complaints).toEqual([]);
});
