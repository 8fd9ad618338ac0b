import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCustomer } from '../../../test/support/parties.ts';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { keyFor, makeReseller } from '../../../test/support/resellers.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
const register = (name: string, headers: Record<string, string> = {}, invoice_option = 'no_invoice') =>
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
      invoice_option,
    },
  });
beforeAll(async () => {
  c = await openConsole();
  const made = await register('pages-shop.com');
  expect(made.status, made.text).toBe(200);
});
afterAll(() => c.stop());

test('lists operations with filters and shows the steps of finished and open ones', async () => {
  const page = await c.signIn('1000', { at: '/app/operations' });
  await page.getByText('Nothing in progress.').waitFor();
  await page.getByRole('cell', { name: 'pages-shop.com' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'operations');
  await page.getByLabel('Status', { exact: true }).selectOption('refused');
  await page.getByText('No matching operations').waitFor();
  expect(page.url()).toContain('state=refused');
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.getByRole('link', { name: 'Registration' }).click();
  await page.getByRole('heading', { name: 'Registration: pages-shop.com' }).waitFor();
  await page.getByText('Amount charged').waitFor();
  expect(await page.getByRole('button', { name: /again|cancel/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'operation');
  // Neither the order nor the query about it gets a response.
  const silent = { kind: 'drop-before', name: 'no-answer.com', how: 'close' };
  for (const command of ['domain:create', 'domain:info'])
    await c.t.control('POST', '/faults', { ...silent, commands: [command] });
  await register('no-answer.com', { Prefer: 'wait=0' });
  await page.goto(`${c.t.url}/app/operations`);
  await page.getByRole('table', { name: 'In progress' }).getByText('No registry response').waitFor();
  await takePictures(page, 'operations-open');
  await page.getByRole('table', { name: 'In progress' }).getByRole('link', { name: 'Registration' }).click();
  await page.getByText('We are checking the outcome. The amount is on hold and not charged yet.').waitFor();
  expect(await page.getByRole('button', { name: /again|cancel/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'operation-unknown');
  await page.getByRole('link', { name: 'Balance', exact: true }).click();
  await page.getByRole('cell', { name: 'On hold' }).waitFor();
  await c.t.control('DELETE', '/faults');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows the available balance and each transaction with the balance after it', async () => {
  const page = await c.signIn('1000', { at: '/app/money' });
  const row = page.getByRole('row', { name: /pages-shop\.com/ });
  await row.getByText('-USD').or(row.getByText('USD')).first().waitFor();
  await page.getByText('Credit limit', { exact: true }).waitFor();
  const { body } = await c.t.call('GET', '/v1/account/transactions?transaction_type=domain');
  const [posting] = body.filter((each: { description: string }) => each.description.includes('pages-shop.com'));
  expect(await row.textContent()).toContain(posting.amount.toFixed(2));
  await expectAccessible(page);
  await takePictures(page, 'money');
  await page.getByLabel('Type', { exact: true }).selectOption('note');
  await page.getByText('No matching transactions').waitFor();
  expect(page.url()).toContain('type=note');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shows invoices and their PDF, issues a credit note, and shows emails as text', async () => {
  const made = await register('pages-bill.com', {}, 'keep_invoice');
  // The session that carried an unanswered command was closed, so this order may take longer than its call waits.
  const operation = `/v1/operations/${made.body.operation_id}`;
  await expect.poll(async () => (await c.t.call('GET', operation)).body.state, { message: made.text }).toBe('done');
  const page = await c.signIn('1000', { at: '/app/invoices' });
  await page.getByRole('link', { name: /^INV-/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'invoices');
  await page.getByLabel('Direction').selectOption('received');
  await page.getByText('No matching invoices').waitFor();
  expect(page.url()).toContain('whose=received');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: /^INV-/ }).click();
  await page.getByRole('heading', { name: /^Invoice INV-/ }).waitFor();
  await page.getByRole('table', { name: 'Line items' }).getByText('pages-bill.com').first().waitFor();
  await page
    .getByText(/, Indonesia$/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await takePictures(page, 'invoice');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^INV-.*\.pdf$/);
  await page.getByRole('button', { name: 'Create credit note' }).click();
  const credit = page.getByRole('dialog');
  await credit.getByRole('button', { name: 'Create credit note' }).click();
  await credit.getByRole('alert').waitFor();
  await credit.getByRole('textbox', { name: 'Reason' }).fill('wrong address');
  await expectAccessible(page);
  await takePictures(page, 'invoice-credit');
  await credit.getByRole('button', { name: 'Create credit note' }).click();
  await page.getByText('Credit note issued').waitFor();
  await page.locator('dd').getByText('Credited', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Create credit note' }).count()).toBe(0);
  expect((await c.t.call('GET', '/v1/invoices?kind=credit_note')).body).toMatchObject([{ reason: 'wrong address' }]);

  await page.getByRole('link', { name: 'Emails', exact: true }).click();
  await page.getByRole('table', { name: 'Emails' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Content' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'notice');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('shows who must approve an operation, without steps at a registry', async () => {
  const other = await makeReseller(c.t);
  const otherId = other.split(':')[0]!;
  // Approvals need two keys or users.
  await keyFor(c.t, otherId);
  const set = (approvals: string[]) =>
    c.t.call('PUT', '/v1/account/security', { as: other, json: { approvals }, headers: { Prefer: 'wait=0' } });
  expect((await set(['nameservers'])).status).toBe(200);
  const { status, body, text } = await set([]);
  expect(status, text).toBe(202);
  const page = await c.signIn(otherId, { at: `/app/operations/${body.operation_id}` });
  await page.getByText('Another user or API key of this account must approve by', { exact: false }).waitFor();
  const steps = page.getByRole('list', { name: 'Progress' }).getByRole('listitem');
  expect(await steps.allTextContents()).toEqual([
    'Request accepted (done)',
    'Approval (in progress)',
    'Result (not started)',
  ]);
  await expectAccessible(page);
  await page.goto(`${c.t.url}/app/operations`);
  await page.getByRole('table', { name: 'In progress' }).getByText('Waiting for approval').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows the audit log and the events', async () => {
  const page = await c.signIn('1000', { at: '/app/log' });
  await page.getByRole('table', { name: 'Changes' }).getByText('Domain registered').first().waitFor();
  await takePictures(page, 'log');
  await page.getByRole('button', { name: 'Show' }).first().click();
  const entry = page.getByRole('dialog');
  await entry.getByRole('definition').first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'log-entry');
  await page.keyboard.press('Escape');
  await page.getByLabel('Item ID').fill('nothing-like-it');
  await page.getByLabel('Item ID').press('Enter');
  await page.getByText('No matching entries').waitFor();
  expect(page.url()).toContain('object=nothing-like-it');
  await page.getByRole('link', { name: 'Events', exact: true }).click();
  await page.getByRole('table').getByText('Domain registered').first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'log-events');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('finds domains, ids, pages and actions by keyboard, and hides what the role cannot use', async () => {
  const page = await c.signIn('1000', { at: '/app/operations' });
  const box = page.getByRole('combobox', { name: 'Search domains, customers' });
  const open = async (on: typeof page) => {
    await on.keyboard.press('Control+k');
    await on.getByRole('combobox', { name: 'Search domains, customers' }).waitFor();
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
  // Enter is pressed before the results arrive.
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
  await page.keyboard.type('bal');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor();
  const { body } = await c.t.call('GET', '/v1/account/transactions?transaction_type=domain');
  await open(page);
  await page.keyboard.type(String(body[0].transaction_id));
  await option(new RegExp(body[0].transaction_id)).first().waitFor();
  await page.keyboard.type('9'.repeat(12));
  await page.getByText('Search domains by their first letters').waitFor();
  await expectAccessible(page);
  await c.leave(page);
  const reader = await c.signIn('1000', { role: 'read_only', at: '/app/operations' });
  await open(reader);
  await reader.keyboard.type('renew pages-shop.com');
  await reader.getByText('No results').waitFor();
  await c.leave(reader);
  expect(c.complaints).toEqual([]);
});

const otherRegistrar = async (domain_name: string, action: string, auth_code?: string) => {
  const json = { domain_name, action, ...(auth_code ? { auth_code } : {}) };
  const acted = await c.t.call('POST', '/v1/sandbox/transfers', { json });
  expect(acted.status, acted.text).toBe(200);
};
const stored = (page: Page) =>
  page.evaluate<string>(`(async () => {
    if ((await indexedDB.databases()).length === 0) return JSON.stringify(localStorage) + JSON.stringify(sessionStorage);
    const open = indexedDB.open('namehold', 1);
    await new Promise((done) => { open.onsuccess = done; });
    const all = open.result.transaction('drafts').objectStore('drafts').getAll();
    await new Promise((done) => { all.onsuccess = done; });
    return JSON.stringify(all.result) + JSON.stringify(localStorage) + JSON.stringify(sessionStorage);
  })()`);
const chooseCustomer = async (page: Page, label = 'Customer', name = 'bud') => {
  const customer = page.getByRole('combobox', { name: label });
  await customer.fill(name);
  await page
    .getByRole('option', { name: new RegExp(name, 'i') })
    .first()
    .waitFor();
  await customer.press('ArrowDown');
  await customer.press('Enter');
};

test('transfers domains in with obstacles, price and a wrong code, and stores no code', async () => {
  const code = 'xK7-pQ2mWz9_Lr4tYb8.Hn3c';
  for (const name of ['incoming.cc', 'second-one.cc', 'kept-back.com']) await otherRegistrar(name, 'register', code);
  const page = await c.signIn('1000', { at: '/app/domains' });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.locator('main').getByRole('link', { name: 'Transfer in' }).click();
  await page.getByText('No domains yet').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'transfers-empty');
  await page
    .getByLabel('Domains and auth codes')
    .fill(
      `incoming.cc ${code}\nhttps://Second-One.cc/ not-the-right-one\nkept-back.com\nnobody-has-it.com\npages-shop.com`,
    );
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  expect(await page.getByLabel('Domains and auth codes').inputValue()).toBe('');
  await page.getByText('The domain was registered or transferred recently.').waitFor();
  await page.getByText('The domain is not registered. Register it instead.').waitFor();
  await page.getByText('This domain is already in your account.').waitFor();
  await page.getByText('Current registrar: Other Registrar (sandbox).', { exact: false }).first().waitFor();
  await page.getByText('has 5 days to approve or reject', { exact: false }).first().waitFor();
  await chooseCustomer(page);
  const button = page.getByRole('button', { name: /^Transfer 2 domains for USD/ });
  await button.waitFor();
  await expectAccessible(page);
  await takePictures(page, 'transfers');
  expect(await stored(page)).toContain('incoming.cc');
  for (const secret of [code, 'not-the-right-one']) expect(await stored(page)).not.toContain(secret);
  // A reload keeps the domains but not the codes.
  await page.reload();
  await page.getByLabel('Auth code for incoming.cc').waitFor();
  expect(await page.getByLabel('Auth code for incoming.cc').inputValue()).toBe('');
  await page.getByText('Enter the auth codes.').waitFor();
  await page.getByLabel('Auth code for incoming.cc').fill(` ${code} `);
  await page.getByLabel('Auth code for second-one.cc').fill('not-the-right-one');
  await page.locator('textarea[name=ns]').fill('not a host!');
  await button.click();
  await page.getByText('Fix 1 field').waitFor();
  expect(await page.locator('textarea[name=ns]').getAttribute('aria-invalid')).toBe('true');
  await page.locator('textarea[name=ns]').fill('');
  await button.click();
  await expect.poll(() => page.getByRole('button', { name: 'Cancel transfer' }).count(), { timeout: 300_000 }).toBe(2);
  expect(await page.getByRole('button', { name: /try again/i }).count()).toBe(0);
  await page.getByText('Decision by', { exact: false }).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'transfers-waiting');
  // Not the result code or the text of the registry.
  await page.getByText('The registry refused the auth code.', { exact: false }).first().waitFor();
  expect(await page.getByText('2202').count()).toBe(0);
  await page.getByRole('button', { name: 'Enter new code' }).last().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Auth code').fill(code);
  await dialog.getByRole('button', { name: 'Enter new code' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await c.t.call('GET', '/v1/domains/second-one.cc')).body.transfer?.status, { timeout: 300_000 })
    .toBe('pending');
  await otherRegistrar('incoming.cc', 'approve');
  await page.getByText('Amount charged').waitFor();
  await page.getByRole('button', { name: 'Cancel transfer' }).click();
  await dialog.getByRole('button', { name: 'Cancel transfer' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('button', { name: 'Cancel transfer' }).count(), { timeout: 300_000 }).toBe(0);
  await takePictures(page, 'transfers-ended');
  expect((await c.t.call('GET', '/v1/domains/incoming.cc')).body).toMatchObject({ order_status: 'Live' });
  expect(await stored(page)).not.toContain(code);
  expect(addresses.filter((each) => each.includes(code))).toEqual([]);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('checks a transfer without a response with the same key and code, and orders it once', async () => {
  const code = 'xK7-pQ2mWz9_Lr4tYb8.Hn3c';
  await otherRegistrar('quiet-one.cc', 'register', code);
  const page = await c.signIn('1000', { at: '/app/transfers' });
  const keys: (string | undefined)[] = [];
  await page.route('**/v1/domains/transfer', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    // The request arrives, but its response is lost.
    await route.fetch();
    return route.abort();
  });
  await page.getByLabel('Domains and auth codes').fill(`quiet-one.cc ${code}`);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await chooseCustomer(page);
  await page.getByRole('button', { name: /^Transfer 1 domain for USD/ }).click();
  await page.getByText('Order status unknown').waitFor();
  await page.reload();
  const ask = page.getByRole('button', { name: 'Check status' });
  await ask.waitFor();
  expect(await ask.isDisabled()).toBe(true);
  expect(await page.getByRole('button', { name: /again/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'transfers-unknown');
  await page.getByLabel('Auth code for quiet-one.cc').fill('typed-wrong-at-first');
  await ask.click();
  await page.getByText('with a different auth code').waitFor();
  expect(await page.getByRole('button', { name: /again/i }).count()).toBe(0);
  await page.getByLabel('Auth code for quiet-one.cc').fill(code);
  await ask.click();
  await page.getByRole('button', { name: 'Cancel transfer' }).waitFor();
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
  await otherRegistrar('quiet-one.cc', 'approve');
  await page.getByText('Amount charged').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('moves a domain to another customer, to another account after acceptance, and back with its auth code', async () => {
  const other = await makeReseller(c.t);
  const otherId = other.split(':')[0]!;
  const theirs = await makeCustomer(c.t, other, { name: 'Tuti Taker' });
  await makeCustomer(c.t, undefined, { name: 'Wati Within' });
  expect((await register('wanderer.com')).status).toBe(200);
  expect((await c.t.call('DELETE', '/v1/domains/wanderer.com/theft_protection')).status).toBe(200);
  const page = await c.signIn('1000', { at: '/app/domains/wanderer.com' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Move domain', exact: true }).click();
  await chooseCustomer(page, 'Receiving customer', 'Wati');
  await dialog.getByText('wanderer.com moves to Wati Within').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'move-within');
  await dialog.getByRole('button', { name: 'Move domain' }).click();
  await dialog.getByRole('list', { name: 'Progress' }).getByText('Completed', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect((await c.t.call('GET', '/v1/domains/wanderer.com')).body.customer_name).toBe('Wati Within');
  await page.getByRole('button', { name: 'Move domain', exact: true }).click();
  await dialog.getByLabel('Destination').selectOption('reseller');
  await dialog.getByLabel('Account ID').fill(otherId);
  await dialog.getByLabel('Customer ID at that reseller').fill(theirs);
  expect(await dialog.getByRole('button', { name: 'Offer domain' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type wanderer.com to confirm').fill('wanderer.com');
  await expectAccessible(page);
  await takePictures(page, 'move-across');
  await dialog.getByRole('button', { name: 'Offer domain' }).click();
  await dialog.getByRole('list', { name: 'Progress' }).waitFor();
  await takePictures(page, 'move-offered');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.goto(`${c.t.url}/app/moves`);
  await page
    .getByRole('row', { name: /wanderer\.com/ })
    .getByText('Outgoing')
    .waitFor();
  await expectAccessible(page);
  await takePictures(page, 'moves');
  const taker = await c.signIn(otherId, { at: '/app/moves' });
  await taker.getByRole('button', { name: 'Accept: wanderer.com' }).click();
  await taker.getByText('You are responsible for the domain from then on.', { exact: false }).waitFor();
  await expectAccessible(taker);
  await takePictures(taker, 'move-accept');
  await taker.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click();
  await taker
    .getByRole('row', { name: /wanderer\.com/ })
    .getByText('Done')
    .waitFor();
  await c.leave(taker);
  // The other account sees the result without a reload.
  await page
    .getByRole('row', { name: /wanderer\.com/ })
    .getByText('Done')
    .waitFor();
  expect((await c.t.call('GET', '/v1/domains/wanderer.com', { as: other })).body.order_status).toBe('Live');
  await c.t.call('DELETE', '/v1/domains/wanderer.com/theft_protection', { as: other });
  const code = String((await c.t.call('GET', '/v1/domains/wanderer.com/auth_code', { as: other })).body);
  await page.getByLabel('Domain', { exact: true }).fill('wanderer.com');
  await page.getByLabel('Auth code').fill('not-the-right-one');
  await chooseCustomer(page, 'Receiving customer', 'Wati');
  await page.getByRole('button', { name: 'Move to my account' }).click();
  await page.getByText('Fix 1 field').waitFor();
  expect(await page.getByLabel('Auth code').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Auth code').fill(code);
  await page.getByRole('button', { name: 'Move to my account' }).click();
  await page.getByText('wanderer.com was moved to your account.').waitFor();
  expect(await page.getByLabel('Auth code').inputValue()).toBe('');
  expect(await stored(page)).not.toContain(code);
  expect((await c.t.call('GET', '/v1/domains/wanderer.com')).body.customer_name).toBe('Wati Within');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});
