import { dayMs, type Money, money } from '@namehold/base';
import { findPayer } from '../accounts/account.sql.ts';
import { everything } from '../accounts/everything.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { notFound } from '../errors.ts';
import { type HeldRow, heldByAge } from './holds.sql.ts';

const hourMs = 3_600_000;

/** Limits of the age classes. A registry's review takes days; older holds are stuck. */
const edges = [hourMs, dayMs, 7 * dayMs, 30 * dayMs];

interface HeldClass {
  readonly fromHours: number;
  /** Null: no end. */
  readonly toHours: number | null;
  readonly count: number;
  readonly amount: Money;
}

export interface HeldMoney {
  readonly currency: string;
  readonly classes: readonly HeldClass[];
}

function inClasses(rows: readonly HeldRow[], currency: string): HeldClass[] {
  return [0, ...edges].map((from, number) => {
    const row = rows.find((each) => each.currency === currency && each.class === number);
    const to = edges[number];
    return {
      fromHours: from / hourMs,
      toHours: to === undefined ? null : to / hourMs,
      count: Number(row?.count ?? 0),
      amount: money(BigInt(row?.amount ?? 0), currency),
    };
  });
}

const beginnings = (now: Date) => edges.map((edge) => new Date(now.getTime() - edge));

/** Of the caller's own account. */
export async function ownHolds(ctx: AppContext, actor: Actor): Promise<HeldMoney> {
  const { resellerId } = actor;
  const db = ctx.db.as(resellerId);
  const payer = await findPayer(db, resellerId, resellerId);
  if (!payer) throw notFound('reseller');
  const currency = payer.selling_currency;
  const rows = await heldByAge(db, resellerId, beginnings(ctx.clock.now()));
  return { currency, classes: inClasses(rows, currency) };
}

/** Of all accounts: each order once, at the price of its buyer. */
export async function allHolds(ctx: AppContext, actor: Actor): Promise<HeldMoney[]> {
  const rows = await heldByAge(everything(ctx, actor), undefined, beginnings(ctx.clock.now()));
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({ currency, classes: inClasses(rows, currency) }));
}
