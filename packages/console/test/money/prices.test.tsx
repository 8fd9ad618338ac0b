import { describe, expect, test } from 'vitest';
import type { Schema } from '../../src/api/shapes.ts';
import { setBusinessTime } from '../../src/data/clock.ts';
import { cache } from '../../src/data/resource.ts';
import { messages } from '../../src/money/messages.ts';
import MoneyPage from '../../src/money/money.tsx';
import Prices from '../../src/money/prices.tsx';
import { RenewalForecast } from '../../src/money/renewal-forecast.tsx';
import { example } from '../support/api.ts';
import { signIn, usePage } from '../support/dom.ts';

const page = usePage();
type PriceList = Schema<'PriceList'>;
const usual = Object.values(example('PriceList'))[0]!;
const listOf = (prices: Record<string, Record<string, string>>, currency = 'USD'): PriceList =>
  Object.fromEntries(
    Object.entries(prices).map(([tld, create]) => [
      tld,
      { ...usual, tld_label: `.${tld}`, currency, create, renew: create, transfer: {}, restore: {} },
    ]),
  );
const spaces = (text: string) => text.replaceAll('\u00a0', ' ');

describe('the price list', () => {
  const open = async (costs: PriceList, charges: PriceList, at = '/app/money/prices') => {
    page.api
      .respond('get', '/account/prices', () => ({ body: costs }))
      .respond('get', '/customers/prices', () => ({ body: charges }))
      .respond('get', '/account/price_rules', () => ({ body: { ...example('PriceRules'), rules: [] } }));
    await page.show(Prices, { at });
  };
  const cell = (n = 1) => spaces(page.rows(page.get('table', messages().prices)).at(0)?.[n] ?? '');

  test('marks prices below the cost', async () => {
    await open(listOf({ com: { 1: '10.00' } }), listOf({ com: { 1: '9.99' } }));
    expect(cell()).toContain(messages().belowCost);
    await page.leave();
    cache.clear();
    await open(listOf({ org: { 1: '10.00' } }), listOf({ org: { 1: '10.00' } }));
    expect(cell()).not.toContain(messages().belowCost);
  });

  test('names further terms only if they are no multiple of the shortest one', async () => {
    const costs = listOf({ com: { 1: '10.00', 2: '20.00', 3: '27.00' } });
    await open(costs, listOf({}));
    expect([cell().includes('20.00'), cell().includes('27.00')]).toEqual([false, true]);
  });

  test('is filtered by the TLD in the URL, without its dot and in any case', async () => {
    await open(
      listOf({ com: { 1: '1.00' }, 'com.br': { 1: '1.00' }, net: { 1: '1.00' } }),
      listOf({}),
      '/app/money/prices?has=.COM',
    );
    expect(page.rows(page.get('table', messages().prices)).map(([tld]) => tld)).toEqual(['.com', '.com.br']);
  });

  test('reads the price list again completely after one part failed', async () => {
    await open(listOf({ com: { 1: '10.00' } }), listOf({}));
    await page.leave();
    cache.clear();
    page.api.refuse('get', '/customers/prices', 503);
    await page.show(Prices, { at: '/app/money/prices' });
    page.api.respond('get', '/customers/prices', () => ({ body: listOf({ com: { 1: '12.00' } }) }));
    await page.click(page.button(/Try again/, page.get('alert')));
    expect([page.has('alert'), cell().includes('12.00')]).toEqual([false, true]);
  });

  test('shows customer prices only to users who may read customers', async () => {
    signIn({ account: { scopes: ['account:read'] } });
    await open(listOf({ com: { 1: '10.00' } }), listOf({ com: { 1: '12.00' } }));
    expect(page.api.sent('get', '/customers/prices')).toEqual([]);
    expect(page.has('button', messages().importTitle)).toBe(false);
  });
});

describe('transactions', () => {
  const transaction = (changes: Partial<Schema<'Transaction'>>) => example('Transaction', changes);
  const open = async (rows: Schema<'Transaction'>[], at = '/app/money') => {
    page.api
      .list('/account/transactions', rows)
      .respond('get', '/account/funds', () => ({ body: example('Funds') }))
      .answer('get', '/account/series')
      .respond('get', '/account/series/holds', () => ({ body: { ...example('HeldMoney'), classes: [] } }));
    await page.show(MoneyPage, { at });
    return page.rows(page.get('table', messages().transactions)).map((row) => row.map(spaces));
  };

  test('have the sign of their direction, whatever the sign of the amount, and no balance before they are paid', async () => {
    const rows = await open([
      transaction({ transaction_id: '1', amount: 12.5, direction: 'debit', balance: -3, status: 'completed' }),
      transaction({ transaction_id: '2', amount: -12.5, direction: 'debit', status: 'completed' }),
      transaction({ transaction_id: '3', amount: 0.1, direction: 'credit', status: 'unpaid' }),
    ]);
    expect(rows.map((row) => row.slice(-2))).toEqual([
      ['-USD 12.50', '-USD 3.00'],
      ['-USD 12.50', expect.any(String)],
      ['USD 0.10', '–'],
    ]);
  });

  test('are filtered by the address: type, page and one transaction', async () => {
    await open([transaction({})], '/app/money?type=deposit&page=3&transaction=77');
    const { query } = page.api.sent('get', '/account/transactions')[0]!;
    expect(query).toMatchObject({ transaction_type: 'deposit', page_no: '3', transaction_id: '77' });
  });

  test('show hostile descriptions as text', async () => {
    const [row] = await open([transaction({ description: '<img src=x> \u202e', operation_id: null })]);
    expect([row!.join(), page.root.querySelector('td img')]).toEqual([expect.stringContaining('<img src=x>'), null]);
  });
});

describe('the renewal forecast', () => {
  const domain = (name: string, expiry: string, changes: Partial<Schema<'Domain'>> = {}) =>
    example('Domain', {
      domain_id: name,
      domain_name: name,
      tld_id: 'com',
      state: 'live',
      expiry_date: expiry,
      renewal_mode: 'renew',
      ...changes,
    });
  const open = async (domains: Schema<'Domain'>[], balance: string, credit = '0.00') => {
    setBusinessTime('2027-01-01T00:00:00Z');
    page.api
      .list('/domains', domains)
      .respond('get', '/account/prices', () => ({ body: listOf({ com: { 1: '10.00' } }) }))
      .respond('get', '/account/funds', () => ({
        body: {
          ...example('Funds'),
          balance: { amount: balance, currency: 'USD' },
          credit_limit: { amount: credit, currency: 'USD' },
        },
      }));
    await page.show(<RenewalForecast />);
    return spaces(page.text());
  };
  const soon = [
    domain('a.com', '2027-01-10 00:00:00'),
    domain('b.com', '2027-02-10 00:00:00'),
    domain('c.com', '2027-06-01 00:00:00'),
  ];

  test('counts the renewals of 90 days that the balance covers, and names the missing amount', async () => {
    expect(await open(soon, '15.00')).toContain(
      messages().notAllCovered(1, 2, 90, 'USD 5.00').replaceAll('\u00a0', ' '),
    );
  });

  test('counts the credit limit, and is sufficient to the cent', async () => {
    expect(await open(soon, '-5.00', '25.00')).toContain(messages().allCovered(2, 90, 'USD 20.00'));
    await page.leave();
    cache.clear();
    expect(await open(soon, '19.99')).toContain(messages().notAllCovered(1, 2, 90, 'USD 0.01'));
  });

  test('leaves out domains that expire on purpose, are not live, or have no price', async () => {
    const none = [
      domain('a.com', '2027-01-10 00:00:00', { renewal_mode: 'delete' }),
      domain('b.com', '2027-01-10 00:00:00', { state: 'pending' }),
      domain('c.com', '2027-01-10 00:00:00', { tld_id: 'unknown' }),
    ];
    expect(await open(none, '0.00')).toContain(messages().noRenewals(90));
  });

  test('reads no prices without domains', async () => {
    await open([], '0.00');
    expect(page.api.sent('get', '/account/prices')).toEqual([]);
  });
});
