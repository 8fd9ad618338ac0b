import { describe, expect, test } from 'vitest';
import { isBelowCost, pricesBelowCost } from '../../src/money/below-cost.ts';

type Prices = Parameters<typeof pricesBelowCost>[0];
type Terms = Record<string, string>;

/** A price list with these registration and renewal prices for each TLD. */
const prices = (all: Record<string, { create?: Terms; renew?: Terms; currency?: string }>): Prices =>
  Object.fromEntries(
    Object.entries(all).map(([tld, { create = {}, renew = {}, currency = 'USD' }]) => [
      tld,
      { tld_label: `.${tld}`, currency, create, renew, transfer: {}, restore: {} } as unknown as Prices[string],
    ]),
  );

const entry = (amount: string, currency = 'USD') => prices({ com: { create: { 1: amount }, currency } }).com;

describe('isBelowCost', () => {
  test.each([
    ['10.00', '9.99', true],
    ['10.00', '10.00', false],
    ['10.00', '10.01', false],
    ['9.9', '9.90', false],
    ['9.90', '9.9', false],
    ['9.901', '9.90', true],
    ['100000', '99999.99', true],
    ['9.00', '10.00', false],
    ['-1.00', '0.00', false],
  ])('compares the cost %s with the price %s by value', (cost, charge, isBelow) => {
    expect(isBelowCost(entry(cost), entry(charge), 'create', '1')).toBe(isBelow);
  });

  test('compares no amounts of different currencies', () => {
    expect(isBelowCost(entry('10.00', 'USD'), entry('9.00', 'EUR'), 'create', '1')).toBe(false);
  });

  test.each([
    ['the cost is unknown', undefined, entry('1.00'), '1'],
    ['the price is unknown', entry('1.00'), undefined, '1'],
    ['the term has no price', entry('2.00'), entry('1.00'), '2'],
  ])('is false if %s', (_, cost, charge, years) => {
    expect(isBelowCost(cost, charge, 'create', years)).toBe(false);
  });
});

describe('pricesBelowCost', () => {
  test('returns each TLD and action once, with its shortest term below the cost', () => {
    const costs = prices({
      com: { create: { 1: '10.00', 2: '20.00', 10: '90.00' }, renew: { 1: '10.00' } },
      net: { create: { 1: '10.00' } },
    });
    const charges = prices({
      com: { create: { 1: '12.00', 2: '19.00', 10: '80.00' }, renew: { 1: '9.00' } },
      net: { create: { 1: '11.00' } },
    });
    expect(pricesBelowCost(costs, charges)).toEqual([
      { tld: '.com', action: 'create', years: 2 },
      { tld: '.com', action: 'renew', years: 1 },
    ]);
  });

  test('leaves out TLDs that have no cost, and returns nothing for empty lists', () => {
    expect(pricesBelowCost(prices({}), prices({ com: { create: { 1: '0.01' } } }))).toEqual([]);
    expect(pricesBelowCost(prices({}), prices({}))).toEqual([]);
  });
});
