import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeFor } from '../../../test/support/users.ts';
import { installConsole } from '../../server/src/http/console/pages.ts';
import { type ConsoleTest, expectAccessible, openConsole, takePictures } from './support/console.ts';

let c: ConsoleTest;
beforeAll(async () => {
  c = await openConsole();
});
afterAll(() => c.stop());

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

test('redirects from the root to sign-in and shows one message for wrong credentials', async () => {
  const page = await c.open('/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/app');
  await expectAccessible(page);
  await takePictures(page, 'sign-in');
  await page.getByLabel('Email').fill('nobody@people.example');
  await page.getByLabel('Password').fill('not the right one');
  await page.getByLabel('Password').press('Enter');
  await page.getByRole('alert').getByText('Incorrect email or password').waitFor();
  expect(await page.getByText('Nothing was changed or charged.').count()).toBe(0);
  expect(await page.getByLabel('Email').inputValue()).toBe('nobody@people.example');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('accepts a sign-in code once, switches languages and shows a missing page', async () => {
  const code = await codeFor(c.t, '1000', { email: 'first@people.example' });
  const page = await c.open(`/app/welcome#code=${code}`);
  await expectAccessible(page);
  await takePictures(page, 'welcome');
  await page.getByLabel('Your name').fill('Sari Dewi');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  // One message, at the field. The summary links to the field.
  expect(await page.getByText('at least 8 characters').count()).toBe(1);
  await page.getByRole('alert').getByRole('link', { name: 'Password' }).waitFor();
  expect(page.url()).not.toContain(code);
  await page.getByLabel('Password').fill('a long enough one');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Sari Dewi' }).waitFor();
  await page.locator('main h1').first().waitFor();
  expect(await page.title()).toContain('Namehold');
  await expectAccessible(page);
  await takePictures(page, 'home');
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'Bahasa Indonesia' }).click();
  await page.getByRole('link', { name: 'Beranda' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Beranda' }).waitFor();
  await page.goto(`${c.t.url}/app/nowhere`);
  await page.getByRole('heading', { name: 'Halaman tidak ditemukan' }).waitFor();
  await c.leave(page);
  const again = await c.open(`/app/welcome#code=${code}`);
  await again.getByLabel('Password').fill('a long enough one');
  await again.getByRole('button', { name: 'Continue' }).click();
  await again
    .getByRole('alert')
    .getByText(/^The link has expired/)
    .waitFor();
  await c.leave(again);
  expect(c.complaints).toEqual([]);
});

test('signs in over the page after the session ended and keeps its input', async () => {
  const page = await c.signIn('1000', { email: 'ended@people.example', at: '/app/parts' });
  await page.getByLabel('Name', { exact: true }).fill('typed-before.example');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  const over = page.getByRole('dialog', { name: 'Your session has expired' });
  await over.getByLabel('Password').fill('a long enough one');
  await expectAccessible(page);
  await takePictures(page, 'session-ended');
  await over.getByRole('button', { name: 'Sign in', exact: true }).click();
  await over.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('typed-before.example');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('passes axe and keyboard checks for every component', async () => {
  const page = await c.signIn('1000', { at: '/app/parts' });
  await page.getByRole('heading', { name: 'Parts', exact: true }).waitFor();
  await expectAccessible(page);
  await takePictures(page, 'parts');
  await page.getByRole('button', { name: 'More', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'An action' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete example.com' });
  expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Type example.com to confirm').fill('example.com');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('shows a new API key completely, with its copy button, on wide and narrow screens', async () => {
  const page = await c.signIn('1000', { at: '/app/keys' });
  await page.getByRole('button', { name: 'Create key' }).first().click();
  const form = page.getByRole('dialog');
  await form.locator('[name=label]').fill('billing panel');
  await form.locator('[name=ip_whitelist]').fill('192.0.2.10');
  await form.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy your API key' });
  await dialog.waitFor();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = await page.evaluate<string[]>(`(() => {
      const dialog = document.querySelector('dialog[open]');
      const { right } = dialog.getBoundingClientRect();
      return [...dialog.querySelectorAll('*')]
        .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > right)
        .filter((each) => getComputedStyle(each).display !== 'inline')
        .map((each) => each.outerHTML.slice(0, 80));
    })()`);
    expect(beyond, `at ${width}`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('checks parts again with axe only after they changed', async () => {
  const page = await c.signIn('1000', { at: '/app/keys' });
  const open = page.getByRole('button', { name: 'Create key' }).first();
  await open.waitFor();
  const spoil = async (place: string) => {
    await page.evaluate(`document.querySelector('${place}').append(document.createElement('button'))`);
    const found = { actual: [expect.stringContaining('button-name')] };
    await expect(expectAccessible(page, ['light']), place).rejects.toMatchObject(found);
    await page.evaluate(`document.querySelector('${place}').lastChild.remove()`);
  };
  await expectAccessible(page, ['light', 'dark']);
  for (const place of ['main', '.side']) await spoil(place);
  await open.click();
  await page.getByRole('dialog').waitFor();
  await spoil('dialog');
  await c.leave(page);
  expect(c.complaints).toEqual([]);
});

test('caches hashed files but no pages, with a strict content security policy', async () => {
  const page = await c.t.call('GET', '/app/domains/example.com', { as: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|https?:/);
  for (const [name, value] of [
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-content-type-options', 'nosniff'],
  ] as const)
    expect(page.headers.get(name)).toBe(value);
  const script = /\/app\/(assets\/[^"]+\.js)/.exec(page.text)![1]!;
  for (const coding of ['br', 'gzip', 'identity']) {
    const file = await fetch(`${c.t.url}/app/${script}`, { headers: { 'Accept-Encoding': coding } });
    expect(file.headers.get('content-encoding') ?? 'identity').toBe(coding);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(readFileSync(`${dist}${script}`));
  }
  const head = await fetch(`${c.t.url}/app`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const path of ['/app/assets/index-old.js', '/app/assets/../../package.json', '/application'])
    expect(await c.t.call('GET', path, { as: null })).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
});

test('starts without a built console and explains how to build it', async () => {
  const fastify = Fastify();
  installConsole(fastify, `${dist}nothing/`);
  const answer = await fastify.inject('/app/domains');
  expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('node packages/console/build.ts')]);
  await fastify.close();
});

/** Kilobytes after gzip. */
test('stays within the size budgets of the first page and of all files', () => {
  const sizes = readdirSync(`${dist}assets`)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => ({ name, size: readFileSync(`${dist}assets/${name}`).length / 1_000 }));
  const sum = (of: (name: string) => boolean) =>
    sizes.filter(({ name }) => of(name)).reduce((all, { size }) => all + size, 0);
  const index = readFileSync(`${dist}index.html`, 'utf8');
  expect(sum((name) => name.endsWith('.js.gz') && index.includes(name.slice(0, -3)))).toBeLessThan(45);
  expect(sum((name) => name.endsWith('.css.gz') && index.includes(name.slice(0, -3)))).toBeLessThan(12);
  // The additional size of a page: the DNS editor, and any other page.
  const isEditor = (name: string) => /^(zones|editor)-.*\.js/.test(name);
  expect(sum(isEditor)).toBeLessThan(60);
  const others = sizes.filter(({ name }) => !isEditor(name));
  expect(others.filter(({ size }) => size > 25)).toEqual([]);
  // The total size, to notice growth. The Indonesian texts of refusals are 16 of it, loaded after the first refusal.
  expect(sum(() => true)).toBeLessThan(355);
});
