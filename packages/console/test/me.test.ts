import { createHash } from 'node:crypto';
import { allTenants, sql } from '@namehold/postgres';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countRows } from '../../../test/support/rows.ts';
import { codeFor, mailedCode } from '../../../test/support/users.ts';
import { stepAt, totpCode } from '../../server/src/core/users/totp.ts';
import { qrCells } from '../src/me/qr.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
let home: string;
beforeAll(async () => {
  c = await openConsole();
  // Passkeys need a host name, not an IP address.
  home = c.t.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => c.stop());

const password = 'a long enough one';
const change = (statement: ReturnType<typeof sql>) => c.t.ctx.db.transaction(allTenants, (tx) => tx.run(statement));
const unproven = async () => {
  await change(sql`update person_session set sudo_until = now() - interval '1 second'`);
  c.t.service.evictCachedKeys();
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** In a narrow window no card is wider than the page. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  const edges = await page
    .locator('#content .card')
    .evaluateAll((cards) => cards.map((card) => Math.round(card.getBoundingClientRect().right)));
  expect(Math.max(...edges)).toBeLessThanOrEqual(345);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** From here on, no other debugger session such as axe may attach, because detaching removes the authenticator. */
async function withDevice(page: Page): Promise<void> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function newcomer(email: string): Promise<Page> {
  const page = await c.open(`/app/welcome#code=${await codeFor(c.t, '1000', { email })}`, home);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  return page;
}

test('asks an owner to set up 2FA, adds a passkey and signs in with it', async () => {
  const email = 'passkey@me.example';
  const page = await newcomer(email);
  await page.getByRole('link', { name: 'Set up now' }).click();
  await page.getByText('No passkeys yet').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'me-empty');
  await withDevice(page);
  await button(page, 'Add passkey').click();
  await page.getByLabel('Name', { exact: true }).fill('Telephone');
  await takePictures(page, 'me-passkey');
  await button(page, 'Continue').click();
  await page.getByRole('cell', { name: 'Telephone', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Set up now' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^passkey@/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.context().clearCookies();
  await page.goto(`${home}/app/me`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.getByText('Complete two-factor authentication').waitFor();
  await button(page, 'Use passkey').click();
  await page.getByRole('cell', { name: 'Telephone', exact: true }).waitFor();
  await page.context().close();
  expect(c.complaints).toEqual([]);
});

test('signs in with authenticator and recovery codes, and confirms identity without losing input', async () => {
  const email = 'app@me.example';
  const page = await newcomer(email);
  await page.goto(`${home}/app/me`);
  await button(page, 'Set up authenticator app').click();
  const secret = (await page.locator('.totp-secret code').textContent())!;
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'me-app');
  const code = (steps = 0) => totpCode(secret, stepAt(c.t.ctx.wall.now()) + steps);
  await page.getByLabel('Authenticator code').fill('000000');
  await button(page, 'Confirm').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Authenticator code').fill(code());
  await button(page, 'Confirm').click();
  await page.getByText('We ask for a code from the app').waitFor();
  await button(page, 'Generate codes').click();
  const recovery = (await page.locator('.recovery-codes code').first().textContent())!;
  await expectAccessible(page);
  await takePictures(page, 'me-codes');
  await button(page, 'I saved the codes').click();
  await expectNarrow(page);
  await takePictures(page, 'me');

  // Creating a key needs a new identity check.
  await unproven();
  await change(sql`update totp set last_step = 0`);
  await page.goto(`${home}/app/keys`);
  await button(page, 'Create key').first().click();
  await page.getByLabel('Label').fill('Panel');
  await page.getByLabel('Allowed IPs').fill('192.0.2.7');
  await button(page, 'Create key').last().click();
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await dialog.waitFor();
  await expectAccessible(page);
  await takePictures(page, 'sudo');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Identity not confirmed').waitFor();
  expect(await page.getByLabel('Label').inputValue()).toBe('Panel');
  await button(page, 'Create key').last().click();
  await dialog.getByLabel('Authenticator code').fill('000000');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Authenticator code').fill(code());
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.locator('.secret code').waitFor();
  expect(await countRows(c.t, 'api_key', sql`label = 'Panel'`)).toBe(1);

  await page.context().clearCookies();
  await page.goto(`${home}/app/me`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Sign in').click();
  await page.getByText('Complete two-factor authentication').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'second-step');
  await button(page, 'Use recovery code').click();
  await page.getByLabel('Recovery code').fill(recovery);
  await button(page, 'Sign in').click();
  await page.getByText('9 codes left').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('ends sessions and changes name, language and password in both languages', async () => {
  const email = 'settings@me.example';
  const page = await newcomer(email);
  const { status } = await c.t.call('POST', '/v1/session', { json: { email, password }, session: '' });
  expect(status).toBe(200);
  await page.goto(`${home}/app/me`);
  await page.getByRole('cell', { name: /This session$/ }).waitFor();
  await button(page, 'Sign out other sessions').click();
  await page.getByText('1 session signed out').waitFor();
  await page.getByLabel('Your name').fill('Sari Dewi');
  await page.getByLabel('Language').last().selectOption('id');
  await page.getByLabel('Time zone').selectOption('Asia/Jakarta');
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Profil dan keamanan' }).waitFor();
  await expectAccessible(page);
  await expectNarrow(page);
  await takePictures(page, 'me-id');
  await page.getByLabel('Kata sandi saat ini').fill('not the present one');
  await page.getByLabel('Kata sandi baru').fill('another long one');
  await button(page, 'Ubah kata sandi').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Kata sandi saat ini').fill(password);
  await button(page, 'Ubah kata sandi').click();
  await page.getByText('Kata sandi diubah').waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('replaces the temporary password of a first owner through the emailed link', async () => {
  await change(sql`delete from membership where reseller_id = 1000`);
  const { body } = await c.t.call('GET', '/v1/resellers/temp_password', { query: { reseller_id: '1000' } });
  const page = await c.open('/app', home);
  await page.getByLabel('Email').fill('demo@reseller.example');
  await page.getByLabel('Password').fill(body.temp_password);
  await page.getByText('I have an account ID').click();
  await page.getByLabel('Account ID').fill('1000');
  await button(page, 'Sign in').click();
  await page.getByText('We sent a link to this email.').waitFor();
  await expectAccessible(page);
  await takePictures(page, 'first-owner');
  const code = await mailedCode(c.t, '1000', 'demo@reseller.example');
  await page.goto(new URL(`/app/welcome#code=${code}`, page.url()).href);
  await page.getByLabel('Password').fill(password);
  await button(page, 'Continue').click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('draws QR codes that readers accept, in every size', () => {
  const drawn = [20, 60, 130, 190, 230, 300, 400, 500].map((length) => {
    const cells = qrCells('otpauth://totp/Namehold:'.padEnd(length, 'aB3%'))!;
    return [cells.length, createHash('sha256').update(cells.flat().map(Number).join('')).digest('hex').slice(0, 12)];
  });
  expect(drawn).toEqual([
    [25, 'ea6c7448a678'],
    [33, 'cc4c2f1c70d6'],
    [41, 'c340b06f5dd4'],
    [49, '33f2d31feffd'],
    [53, '67f7f728ed8b'],
    [61, 'f94179bac81a'],
    [69, '860ed84a053a'],
    [77, 'd5908f5b0357'],
  ]);
  expect(qrCells('x'.repeat(600))).toBeUndefined();
});
