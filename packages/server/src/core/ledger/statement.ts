import { addDays } from '@namehold/base';
import { inSnapshot, type Reader } from '@namehold/postgres';
import { findPayer } from '../accounts/account.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, notFound } from '../errors.ts';
import { type BalanceAt, readBalanceAt, type StatementLine, type StatementOf, selectLines } from './statement.sql.ts';

/** From the first moment (inclusive) to the second (exclusive). */
interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Whose statement: the caller's own, a direct child's, a customer's. */
export interface Whose {
  readonly resellerId?: string;
  readonly customer?: { readonly id: string; readonly currency: string };
}

export interface Statement {
  readonly of: StatementOf;
  readonly period: Period;
  readonly opening: BalanceAt;
  readonly closing: BalanceAt;
  readonly lines: readonly StatementLine[];
  readonly hasMore: boolean;
}

export const statementLimits = {
  /** A whole year, including leap years. */
  days: 366,
  linesPerPageDefault: 100,
  linesPerPage: 1_000,
  /** Rows per read while a whole statement is written. */
  linesPerSlice: 500,
  /** A longer statement is cut off amid a line, so that the cut is visible. */
  linesInAll: 5_000_000,
};

async function accountOf(ctx: AppContext, actor: Actor, { resellerId, customer }: Whose): Promise<StatementOf> {
  const viewerId = actor.resellerId;
  if (customer) return { viewerId, resellerId: viewerId, customerId: customer.id, currency: customer.currency };
  const reseller = await findPayer(ctx.db.as(viewerId), viewerId, resellerId ?? viewerId);
  if (!reseller) throw notFound('reseller');
  return { viewerId, resellerId: reseller.id, customerId: null, currency: reseller.selling_currency };
}

function requirePeriod({ from, to }: Period): void {
  if (to < from) throw badField('to', 'Must not be before the start of the period.');
  if (to > addDays(from, statementLimits.days))
    throw badField('to', `A statement covers at most ${statementLimits.days} days. Request several.`);
}

/** A page of it. The balances are those of the whole period, on every page. */
export async function readStatement(
  ctx: AppContext,
  actor: Actor,
  whose: Whose,
  period: Period,
  page: { readonly after: string; readonly limit: number },
): Promise<Statement> {
  requirePeriod(period);
  const of = await accountOf(ctx, actor, whose);
  // Read at one moment, so that the last line has the closing balance.
  const read = async (tx: Reader): Promise<Statement> => {
    const lines = await selectLines(tx, of, period, { ...page, limit: page.limit + 1 });
    return {
      of,
      period,
      opening: await readBalanceAt(tx, of, period.from),
      closing: await readBalanceAt(tx, of, period.to),
      lines: lines.slice(0, page.limit),
      hasMore: lines.length > page.limit,
    };
  };
  return inSnapshot(ctx.db, read, actor.resellerId);
}

interface WholeStatement {
  readonly of: StatementOf;
  readonly period: Period;
  readonly opening: BalanceAt;
  /** Yields slice after slice as the reader takes them; none is kept. */
  readonly slices: AsyncIterable<readonly StatementLine[]>;
}

/**
 * The whole statement. No transaction stays open while a slow client reads: entries added meanwhile appear at the end, each line with
 * its balance.
 */
export async function wholeStatement(
  ctx: AppContext,
  actor: Actor,
  whose: Whose,
  period: Period,
): Promise<WholeStatement> {
  requirePeriod(period);
  const of = await accountOf(ctx, actor, whose);
  const db = ctx.db.as(actor.resellerId);
  async function* slices() {
    let after = '0';
    for (let read = 0; read < statementLimits.linesInAll; ) {
      const lines = await selectLines(db, of, period, { after, limit: statementLimits.linesPerSlice });
      yield lines;
      if (lines.length < statementLimits.linesPerSlice) return;
      after = lines.at(-1)!.id;
      read += lines.length;
    }
    throw new Error(`The statement has more than ${statementLimits.linesInAll} lines.`);
  }
  return { of, period, opening: await readBalanceAt(db, of, period.from), slices: slices() };
}
