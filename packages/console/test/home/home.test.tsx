import { describe, expect, test } from 'vitest';
import type { Shape } from '../../src/api/shapes.ts';
import { setBusinessTime } from '../../src/data/clock.ts';
import Home from '../../src/home/home.tsx';
import { messages } from '../../src/home/messages.ts';
import { messages as common } from '../../src/messages/common.ts';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
const domain = (name: string, changes: Partial<Shape<'Domain'>> = {}) =>
  example('Domain', { domain_id: name, domain_name: name, ...changes });

const open = async (byStatus: Readonly<Record<string, Shape<'Domain'>[]>> = {}) => {
  page.api
    .respond('get', '/domains', ({ query }) => ({ body: byStatus[query.status ?? ''] ?? [] }))
    .respond('get', '/operations', () => ({ body: [] }));
  await page.show(Home, { at: '/app' });
};
/** A user who sees domains and no money. */
const asSupport = () => signIn({ account: { scopes: ['domains:write'] } });

describe('domains that expire', () => {
  test('are listed with expired ones first', async () => {
    asSupport();
    await open({ Expired: [domain('a.example', { order_status: 'Expired' })], Live: [domain('b.example')] });
    const names = page.all('link', /example$/, page.get('region', messages().ending)).map((each) => page.text(each));
    expect(names).toEqual(['a.example', 'b.example']);
  });

  test('are read until 60 days from the business time', async () => {
    asSupport();
    setBusinessTime('2027-01-01T12:00:00Z');
    await open();
    const dates = page.api.sent('get', '/domains').flatMap(({ query }) => query.expiry_date_end ?? []);
    expect(new Set(dates)).toEqual(new Set(['2027-03-02']));
  });

  test('of which one part failed are read again completely', async () => {
    asSupport();
    let isDown = true;
    page.api
      .respond('get', '/operations', () => ({ body: [] }))
      .respond('get', '/domains', ({ query }) =>
        isDown && query.status === 'Expired'
          ? { status: 503, body: { code: 'overloaded' } }
          : { body: [domain('a.example')] },
      );
    await page.show(Home, { at: '/app' });
    isDown = false;
    await page.click(page.button(common().retry, page.get('region', messages().ending)));
    expect(page.has('alert')).toBe(false);
  });
});

test('transfers out are listed, transfers in are not', async () => {
  asSupport();
  await open({
    'Pending Transfer': [
      domain('in.example', { state: 'pending' }),
      domain('out.example', { state: 'pending_transfer' }),
    ],
  });
  const card = page.get('region', messages().needed);
  expect([page.has('link', 'out.example', card), page.has('link', 'in.example', card)]).toEqual([true, false]);
});

test('a customer sees the own balance, and neither the account nor its transfers', async () => {
  signIn({ account: { scopes: ['full'] }, customer: { customer_id: '7', access: 'order' } });
  page.api.respond('get', '/customers/{customer_id}/funds', () => ({ body: example('Funds') }));
  await open();
  expect(page.api.requests.filter(({ path }) => path.startsWith('/account')).map(({ path }) => path)).toEqual([]);
  expect(page.has('region', messages().needed)).toBe(false);
});
