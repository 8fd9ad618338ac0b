import { dayMs, type Money, money } from '@namehold/base';
import { findPayer } from '../accounts/account.sql.ts';
import { notFound } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { readBalanceAt, selectDays } from './statement.sql.ts';

export const seriesLimits = { days: 366, usualDays: 90 };

export interface SeriesDay {
  /** In UTC, by the business clock. */
  readonly date: string;
  readonly spent: Money;
  readonly funded: Money;
  /** What could be spent at its end. */
  readonly balance: Money;
}

/** The money of the caller's own account, one row for each of the last days, today among them. */
export async function moneySeries(house: House, actor: Actor, days: number): Promise<SeriesDay[]> {
  const { resellerId } = actor;
  const db = house.db.as(resellerId);
  const payer = await findPayer(db, resellerId, resellerId);
  if (!payer) throw notFound('reseller');
  const currency = payer.selling_currency;
  const today = Math.floor(house.clock.now().getTime() / dayMs);
  const from = new Date((today - days + 1) * dayMs);
  const to = new Date((today + 1) * dayMs);
  const of = { viewerId: resellerId, resellerId, customerId: null, currency };
  const [moved, before] = await Promise.all([selectDays(db, of, { from, to }), readBalanceAt(db, of, from)]);
  const byDay = new Map(moved.map((each) => [each.day, each]));
  let balance = before.available;
  return Array.from({ length: days }, (_, n) => {
    const date = new Date(from.getTime() + n * dayMs).toISOString().slice(0, 10);
    const day = byDay.get(date);
    balance = day?.balance ?? balance;
    return {
      date,
      spent: money(day?.spent ?? 0n, currency),
      funded: money(day?.funded ?? 0n, currency),
      balance: money(balance, currency),
    };
  });
}
