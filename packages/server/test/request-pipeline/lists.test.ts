import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { rawRequest, sendRaw } from './support/raw.ts';

let t: TestService;
let as: string;
let publicUrl: string;
const total = 23;
beforeAll(async () => {
  const port = await freePort();
  // Differs from the listening address, so that the two can be distinguished.
  publicUrl = `http://localhost:${port}`;
  t = await startTestService({ env: { NAMEHOLD_PUBLIC_URL: publicUrl, NAMEHOLD_PORT: String(port) } });
  as = await makeReseller(t);
  for (let i = 0; i < total; i++) await makeCustomer(t, as, { name: i % 2 ? 'Odd Person' : 'Even Person' });
});
afterAll(() => t.stop());

const list = (query: string) => t.call('GET', '/v1/customers', { query, as });

/** Maps `rel` to the parameters of its URL. */
function links(called: Pick<Called, 'headers'>): Record<string, Record<string, string>> {
  const header = called.headers.get('link')!;
  return Object.fromEntries(
    [...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, rel]) => {
      expect(address!.startsWith(`${publicUrl}/v1/customers?`), address).toBe(true);
      return [rel!, Object.fromEntries(new URL(address!).searchParams)];
    }),
  );
}

describe('limit and page_no', () => {
  test('return the first ten rows by default', async () => {
    const called = await list('');
    expect(called.body).toHaveLength(10);
    expect(called.headers.get('x-total-count')).toBe(String(total));
    expect(links(called)).toEqual({
      first: { limit: '10', page_no: '1' },
      next: { limit: '10', page_no: '2' },
      last: { limit: '10', page_no: '3' },
    });
  });
  test.each([
    ['limit=1', 1],
    ['limit=2&page_no=12', 1],
    ['limit=100', 23],
    ['limit=10&page_no=3', 3],
    ['limit=10&page_no=4', 0],
    ['limit=10&page_no=1000000', 0],
    ['limit=&page_no=', 10],
    ['page-no=3', 3],
    ['page-no=3&page_no=1', 10],
    ['limit=%205%20', 5],
    ['limit=007', 7],
  ])('%s returns %i rows', async (query, count) => {
    const called = await list(query);
    expect(called.status).toBe(200);
    expect(called.body).toHaveLength(count);
    expect(called.headers.get('x-total-count')).toBe(String(total));
  });
  test.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=1e1',
    'limit=0x10',
    'limit=99999999999999999999',
    'page_no=0',
    'page_no=-1',
    'page_no=1000001',
    'page_no=%00',
    'page_no=1;drop',
  ])('%s is refused with the field', async (query) => {
    const called = await list(query);
    expect(called.status).toBe(400);
    expect(called.body.errors[0].field).toBe(query.split('=')[0]);
  });
});

describe('the Link header', () => {
  test('names first, previous, next and last page in the middle, at the end and beyond', async () => {
    expect(links(await list('limit=5&page_no=3'))).toMatchObject({
      prev: { page_no: '2' },
      next: { page_no: '4' },
      last: { page_no: '5' },
    });
    const atEnd = links(await list('limit=5&page_no=5'));
    expect(atEnd.next).toBeUndefined();
    expect(atEnd.prev).toMatchObject({ page_no: '4' });
    const beyond = links(await list('limit=5&page_no=50'));
    expect(beyond.next).toBeUndefined();
    expect(beyond.prev).toMatchObject({ page_no: '5' });
  });
  test('reads the hyphenated spelling and does not repeat it', async () => {
    const found = links(await list('page-no=2&limit=5'));
    expect(found.next).toEqual({ limit: '5', page_no: '3' });
    expect(found.prev).toEqual({ limit: '5', page_no: '1' });
  });
  test('keeps filters, encoded', async () => {
    const called = await list('name=Odd%20Person&limit=5&company=Dewi%26%22%3E');
    expect(called.headers.get('x-total-count')).toBe('0');
    const filtered = await list('name=Odd%20Person&limit=5');
    expect(filtered.headers.get('x-total-count')).toBe('11');
    expect(links(filtered).next).toEqual({ name: 'Odd Person', limit: '5', page_no: '2' });
  });
  test('uses the public URL, whatever the caller sends', async () => {
    const spoofed = rawRequest(as, 'GET', '/v1/customers', [
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: ftp',
    ]);
    const called = await sendRaw(
      t.url.replace('localhost', '127.0.0.1'),
      spoofed.replace('Host: localhost', 'Host: evil.example'),
    );
    expect(called.status).toBe(200);
    expect(called.headers.link).toContain(`<${publicUrl}/v1/customers?`);
    expect(called.headers.link).not.toContain('evil');
  });
  test('leads to every row once, in one order', async () => {
    const seen: string[] = [];
    for (let page: string | undefined = '1'; page; ) {
      const called: Called = await list(`limit=4&page_no=${page}`);
      seen.push(...called.body.map((row: { customer_id: string }) => row.customer_id));
      page = links(called).next?.page_no;
    }
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toEqual([...seen].sort((a, b) => Number(a) - Number(b)));
  });
});

test('every list is a bare array with a total', async () => {
  const seen: string[] = [];
  const session = await openSession(t, '1000');
  for (const [path, methods] of Object.entries(t.openApi.paths)) {
    const headers = methods.get?.responses['200']?.headers ?? {};
    const listed = 'X-Total-Count' in headers;
    if (!listed || path.includes('{')) continue;
    seen.push(path);
    const as = path.startsWith('/operator/')
      ? { as: t.operator }
      : /^\/(me|users|user_invitations|people|invited_people)\b/.test(path)
        ? { session }
        : {};
    const called = await t.call('GET', `/v1${path}`, { query: 'Link' in headers ? 'limit=1' : '', ...as });
    expect(called.status, path).toBe(200);
    expect(Array.isArray(called.body), path).toBe(true);
    expect(called.headers.get('x-total-count'), path).toMatch(/^\d+$/);
    if (!('Link' in headers)) continue;
    expect(called.headers.get('link'), path).toContain(`<${publicUrl}/v1${path}?`);
    expect(called.body.length).toBeLessThanOrEqual(1);
  }
  // Lists without pages are listed too.
  expect(seen).toEqual(expect.arrayContaining(['/account/keys', '/countries', '/currencies', '/customers']));
});
