import type { Actor, AppContext } from '../app-context.ts';
import { minorUnits } from '../reference/currency.ts';
import { childCurrencies, listChildren, type ResellerFilter } from './account.sql.ts';
import type { Reseller } from './account.ts';

/** Direct children only: grandchildren belong to their parents. */
export async function searchResellers(
  ctx: AppContext,
  actor: Actor,
  filter: ResellerFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Reseller[]; total: number }> {
  const db = ctx.db.as(actor.resellerId);
  const { receiptsFrom: start, receiptsTo: end } = filter;
  if (start === undefined && end === undefined) return listChildren(db, actor.resellerId, filter, {}, page);
  const currencies = await childCurrencies(db, actor.resellerId);
  const inEach = (field: string, figure: string) =>
    Object.fromEntries(currencies.map((currency) => [currency, minorUnits(field, figure, currency)!]));
  const range = {
    ...(start === undefined ? {} : { start: inEach('receiptsFrom', start) }),
    ...(end === undefined ? {} : { end: inEach('receiptsTo', end) }),
  };
  return listChildren(db, actor.resellerId, filter, range, page);
}
