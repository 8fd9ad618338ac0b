import { afterAll, beforeAll, expect, test } from 'vitest';
import { booksAgree } from '../../../test/support/books.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
const register = (name: string, headers: Record<string, string> = {}) =>
  c.t.call('POST', '/v1/domains', {
    headers,
    form: {
      domain_name: name,
      years: '1',
      ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net',
      customer_id: '2001',
      registrant_contact_id: '3001',
      admin_contact_id: '3001',
      tech_contact_id: '3001',
      billing_contact_id: '3001',
      invoice_option: 'no_invoice',
    },
  });
beforeAll(async () => {
  c = await openConsole();
  const made = await register('pages-shop.com');
  expect(made.status, made.text).toBe(200);
});
afterAll(() => c.stop());

test('operations: the list with its filter in the address, one with its steps, and one that the registry leaves open', async () => {
  const page = await c.signIn('1000');
  await page.getByRole('link', { name: 'Operations', exact: true }).click();
  await page.getByText('Nothing is under way.').waitFor();
  await page.getByRole('cell', { name: 'pages-shop.com' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'operations');
  await page.getByLabel('State', { exact: true }).selectOption('refused');
  await page.getByText('No operation is in this state').waitFor();
  expect(page.url()).toContain('state=refused');
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByRole('link', { name: 'Registration' }).click();
  await page.getByRole('heading', { name: 'Registration: pages-shop.com' }).waitFor();
  await page.getByText('Money taken').waitFor();
  expect(await page.getByRole('button', { name: /again|cancel/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'operation');
  // Neither the order nor a question about it is answered.
  const silent = { kind: 'drop-before', name: 'no-answer.com', how: 'close' };
  for (const command of ['domain:create', 'domain:info'])
    await c.t.control('POST', '/faults', { ...silent, commands: [command] });
  await register('no-answer.com', { Prefer: 'wait=0' });
  await page.goto(`${c.t.url}/app/operations`);
  await page.getByRole('table', { name: 'Under way' }).getByText('no answer yet').waitFor();
  await takePictures(page, 'operations-open');
  await page.getByRole('table', { name: 'Under way' }).getByRole('link', { name: 'Registration' }).click();
  await page.getByText('We are asking it what happened. Your money is on hold, not taken.').waitFor();
  expect(await page.getByRole('button', { name: /again|cancel/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'operation-unknown');
  await page.goto(`${c.t.url}/app/money`);
  await page.getByRole('cell', { name: 'on hold' }).waitFor();
  await c.t.control('DELETE', '/faults');
  await page.context().close();
  expect(c.complaints).toEqual([]);
});

test('money: what can be spent, and every posting with its amount and the balance after it', async () => {
  const page = await c.signIn('1000');
  await page.getByRole('link', { name: 'Money', exact: true }).click();
  const row = page.getByRole('row', { name: /pages-shop\.com/ });
  await row.getByText('-USD').or(row.getByText('USD')).first().waitFor();
  await page.getByText('Credit limit').waitFor();
  const { body } = await c.t.call('GET', '/v1/account/transactions?transaction_type=domain');
  const [posting] = body.filter((each: { description: string }) => each.description.includes('pages-shop.com'));
  expect(await row.textContent()).toContain(posting.amount.toFixed(2));
  await expectAccessible(page);
  await takePictures(page, 'money');
  await page.getByLabel('Type', { exact: true }).selectOption('note');
  await page.getByText('No transaction of this type').waitFor();
  expect(page.url()).toContain('type=note');
  await page.context().close();
  expect(c.complaints).toEqual([]);
  await booksAgree(c.t);
});

test('log: changes by whom, and events as programs read them', async () => {
  const page = await c.signIn('1000');
  await page.getByRole('link', { name: 'Log', exact: true }).click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await takePictures(page, 'log');
  await page.getByRole('button', { name: 'Show' }).first().click();
  const entry = page.getByRole('dialog');
  await entry.getByText('"address"').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'log-entry');
  await page.keyboard.press('Escape');
  await page.getByLabel('Object id').fill('nothing-like-it');
  await page.getByLabel('Object id').press('Enter');
  await page.getByText('No entry fits').waitFor();
  expect(page.url()).toContain('object=nothing-like-it');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('cell', { name: 'domain.registered' }).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'log-events');
  await page.context().close();
  expect(c.complaints).toEqual([]);
});

test('palette: names, ids, pages and verbs by the keyboard alone; what a role may not do is not offered', async () => {
  const page = await c.signIn('1000');
  const box = page.getByRole('combobox', { name: 'Names, customers' });
  const open = async (on: typeof page) => {
    await on.keyboard.press('Control+k');
    await on.getByRole('combobox', { name: 'Names, customers' }).waitFor();
  };
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  await page.getByRole('button', { name: 'Search' }).click();
  await option('Operations').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'palette');
  await page.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  await page.locator('body').press('/');
  await box.waitFor();
  await page.keyboard.type('pages-sh');
  await option(/^pages-shop\.com/).waitFor();
  expect(await option(/^pages-shop\.com/).getAttribute('aria-selected')).toBe('true');
  await takePictures(page, 'palette-found');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'pages-shop.com' }).waitFor();
  // Enter comes before the answer.
  await open(page);
  await page.keyboard.type('renew pages-shop.com');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Renew pages-shop.com' }).waitFor();
  await page.keyboard.press('Control+k');
  expect(await box.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await open(page);
  await option('Renew pages-shop.com').waitFor();
  await page.keyboard.type('mon');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Money', exact: true }).waitFor();
  const { body } = await c.t.call('GET', '/v1/account/transactions?transaction_type=domain');
  await open(page);
  await page.keyboard.type(String(body[0].transaction_id));
  await option(new RegExp(body[0].transaction_id)).first().waitFor();
  await page.keyboard.type('9'.repeat(12));
  await page.getByText('Names are found by their beginning').waitFor();
  await expectAccessible(page);
  await page.context().close();
  const reader = await c.signIn('1000', { role: 'read_only' });
  await open(reader);
  await reader.keyboard.type('renew pages-shop.com');
  await reader.getByText('Nothing fits').waitFor();
  await reader.context().close();
  expect(c.complaints).toEqual([]);
});
