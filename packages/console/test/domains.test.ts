import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
let name: string;
const order = {
  years: '1',
  ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net',
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3001',
  billing_contact_id: '3001',
  invoice_option: 'no_invoice',
};
beforeAll(async () => {
  c = await openConsole();
  name = 'console-shop.com';
  const made = await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name: name } });
  expect(made.status, made.text).toBe(200);
  const unprotected = await c.t.call('DELETE', `/v1/domains/${name}/theft_protection`);
  expect(unprotected.status, unprotected.text).toBe(200);
  const again = await c.t.call('PUT', `/v1/domains/${name}/theft_protection`);
  expect(again.status, again.text).toBe(200);
});
afterAll(() => c.stop());

test('shows home, the filtered list and a domain, and renews at the price on the button', async () => {
  const page = await c.signIn('1000');
  await page.getByText('USD', { exact: false }).first().waitFor();
  // The operation is named by what it changed.
  await page
    .getByRole('link', { name: /^Theft protection turned (on|off)$/ })
    .first()
    .waitFor();
  await page.getByRole('link', { name }).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'home');
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('cell', { name, exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'domains');
  await page.getByLabel('Search domains').fill('nothing-like-it');
  await page.getByLabel('Search domains').press('Enter');
  await page.getByText('No matching domains').waitFor();
  expect(page.url()).toContain('has=nothing-like-it');
  await page.getByRole('link', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.getByText('Theft protection', { exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'name');
  const before = await c.t.call('GET', `/v1/domains/${name}`);
  await page.getByRole('button', { name: 'Renew', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Renew ${name}` });
  await dialog.getByRole('button', { name: /^Renew for USD/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'renew');
  await dialog.getByRole('button', { name: /^Renew for USD/ }).click();
  await dialog.getByText('Amount charged').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  const after = await c.t.call('GET', `/v1/domains/${name}`);
  const yearOf = ({ body }: typeof after) => Number(String(body.expiry_date).slice(0, 4));
  expect(yearOf(after)).toBe(yearOf(before) + 1);
  await page.goto(`${c.t.url}/app/domains/not-ours.com`);
  await page.getByText('Not found').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('warns in the open dialog when the domain was renewed meanwhile', async () => {
  const endOf = async () => String((await c.t.call('GET', `/v1/domains/${name}`)).body.expiry_date);
  const renewed = async () => {
    const form = { years: '1', current_date: await endOf(), invoice_option: 'no_invoice' };
    const made = await c.t.call('POST', `/v1/domains/${name}/renew`, { form });
    expect(made.status, made.text).toBe(200);
  };
  const year = Number((await endOf()).slice(0, 4));
  const page = await c.signIn('1000', { at: `/app/domains/${name}?do=renew` });
  const dialog = page.getByRole('dialog', { name: `Renew ${name}` });
  const button = dialog.getByRole('button', { name: /^Renew for USD/ });
  await dialog
    .getByText(new RegExp(`^${name} expires on .*${year}\\. After renewal, the domain expires on .*${year + 1}\\. USD`))
    .waitFor();
  await renewed();
  await dialog.getByText(new RegExp(`was already renewed until .*${year + 1}`)).waitFor();
  expect(await button.isDisabled()).toBe(true);
  await expectAccessible(page);
  await takePictures(page, 'renew-meanwhile');
  await dialog.getByRole('button', { name: /^Continue from/ }).click();
  await dialog
    .getByText(new RegExp(`expires on .*${year + 1}\\. After renewal, the domain expires on .*${year + 2}`))
    .waitFor();
  // Clicked before the event arrives: the service refuses and the same warning is shown.
  await page.route(`**/v1/domains/*/renew`, async (route) => {
    await renewed();
    await route.continue();
  });
  await button.click();
  await dialog.getByText(new RegExp(`was already renewed until .*${year + 2}`)).waitFor();
  expect((await endOf()).slice(0, 4)).toBe(String(year + 2));
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('locks and unlocks a domain, hides the auth code, and changes hosts and contacts', async () => {
  const page = await c.signIn('1000', { at: `/app/domains/${name}` });
  const dialog = page.getByRole('dialog');
  // Actions that do not apply are not listed.
  const allowed = page.locator('.blocks');
  await allowed.getByText('Theft protection is on.').first().waitFor();
  expect(await allowed.textContent()).not.toMatch(/Unsuspend|Unlock|Restore|Answer/);
  await page.getByRole('button', { name: 'Lock: Domain lock', exact: true }).click();
  await dialog.getByLabel('Reason').fill('asked by phone');
  await dialog.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByText('The domain is locked. Reason: “asked by phone”').first().waitFor();
  expect((await c.t.call('GET', `/v1/domains/${name}/locked`)).body).toBe(true);
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await takePictures(page, 'name-locked');
  await page.getByRole('button', { name: 'Unlock domain' }).first().click();
  await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
  await page.getByRole('button', { name: 'Lock: Domain lock', exact: true }).waitFor();
  expect((await c.t.call('GET', `/v1/domains/${name}/locked`)).body).toBe(false);
  await page.getByRole('button', { name: 'Auth code' }).click();
  await dialog.getByRole('button', { name: 'Get auth code' }).click();
  await dialog.getByRole('button', { name: 'Show', exact: true }).waitFor();
  const code = String((await c.t.call('GET', `/v1/domains/${name}/auth_code`)).body);
  expect(await dialog.textContent()).not.toContain(code);
  await dialog.getByRole('button', { name: 'Show', exact: true }).click();
  await dialog.getByText(code).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Change: Renewal' }).click();
  await dialog.getByLabel('Renewal').selectOption('renew');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Nameservers' }).click();
  await page.getByRole('textbox', { name: 'Nameservers' }).fill(`ns1.${name}\nns2.namehold-dns.net.`);
  await page.getByText(`ns1.${name} is inside this domain and has no IP address`).waitFor();
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: 'Nameservers' }).fill('192.0.2.1\nns2.namehold-dns.net');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('192.0.2.1: Enter a host name, not an IP address.').first().waitFor();
  await page.getByRole('textbox', { name: 'Nameservers' }).fill(`ns1.${name}\nns2.namehold-dns.net.`);
  await page.getByLabel('Host', { exact: true }).fill('ns1');
  await page.getByLabel('IP address', { exact: true }).fill('192.0.2.53');
  await page.getByRole('button', { name: 'Add nameserver' }).click();
  await page.getByRole('cell', { name: `ns1.${name}`, exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await vi.waitFor(async () => {
    const { nameservers } = (await c.t.call('GET', `/v1/domains/${name}`)).body;
    expect(nameservers).toEqual([`ns1.${name}`, 'ns2.namehold-dns.net']);
  }, 300_000);
  // The form shows the current values.
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Nameservers' }).inputValue(), { timeout: 300_000 })
    .toBe(`ns1.${name}\nns2.namehold-dns.net`);
  await page.getByLabel('Add DS record').fill(`${name}. 3600 IN DS 12345 13 2 ${'AB'.repeat(32)}`);
  await page.getByRole('button', { name: 'Add DS record' }).click();
  await page.getByRole('cell', { name: '12345', exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'name-nameservers');
  await page.getByRole('button', { name: 'Remove 12345' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('DNSSEC is not enabled for this domain.').waitFor();
  await page.getByRole('link', { name: 'Contacts' }).click();
  await page.getByRole('checkbox', { name: /registrant, administrative/ }).uncheck();
  await page.getByLabel('Technical', { exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'name-contacts');
  await page.getByRole('link', { name: 'Activity', exact: true }).last().click();
  await page.getByRole('table', { name: 'Changes' }).getByText('Renewal setting changed').waitFor();
  await page.getByRole('table', { name: 'Operations' }).getByRole('link', { name: 'Renewal' }).first().waitFor();
  await expectAccessible(page);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('forwards web and email, after the recipient confirms', async () => {
  const page = await c.signIn('1000', { at: `/app/domains/${name}/forwarding` });
  await page.route('**/forwarding', (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    const records = [{ name: `${name}.`, type: 'A', records: ['192.0.2.80'] }];
    const json = { code: 'conflict', message: 'Send (replace_records=true).', records, replace_records: 'true' };
    return route.fulfill({ status: 409, json });
  });
  await page.getByLabel('Target URL').fill('https://shop.example/');
  await page.getByRole('button', { name: 'Add web forwarding' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: `${name} A 192.0.2.80` });
  await refusal.getByText('“Replace existing records of this name”', { exact: false }).waitFor();
  expect(await refusal.getByText('replace_records').count()).toBe(0);
  await page.unroute('**/forwarding');
  await page.getByLabel('Subdomain, or @ for the domain').fill(`${name}.`);
  await page.getByLabel('Target URL').fill('not an address');
  await page.getByRole('button', { name: 'Add web forwarding' }).click();
  await page.getByText('Fix 1 field').waitFor();
  await page.getByLabel('Target URL').fill('https://shop.example/');
  await page.getByText('Fix 1 field').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add web forwarding' }).click();
  await page.getByRole('cell', { name: 'https://shop.example/' }).waitFor();
  await page.getByLabel('Email address', { exact: true }).fill('info');
  await page.getByLabel('Forward to').fill('budi@customer.example');
  await page.getByRole('button', { name: 'Add email forwarding' }).click();
  await page.getByRole('cell', { name: `info@${name}`, exact: true }).waitFor();
  await page.locator('.targets').getByText('Waiting for confirmation').waitFor();
  const hosts = page.locator('.facts > div').filter({ hasText: 'Mail servers' });
  const mail = (await c.t.call('GET', `/v1/domains/${name}/mail_forwarding`)).body;
  const [mx] = mail.dns.records.filter(({ type }: { type: string }) => type === 'MX');
  await hosts.getByText(mx.records[0].split(' ')[1].slice(0, -1)).waitFor();
  await page
    .getByText('Other servers may deliver email to this domain without encryption.', { exact: false })
    .waitFor();
  // Two weeks later, with a trusted certificate.
  await page.route('**/mail_forwarding', (route) => route.fulfill({ json: { ...mail, mta_sts: 'enforce' } }));
  await page.reload();
  await page.getByText('Senders that support MTA-STS deliver only over TLS', { exact: false }).waitFor();
  await page.unroute('**/mail_forwarding');
  await expectAccessible(page);
  await takePictures(page, 'name-forwarding');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: `Remove info@${name}` }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove @ /' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await c.t.call('GET', `/v1/domains/${name}/forwarding`)).body.rules).toHaveLength(1);
  await page.getByRole('button', { name: 'Remove @ /' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page
    .getByText(/^No (web|email) forwarding yet\.$/)
    .nth(1)
    .waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('processes several domains with a total price and one result each, without duplicates', async () => {
  const others = ['bulk-one.com', 'bulk-two.org'];
  for (const each of others) {
    const { status, text } = await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name: each } });
    expect(status, text).toBe(200);
  }
  await c.t.call('PUT', `/v1/domains/bulk-two.org/suspended`, { json: { reason: 'for a while' } });
  const page = await c.signIn('1000', { at: '/app/domains?has=bulk-' });
  const dialog = page.getByRole('dialog');
  const row = (of: string) => dialog.getByRole('row', { name: new RegExp(of) });
  await page.getByLabel('Select bulk-one.com').check();
  await page.getByLabel('Search domains').fill('');
  await page.getByLabel('Search domains').press('Enter');
  await page.getByLabel(`Select ${name}`).check();
  await page.getByLabel('Select bulk-two.org').check();
  await page.getByText('3 domains selected').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'bulk-chosen');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Set nameservers' }).click();
  await dialog.getByLabel('Nameservers').fill('ns2.namehold-dns.net\nns1.namehold-dns.net');
  await dialog.getByRole('button', { name: 'Set nameservers of 3 domains' }).click();
  await dialog.getByText('2 changed, 1 refused').waitFor();
  await row('bulk-two.org').getByText('suspended', { exact: false }).first().waitFor();
  await expectAccessible(page);
  await takePictures(page, 'bulk-refused');
  // A refused item can be retried after its reason is gone.
  await c.t.call('DELETE', '/v1/domains/bulk-two.org/suspended');
  await dialog.getByRole('button', { name: 'Retry 1 refused' }).click();
  await dialog.getByLabel('Nameservers').waitFor();
  await dialog.getByRole('button', { name: 'Set nameservers of 1 domain' }).click();
  await dialog.getByText('3 changed').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  for (const each of [name, ...others])
    expect((await c.t.call('GET', `/v1/domains/${each}`)).body.nameservers).toContain('ns2.namehold-dns.net');
  // The second renewal arrives, but its response is lost.
  let sent = 0;
  await page.route('**/v1/domains/*/renew', async (route) => {
    sent += 1;
    if (sent !== 2) return route.continue();
    await route.fetch();
    return route.abort();
  });
  const endOf = async (of: string) =>
    Number(String((await c.t.call('GET', `/v1/domains/${of}`)).body.expiry_date).slice(0, 4));
  const before = await Promise.all([name, ...others].map(endOf));
  await bar.getByRole('button', { name: 'Renew', exact: true }).click();
  await dialog.getByRole('button', { name: /^Renew 3 domains for USD/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'bulk-renew');
  await dialog.getByRole('button', { name: /^Renew 3 domains for USD/ }).click();
  await dialog.getByText('1 renewed, 1 with unknown status, 1 not started: the connection was lost').waitFor();
  expect(await dialog.getByRole('button', { name: /again|retry/i }).count()).toBe(0);
  await expectAccessible(page);
  await takePictures(page, 'bulk-unknown');
  // The term of the other items does not apply to sent ones.
  await dialog.getByLabel('Term').selectOption('3');
  await row('bulk-two.org')
    .getByText(String(before[2]! + 3))
    .waitFor();
  for (const each of [name, 'bulk-one.com'])
    expect(await row(each).textContent()).not.toContain(String(before[0]! + 3));
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  await page.reload();
  await page.getByText('A bulk action is unfinished.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Check status' }).click();
  await dialog.getByText('2 renewed, 1 not started: the connection was lost').waitFor();
  await dialog.getByRole('button', { name: /^Renew 1 domain for USD/ }).click();
  await dialog.getByText('3 renewed').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  expect(await Promise.all([name, ...others].map(endOf))).toEqual(before.map((year) => year + 1));
  await page.getByLabel('Select all on this page').check();
  await bar.getByRole('button', { name: 'Change renewal', exact: true }).click();
  await dialog.getByLabel('Renewal').selectOption('renew_once');
  await dialog.getByRole('button', { name: /^Change renewal setting of 3 domains/ }).click();
  await dialog.getByText('3 changed').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await bar.getByRole('button', { name: 'Lock', exact: true }).click();
  await dialog.getByRole('button', { name: 'Lock 3 domains' }).click();
  await dialog.getByText('3 locked').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await bar.getByRole('button', { name: 'Unlock', exact: true }).click();
  await dialog.getByRole('button', { name: 'Unlock 3 domains' }).click();
  await dialog.getByText('3 unlocked').waitFor();
  const states = await Promise.all([name, ...others].map((of) => c.t.call('GET', `/v1/domains/${of}`)));
  for (const { body } of states) expect(body).toMatchObject({ renewal_mode: 'renew_once', locked: false });
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('deletes a domain after its name is typed and restores it at the price on the button', async () => {
  c.t.moveClock('+10d');
  const page = await c.signIn('1000', { at: `/app/domains/${name}` });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByText('Nothing is refunded. The domain can be restored for 30 days, for a fee.').waitFor();
  await dialog.getByLabel(`Type ${name} to confirm`).fill(name);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('list', { name: 'Progress' }).getByText('Completed', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('Redemption period', { exact: true }).waitFor();
  await takePictures(page, 'name-redemption');
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await dialog.getByRole('button', { name: /^Restore for USD/ }).click();
  await dialog.getByText('Amount charged').waitFor();
  expect((await c.t.call('GET', `/v1/domains/${name}`)).body.order_status).toBe('Live');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('hides actions from read-only users', async () => {
  const page = await c.signIn('1000', { role: 'read_only', at: `/app/domains/${name}` });
  await page.getByText('Theft protection', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Renew', exact: true }).count()).toBe(0);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('creates, uses, edits, rotates and revokes an API key', async () => {
  const page = await c.signIn('1000', { at: '/app/keys' });
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const dialog = page.getByRole('dialog');
  // Input typed during the first attempt is kept, even if that attempt is refused.
  const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/v1/account/keys', async (route) => {
    await isTyped;
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByLabel('Label').fill('billing panel');
  goOn();
  await dialog.getByText(/^Fix \d+ field/).waitFor();
  expect(await dialog.getByLabel('Label').inputValue()).toBe('billing panel');
  await page.unroute('**/v1/account/keys');
  await dialog.getByRole('button', { name: /^Add my IP/ }).click();
  await dialog.getByLabel('Permissions').selectOption({ label: 'Custom' });
  await dialog.getByLabel('Domains', { exact: true }).selectOption('read');
  await expectAccessible(page);
  await takePictures(page, 'key-new');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByText('The key is shown only once.', { exact: false }).waitFor();
  const secret = (await dialog.locator('.secret code').textContent()) ?? '';
  await expectAccessible(page);
  const calls = async (path: string, password: string) =>
    (await fetch(`${c.t.url}${path}`, { headers: { Authorization: `Basic ${btoa(`1000:${password}`)}` } })).status;
  expect(await calls('/v1/domains', secret)).toBe(200);
  expect(await calls('/v1/customers', secret)).toBe(403);
  await dialog.getByRole('button', { name: 'I copied the key' }).click();
  await page.getByRole('row', { name: /billing panel/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'keys');
  const verb = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for billing panel' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await verb('Edit');
  await dialog.getByLabel('Allowed IPs').fill('192.0.2.0/33');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('is not an IPv4 or IPv6 address', { exact: false }).first().waitFor();
  await dialog.getByLabel('Allowed IPs').fill('127.0.0.1, 192.0.2.0/24');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('cell', { name: '192.0.2.0/24' }).waitFor();
  await verb('Rotate secret');
  await dialog.getByLabel('Old secret expires').selectOption({ label: 'Immediately' });
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await dialog.getByText('The key is shown only once.', { exact: false }).waitFor();
  const second = (await dialog.locator('.secret code').textContent()) ?? '';
  expect(second).not.toBe(secret);
  await dialog.getByRole('button', { name: 'I copied the key' }).click();
  expect(await calls('/v1/domains', second)).toBe(200);
  await verb('Revoke');
  expect(await dialog.getByLabel('Also revoke keys made with this key').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  await expect.poll(() => calls('/v1/domains', second)).toBe(401);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('revokes keys together with the keys that they issued', async () => {
  const ip_whitelist = ['127.0.0.1'];
  const made = async (label: string, as: string) =>
    `1000:${(await c.t.call('POST', '/v1/account/keys', { json: { label, ip_whitelist }, as })).body.api_key}`;
  const stolen = await made('stolen key', c.t.demo);
  const issued = await made('issued key', stolen);
  await made('issued by the issued key', issued);
  const page = await c.signIn('1000', { at: '/app/keys' });
  await page.getByRole('button', { name: 'Actions for stolen key' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('issued key, issued by the issued key', { exact: false }).waitFor();
  await dialog.getByLabel('Also revoke keys made with this key').check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await c.t.call('GET', '/v1/account/keys');
  const states = (body as { label: string; status: string }[]).filter(({ label }) => /stolen|issued/.test(label));
  expect(states.map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked']);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows a suspended domain as suspended in the list', async () => {
  const domain_name = 'suspended-shop.com';
  expect((await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name } })).status).toBe(200);
  expect((await c.t.call('PUT', `/v1/domains/${domain_name}/suspended`, { form: { reason: 'not paid' } })).status).toBe(
    200,
  );
  const page = await c.signIn('1000', { at: '/app/domains' });
  const row = page.getByRole('row', { name: domain_name });
  await row.getByText('Suspended', { exact: true }).waitFor();
  expect(await row.getByText('Active', { exact: true }).count()).toBe(0);
  await page.goto(`${c.t.url}/app/domains/${domain_name}`);
  await page.getByText('The website and email of the domain do not work', { exact: false }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Unsuspend', exact: true }).waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows an unpaid order as waiting for payment, without settings to change', async () => {
  const domain_name = 'not-paid-yet.com';
  const placed = await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name, invoice_option: 'only_add' } });
  expect(placed.body, placed.text).toMatchObject({ status: 'Unpaid' });
  const page = await c.signIn('1000', { at: `/app/domains/${domain_name}` });
  await page.getByText('Unpaid order').first().waitFor();
  await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Lock: Domain lock', exact: true }).count()).toBe(0);
  await expectAccessible(page);
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('adapts the timeline to the renewal mode and lists expired domains first on the home page', async () => {
  const moving = ['auto-shop.com', 'over-shop.com'] as const;
  for (const domain_name of moving)
    expect((await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name } })).status).toBe(200);
  const json = { renewal_mode: 'renew' };
  expect((await c.t.call('PUT', `/v1/domains/${moving[0]}/renewal_mode`, { json })).status).toBe(200);
  const ended = new Date(Date.now() - 3 * 86_400_000);
  await c.t.ctx.db.autocommit(allTenants).run(sql`update domain set end_date = ${ended} where name = ${moving[1]}`);
  await c.t.ctx.db
    .autocommit(allTenants)
    .run(sql`update domain set end_date = now() + interval '20 days' where name = ${moving[0]}`);
  const page = await c.signIn('1000');
  const soon = page.getByRole('region', { name: 'Expired or expiring soon' });
  await soon.getByRole('link', { name: moving[0] }).waitFor();
  expect(await soon.locator('dt a').allTextContents()).toEqual([moving[1], moving[0]]);
  // There is no spending before today.
  expect(await page.getByText('at the current rate').count()).toBe(0);
  await page.goto(`${c.t.url}/app/domains/${moving[0]}`);
  await page.getByText('With auto-renew, at today’s balance and price.').waitFor();
  await page.getByText('The domain is renewed automatically.', { exact: true }).first().waitFor();
  expect(await page.getByText('the domain is deleted').count()).toBe(0);
  await c.leave(page);
  await c.t.ctx.db
    .autocommit(allTenants)
    .run(sql`update domain set end_date = registry_expires_at where name = any (${[...moving]}::text[])`);
});

test('names the party of a date, the parts of a price and the reasons against actions', async () => {
  const domain_name = 'parts-shop.com';
  expect((await c.t.call('POST', '/v1/domains', { form: { ...order, domain_name } })).status).toBe(200);
  const { body } = await c.t.call('GET', `/v1/domains/${domain_name}/timeline`);
  const milestone = { at: body.as_of.replace(/^\d{4}/, '2040'), who: 'reseller', price: null, price_lines: [] };
  const verify = { ...milestone, what: 'verify_by', sentence: 'Last day to confirm.' };
  const link = { ...milestone, what: 'mail_target_lapses', sentence: 'The link expires.' };
  const blocked = (action: string) => ({
    action,
    allowed: false,
    reasons: [{ because: 'state pending_transfer', set_by: 'registry', fix: 'approve or reject the transfer' }],
  });
  const changed = {
    ...body,
    milestones: [...body.milestones, verify, link],
    blocks: [blocked('renew'), blocked('delete'), { action: 'resume', allowed: true, reasons: [] }],
    must_act: { ...body.must_act, who: 'reseller', by: verify.at },
  };
  const page = await c.signIn('1000');
  await page.route('**/timeline', (route) => route.fulfill({ json: changed }));
  await page.goto(`${c.t.url}/app/domains/${domain_name}`);
  const row = (text: string) => page.locator('.milestones li').filter({ hasText: text });
  await row('Last day to confirm.').getByText('By the registrant', { exact: true }).waitFor();
  await row('The link expires.').getByText('By the recipient', { exact: true }).waitFor();
  await row('Last day to restore').getByText('Restore USD 48.09 + Renewal USD 12.39').waitFor();
  expect(await row('stop working').textContent()).not.toContain('USD');
  await page.getByRole('button', { name: 'Resend email' }).waitFor();
  const blocks = page.locator('.blocks li');
  await blocks.getByText('Renew, Delete', { exact: true }).waitFor();
  expect(await blocks.allTextContents()).toEqual([
    'Not availableRenew, DeleteA transfer to another registrar is pending.Approve or reject the transfer, or wait until it ends.',
  ]);
  await c.leave(page);
});
