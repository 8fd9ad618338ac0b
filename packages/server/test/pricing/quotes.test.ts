import { money } from '@namehold/base';
import type { Reader } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPrices } from '../../src/core/pricing/set-price.ts';
import { setRules } from '../../src/core/pricing/set-rules.ts';
import { createQuote, readQuote } from '../../src/core/quotes/create.ts';
import { draftQuote } from '../../src/core/quotes/draft.ts';
import { type PriceGuard, passPriceGuard } from '../../src/core/quotes/guard.ts';
import type { QuoteKind } from '../../src/core/quotes/quote.ts';
import { actorOf, type TestContext, testContext } from '../ledger/context.ts';

let t: TestContext;
let shop: string;
const operator = actorOf('1');
const price = (amount: string) => setPrices(t.ctx, operator, 'reseller', [{ tld: 'com', action: 'create', amount }]);
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  shop = await t.reseller('1');
  await setRules(t.ctx, operator, 'reseller', [{ kind: 'percent', percent: '10' }]);
  await price('10.00');
  await setPrices(t.ctx, operator, 'reseller', [{ tld: 'com', action: 'privacy', amount: '2.00' }]);
});
afterAll(() => t.close());

const register = { kind: 'register' as QuoteKind, domainName: 'example.com', tld: 'com', registryId: 'none', years: 2 };
const premium = { class: 'gold', fee: money(500_00n, 'USD') };
const draftOf = (db: Reader, change: object = {}) =>
  draftQuote(db, { ...register, ...change, resellerId: shop, at: t.clock.now() });
const quoteOf = async (change: object = {}) => createQuote(t.ctx, actorOf(shop), await draftOf(t.db.as(shop), change));
let operations = 0;
const order = (guard: PriceGuard, change: object = {}) =>
  t.db.transaction(shop, async (tx) => {
    const draft = await draftOf(tx, change);
    await passPriceGuard(tx, { resellerId: shop, operationId: `op_${++operations}`, now: t.clock.now() }, draft, guard);
    return draft.total;
  });

test('returns a quote with lines, a total, a validity and the planned effect', async () => {
  const quote = await quoteOf({ withPrivacy: true });
  expect(quote).toMatchObject({
    lines: [
      { line: 'registration', years: 2, amount: money(20_00n, 'USD') },
      { line: 'privacy', years: 2, amount: money(4_00n, 'USD') },
    ],
    total: money(24_00n, 'USD'),
    premium_class: null,
    valid_until: new Date(t.clock.now().getTime() + 15 * 60_000),
  });
  expect(quote.what_happens).toMatch(
    /^Example.com will be registered for 2 years, with privacy protection. 24.00 USD will be held/i,
  );
  expect(await readQuote(t.ctx, actorOf(shop), quote.id)).toEqual(quote);
  await expect(readQuote(t.ctx, operator, quote.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('refuses an order whose price is above max_price', async () => {
  expect(await order({ maxPrice: '20.00' })).toEqual(money(20_00n, 'USD'));
  await expect(order({ maxPrice: '19.99' })).rejects.toMatchObject({
    code: 'price_guard',
    details: { facts: { price: money(20_00n, 'USD') } },
  });
  await expect(order({ maxPrice: '19.999' })).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('refuses an order for a premium domain without a price guard', async () => {
  await expect(order({}, { premium })).rejects.toMatchObject({ code: 'price_guard_required' });
  await expect(order({ maxPrice: '20' }, { premium })).rejects.toMatchObject({ code: 'price_guard' });
  expect(await order({ maxPrice: '550.00' }, { premium })).toEqual(money(550_00n, 'USD'));
});

test('accepts a quote for one matching order, once, until it expires', async () => {
  const quote = await quoteOf({ premium });
  expect(quote).toMatchObject({ premium_class: 'gold', total: money(550_00n, 'USD') });
  const guard = { quoteId: quote.id };
  await expect(order(guard, { domainName: 'other.com', premium })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(order(guard, { years: 3, premium })).rejects.toMatchObject({ code: 'invalid_argument' });
  await expect(order({ quoteId: 'quo_none' })).rejects.toMatchObject({ code: 'invalid_argument' });
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => order(guard, { premium })));
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  const refused = results.flatMap((r) => (r.status === 'rejected' ? [(r.reason as { code: string }).code] : []));
  expect(new Set(refused)).toEqual(new Set(['quote_expired']));
});

test('refuses an order whose price rose since the quote, and charges a lower price', async () => {
  const first = await quoteOf();
  t.clock.move(1_000);
  await price('11.00');
  await expect(order({ quoteId: first.id })).rejects.toMatchObject({ code: 'price_guard' });
  t.clock.move(1_000);
  await price('9.00');
  expect(await order({ quoteId: first.id })).toEqual(money(18_00n, 'USD'));
  const late = await quoteOf();
  t.clock.move(15 * 60_000);
  await expect(order({ quoteId: late.id })).rejects.toMatchObject({
    code: 'quote_expired',
    message: expect.stringMatching(/valid until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.$/),
  });
});
