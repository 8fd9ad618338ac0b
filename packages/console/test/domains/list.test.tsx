import { beforeEach, describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { messages as bulk } from '../../src/bulk/messages.ts';
import DomainList from '../../src/domains/list.tsx';
import { messages } from '../../src/domains/messages.ts';
import { messages as common } from '../../src/messages/common.ts';
import { example } from '../support/api.ts';
import { signIn, speak, usePage } from '../support/dom.ts';

const page = usePage();
const domainOf = (name: string, changes: Partial<Schema<'Domain'>> = {}) =>
  example('Domain', { domain_name: name, domain_id: `id-${name}`, ...changes });

beforeEach(() => signIn({ business_time: '2026-11-15T09:00:00Z' }));

const open = async (
  rows = [domainOf('a.example'), domainOf('b.example')],
  at = '/app/domains',
  total = rows.length,
) => {
  page.api.list('/domains', rows, total);
  await page.show(DomainList, { at });
};
const queries = () => page.api.sent('get', '/domains').map(({ query }) => query);

describe('the filters of the address', () => {
  test.each([
    ['?status=Live&sort=-expiry&page=3', { status: 'Live', sort: '-expiry', page_no: '3' }],
    ['?ends=30', { expiry_date_end: '2026-12-15' }],
    ['?customer=17', { customer_id: '17' }],
    ['?from=2026-11-01&to=2026-11-30', { expiry_date_start: '2026-11-01', expiry_date_end: '2026-11-30 23:59:59' }],
    ['?has=shop', { domain_name: 'shop' }],
  ])('%s are sent to the API', async (query, wanted) => {
    page.api.answer('get', '/customers/{customer_id}', example('Customer') as never);
    await open([], `/app/domains${query}`);
    expect(queries()).toEqual([expect.objectContaining({ limit: '25', ...wanted })]);
  });

  test.each(['?status=Nonsense', '?sort=price', '?ends=31', '?customer=1x', '?from=yesterday&to=2026-1-1', '?page=-4'])(
    '%s that the page does not know are ignored',
    async (query) => {
      await open([], `/app/domains${query}`);
      expect(queries()).toEqual([{ limit: '25', page_no: '1' }]);
      expect(page.text()).toContain(messages().none);
    },
  );

  test('offers to clear filters without matches instead of an order', async () => {
    await open([], '/app/domains?status=Expired');
    expect(page.text()).toContain(messages().noneFound);
    expect(page.get('link', messages().clear).getAttribute('href')).toBe('/app/domains');
  });

  test('empties the search field too when the filters are cleared', async () => {
    await open([], '/app/domains?has=nothing');
    const search = page.get('input', messages().filterName) as HTMLInputElement;
    expect(search.value).toBe('nothing');
    await page.click(page.get('link', messages().clear));
    expect([location.search, queries().at(-1)?.domain_name, search.value]).toEqual(['', undefined, '']);
  });

  test('typed as text are sent without spaces around, from the first page on', async () => {
    await open([domainOf('a.example')], '/app/domains?page=2&status=Live');
    await page.type(page.get('input', messages().filterName), ' shop ');
    expect(location.search).toBe('?status=Live&has=shop');
  });

  test.each(['America/Los_Angeles', 'Pacific/Auckland'])('show the days as they are in %s', async (time_zone) => {
    signIn({ person: { time_zone } });
    await open([], '/app/domains?from=2026-11-01&to=2026-11-30');
    expect(page.text()).toContain(messages().endsBetween('Nov 1, 2026', 'Nov 30, 2026'));
  });

  test('name the customer and can be removed', async () => {
    page.api.answer('get', '/customers/{customer_id}', example('Customer', { name: 'Sari' }) as never);
    await open([domainOf('a.example')], '/app/domains?customer=17&page=2');
    expect(page.text()).toContain(messages().ofCustomer('Sari'));
    await page.click(page.button(messages().clear));
    expect(location.search).toBe('');
    expect(queries().at(-1)).toEqual({ limit: '25', page_no: '1' });
  });
});

describe('a row', () => {
  test.each<[Partial<Schema<'Domain'>>, string]>([
    [{ order_status: 'Live' }, 'Active'],
    [{ order_status: 'Live', suspended: true }, 'Suspended'],
    [{ order_status: 'Pending Transfer', state: 'pending_transfer' }, 'Transfer out requested'],
    [{ order_status: 'Pending Transfer', state: 'pending' }, 'Transfer in pending'],
    [{ order_status: 'Pending Delete Restorable' }, 'Redemption period'],
    [{ order_status: 'Something New' } as never, 'Something New'],
  ])('shows for %j the status "%s"', async (changes, status) => {
    await open([domainOf('a.example', changes)]);
    expect(page.rows()[0]).toContain(status);
  });

  test('shows the expiry in the time zone of the user and the renewal in their language', async () => {
    speak('id');
    signIn({ person: { time_zone: 'Asia/Jakarta' } });
    await open([domainOf('a.example', { expiry_date: '2027-11-15 20:00:00', renewal_mode: 'renew_once' })]);
    expect(page.rows()[0]).toEqual(
      expect.arrayContaining(['a.example', 'Aktif', '16 Nov 2027', messages().modes.renew_once]),
    );
  });

  test('shows an internationalised name in its own script', async () => {
    await open([domainOf('xn--mnchen-3ya.example')]);
    expect(page.text(page.get('link', /ünchen/))).toContain('münchen.example');
    expect(page.get('link', /ünchen/).getAttribute('href')).toBe('/app/domains/xn--mnchen-3ya.example');
  });
});

test('sorts by a column in both directions', async () => {
  await open();
  for (const sort of ['expiry', '-expiry', 'expiry']) {
    await page.click(page.button(messages().expires));
    expect([location.search, queries().some((each) => each.sort === sort)]).toEqual([`?sort=${sort}`, true]);
  }
});

test('turns pages, and keeps the filter', async () => {
  await open([domainOf('a.example')], '/app/domains?status=Live', 60);
  expect(page.button(common().previous).disabled).toBe(true);
  await page.click(page.button(common().next));
  await page.click(page.button(common().next));
  expect(page.button(common().next).disabled).toBe(true);
  expect(queries().map(({ page_no, status }) => [page_no, status])).toEqual([
    ['1', 'Live'],
    ['2', 'Live'],
    ['3', 'Live'],
  ]);
});

test('a customer sees no other customers, no bulk actions and no transfers', async () => {
  signIn({ account: { scopes: ['domains:read', 'domains:write'] }, customer: { customer_id: '7', access: 'manage' } });
  await open();
  expect(page.text()).not.toContain('Sari Wijaya');
  expect([page.has('checkbox'), page.has('link', /transfers/i)]).toEqual([false, false]);
});

test('an error keeps the filters and can be retried', async () => {
  page.api.refuse('get', '/domains', 503, { code: 'overloaded' });
  await page.show(DomainList, { at: '/app/domains?status=Live' });
  expect(page.has('alert')).toBe(true);
  page.api.list('/domains', [domainOf('a.example')]);
  await page.click(page.button(common().retry, page.get('alert')));
  expect(page.rows()).toHaveLength(1);
  expect(queries().map(({ status }) => status)).toEqual(['Live', 'Live']);
});

describe('the selection', () => {
  const pick = (name: string) => page.click(page.get('checkbox', `${common().select} ${name}`));
  const bar = () => page.get('region', bulk().bar);

  test('counts the domains, and can be cleared', async () => {
    await open();
    await pick('a.example');
    expect(page.text(bar())).toContain(bulk().selected(1));
    await page.click(page.get('checkbox', common().selectAll));
    expect(page.text(bar())).toContain(bulk().selected(2));
    await page.click(page.button(bulk().clear));
    expect(page.has('region', bulk().bar)).toBe(false);
  });

  test('stays when the filters no longer show the domain', async () => {
    await open();
    await pick('a.example');
    page.api.list('/domains', []);
    await page.type(page.get('input', messages().status), 'Expired');
    expect(page.text(bar())).toContain(bulk().selected(1));
    expect(page.text()).toContain(messages().noneFoundSelected);
  });

  test('is limited to 100 domains, and says so', async () => {
    await open(Array.from({ length: 101 }, (_, n) => domainOf(`d${n}.example`)));
    await page.click(page.get('checkbox', common().selectAll));
    expect(page.text(bar())).toContain(bulk().selected(100));
    expect(page.text(bar())).toContain(bulk().limitedTo(100));
  });
});
