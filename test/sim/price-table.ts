import type { World } from '../faults/world.ts';

/** Cents a year; restore is once. Made up: prices that occur nowhere else, so that no other list can be mistaken for this one. */
export interface Prices {
  readonly create: number;
  readonly renew: number;
  readonly restore: number;
  readonly privacy: number;
}

export const priceTable: Readonly<Record<string, Prices>> = {
  com: { create: 1_337, renew: 1_421, restore: 6_103, privacy: 333 },
  org: { create: 1_519, renew: 1_583, restore: 5_927, privacy: 347 },
  app: { create: 1_811, renew: 1_867, restore: 7_103, privacy: 353 },
  fr: { create: 907, renew: 953, restore: 2_411, privacy: 311 },
  'co.id': { create: 1_123, renew: 1_213, restore: 3_301, privacy: 307 },
  'my.id': { create: 401, renew: 433, restore: 1_613, privacy: 313 },
};

export const tldOf = (name: string): string => name.slice(name.indexOf('.') + 1);

export function pricesOf(name: string): Prices {
  const found = priceTable[tldOf(name)];
  if (found === undefined) throw new Error(`no price for ${name}`);
  return found;
}

export const decimal = (cents: number): string => (cents / 100).toFixed(2);
export const cents = (text: string): number => Math.round(Number(text) * 100);

/** As an operator does it: what the resellers pay from now on. */
export async function loadPrices(world: World): Promise<void> {
  const prices = Object.entries(priceTable).flatMap(([tld, row]) =>
    Object.entries(row).map(([action, amount]) => ({ tld, action, years: 1, amount: decimal(amount) })),
  );
  const called = await world.call('PUT', '/v1/account/price_list', {
    json: { target: 'reseller', prices },
    as: 'operator',
  });
  if (called.status !== 200) throw new Error(`the price list was refused: ${JSON.stringify(called.body)}`);
}
