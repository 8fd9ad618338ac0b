import { findReseller } from '../accounts/account.sql.ts';
import type { Actor, AppContext } from '../app-context.ts';
import type { Listed } from '../page.ts';
import { minorUnits } from '../reference/currency.ts';
import { type CustomerFilter, listCustomers } from './customer.sql.ts';
import type { Customer } from './customer.ts';

type CustomerSearch = Omit<CustomerFilter, 'receiptsFrom' | 'receiptsTo'> & {
  readonly receiptsFrom?: string | undefined;
  readonly receiptsTo?: string | undefined;
};

export async function searchCustomers(
  ctx: AppContext,
  actor: Actor,
  search: CustomerSearch,
  page: { limit: number; offset: number },
): Promise<Listed<Customer>> {
  const db = ctx.db.as(actor.resellerId);
  const { receiptsFrom, receiptsTo, ...rest } = search;
  if (receiptsFrom === undefined && receiptsTo === undefined) {
    return listCustomers(db, actor.resellerId, rest, page);
  }
  const own = await findReseller(db, actor.resellerId, actor.resellerId);
  const currency = own?.selling_currency ?? 'USD';
  const filter: CustomerFilter = {
    ...rest,
    receiptsFrom: minorUnits('receiptsFrom', receiptsFrom, currency),
    receiptsTo: minorUnits('receiptsTo', receiptsTo, currency),
  };
  return listCustomers(db, actor.resellerId, filter, page);
}
