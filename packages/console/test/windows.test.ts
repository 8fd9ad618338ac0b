import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures, type Visitor } from './support/console.ts';

let c: ConsoleTest;
beforeAll(async () => {
  c = await openConsole();
});
afterAll(() => c.stop());

const ours = async (name: string) => (await c.t.call('GET', `/v1/domains?domain_name=${name}`)).body as unknown[];
const order = (page: Page, names = 1) =>
  page.getByRole('button', { name: new RegExp(`^Register ${names} domains? for USD`) });
const hosts = (page: Page) => page.locator('textarea[name=ns]');
const isBusy = (page: Page) => page.locator('.total button[aria-busy=true]').waitFor();

/** A second window of the same user on the same page. */
async function another(page: Page): Promise<Page> {
  const second = await page.context().newPage();
  second.setDefaultTimeout(Number(process.env.PATIENCE_MS ?? 300_000));
  second.on('pageerror', (error) => c.complaints.push(`failed: ${String(error)}`));
  await second.goto(page.url());
  return second;
}

const enterShop = (visitor?: Visitor) => c.signIn('1000', { ...visitor, at: '/app/domains/new' });

async function fillBasket(page: Page, ...names: string[]): Promise<void> {
  await page.getByLabel('Domains or keywords').fill(names.join(' '));
  await page.getByLabel('Domains or keywords').press('Enter');
  for (const name of names) await page.getByRole('button', { name: `Add: ${name}` }).click();
  const customer = page.getByRole('combobox', { name: 'Customer' });
  await customer.fill('bud');
  await page.getByRole('option', { name: /Budi/ }).click();
  await order(page, names.length).waitFor();
}

test('keeps changes of a resource in their window without overwriting others', async () => {
  await c.t.call('PUT', '/v1/customers/2001/access', { json: { access: 'manage' } });
  const one = await c.signIn('1000', { at: '/app/customers/2001' });
  const access = (page: Page) => page.locator('select[name=access]');
  await expect.poll(() => access(one).inputValue()).toBe('manage');
  const [two, three] = [await another(one), await another(one)];
  for (const page of [two, three]) await expect.poll(() => access(page).inputValue()).toBe('manage');
  await access(one).selectOption('dns');
  await access(two).selectOption('order');
  await one.reload();
  await expect.poll(() => access(one).inputValue()).toBe('dns');
  expect(await access(two).inputValue()).toBe('order');
  await one.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(async () => (await c.t.call('GET', '/v1/customers/2001/access')).body.access).toBe('dns');
  await two.getByRole('alert').filter({ hasText: 'Changed since you started editing' }).waitFor();
  expect(await access(two).inputValue()).toBe('order');
  // A window without input shows the current value.
  await expect.poll(() => access(three).inputValue()).toBe('dns');
  await c.leave(one);
  expect(c.complaints).toEqual([]);
});

test('shares a draft between windows by field', async () => {
  const one = await enterShop();
  await fillBasket(one, 'two-windows.com');
  const two = await another(one);
  await order(two).waitFor();
  await hosts(one).fill('ns1.example.net');
  await expect.poll(() => hosts(two).inputValue()).toBe('ns1.example.net');
  await two.getByLabel('Term of two-windows.com').selectOption('2');
  await expect.poll(() => one.getByLabel('Term of two-windows.com').inputValue()).toBe('2');
  // Different fields of one draft at the same time.
  await Promise.all([hosts(one).fill('ns2.example.net'), two.getByLabel('Privacy protection').check()]);
  for (const page of [one, two]) {
    await expect.poll(() => hosts(page).inputValue()).toBe('ns2.example.net');
    await expect.poll(() => page.getByLabel('Privacy protection').isChecked()).toBe(true);
  }
  await two.reload();
  expect(await hosts(two).inputValue()).toBe('ns2.example.net');
  expect(await two.getByLabel('Term of two-windows.com').inputValue()).toBe('2');
  await one.getByRole('button', { name: 'Remove two-windows.com' }).click();
  await two.getByText('Your cart is empty').waitFor();
  await c.leave(one);
  expect(c.complaints).toEqual([]);
});

test('shows a domain ordered in one window as ordered in the other', async () => {
  const one = await enterShop();
  await fillBasket(one, 'only-once.com');
  const two = await another(one);
  await order(two).waitFor();
  await order(one).click();
  await two.getByText('Ordered in another of your windows.').waitFor();
  await two.getByText('Amount charged').waitFor();
  expect(await order(two).count()).toBe(0);
  expect(await two.getByText('or charged').count()).toBe(0);
  expect(await one.getByText('Ordered in another of your windows.').count()).toBe(0);
  await expectAccessible(two);
  await takePictures(two, 'buy-elsewhere');
  expect(await ours('only-once.com')).toHaveLength(1);
  await two.getByRole('button', { name: 'Clear list' }).click();
  await one.getByRole('region', { name: 'Ordered' }).waitFor({ state: 'detached' });
  await c.leave(one);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('places one order when two windows order at once', async () => {
  const one = await enterShop();
  await fillBasket(one, 'same-time.com', 'same-moment.com');
  const two = await another(one);
  await order(two, 2).waitFor();
  const orders: string[] = [];
  let isAnswered = () => {};
  const answered = new Promise<void>((resolve) => {
    isAnswered = resolve;
  });
  await one.context().route('**/v1/domains', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    orders.push((route.request().postDataJSON() as { domain_name: string }).domain_name);
    await answered;
    return route.continue();
  });
  await order(one, 2).click();
  await two.getByText('is being ordered in another of your windows').waitFor();
  await expectAccessible(two);
  await takePictures(two, 'buy-under-way-elsewhere');
  // The second domain and its button are still in both windows.
  await order(two).click();
  await isBusy(two);
  isAnswered();
  for (const page of [one, two]) await expect.poll(() => page.getByText('Amount charged').count()).toBe(2);
  expect(orders.toSorted()).toEqual(['same-moment.com', 'same-time.com']);
  expect(await one.getByRole('alert').count()).toBe(0);
  expect(await two.getByRole('alert').count()).toBe(0);
  for (const name of ['same-time.com', 'same-moment.com']) expect(await ours(name)).toHaveLength(1);
  await one.getByRole('button', { name: 'Clear list' }).click();
  await two.getByRole('region', { name: 'Ordered' }).waitFor({ state: 'detached' });
  await c.leave(one);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('lets another window check an order after its window was closed', async () => {
  const one = await enterShop();
  await fillBasket(one, 'closed-window.com');
  const two = await another(one);
  await order(two).waitFor();
  const keys: (string | undefined)[] = [];
  await one.route('**/v1/domains', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    await route.fetch();
    await one.close();
  });
  await order(one).click();
  two.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/domains'))
      keys.push(request.headers()['idempotency-key']);
  });
  await two.getByRole('button', { name: 'Check status' }).click();
  await two.getByText('Amount charged').waitFor();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect(await ours('closed-window.com')).toHaveLength(1);
  await c.leave(two);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shows that a domain ordered by another user is already in the account', async () => {
  const one = await enterShop();
  await fillBasket(one, 'colleague.com');
  const two = await enterShop({ email: 'colleague@people.example' });
  await fillBasket(two, 'colleague.com');
  await order(two).click();
  await two.getByText('Amount charged').waitFor();
  await order(one).click();
  await one.getByText('colleague.com is already in your account').waitFor();
  expect(await one.getByText('or charged').count()).toBe(0);
  await expectAccessible(one);
  expect(await ours('colleague.com')).toHaveLength(1);
  await c.leave(one);
  await c.leave(two);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shares one event stream between eight windows, also after its window is closed', async () => {
  const first = await c.signIn('1000');
  const streams = new Set<Page>();
  first.context().on('request', (request) => {
    if (request.url().endsWith('/v1/events/stream')) streams.add(request.frame().page());
  });
  await first.goto(`${c.t.url}/app/customers/2001`);
  const others: Page[] = [];
  // A browser has six connections to a host.
  for (let window = 1; window < 8; window++) others.push(await another(first));
  const fund = async (amount: string) => {
    const form = { amount, description: 'paid by hand' };
    expect((await c.t.call('POST', '/v1/customers/2001/transactions/fund', { form })).status).toBe(200);
  };
  const says = (page: Page, balance: string) => page.getByText(balance).first().waitFor();
  await fund('25.11');
  for (const page of [first, ...others]) await says(page, '25.11');
  expect([...streams]).toEqual([first]);
  await first.close();
  await expect.poll(() => streams.size).toBe(2);
  await fund('11.11');
  for (const page of others) await says(page, '36.22');
  await c.leave(others[0]!);
  expect(c.complaints).toEqual([]);
});
