import { dayMs, type Money, money } from '@namehold/base';
import { findPayer } from '../accounts/account.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { readBalanceAt, selectDays } from './statement.sql.ts';

export const seriesLimits = {
  days: 366,
  usualDays: 90,
  /** A forecast needs this many days since the first spending, and spending on this many of them: one purchase is no rate. */
  runwayFewestDays: 14,
  runwayFewestSpendingDays: 2,
  /** Longer forecasts are not reported. */
  runwayMostDays: 3_650,
};

interface SeriesDay {
  /** In UTC, by the business clock. */
  readonly date: string;
  readonly spent: Money;
  readonly funded: Money;
  /** Available balance at its end. */
  readonly balance: Money;
}

/** The money of the caller's own account, one row for each of the last days including today. */
export async function moneySeries(ctx: AppContext, actor: Actor, days: number): Promise<SeriesDay[]> {
  const { resellerId } = actor;
  const db = ctx.db.as(resellerId);
  const payer = await findPayer(db, resellerId, resellerId);
  if (!payer) throw notFound('reseller');
  const currency = payer.selling_currency;
  const today = Math.floor(ctx.clock.now().getTime() / dayMs);
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

/** How many days the balance lasts at the rate since the first spending; null: not enough spending. */
export function runwayOf(days: readonly SeriesDay[]): number | null {
  const first = days.findIndex(({ spent }) => spent.amount > 0n);
  const since = days.length - first;
  const spendingDays = days.filter(({ spent }) => spent.amount > 0n).length;
  if (since <= seriesLimits.runwayFewestDays || spendingDays < seriesLimits.runwayFewestSpendingDays) return null;
  const spent = days.slice(first).reduce((sum, day) => sum + day.spent.amount, 0n);
  const left = days.at(-1)!.balance.amount;
  if (spent <= 0n || left <= 0n) return null;
  const lasts = (left * BigInt(since)) / spent;
  return lasts > seriesLimits.runwayMostDays ? null : Number(lasts);
}
