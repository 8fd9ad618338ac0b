import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
beforeAll(async () => {
  c = await openConsole();
});
afterAll(() => c.stop());

const enterShop = () => c.signIn('1000', { at: '/app/domains/new' });
const search = async (page: Page, text: string, free: string) => {
  await page.getByLabel('Domains or keywords').fill(text);
  await page.getByLabel('Domains or keywords').press('Enter');
  await page.getByRole('button', { name: `Add: ${free}` }).click();
};
const chooseCustomer = async (page: Page) => {
  const customer = page.getByRole('combobox', { name: 'Customer' });
  await customer.fill('bud');
  await page.getByRole('option', { name: /Budi/ }).waitFor();
  await customer.press('ArrowDown');
  await customer.press('Enter');
};
const order = (page: Page) => page.getByRole('button', { name: /^Register 1 domain for USD/ });
const ok = ({ status, text }: { status: number; text: string }) => expect(status, text).toBe(200);
const ours = async (name: string) => (await c.t.call('GET', `/v1/domains?domain_name=${name}`)).body as unknown[];

test('registers domains found in any script and sets their renewal mode', async () => {
  const page = await enterShop();
  await search(page, 'kopi-baru “Bücher”.com nothing.zzz gem-stone.shop', 'kopi-baru.com');
  await page.getByRole('row', { name: /bücher\.com xn--bcher-kva\.com/ }).waitFor();
  await page
    .getByRole('row', { name: /nothing\.zzz/ })
    .getByText('TLD not offered', { exact: true })
    .waitFor();
  await page
    .getByRole('row', { name: /gem-stone\.shop/ })
    .getByText('premium')
    .waitFor();
  await page.getByRole('button', { name: 'Suggest more' }).click();
  await page
    .getByRole('row', { name: /kopibaru/ })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Add: bücher.com' }).click();
  await chooseCustomer(page);
  await page.getByLabel('Term of kopi-baru.com').selectOption('2');
  await page.getByLabel('Privacy protection').check();
  await page.getByLabel('Renewal').selectOption('renew');
  // What each side pays: the reseller's cost and its price for the customer.
  const { body: mine } = await c.t.call('GET', '/v1/account/prices');
  const { body: theirs } = await c.t.call('GET', '/v1/customers/prices');
  const row = page.getByRole('row', { name: /kopi-baru\.com/ });
  for (const list of [mine, theirs]) await row.getByText(new RegExp(`USD\\s${list.com.create['1']}`)).waitFor();
  await page.getByText(/^You pay USD\s.* The customer is not invoiced\.$/).waitFor();
  await page.getByLabel('Paid by').selectOption('keep_invoice');
  const both = (list: typeof mine) => Number(list.com.create['2']) + Number(list.com.create['1']);
  const privacy = (list: typeof mine) => 3 * Number(list.com.privacy_protect);
  const sums = [mine, theirs].map((list) => (both(list) + privacy(list)).toFixed(2));
  await page.getByText(new RegExp(`You pay USD\\s${sums[0]}\\. The customer pays USD\\s${sums[1]}`)).waitFor();
  await page.getByLabel('Paid by').selectOption('no_invoice');
  await expectAccessible(page);
  await takePictures(page, 'buy');
  // A reload right after typing keeps the input.
  await page.getByLabel('Nameservers', { exact: false }).first().fill('ns1.example.net');
  await page.reload();
  expect(await page.getByLabel('Term of kopi-baru.com').inputValue()).toBe('2');
  expect(await page.locator('textarea[name=ns]').inputValue()).toBe('ns1.example.net');
  await page.locator('textarea[name=ns]').fill('');
  const button = page.getByRole('button', { name: /^Register 2 domains for USD/ });
  await button.click();
  await expect.poll(() => page.getByText('Amount charged').count(), { timeout: 300_000 }).toBe(2);
  expect(await page.getByRole('button', { name: /again/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'buy-done');
  const made = (await c.t.call('GET', '/v1/domains/kopi-baru.com')).body;
  expect(made).toMatchObject({ renewal_mode: 'renew', privacy_protection_enabled: 'true', customer_id: '2001' });
  expect(await ours('xn--bcher-kva.com')).toHaveLength(1);
  await page.getByText(/^kopi-baru\.com is registered until /).waitFor();
  const results = page.getByRole('table', { name: 'Search results' });
  await results
    .getByRole('row', { name: /kopi-baru\.com/ })
    .getByText('Ordered', { exact: true })
    .waitFor();
  await page.getByText('Your cart is empty').waitFor();
  await page.getByRole('button', { name: 'Clear list' }).click();
  await page.getByRole('region', { name: 'Ordered' }).waitFor({ state: 'detached' });
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shows an increased price and orders only after the user accepts it', async () => {
  const page = await enterShop();
  await search(page, 'dearer.net', 'dearer.net');
  await chooseCustomer(page);
  await order(page).waitFor();
  const prices = [{ tld: 'net', action: 'create', years: 1, amount: '99.00', currency: 'USD' }];
  ok(await c.t.call('PUT', '/v1/account/price_list', { as: c.t.operator, json: { target: 'reseller', prices } }));
  await order(page).click();
  await page.getByText('The price increased from USD 13.09 to USD 99.00.').waitFor();
  expect(await ours('dearer.net')).toHaveLength(0);
  expect(await order(page).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'buy-rose');
  await page.getByRole('button', { name: 'Accept USD 99.00' }).click();
  await page.getByRole('button', { name: 'Register 1 domain for USD 99.00' }).click();
  await page.getByText('Amount charged').waitFor();
  expect(await ours('dearer.net')).toHaveLength(1);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

const setPrice = async (tld: string, action: 'create' | 'renew', amount: string) => {
  const prices = [{ tld, action, years: 1, amount, currency: 'USD' }];
  ok(await c.t.call('PUT', '/v1/account/price_list', { as: c.t.operator, json: { target: 'reseller', prices } }));
};

test('refreshes outdated prices in results and cart, and requires accepting a changed one', async () => {
  const page = await enterShop();
  await page.clock.install();
  await search(page, 'older.org older.com', 'older.org');
  await page.getByRole('button', { name: 'Add: older.com' }).click();
  await chooseCustomer(page);
  await page.getByRole('button', { name: /^Register 2 domains for USD/ }).waitFor();
  await setPrice('org', 'create', '44.00');
  await page.clock.fastForward('14:00');
  await page
    .getByRole('row', { name: /older\.org/ })
    .getByText(/^was USD/)
    .waitFor();
  await page.getByText(/^The price increased from USD\s.* to USD\s44\.00\.$/).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'buy-older');
  // The other domain is ordered; this one needs the new price accepted.
  await order(page).click();
  await page.getByText('Amount charged').waitFor();
  expect([(await ours('older.com')).length, (await ours('older.org')).length]).toEqual([1, 0]);
  await setPrice('org', 'create', '4.00');
  await page.clock.fastForward('14:00');
  await page.getByText(/^The price decreased from USD\s.* to USD\s4\.00\.$/).waitFor();
  await page.getByRole('button', { name: 'Accept USD 4.00' }).click();
  await page.getByRole('button', { name: 'Register 1 domain for USD 4.00' }).click();
  await expect.poll(() => page.getByText('Amount charged').count()).toBe(2);
  expect(await ours('older.org')).toHaveLength(1);
  // The price changes while the renewal dialog is open.
  await page.goto(`${c.t.url}/app/domains/older.com`);
  await page.getByRole('button', { name: 'Renew', exact: true }).click();
  const renew = page.getByRole('dialog').getByRole('button', { name: /^Renew for USD/ });
  await renew.waitFor();
  await setPrice('com', 'renew', '55.00');
  await page.clock.fastForward('14:00');
  await page.getByText(/^The price changed from USD\s.* to USD\s55\.00\./).waitFor();
  expect(await renew.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Accept USD 55.00' }).click();
  expect(await renew.isEnabled()).toBe(true);
  // Restore the price for the other tests.
  await setPrice('org', 'create', '12.89');
  // The clock of this test is its own.
  await page.context().close();
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shows the missing amount, marks invalid fields and keeps the cart', async () => {
  const page = await enterShop();
  await search(page, 'too-dear.org', 'too-dear.org');
  await chooseCustomer(page);
  await page.getByLabel('Nameservers', { exact: false }).first().fill('not a host!');
  await order(page).click();
  await page.getByText('Fix 1 field').waitFor();
  expect(await page.locator('textarea[name=ns]').getAttribute('aria-invalid')).toBe('true');
  // Once, at the field, until the input changes.
  expect(await page.locator('.wrong-text').count()).toBe(1);
  expect(await page.locator('.field.wrong textarea[name=ns]').count()).toBe(1);
  expect(await page.getByText('is not valid NameServer').count()).toBe(0);
  await page.locator('textarea[name=ns]').fill('');
  await page.getByText('Fix 1 field').waitFor({ state: 'detached' });
  const { balance } = (await c.t.call('GET', '/v1/account/funds')).body;
  const take = (Number(balance.amount) - 2).toFixed(2);
  const json = { amount: take, description: 'for a while' };
  ok(await c.t.call('POST', '/v1/resellers/1000/transactions/debit_note', { as: c.t.operator, json }));
  await order(page).click();
  await page.getByText('Insufficient balance, USD 10.89 is missing: too-dear.org').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'buy-short');
  expect(await ours('too-dear.org')).toHaveLength(0);
  ok(await c.t.call('POST', '/v1/resellers/1000/transactions/fund', { as: c.t.operator, json }));
  await order(page).click();
  await page.getByText('Amount charged').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('checks an order without a response by its key and places it once', async () => {
  const page = await enterShop();
  await search(page, 'silence.com', 'silence.com');
  await chooseCustomer(page);
  const keys: (string | undefined)[] = [];
  await page.route('**/v1/domains', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    // The request arrives, but its response is lost.
    await route.fetch();
    return route.abort();
  });
  await order(page).click();
  await page.getByText('Order status unknown').waitFor();
  expect(await page.getByRole('button', { name: /again/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'buy-unknown');
  await page.reload();
  await page.getByRole('button', { name: 'Check status' }).click();
  await page.getByText('Amount charged').waitFor();
  expect(keys[1]).toBe(keys[0]);
  expect(await ours('silence.com')).toHaveLength(1);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});
