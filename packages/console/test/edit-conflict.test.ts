import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../test/support/reconciliation.ts';
import { openSession } from '../../../test/support/users.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
let page: Page;
beforeAll(async () => {
  c = await openConsole();
  page = await c.signIn('1000', { at: '/app/operations' });
});
afterAll(() => c.stop());

const ok = ({ status, text }: { status: number; text: string }) => expect(status, text).toBe(200);
const note = () => page.getByRole('alert').filter({ hasText: 'Changed since you started editing' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
/** Changes by another user through the API. */
const colleague = async (path: string, json: object) => ok(await c.t.call('PUT', path, { json }));

test('shows conflicting changes of a key and keeps fields that only the other user changed', async () => {
  const made = await c.t.call('POST', '/v1/account/keys', { json: { label: 'panel', ip_whitelist: ['192.0.2.1'] } });
  const path = `/v1/account/keys/${made.body.key_id}`;
  await page.goto(`${c.t.url}/app/keys`);
  await page.getByRole('button', { name: 'Actions for panel' }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Label', { exact: false }).first().fill('my panel');
  await colleague(path, { ip_whitelist: ['192.0.2.7'] });
  await button('Save').click();
  await note().waitFor();
  await note().getByText('192.0.2.7').waitFor();
  expect((await c.t.call('GET', path)).body).toMatchObject({ label: 'panel', ip_whitelist: ['192.0.2.7'] });
  expect(await button('Save').isDisabled()).toBe(true);
  await expectAccessible(page);
  await takePictures(page, 'meanwhile-key');
  await button('Keep my version').click();
  await note().waitFor({ state: 'detached' });
  await button('Save').click();
  await page.getByRole('cell', { name: /^my panel/ }).waitFor();
  expect((await c.t.call('GET', path)).body).toMatchObject({ label: 'my panel', ip_whitelist: ['192.0.2.7'] });
  expect(c.complaints).toEqual([]);
});

test('lets the user choose between both nameserver lists and never sends an outdated draft', async () => {
  const name = 'kept-apart.com';
  const ns = (...hosts: string[]) => hosts.map((host) => `${host}.elsewhere.example`);
  const order = { domain_name: name, years: 1, customer_id: '2001', ns: ns('a', 'b'), invoice_option: 'no_invoice' };
  const contacts = Object.fromEntries(
    ['registrant', 'admin', 'tech', 'billing'].map((role) => [`${role}_contact_id`, '3001']),
  );
  ok(await c.t.call('POST', '/v1/domains', { json: { ...order, ...contacts } }));
  await page.goto(`${c.t.url}/app/domains/${name}/nameservers`);
  await page.locator('textarea[name=ns]').fill(ns('a', 'mine').join('\n'));
  await page.goto(`${c.t.url}/app/domains`);
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await colleague(`/v1/domains/${name}/ns`, { ns: ns('a', 'theirs') });
  await page.goto(`${c.t.url}/app/domains/${name}/nameservers`);
  await note().getByText('a.elsewhere.example, theirs.elsewhere.example').waitFor();
  expect(await page.locator('textarea[name=ns]').inputValue()).toBe(ns('a', 'mine').join('\n'));
  await expectAccessible(page);
  await takePictures(page, 'meanwhile-nameservers');
  await button('Use current version').click();
  await expect.poll(() => page.locator('textarea[name=ns]').inputValue()).toBe(ns('a', 'theirs').join('\n'));
  expect(await note().count()).toBe(0);
  expect(c.complaints).toEqual([]);
  await expectReconciled(c.t);
});

test('never overwrites unseen changes of a user, the brand or customer access', async () => {
  await openSession(c.t, '1000', { email: 'rina@people.example', role: 'staff', scopes: ['dns:write'] });
  const session = await openSession(c.t, '1000', { email: 'second@people.example' });
  const users = (await c.t.call('GET', '/v1/users', { session })).body as { user_id: string; email: string }[];
  const rina = `/v1/users/${users.find(({ email }) => email.startsWith('rina'))!.user_id}`;
  await page.goto(`${c.t.url}/app/users`);
  await page.getByRole('button', { name: /^Actions for rina/ }).click();
  await page.getByRole('menuitem', { name: 'Change role', exact: true }).click();
  await page.getByLabel('Role', { exact: true }).selectOption('support');
  ok(await c.t.call('PUT', rina, { json: { role: 'read_only' }, session }));
  await button('Save').click();
  await note().getByText('read_only').waitFor();
  expect((await c.t.call('GET', rina, { session })).body.role).toBe('read_only');
  await button('Use current version').click();
  await button('Cancel').click();

  ok(await c.t.call('PUT', '/v1/brand', { json: { name: 'First' } }));
  await page.goto(`${c.t.url}/app/brand`);
  await page.getByLabel('Support contact').fill('help@example.com');
  await colleague('/v1/brand', { name: 'Second' });
  await button('Save').first().click();
  await note().getByText('Second').waitFor();
  expect((await c.t.call('GET', '/v1/brand')).body.own).toMatchObject({ name: 'Second', support: null });
  await button('Keep my version').click();
  await button('Save').first().click();
  await expect.poll(async () => (await c.t.call('GET', '/v1/brand')).body.own.support).toBe('help@example.com');
  expect((await c.t.call('GET', '/v1/brand')).body.own.name).toBe('Second');

  await page.goto(`${c.t.url}/app/customers/2001`);
  await page.locator('select[name=access]').selectOption('read');
  await colleague('/v1/customers/2001/access', { access: 'dns' });
  // The event of the change can show the conflict before the click.
  await button('Save').dispatchEvent('click');
  await note().waitFor();
  expect((await c.t.call('GET', '/v1/customers/2001/access')).body.access).toBe('dns');
  expect(c.complaints).toEqual([]);
});
