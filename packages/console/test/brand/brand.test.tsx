import { describe, expect, test } from 'vitest';
import BrandPage from '../../src/brand/brand.tsx';
import { messages } from '../../src/brand/messages.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';
import { sameSession } from '../support/sessions.ts';

const page = usePage();
const open = async (own = example('Brand').own) => {
  page.api
    .respond('get', '/brand', () => ({ body: { ...example('Brand'), own }, headers: { ETag: '"1"' } }))
    .respond('get', '/session', () => ({ body: sameSession() }))
    .list('/brand/hosts', [])
    .respond('get', '/notices/brand', () => ({ body: example('NoticeBrand') }));
  await page.show(BrandPage, { at: '/app/brand' });
};
const form = () => page.get('region', messages().appearance);
const save = () => form().querySelector<HTMLButtonElement>('[type=submit]')!;

describe('the appearance', () => {
  test('is saved with all fields and its version, once', async () => {
    await open();
    page.api.answer('put', '/brand');
    await page.type(page.field('colour'), '#112233');
    await page.doubleClick(save());
    const { name, support, colour_dark } = example('Brand').own!;
    expect(page.api.writes.map(({ body, headers }) => [body, headers.get('If-Match')])).toEqual([
      [{ name, support, colour: '#112233', colour_dark }, '"1"'],
    ]);
  });

  test('shows the error at a refused colour', async () => {
    await open();
    page.api.refuse('put', '/brand', 400, { errors: [{ field: 'colour', code: 'contrast', message: 'Too light.' }] });
    await page.type(page.field('colour'), '#ffffee');
    await page.click(save());
    expect([page.errorAt('colour'), page.field('colour').value]).toEqual(['Too light.', '#ffffee']);
  });

  test.each([
    ['#112233', '#112233'],
    ['#11223', ''],
    ['red; background: url(x)', ''],
  ])('shows the colour "%s" in the preview only if it is complete', async (typed, shown) => {
    await open();
    await page.type(page.field('colour'), typed);
    const sample = page.root.querySelector<HTMLElement>('.brand-sample.on-light')!;
    expect(sample.style.getPropertyValue('--accent')).toBe(shown);
  });

  test('is only shown to users who may read', async () => {
    signIn({ account: { scopes: ['account:read'] } });
    await open();
    expect([page.has('input'), page.all('button').length]).toEqual([false, 1]);
  });
});

describe('the logo', () => {
  const choose = async (size: number) => {
    const file = new File(['<svg/>'], 'logo.svg', { type: 'image/svg+xml' });
    Object.defineProperty(file, 'size', { value: size });
    const input = page.root.querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(input, 'files', { value: [file], configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await page.settle();
  };

  test('does not send a logo of more than 64 kB', async () => {
    await open();
    await choose(64 * 1024 + 1);
    expect([page.api.writes, page.text(page.get('alert')).includes(messages().logoLarge)]).toEqual([[], true]);
  });

  test('is sent in Base64', async () => {
    await open();
    page.api.answer('put', '/brand/logo');
    await choose(6);
    await page.until(() => page.api.writes.length === 1);
    expect(page.api.writes[0]!.body).toEqual({ data: btoa('<svg/>') });
  });

  test('needs a brand first', async () => {
    await open(null);
    expect(page.root.querySelector('input[type=file]')).toBeNull();
  });
});

describe('a host', () => {
  test('is claimed once; a refusal stays at its field', async () => {
    await open();
    const region = page.get('region', messages().hosts);
    page.api.refuse('post', '/brand/hosts', 409, { code: 'already_exists', message: 'Taken.' });
    await page.type(page.field('hostname'), 'domains.example.com');
    await page.doubleClick(region.querySelector<HTMLButtonElement>('[type=submit]')!);
    expect(page.api.writes.map(({ body }) => body)).toEqual([{ hostname: 'domains.example.com' }]);
    expect(page.text(page.get('alert', undefined, region))).toContain('Taken.');
  });
});
