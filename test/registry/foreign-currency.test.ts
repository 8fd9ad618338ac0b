import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemActor } from '../../packages/server/src/core/actors.ts';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { setExchangeRate } from '../../packages/server/src/core/pricing/exchange-rate.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { accounts } from './far-registry.ts';
import { Shop } from './shop.ts';

/** A registry that charges in EUR, sold to an account in USD. */
let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open({ NAMEHOLD_THEFT_PROTECTION: 'off' }, { capabilities: { currency: 'EUR' } });
});
afterAll(async () => {
  await shop?.close();
});

const call: Shop['t']['call'] = (...given) => shop.t.call(...given);
const alarms = async () => (await openAlarms(shop.t.ctx)).map(({ key }) => key);
const availabilityOf = async (name: string) =>
  (await call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0][name];
const reconnect = async (currency: string) => {
  shop.manner = { ...shop.manner, currency };
  await shop.connect(accounts.ours.password);
};
const quoteOf = async (name: string) => {
  const called = await call('POST', '/v1/quotes', { json: { kind: 'register', domain_name: name, years: 1 } });
  expect(called.status, called.text).toBeLessThan(300);
  return called.body;
};

describe('a registry whose currency is not stated, with costs in USD', () => {
  test('fails the registry test, which names both currencies', async () => {
    const { ok, findings } = await testConnection(shop.t.ctx, 'far');
    expect(ok).toBe(false);
    expect(findings.join('\n')).toMatch(/prices under \.far in EUR, and USD is expected/);
  });

  test('shows a domain without a price, and refuses an order with the reason and an alarm', async () => {
    const found = await availabilityOf('plain.far');
    expect(found).toMatchObject({ price: null });
    expect(found.premium ?? false).toBe(false);
    const ordered = await shop.order('plain.far', { max_price: '10.00' });
    expect(ordered.status, ordered.text).toBe(400);
    expect(ordered.text).toMatch(/EUR.*USD is expected/);
    expect(await alarms()).toContain('registry:far:currency');
    expect(await shop.held()).toBe(0);
  });
});

describe('a registry connected with --currency EUR', () => {
  test('raises an alarm and sells nothing while costs are in USD', async () => {
    await reconnect('EUR');
    expect(await alarms()).toContain('registry:far:cost-currency');
    const ordered = await shop.order('plain.far');
    expect(ordered.status, ordered.text).toBe(400);
    expect(ordered.text).toContain('charges in EUR, but its costs are listed in USD');
  });

  test('refuses an import of costs in USD, and clears the alarm after costs in EUR', async () => {
    const refused = await shop.importCosts('USD');
    expect(refused.body.refused, refused.text).toBe(4);
    expect(refused.text).toContain('Registry far charges in EUR, not in USD');
    const stored = await shop.importCosts('EUR');
    expect(stored.body.stored, stored.text).toBe(4);
    expect((await alarms()).filter((key) => key.startsWith('registry:far'))).toEqual([]);
    expect((await testConnection(shop.t.ctx, 'far')).ok).toBe(true);
  });

  test('sells a standard domain at the list price in USD, with its cost booked in EUR', async () => {
    expect(await availabilityOf('plain.far')).toMatchObject({ price: { amount: '10.00', currency: 'USD' } });
    await shop.buy('plain.far');
    expect(await shop.charged('plain.far')).toEqual(['charge create 810']);
    const booked = await shop.t.ctx.db
      .as(allTenants)
      .many(
        sql`select distinct currency from ledger_account where kind in ('registry_cost', 'registry_payable') order by 1`,
      );
    expect(booked).toEqual([{ currency: 'EUR' }]);
  });

  test('refuses a premium domain without an exchange rate, and names the reason', async () => {
    expect(await availabilityOf('golden.far')).toMatchObject({ price: null, premium: true });
    const ordered = await shop.order('golden.far', { max_price: '1000.00' });
    expect(ordered.status, ordered.text).toBe(400);
    expect(ordered.text).toContain('no exchange rate from EUR to USD is set');
  });

  test('sells a premium domain by the exchange rate with its margin, fixed in the quote', async () => {
    const operator = { ...systemActor, resellerId: '1', isOperator: true };
    await setExchangeRate(shop.t.ctx, operator, { base: 'EUR', quote: 'USD', rate: '1.08', margin: '2.5' });
    // 500.00 EUR * 1.08 * 1.025 = 553.50 USD, and 10 % by the seller's rule.
    expect(await availabilityOf('golden.far')).toMatchObject({
      price: { amount: '608.85', currency: 'USD' },
      premium: true,
    });
    const quote = await quoteOf('golden.far');
    expect(quote).toMatchObject({ total: { amount: '608.85', currency: 'USD' } });
    shop.t.moveClock('+1m');
    await setExchangeRate(shop.t.ctx, operator, { base: 'EUR', quote: 'USD', rate: '1.20', margin: '0' });
    expect(await availabilityOf('golden.far')).toMatchObject({ price: { amount: '660.00' } });
    await shop.buy('golden.far', { quote_id: quote.quote_id ?? quote.id });
    const held = await shop.t.ctx.db.as(allTenants).one<{ amount: string; cost: string; cost_currency: string }>(sql`
      select t.amount, t.cost_amount as cost, t.cost_currency from ledger_transaction t join domain d on d.id = t.domain_id
      where d.name = 'golden.far' order by t.id desc limit 1`);
    expect(held).toEqual({ amount: '60885', cost: '50000', cost_currency: 'EUR' });
    expect(await shop.charged('golden.far')).toEqual(['charge create 50000']);
  });

  test('refuses a rate in the past, of an unknown currency or of zero', async () => {
    const operator = { ...systemActor, resellerId: '1', isOperator: true };
    const set = (more: object) =>
      setExchangeRate(shop.t.ctx, operator, { base: 'EUR', quote: 'USD', rate: '1.1', ...more });
    await expect(set({ validFrom: '2020-01-01' })).rejects.toThrow(/past/);
    await expect(set({ base: 'XXQ' })).rejects.toThrow(/currency/);
    await expect(set({ rate: '0' })).rejects.toThrow(/rate/);
    await expect(set({ margin: '-1' })).rejects.toThrow(/margin/);
  });

  test('agrees with our ledger to the cent', async () => {
    await shop.agree();
  });
});
