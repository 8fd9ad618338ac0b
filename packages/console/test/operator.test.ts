import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../test/support/service.ts';
import { raiseAlarm } from '../../server/src/core/alarms/alarm.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let t: TestService;
let c: ConsoleTest;
const register = async (name: string) => {
  const made = await c.t.call('POST', '/v1/domains', {
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
  expect([200, 202], made.text).toContain(made.status);
};
const timeNow = async () => Date.parse((await c.t.call('GET', '/v1/sandbox')).body.now);
beforeAll(async () => {
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_DNS_PORT: '0' } });
  c = await openConsole(t);
  await register('sand-shop.com');
});
afterAll(async () => {
  await c.stop();
  await t.stop();
});

test('shows the operator pages and runs a reconciliation', async () => {
  await raiseAlarm(c.t.ctx, { key: 'test:somebody', severity: 'warning', sentence: 'Somebody must look at this.' });
  const page = await c.signIn('1', { at: '/app/operator/settings' });
  const go = async (name: string) => {
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  };
  const look = async (picture: string) => {
    await expectAccessible(page);
    await takePictures(page, `operator-${picture}`);
  };
  await go('Alerts');
  await page.getByText('Somebody must look at this.').waitFor();
  await page.getByRole('button', { name: 'Acknowledge: Somebody must look at this.' }).click();
  const note = page.getByRole('dialog', { name: 'Acknowledge' });
  await note.getByRole('button', { name: 'Acknowledge' }).click();
  await note.getByRole('alert').waitFor();
  await note.getByLabel('Reason').fill('the plumber comes tomorrow');
  await expectAccessible(page);
  await note.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText(/the plumber comes tomorrow/).waitFor();
  await look('alarms');
  // A changed cause reopens the alert.
  await raiseAlarm(c.t.ctx, { key: 'test:somebody', severity: 'critical', sentence: 'Somebody must look at this.' });
  await page.reload();
  await page.getByText('Critical', { exact: true }).waitFor();
  expect(await page.getByText(/the plumber/).count()).toBe(0);
  await go('Registries');
  await page.getByText('namehold registry test sandbox').waitFor();
  await page.getByText('Connected', { exact: true }).waitFor();
  // Responses are counted by command; the table has the data of the chart.
  await page.getByText(/^95% of \d+ responses in 24 hours came within/).waitFor();
  await page.getByLabel('Command', { exact: true }).selectOption('domain:create');
  await page.getByText(/^1 response in 24 hours/).waitFor();
  await page.getByText('No failed or unanswered commands.').waitFor();
  await page.locator('canvas').waitFor();
  await look('registries');
  await page.getByRole('button', { name: /^View as table: 1 response/ }).click();
  await page.getByRole('columnheader', { name: '95th percentile' }).waitFor();
  expect(await page.getByRole('row', { name: /\d ms .*\d ms$/ }).count()).toBe(1);
  await go('Nameservers');
  await page.getByText('namehold nameserver snippet ns1').waitFor();
  await page.getByText(/^95% of \d+ changes in 7 days were served within|^1 change in 7 days/).waitFor();
  await look('nameservers');
  await go('TLDs');
  await page.getByLabel('Search TLDs').fill('co.i');
  await page.getByLabel('Search TLDs').press('Enter');
  await page.getByRole('row', { name: /^\.co\.id 1 year sandbox/ }).waitFor();
  expect(await page.getByRole('cell', { name: '.com', exact: true }).count()).toBe(0);
  await look('tlds');
  await go('Jobs');
  await page.getByRole('row', { name: /run-reconciliation/ }).waitFor();
  await look('jobs');
  await go('Reports');
  await page.getByText(/^1 registered or transferred in, 0 deleted or transferred out in 24 months/).waitFor();
  await page.getByText('No money on hold.').waitFor();
  await look('figures');
  await go('Configuration');
  await page.getByText('NAMEHOLD_MASTER_KEY', { exact: true }).waitFor();
  await page.getByLabel('Changed from default only').check();
  await page.getByText('NAMEHOLD_LOG_LEVEL').or(page.getByText('NAMEHOLD_DATA_DIR')).first().waitFor();
  expect(page.url()).toContain('own=1');
  await look('settings');
  await go('Reconciliation');
  // The daily job ran at the start. Its run is dated back, so that it differs from the run of this click.
  const books = async () => (await c.t.call('GET', '/v1/operator/books', { as: c.t.operator })).body;
  await expect.poll(async () => (await books()).last_run !== null && (await books()).running_since === null).toBe(true);
  await c.t.ctx.db
    .autocommit(allTenants)
    .run(
      sql`update books_run set started_at = started_at - interval '1 day', finished_at = finished_at - interval '1 day'`,
    );
  const { last_run: old } = await books();
  await page.locator(`time[datetime="${new Date(old.finished_at).toISOString()}"]`).waitFor();
  await page.getByRole('button', { name: 'Reconcile now' }).click();
  await page.getByText('Reconciliation starts within seconds.').waitFor();
  await expect.poll(async () => (await books()).last_run.started_at > old.started_at).toBe(true);
  const { last_run: run } = await books();
  expect([run.differences, run.skipped]).toEqual([0, []]);
  await page
    .locator(`time[datetime="${new Date(run.finished_at).toISOString()}"]`)
    .first()
    .waitFor();
  await page.getByText('Balanced').waitFor();
  await look('books');
  await c.leave(page);
  // Other users have no operator pages, and the API refuses the calls.
  const other = await c.signIn('1000', { at: '/app/operator/settings' });
  expect(await other.getByRole('link', { name: 'Alerts' }).count()).toBe(0);
  await other.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
  expect(await other.getByRole('alert').count()).toBe(0);
  expect(await other.getByText('NAMEHOLD_MASTER_KEY').count()).toBe(0);
  await c.leave(other);
  expect(c.complaints).toEqual([]);
});

test('marks the sandbox, injects a fault that charges once, and moves the clock to a date of the domain', async () => {
  const page = await c.signIn('1000', { at: '/app/operations' });
  const bar = page.getByRole('complementary', { name: 'Sandbox' });
  await bar.getByText('SANDBOX').waitFor();
  await bar.getByRole('link', { name: 'Faults: none' }).click();
  await page.getByRole('heading', { name: 'Test tools', level: 1 }).waitFor();
  await page.getByLabel('Maximum occurrences').fill('1');
  await page.getByRole('button', { name: 'Turn on: Lost response' }).click();
  await bar.getByRole('link', { name: 'Faults: 1 active' }).waitFor();
  await register('answer-lost.com');
  await page.getByText('Applied once').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'sandbox');
  await page.getByRole('button', { name: 'Turn off: Lost response' }).click();
  await bar.getByRole('link', { name: 'Faults: none' }).waitFor();
  await page.getByLabel('Domain', { exact: true }).fill('sand-shop.com');
  await page.getByRole('button', { name: 'Look up', exact: true }).click();
  await page.getByText('ns1.namehold-dns.net').waitFor();
  await page.getByLabel('Move forward by').fill('yesterday');
  await page.getByRole('button', { name: 'Move clock', exact: true }).click();
  await page.getByRole('alert').waitFor();
  let before = await timeNow();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search domains, customers' }).fill('clock +2d');
  await page.getByRole('option', { name: 'Clock +2d' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/^Clock set to|still running/).waitFor();
  expect((await timeNow()) - before).toBeGreaterThanOrEqual(2 * 86_400_000);
  await page.goto(`${c.t.url}/app/domains/sand-shop.com`);
  await page.getByRole('listitem').filter({ hasText: 'Paid until' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'name-track');
  before = await timeNow();
  await bar.getByRole('button', { name: /^Jump to next date/ }).click();
  // The lock of a new domain ends first, then its term.
  await expect.poll(async () => (await timeNow()) - before, { timeout: 300_000 }).toBeGreaterThan(50 * 86_400_000);
  await page
    .getByRole('listitem')
    .filter({ hasText: 'The paid term ends.' })
    .getByRole('button', { name: /^Move clock here/ })
    .click();
  await page.getByText('Renew now, or the website and email').waitFor();
  expect((await timeNow()) - before).toBeGreaterThan(360 * 86_400_000);
  await c.leave(page);
  const reader = await c.signIn('1000', { role: 'read_only', at: '/app/operations' });
  await reader.getByRole('complementary', { name: 'Sandbox' }).getByText('SANDBOX').waitFor();
  expect(await reader.getByRole('button', { name: 'Move clock by' }).count()).toBe(0);
  await c.leave(reader);
  const charged = await c.t.call('GET', '/v1/account/transactions?transaction_type=domain');
  const lines = (charged.body as { description: string }[]).filter((each) =>
    each.description.includes('answer-lost.com'),
  );
  expect(lines).toHaveLength(1);
  expect(c.complaints).toEqual([]);
});

test('shows the renewal forecast, spending, costs and customer prices', async () => {
  const page = await c.signIn('1000');
  await page.getByText(/renewals due in the next 90 days/).waitFor();
  await page.locator('canvas').nth(1).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'home');
  await page.getByRole('button', { name: /^View as table: Your balance/ }).click();
  await page.getByRole('columnheader', { name: 'Balance too low' }).waitFor();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByText(/^Domains expiring until/).waitFor();
  await page.getByRole('link', { name: 'sand-shop.com' }).waitFor();
  await page.getByRole('link', { name: 'Pricing', exact: true }).click();
  const row = page.getByRole('row', { name: /^\.com/ });
  await row.waitFor();
  const [pay, charge] = await Promise.all(
    ['account', 'customers'].map(async (whose) => (await c.t.call('GET', `/v1/${whose}/prices`)).body.com.renew['1']),
  );
  // The two lists of prices arrive separately.
  await expect.poll(() => row.textContent()).toContain(pay);
  await expect.poll(() => row.textContent()).toContain(charge);
  await expectAccessible(page);
  // A multiple of the first price, apart from rounding, is no price of its own.
  expect(await page.getByText(/for \d years|other terms/).count()).toBe(0);
  await takePictures(page, 'prices');
  await page.getByText('Margin').waitFor();
  await page.getByText('+20%').waitFor();
  await page.getByRole('button', { name: 'Import prices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import prices' });
  const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(1_000_001, 'x') };
  await dialog.getByLabel('CSV file (1 MB maximum)').setInputFiles(large);
  await dialog.getByText('large.csv is larger than 1 MB').waitFor();
  await dialog.getByLabel('CSV lines').fill('tld,action,years,amount\ncom,renew,1,19.25\ncom,nothing,1,1.00');
  await dialog.getByRole('button', { name: 'Import 2 prices' }).click();
  await dialog.getByText('Nothing was saved: 1 line has an error.').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'prices-import');
  await dialog
    .getByLabel('CSV lines')
    .fill('tld,action,years,amount\ncom,renewal,1,1.25\nnosuch,renewal,1,5.00\ncom,renew,1,abc');
  await dialog.getByRole('button', { name: 'Import 3 prices' }).click();
  await dialog.getByText('Nothing was saved: 1 line has an error.').waitFor();
  expect(await dialog.getByText('Not for sale yet').count()).toBe(0);
  await dialog.getByLabel('CSV lines').fill('tld,action,years,amount\ncom,renewal,1,1.25');
  await dialog.getByRole('button', { name: 'Import 1 price' }).click();
  await dialog.getByText('1 price saved.').waitFor();
  await dialog.getByText('1 price is below your cost.').waitFor();
  await dialog.getByText('.com (renewal)').waitFor();
  await expectAccessible(page);
  expect(await dialog.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  await row.getByText('Below cost').waitFor();
  await dialog.getByLabel('CSV lines').fill('tld,action,years,amount\ncom,renew,1,19.25\ncom,renew,2,30.00');
  await dialog.getByRole('button', { name: 'Import 2 prices' }).click();
  await dialog.getByText('2 prices saved.').waitFor();
  await expect.poll(() => dialog.getByText('below your cost').count()).toBe(0);
  await page.keyboard.press('Escape');
  await row.getByText('19.25').waitFor();
  // A term whose price is no multiple of the first.
  await row.getByText('30.00').waitFor();
  await row.getByText('for 2 years').waitFor();
  expect(await row.getByText('Below cost').count()).toBe(0);
  await page.getByRole('button', { name: 'Edit customer rule' }).click();
  const simulate = page.getByRole('dialog', { name: 'Edit customer rule' });
  await simulate.getByLabel('Markup value').fill('much');
  await simulate.getByRole('button', { name: 'Preview prices' }).click();
  await simulate.getByRole('alert').getByRole('link', { name: 'Markup value' }).waitFor();
  await simulate.getByLabel('Markup value').fill('-30');
  await simulate.getByRole('button', { name: 'Preview prices' }).click();
  await simulate.getByText(/ prices are below your cost/).waitFor();
  await simulate
    .getByRole('row', { name: /^\.app/ })
    .getByText('Below cost')
    .first()
    .waitFor();
  await simulate.getByLabel('Markup value').fill('100');
  await simulate.getByRole('button', { name: 'Preview prices' }).click();
  const sellingPrices = async () => (await c.t.call('GET', '/v1/customers/prices')).body;
  const [paid, before] = [(await c.t.call('GET', '/v1/account/prices')).body, await sellingPrices()];
  const double = (2 * Number(paid.app.create['1'])).toFixed(2);
  const line = simulate.getByRole('row', { name: /^\.app/ });
  await line.getByText(double).first().waitFor();
  await line.getByText(before.app.create['1']).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'prices-simulate');
  expect(await sellingPrices()).toEqual(before);
  await simulate.getByRole('button', { name: 'Save rule' }).click();
  await page.getByText('Rule saved. It applies to new orders.').waitFor();
  expect((await sellingPrices()).app.create['1']).toBe(double);
  // A TLD price overrides the rules.
  expect((await sellingPrices()).com.renew['1']).toBe('19.25');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});
