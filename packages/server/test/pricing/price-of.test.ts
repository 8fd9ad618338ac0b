import { money } from '@namehold/base';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importPrices } from '../../src/core/pricing/import-csv.ts';
import type { PriceAction } from '../../src/core/pricing/price.ts';
import { ownPriceList, sellingPriceList } from '../../src/core/pricing/price-list.ts';
import { priceChain, priceOrder } from '../../src/core/pricing/price-of.ts';
import { setPrices } from '../../src/core/pricing/set-price.ts';
import { readRules, setRules } from '../../src/core/pricing/set-rules.ts';
import { showPriceList } from '../../src/http/v1/billing/price-list-view.ts';
import { actorOf, type TestContext, testContext } from '../ledger/context.ts';
import { offerTlds } from './catalogue.ts';

let t: TestContext;
let top: string;
let child: string;
const operator = actorOf('1');
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  top = await t.reseller('1');
  child = await t.reseller(top);
  await setPrices(t.ctx, operator, 'cost', [
    { tld: 'com', action: 'create', amount: '8.00' },
    { tld: 'com', action: 'renew', amount: '8.00' },
    { tld: 'com', action: 'restore', amount: '40.00' },
    { tld: 'com', action: 'privacy', amount: '1.00' },
    { tld: 'net', action: 'create', amount: '9.33' },
    { tld: 'eu', action: 'create', amount: '4.00', currency: 'EUR' },
  ]);
  await setPrices(t.ctx, operator, 'reseller', [
    { tld: '.COM', action: 'create', amount: '10.00' },
    { tld: 'com', action: 'create', years: 2, amount: '18.00' },
    { tld: 'eu', action: 'create', amount: '6.00' },
  ]);
  await setRules(t.ctx, operator, 'reseller', [{ kind: 'percent', percent: '12.5' }]);
  await setRules(t.ctx, actorOf(top), 'reseller', [
    { kind: 'percent', percent: '20', roundingStep: '1.00', roundingEnding: '0.99' },
    { tld: 'com', action: 'renew', kind: 'fixed', amount: '2.00' },
  ]);
});
afterAll(() => t.close());

const usd = (amount: bigint) => money(amount, 'USD');
const ask = (resellerId: string, tld: string, action: PriceAction, years: number, more: object = {}) =>
  priceChain(t.db.as(resellerId), { resellerId, tld, action, years, at: t.clock.now(), ...more });
const amounts = async (...args: Parameters<typeof ask>) =>
  (await ask(...args)).levels.map((level) => level.amount.amount);

test('uses the price row of the term, or a multiple of the one-year price without one', async () => {
  expect(await ask(top, 'com', 'create', 1)).toEqual({
    levels: [{ resellerId: top, sellerId: '1', amount: usd(10_00n) }],
    total: usd(10_00n),
    cost: usd(8_00n),
  });
  expect(await amounts(top, 'com', 'create', 2)).toEqual([18_00n]);
  expect(await amounts(top, 'com', 'create', 3)).toEqual([30_00n]);
});

test("applies rules to the seller's cost, rounds half up once, then up to the price ending", async () => {
  // 9.33 x 1.125 = 10.49625 -> 10.50; x 1.2 = 12.60 -> 12.99
  expect(await amounts(child, 'net', 'create', 1)).toEqual([12_99n, 10_50n]);
  // 8.00 x 1.125 = 9.00, and 2.00 for each year on top
  expect(await amounts(child, 'com', 'renew', 3)).toEqual([33_00n, 27_00n]);
  // Rounding never lowers a price: 10.00 x 1.2 = 12.00 -> 12.99
  expect(await amounts(child, 'com', 'create', 1)).toEqual([12_99n, 10_00n]);
});

test('returns a price only in the currency of the payer, without conversion', async () => {
  // The operator has set 6.00 USD although the registry takes EUR.
  expect(await ask(top, 'eu', 'create', 1)).toMatchObject({ total: usd(6_00n), cost: money(4_00n, 'EUR') });
  const foreign = await t.reseller('1', 'IDR');
  await expect(ask(foreign, 'com', 'create', 1)).rejects.toMatchObject({ code: 'price_not_set' });
  await setPrices(t.ctx, operator, 'reseller', [
    { tld: 'com', action: 'create', amount: '150000.00', currency: 'idr' },
  ]);
  expect(await ask(foreign, 'com', 'create', 1)).toMatchObject({ total: money(150_000_00n, 'IDR'), cost: usd(8_00n) });
  await expect(ask(top, 'org', 'create', 1)).rejects.toMatchObject({ code: 'price_not_set' });
});

test("names the parent without a price in the child's currency as the cause, without its costs", async () => {
  const foreign = await t.reseller(top, 'IDR');
  const refused = (await ask(foreign, 'net', 'create', 1).catch((error: unknown) => error)) as Error;
  expect(refused).toMatchObject({ code: 'price_not_set' });
  expect(refused.message).toBe(
    'There is no price for create of .net for 1 year in IDR. Your parent reseller has set no price in IDR, and its rules only work on prices in its own currency. Ask your parent reseller to set a price in IDR.',
  );
  await setPrices(t.ctx, actorOf(top), 'reseller', [
    { tld: 'net', action: 'create', amount: '150000', currency: 'IDR' },
  ]);
  expect((await ask(foreign, 'net', 'create', 1)).total).toEqual(money(150_000_00n, 'IDR'));
});

test('reports a rule that gives no price to the buyer', async () => {
  const seller = await t.reseller('1');
  const buyer = await t.reseller(seller);
  const actor = actorOf(seller);
  const toCustomers = () => ask(buyer, 'com', 'create', 1);
  await setRules(t.ctx, actor, 'reseller', [{ kind: 'fixed', amount: '-500.00' }]);
  await expect(toCustomers()).rejects.toThrow('The rule of your seller would make it less than zero.');
  await setRules(t.ctx, actor, 'reseller', [{ kind: 'fixed', amount: '1.00', currency: 'EUR' }]);
  await expect(toCustomers()).rejects.toThrow('The rule of your seller is in another currency.');
});

test("prices a premium domain by the registry's fee and the rules, never by the price list", async () => {
  const premiumFee = usd(1000_00n);
  expect(await amounts(child, 'com', 'create', 1, { premiumFee })).toEqual([1350_99n, 1125_00n]);
  await expect(ask(child, 'com', 'create', 1, { premiumFee: money(1n, 'EUR') })).rejects.toMatchObject({
    code: 'price_not_set',
  });
  const ruleless = await t.reseller(child);
  await expect(ask(ruleless, 'com', 'create', 1, { premiumFee })).rejects.toMatchObject({ code: 'price_not_set' });
});

test('prices an order of the operator itself at cost', async () => {
  expect(await ask('1', 'com', 'create', 2)).toEqual({
    levels: [{ resellerId: '1', sellerId: null, amount: usd(16_00n) }],
    total: usd(16_00n),
    cost: usd(16_00n),
  });
});

test('adds up several lines at every level', async () => {
  const things = [
    { tld: 'com', action: 'restore', years: 1 },
    { tld: 'com', action: 'renew', years: 1 },
  ] as const;
  const order = await priceOrder(t.db.as(child), { resellerId: child, at: t.clock.now(), things });
  expect(order.lines.map((line) => line.amount.amount)).toEqual([54_99n, 11_00n]);
  expect(order.levels.map((level) => level.amount.amount)).toEqual([65_99n, 54_00n]);
  expect([order.total, order.cost]).toEqual([usd(65_99n), usd(48_00n)]);
});

test('changes prices on their date, and ends a promotion at its end date', async () => {
  const start = t.clock.now().getTime();
  const day = 86_400_000;
  await setPrices(t.ctx, operator, 'reseller', [
    { tld: 'com', action: 'transfer', amount: '9.00' },
    {
      tld: 'com',
      action: 'transfer',
      amount: '5.00',
      validFrom: new Date(start + day),
      validTo: new Date(start + 2 * day),
    },
  ]);
  const at = (days: number) => ask(top, 'com', 'transfer', 1, { at: new Date(start + days * day) });
  expect((await at(0.5)).total.amount).toBe(9_00n);
  expect((await at(1.5)).total.amount).toBe(5_00n);
  expect((await at(2.5)).total.amount).toBe(9_00n);
  await setPrices(t.ctx, operator, 'reseller', [
    { tld: 'com', action: 'transfer', amount: null, validFrom: new Date(start + 5 * day) },
  ]);
  await expect(at(6)).rejects.toMatchObject({ code: 'price_not_set' });
});

test('returns price lists in the hybrid format, and shows a child only its own prices', async () => {
  expect(await ownPriceList(t.ctx, actorOf(child))).toEqual({});
  await offerTlds(t, { com: 10, net: 2 });
  const own = showPriceList(await ownPriceList(t.ctx, actorOf(child)));
  expect(own.com).toMatchObject({
    tld_label: '.com',
    currency: 'USD',
    create: { '1': '12.99', '2': '21.99' },
    renew: { '1': '11.00' },
    privacy_protect: '1.99',
    '0': { addnewdomain: '12.99', renewdomain: '11.00' },
  });
  expect(Object.keys(own)).toEqual(['com', 'net']);
  expect(Object.keys(own.net!.create)).toEqual(['1', '2']);
  const selling = showPriceList(await sellingPriceList(t.ctx, actorOf(top), 'reseller'));
  expect(selling.com).toEqual(own.com);
  expect(await sellingPriceList(t.ctx, actorOf(top), 'customer')).toEqual({});
  await setPrices(t.ctx, actorOf(top), 'customer', [{ tld: 'com', action: 'create', amount: '15' }]);
  const toCustomers = showPriceList(await sellingPriceList(t.ctx, actorOf(top), 'customer'));
  expect(toCustomers.com?.create['10']).toBe('150.00');
  // Offered only if both a registration and its renewal have a price.
  expect([own.com!.tld_pref, own.com!['0'].tld_pref]).toEqual(['Sell', 'Sell']);
  for (const row of [own.net!, toCustomers.com!]) {
    expect(row).toMatchObject({ price_renew: null, price_renew_conv: null });
    expect([row.tld_pref, row['0'].tld_pref]).toEqual([null, null]);
  }
  const seen = await t.db.as(child).many(sql`select 1 from price`);
  expect(seen).toEqual([]);
  expect(await t.db.as(child).many(sql`select 1 from registry_cost`)).toEqual([]);
  await expect(
    priceChain(t.db.as(child), { resellerId: top, tld: 'com', action: 'create', years: 1, at: t.clock.now() }),
  ).rejects.toMatchObject({ code: '42501' });
});

test('refuses invalid prices and rules and names the field', async () => {
  const bad = (line: object) =>
    setPrices(t.ctx, operator, 'reseller', [{ tld: 'com', action: 'create', amount: '1', ...line }]);
  for (const line of [
    { tld: 'c om' },
    { action: 'buy' },
    { years: 0 },
    { years: 11 },
    { amount: '-1' },
    { amount: '1.001' },
    { amount: '1e3' },
    { currency: 'XXY' },
    { currency: 'JPY', amount: '1.5' },
    { validTo: new Date(0) },
  ]) {
    await expect(bad(line)).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  await expect(setPrices(t.ctx, actorOf(top), 'cost', [])).rejects.toMatchObject({ code: 'operator_only' });
  const rule = (written: Parameters<typeof setRules>[3][number]) =>
    setRules(t.ctx, actorOf(child), 'customer', [written]);
  await expect(rule({ kind: 'percent', percent: '1.234' })).rejects.toMatchObject({ code: 'invalid_argument' });
  for (const percent of ['-100.01', '10000.01'])
    await expect(rule({ kind: 'percent', percent })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(rule({ kind: 'fixed' })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(rule({ kind: 'percent', percent: '1', roundingStep: '1', roundingEnding: '1' })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  const twice = [
    { kind: 'percent' as const, percent: '1' },
    { kind: 'percent' as const, percent: '2' },
  ];
  await expect(setRules(t.ctx, actorOf(child), 'customer', twice)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  expect(await readRules(t.ctx, actorOf(child))).toEqual({ currency: 'USD', rules: [], unknownTlds: [] });
});

test('reports a price CSV line by line, and stores all or nothing on request', async () => {
  const csv =
    '\uFEFFtld,action,years,amount,currency,valid_from\r\nshop,create,1,"3.00",USD,2026-01-01\nshop,renew,one,5,USD,\nshop,renew,2,50.00,,\n';
  const strict = await importPrices(t.ctx, operator, { target: 'cost', csv, allOrNothing: true });
  expect(strict).toMatchObject({ stored: 0, refused: 1 });
  expect(strict.lines.map((l) => [l.line, l.status])).toEqual([
    [2, 'not_stored'],
    [3, 'refused'],
    [4, 'not_stored'],
  ]);
  expect(strict.lines[1]!.reason).toMatch(/years/);
  const count = () => t.db.as(allTenants).many(sql`select 1 from registry_cost where tld = 'shop'`);
  expect(await count()).toHaveLength(0);
  expect(await importPrices(t.ctx, operator, { target: 'cost', csv, allOrNothing: false })).toMatchObject({
    stored: 2,
    refused: 1,
  });
  expect(await count()).toHaveLength(2);
  await expect(
    importPrices(t.ctx, operator, { target: 'cost', csv: 'a,b\n1,2', allOrNothing: true }),
  ).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  await expect(importPrices(t.ctx, actorOf(top), { target: 'cost', csv, allOrNothing: true })).rejects.toMatchObject({
    code: 'operator_only',
  });
});
