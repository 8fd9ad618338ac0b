import { readFileSync } from 'node:fs';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { countRows } from '../../../../test/support/rows.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openCustomerSession, openSession } from '../../../../test/support/users.ts';
import { leastContrast, nearestReadable, surfaces, worstContrast } from '../../src/core/brands/colour.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const put = (json: object, as?: string) => t.call('PUT', '/v1/brand', { json, ...(as ? { as } : {}) });
const putLogo = (bytes: Buffer | string) =>
  t.call('PUT', '/v1/brand/logo', { json: { data: typeof bytes === 'string' ? bytes : bytes.toString('base64') } });
const shown = async (reseller_id?: string) => {
  const query = reseller_id ? { query: { reseller_id } } : {};
  return (await t.call('GET', '/v1/brand/shown', { session: '', ...query })).body.brand;
};
const svg = (inside = '') => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${inside}</svg>`);
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The same with another size in its header. */
const pngOf = (width: number, height: number) => {
  const bytes = Buffer.from(png);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
/** The header of one of the three WebP formats. */
function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${kind}`, 8, 'latin1');
  if (kind === 'VP8 ') {
    bytes.writeUInt16LE(width, 26);
    bytes.writeUInt16LE(height, 28);
  } else if (kind === 'VP8L') bytes.writeUInt32LE(((height - 1) << 14) | (width - 1), 21);
  else {
    bytes.writeUIntLE(width - 1, 24, 3);
    bytes.writeUIntLE(height - 1, 27, 3);
  }
  return bytes;
}

describe('brand colours', () => {
  test('are checked against the page backgrounds that the console uses', () => {
    const tokens = readFileSync(new URL('../../../console/src/style/tokens.css', import.meta.url), 'utf8');
    const both = (name: string) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens)!.slice(1, 3);
    const backgrounds = ['paper', 'raised', 'sunken'].map(both);
    expect(backgrounds.map(([light]) => light)).toEqual(surfaces.light.backgrounds);
    expect(backgrounds.map(([, dark]) => dark)).toEqual(surfaces.dark.backgrounds);
    expect(both('accent-ink')).toEqual([surfaces.light.ink, surfaces.dark.ink]);
  });

  test('are adjusted to the nearest colour that passes the contrast check', () => {
    for (const colour of ['#ffffff', '#ffcc00', '#808080', '#000000', '#2a4fd0', '#ff0000', '#00ff00'])
      for (const theme of ['light', 'dark'] as const) {
        const nearest = nearestReadable(colour, theme);
        expect(worstContrast(nearest, theme), `${colour} ${theme}`).toBeGreaterThanOrEqual(leastContrast);
        if (worstContrast(colour, theme) >= leastContrast) expect(nearest).toBe(colour);
      }
  });

  test('are refused with the nearest accepted colour, and refused when the value is not a colour', async () => {
    const refused = await put({ name: 'Colours', colour: '#ffcc00' });
    expect(refused.body.errors, refused.text).toMatchObject([{ field: 'colour', code: 'contrast' }]);
    const nearest = /#[0-9a-f]{6}(?=\.$)/.exec(refused.body.errors[0].message)![0];
    expect((await put({ name: 'Colours', colour: nearest })).body.own).toMatchObject({ colour: nearest });
    expect((await put({ colour_dark: '#111111' })).body.errors).toMatchObject([{ field: 'colour_dark' }]);
    for (const colour of [
      'red',
      '#fff',
      '#0b5d4e;}',
      '#0b5d4e}*{}',
      'url(//x)',
      'var(--bad)',
      '#0b5d4g',
      '\u00230b5d4e\u200b',
    ])
      expect((await put({ colour })).status, colour).toBe(400);
    expect((await t.call('DELETE', '/v1/brand')).body).toEqual({ removed: true });
    expect((await t.call('DELETE', '/v1/brand')).status).toBe(404);
  });
});

test('names the brand in mail, and in the sessions of customers', async () => {
  const parent = await makeReseller(t);
  const child = await makeReseller(t, parent);
  const childId = child.split(':')[0]!;
  const name = async () => (await t.call('GET', '/v1/notices/brand', { as: child })).body.name;
  const company = (await t.call('GET', '/v1/account/profile', { as: child })).body.company;
  expect(await name()).toBe(company);
  expect((await put({ name: 'Toko Induk' }, parent)).status).toBe(200);
  expect((await put({ name: 'Toko Cabang' }, child)).status).toBe(200);
  expect(await name()).toBe('Toko Cabang');
  const customer = await makeCustomer(t, child);
  const session = await openCustomerSession(t, childId, customer, 'manage', child);
  expect((await t.call('GET', '/v1/session', { session })).body.account.company).toBe('Toko Cabang');
  // Mail to the account is sent in the name of the account above it.
  const key = await t.call('POST', '/v1/account/keys', {
    as: child,
    json: { label: 'panel', ip_whitelist: ['127.0.0.1'] },
  });
  expect(key.status, key.text).toBe(200);
  const mails = await t.ctx.db.as(allTenants).many<{ body_text: string }>(sql`
    select body_text from notice where reseller_id = ${childId} and kind = 'account_security'`);
  expect(mails.length).toBeGreaterThan(0);
  expect(mails.map((mail) => mail.body_text.includes('Toko Induk'))).not.toContain(false);
  const chosen = await t.call('PUT', '/v1/notices/brand', { as: child, json: { name: 'Surat Cabang' } });
  expect(chosen.status, chosen.text).toBe(200);
  expect(await name()).toBe('Surat Cabang');
});

test('shows a brand to the account, its customers and its sub-resellers until they set their own', async () => {
  expect(await shown('1000')).toBeNull();
  expect((await put({ colour: '#0b5d4e' })).body.errors).toMatchObject([{ field: 'name', code: 'required' }]);
  const made = await put({ name: 'Toko Melati', support: 'help@melati.example', colour: '#0b5d4e' });
  expect(made.body.own, made.text).toMatchObject({ name: 'Toko Melati', colour: '#0b5d4e', logo_path: null });
  const child = await makeReseller(t, t.demo);
  const [id] = child.split(':') as [string];
  const inherited = await t.call('GET', '/v1/brand', { as: child });
  expect(inherited.body).toMatchObject({ own: null, shown: { name: 'Toko Melati' } });
  expect(await shown(id)).toMatchObject({ name: 'Toko Melati', support: 'help@melati.example' });
  expect((await put({ name: 'Cabang' }, child)).body.own.name).toBe('Cabang');
  expect((await shown(id)).name).toBe('Cabang');
  expect((await shown('1000')).name).toBe('Toko Melati');
  // An unknown account looks like one without a brand below an account without a brand.
  const stranger = await makeReseller(t);
  expect(await shown(stranger.split(':')[0])).toEqual(await shown('999999'));
  expect((await t.call('GET', '/v1/brand', { as: stranger })).text).not.toContain('Melati');
  expect(await countRows(t, 'brand', sql`name = 'Toko Melati'`)).toBe(1);

  const owner = await openSession(t, id);
  expect((await t.call('GET', '/v1/session', { session: owner })).body.brand.name).toBe('Cabang');
  const { uri } = (await t.call('POST', '/v1/me/totp', { session: owner, json: {} })).body;
  expect(uri).toContain('issuer=Cabang');
  const customer = (await t.call('GET', '/v1/customers')).body[0].customer_id;
  const session = await openCustomerSession(t, '1000', customer, 'read');
  expect((await t.call('GET', '/v1/session', { session })).body.brand.name).toBe('Toko Melati');
  for (const path of ['/v1/brand', '/v1/notices/brand'])
    expect((await t.call('GET', path, { session })).status).toBe(404);
});

test('serves a style sheet that contains only the colours in its name', async () => {
  const { css_path } = (await put({ name: 'Style', colour: '#0b5d4e', colour_dark: '#7ad3c0' })).body.own;
  expect(css_path).toBe('/app/brand/0b5d4e-7ad3c0.css');
  const sheet = await fetch(`${t.url}${css_path}`);
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(sheet.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await sheet.text()).toMatch(/^:root \{\n( {2}--[\w-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);\n)+\}\n$/);
  for (const name of ['ffcc00-7ad3c0.css', '0b5d4e-0b5d4e.css', '0b5d4e-7ad3c0%7D.css', '0B5D4E-7ad3c0.css', 'x.css'])
    expect((await fetch(`${t.url}/app/brand/${name}`)).status, name).toBe(404);
});

describe('a brand logo', () => {
  test('is identified by its bytes and served with headers that block scripts', async () => {
    await put({ name: 'Pictures' });
    for (const [bytes, type] of [
      [png, 'image/png'],
      [svg('<path d="M0 0h9v9z" fill="url(#a)"/>'), 'image/svg+xml'],
      [webp('VP8 ', 320, 80), 'image/webp'],
      [webp('VP8L', 320, 80), 'image/webp'],
      [webp('VP8X', 320, 80), 'image/webp'],
    ] as const) {
      const saved = await putLogo(bytes);
      expect(saved.status, saved.text).toBe(200);
      const served = await fetch(`${t.url}${saved.body.own.logo_path}`);
      expect(served.headers.get('content-type')).toBe(type);
      expect(served.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
      expect(served.headers.get('x-content-type-options')).toBe('nosniff');
      expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes);
      // With another file extension it returns 404: the caller cannot choose the type.
      const other = saved.body.own.logo_path.replace(/\w+$/, type === 'image/png' ? 'svg' : 'png');
      expect((await fetch(`${t.url}${other}`)).status).toBe(404);
    }
    expect((await putLogo('')).body.own.logo_path).toBeNull();
    expect((await fetch(`${t.url}/app/brand/${'0'.repeat(32)}.png`)).status).toBe(404);
  });

  test('is refused with the reason when it is too large, no image, or has active content', async () => {
    await put({ name: 'Pictures' });
    for (const [bytes, code] of [
      [Buffer.concat([png, Buffer.alloc(65 * 1024 - png.length)]), 'too_long'],
      [svg('<script>alert(1)</script>'), 'not_allowed'],
      [svg('<svg:script xmlns:svg="http://www.w3.org/2000/svg">1</svg:script>'), 'not_allowed'],
      [svg('<g onload="alert(1)"/>'), 'not_allowed'],
      [svg('<foreignObject><p/></foreignObject>'), 'not_allowed'],
      [svg('<a href="javascript:alert(1)"><path/></a>'), 'not_allowed'],
      [pngOf(60_000, 60_000), 'too_long'],
      [pngOf(0, 10), 'too_long'],
      [png.subarray(0, 20), 'invalid'],
      [webp('VP8 ', 16_000, 80), 'too_long'],
      [webp('VP8L', 80, 16_000), 'too_long'],
      [webp('VP8X', 1_000_000, 80), 'too_long'],
      [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'invalid'],
      [svg('<image href="https://tracker.example/x.png"/>'), 'not_allowed'],
      [svg('<style>@import "//tracker.example/x.css"</style>'), 'not_allowed'],
      [Buffer.from('<!DOCTYPE svg [<!ENTITY a "aa">]><svg>&a;</svg>'), 'invalid'],
      [Buffer.from('<!DOCTYPE svg><svg></svg>'), 'not_allowed'],
      [Buffer.from('<html><script>alert(1)</script></html>'), 'invalid'],
      [Buffer.from('GIF89a'), 'invalid'],
      [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'invalid'],
      [Buffer.from('\x89PNG\r\n\x1a\n<html>', 'latin1'), 'invalid'],
    ] as const) {
      const refused = await putLogo(bytes);
      expect(refused.body.errors, `${bytes.subarray(0, 80)} ${refused.text}`).toMatchObject([{ field: 'data', code }]);
    }
    expect((await putLogo('not base64!')).body.errors).toMatchObject([{ field: 'data' }]);
    expect((await putLogo('A'.repeat(1_000_000))).status).toBe(400);
    expect(await countRows(t, 'brand', sql`logo is not null`)).toBe(0);
    const unbranded = await makeReseller(t);
    const early = await t.call('PUT', '/v1/brand/logo', { as: unbranded, json: { data: png.toString('base64') } });
    expect(early.body.errors).toMatchObject([{ field: 'data', code: 'required' }]);
  });
});
