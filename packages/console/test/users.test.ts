import { allTenants, sql } from '@namehold/postgres';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runJob } from '../../../test/support/jobs.ts';
import { countRows } from '../../../test/support/rows.ts';
import { mailedCode, openSession } from '../../../test/support/users.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
beforeAll(async () => {
  c = await openConsole();
});
afterAll(() => c.stop());

const password = 'a long enough one';
const change = (statement: ReturnType<typeof sql>) => c.t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const choose = async (page: Page, name: string, verb: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: verb, exact: true }).click();
};

test('lets an owner invite, change, suspend and remove users, who see only what their role allows', async () => {
  const page = await c.signIn('1000', { email: 'head@people.example', at: '/app/users' });
  await page.getByRole('cell', { name: /You$/ }).waitFor();
  await button(page, 'Invite user').click();
  await page.getByLabel('Email').fill('no address');
  await button(page, 'Send invitation').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Email').fill('rina@people.example');
  await page.getByLabel('Role', { exact: true }).selectOption('chosen');
  await expectAccessible(page);
  await takePictures(page, 'people-invite');
  await page.getByLabel('Role', { exact: true }).first().selectOption('support');
  await button(page, 'Send invitation').click();
  await page.getByText('Invitation sent to rina@people.example').waitFor();
  await takePictures(page, 'people-link');
  await button(page, 'Done').click();
  await page.getByText('Open invitations').waitFor();

  const staff = await c.open(`/app/welcome#code=${await mailedCode(c.t, '1000', 'rina@people.example')}`);
  await staff.getByLabel('Your name').fill('Rina');
  await staff.getByLabel('Password').fill(password);
  await button(staff, 'Continue').click();
  await staff.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await staff.getByRole('link', { name: 'Domains', exact: true }).count()).toBe(1);
  expect(await staff.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);

  await page.reload();
  await page.getByRole('cell', { name: /^Rina/ }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'people');
  await choose(page, 'Rina', 'Change role');
  await page.getByLabel('Role', { exact: true }).selectOption('dns');
  await button(page, 'Save').click();
  await page.getByRole('cell', { name: 'DNS', exact: true }).waitFor();
  await choose(page, 'Rina', 'Suspend');
  await button(page, 'Suspend').click();
  await page.getByText('Suspended', { exact: true }).waitFor();
  await choose(page, 'Rina', 'Reactivate');
  await button(page, 'Reactivate').click();
  await page.getByText('User reactivated').waitFor();

  // The user lost the authenticator.
  await change(sql`
    insert into totp (person_id, secret_sealed, confirmed_at, created_at) select id, 'x', now(), now() from person where name = 'Rina'`);
  await page.reload();
  await choose(page, 'Rina', 'Reset 2FA');
  await page.getByText(/removed after 24 hours/).waitFor();
  await takePictures(page, 'people-reset');
  await button(page, 'Reset 2FA').click();
  await page.getByRole('cell', { name: /^Removed/ }).waitFor();
  await change(sql`update totp set confirmed_at = null where person_id in (select id from person where name = 'Rina')`);
  await staff.goto(`${c.t.url}/app`);
  await staff.getByLabel('Email').fill('rina@people.example');
  await staff.getByLabel('Password').fill(password);
  await button(staff, 'Sign in').click();
  await staff.getByText(/A 2FA reset was requested for you/).waitFor();
  await expectAccessible(staff);
  await takePictures(staff, 'people-keep');
  await button(staff, 'Cancel reset').click();
  await staff.getByText('2FA reset cancelled').waitFor();
  expect(await countRows(c.t, 'factor_reset')).toBe(0);
  await c.leave(staff);

  await page.getByLabel('Require 2FA for all users').click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await choose(page, 'Rina', 'Remove');
  await button(page, 'Remove').click();
  await page.getByText('User removed').waitFor();
  await choose(page, 'head@people.example', 'Remove');
  await button(page, 'Remove').click();
  await page.getByText(/last owner/).waitFor();
  expect(await countRows(c.t, 'membership', sql`reseller_id = 1000`)).toBe(1);
  await button(page, 'Cancel').click();
  await change(sql`update person set language = 'id' where email = 'head@people.example'`);
  await page.reload();
  await page.getByRole('heading', { name: 'Pengguna' }).waitFor();
  await takePictures(page, 'people-id');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('resets a forgotten password through an emailed link', async () => {
  const email = 'forgot@people.example';
  await openSession(c.t, '1000', { email, role: 'read_only' });
  const page = await c.open('/app');
  await button(page, 'Forgot password?').click();
  await page.getByLabel('Email').fill(email);
  await expectAccessible(page);
  await takePictures(page, 'forgot');
  await button(page, 'Send reset link').click();
  await page.getByText(/a reset link is on its way/).waitFor();
  await takePictures(page, 'forgot-sent');
  await runJob(c.t.ctx, 'process-recovery');
  const code = await mailedCode(c.t, '1000', email);
  await page.goto(`${c.t.url}/app/welcome#code=${code}`);
  await page.getByLabel('Password').fill('another long one');
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('previews a brand and shows it in the shell and on the customer sign-in page', async () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28"><circle cx="14" cy="14" r="13" fill="#0b5d4e"/><path d="M7 15l5 5 9-11" stroke="#fff" stroke-width="3" fill="none"/></svg>';
  const page = await c.signIn('1000', { email: 'brand@people.example', at: '/app/brand' });
  await page.getByText('Save a name to add a logo.').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'brand-empty');
  await page.getByLabel('Name', { exact: true }).fill('Toko Melati');
  await page.getByLabel('Support contact').fill('help@melati.example');
  await page.getByLabel('Accent colour (light)', { exact: false }).first().fill('#ffcc00');
  await button(page, 'Save').first().click();
  const alertText = (await page.getByText('nearest that passes is', { exact: false }).first().textContent())!;
  await takePictures(page, 'brand-contrast');
  await page
    .getByLabel('Accent colour (light)', { exact: false })
    .first()
    .fill(/nearest that passes is (#\w{6})/.exec(alertText)![1]!);
  await button(page, 'Save').first().click();
  await page.getByText('Saved. Open pages').waitFor();
  await page.getByRole('link', { name: 'Toko Melati' }).waitFor();
  await page
    .getByLabel('Choose logo')
    .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(70_000) });
  await page.getByText(/larger than 64 KiB/).waitFor();
  await page
    .getByLabel('Choose logo')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
  await page.getByText('Logo saved').waitFor();
  await page.locator('.mark-link img.logo').waitFor();
  expect(await page.title()).toBe('Brand · Toko Melati');
  await expectAccessible(page);
  await takePictures(page, 'brand');
  expect(await page.content()).not.toContain('Namehold');
  await change(sql`update person set language = 'id' where email = 'brand@people.example'`);
  await page.reload();
  await page.getByRole('heading', { name: 'Merek' }).waitFor();
  await takePictures(page, 'brand-id');
  await c.leave(page);

  const entrance = await c.open('/app/at/1000');
  await entrance.getByText('Toko Melati').waitFor();
  await expect.poll(() => entrance.title(), { timeout: 300_000 }).toBe('Sign in · Toko Melati');
  await expectAccessible(entrance);
  await takePictures(entrance, 'at-brand');
  expect(await entrance.content()).not.toContain('Namehold');
  expect(await entrance.locator('.entrance-card .mark').count()).toBe(0);
  await c.leave(entrance);
  // Opened directly, the logo runs no scripts and has no origin.
  const { logo_path } = (await c.t.call('GET', '/v1/brand')).body.own;
  const alone = await c.open(logo_path);
  expect(await alone.evaluate('self.origin')).toBe('null');
  await c.leave(alone);
  expect(c.complaints).toEqual([]);
});

test('adds and removes a custom host, which shows the brand to customers and staff', async () => {
  const page = await c.signIn('1000', { email: 'host@people.example', password, at: '/app/brand' });
  await page.getByLabel('New host').fill('localhost');
  await button(page, 'Add host').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('New host').fill('Panel.Melati.example');
  await button(page, 'Add host').click();
  const host = page.getByRole('region', { name: 'panel.melati.example' });
  await host.getByText('Waiting for DNS record').waitFor();
  await host.getByText('_brand-host.panel.melati.example').waitFor();
  // A sandbox makes no external requests.
  await host.getByRole('button', { name: /^Check now/ }).click();
  await host.getByRole('alert').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'brand-hosts');
  await change(sql`
    update brand_host set verified_at = now(), checked_at = now() where host = 'panel.melati.example'`);
  await page.reload();
  await host.getByText('Verified', { exact: true }).waitFor();
  await takePictures(page, 'brand-hosts-verified');
  await host.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Host removed').waitFor();
  expect(await countRows(c.t, 'brand_host', sql`host = 'panel.melati.example'`)).toBe(0);
  await c.leave(page);

  // Browsers treat names below localhost as secure. A custom host cannot be one.
  await change(sql`
    insert into brand_host (reseller_id, host, proof, created_at, verified_at, checked_at) values (1000, 'toko.localhost', 'x', now(), now(), now())`);
  const at = `http://toko.localhost:${new URL(c.t.url).port}`;
  const entrance = await c.open('/app', at);
  // Processes cache hosts for a few seconds.
  for (let tries = 0; tries < 20 && !(await button(entrance, 'Staff sign-in').isVisible()); tries += 1) {
    await entrance.waitForTimeout(500);
    await entrance.reload();
    await entrance.getByLabel('Password', { exact: true }).waitFor();
  }
  await entrance.getByText('Keep me signed in').waitFor();
  await expectAccessible(entrance);
  await takePictures(entrance, 'at-host');
  await button(entrance, 'Staff sign-in').click();
  await entrance.getByLabel('Email').fill('host@people.example');
  await entrance.getByLabel('Password', { exact: true }).fill(password);
  await button(entrance, 'Sign in').click();
  await entrance.getByRole('heading', { name: 'Home' }).waitFor();
  expect(await countRows(c.t, 'person_session', sql`host = 'toko.localhost' and ended_at is null`)).toBe(1);
  await c.leave(entrance);
  await change(sql`delete from brand_host`);
  expect(c.complaints).toEqual([]);
});
