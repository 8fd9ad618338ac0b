import { expect } from 'vitest';
import type { Called } from '../support/service.ts';
import type { ContractEndpoint, ContractParameter } from './table.ts';

export type Row = Record<string, string>;

/** Values of a filter for an existing row: `finds` includes it in the list, `misses` excludes it. */
interface Filter {
  readonly finds: (row: Row) => string;
  readonly misses?: string;
}

const same = (field: string, misses?: string): Filter => ({
  finds: (row) => row[field]!,
  ...(misses === undefined ? {} : { misses }),
});
const constant = (finds: string, misses?: string): Filter => ({
  finds: () => finds,
  ...(misses === undefined ? {} : { misses }),
});
const noId = '999999999';
const unknownAddress = 'nobody@nowhere.example';
const from = constant('2000-01-01', '2999-01-01');
const to = constant('2999-01-01', '2000-01-01');

/** Every optional parameter of a list in the contract, except those with a set of values. */
const filters: Readonly<Record<string, Filter>> = {
  customer_id: same('customer_id', noId),
  contact_id: same('contact_id', noId),
  domain_id: same('domain_id', noId),
  transaction_id: same('transaction_id', noId),
  reseller_id: same('reseller_id'),
  email: same('email', unknownAddress),
  customer_email: constant('demo', unknownAddress),
  reseller_email: constant('demo', unknownAddress),
  name: same('name', 'nobody at all'),
  company: same('company', 'nowhere at all'),
  city: same('city', 'nowhere at all'),
  state: same('state', 'nowhere at all'),
  country_code: same('country_code', 'AQ'),
  description: same('description', 'never written'),
  domain_name: same('domain_name', 'never-bought.com'),
  exact_domain_name: constant('0', '1'),
  tld: constant('com', 'net'),
  lang: constant('en'),
  show_child_orders: constant('true'),
  privacy_protection_enabled: constant('false', 'true'),
  only_pending: constant('false', 'true'),
  only_pending_customer: constant('false'),
  creation_date_start: from,
  creation_date_end: to,
  creation_time_start: from,
  creation_time_end: to,
  expiry_date_start: from,
  expiry_date_end: to,
  date_start: from,
  date_end: to,
  amount_range_start: constant('0', '100000000'),
  amount_range_end: constant('100000000', '0'),
  total_receipts_start: constant('0', '100000000'),
  total_receipts_end: constant('100000000'),
};

const paging = new Set(['limit', 'page_no']);
export const filtersOf = (endpoint: ContractEndpoint): ContractParameter[] =>
  endpoint.params.filter((each) => !each.required && each.in === 'query' && !paging.has(each.name));

type Ask = (query: Record<string, string>) => Promise<Called>;

/** The row is found by its values and not by others; a value outside the allowed set is refused. */
export async function tryFilter(parameter: ContractParameter, row: Row, emails: Row, ask: Ask): Promise<void> {
  const { name, values } = parameter;
  const found = async (value: string) => {
    const called = await ask({ [name]: value, limit: '100' });
    expect(called.status, `${name}=${value}: ${called.text.slice(0, 300)}`).toBe(200);
    return (called.body as Row[]).some((each) => JSON.stringify(each) === JSON.stringify(row));
  };
  if (values) return tryValues(parameter, row, ask);
  const filter = filters[name];
  expect(filter, `a filter without a test: ${name}`).toBeDefined();
  const value = emails[name] ?? filter!.finds(row);
  expect(await found(value), `${name}=${value} finds it`).toBe(true);
  if (filter!.misses !== undefined) expect(await found(filter!.misses), `${name}=${filter!.misses}`).toBe(false);
}

/** The value of the filter as shown in a row; the contract never shows the one for which a contact qualifies. */
const shownAs: Readonly<Record<string, string>> = { status: 'status', transaction_type: 'transaction_type' };

async function tryValues({ name, values }: ContractParameter, row: Row, ask: Ask): Promise<void> {
  const isRefusedWhereNone = name === 'eligibility_criteria';
  for (const value of values!.map(String)) {
    const called = await ask({ [name]: value, limit: '100' });
    expect(isRefusedWhereNone ? [200, 400, 404] : [200], `${name}=${value}: ${called.text.slice(0, 300)}`).toContain(
      called.status,
    );
    const shown = row.order_status === undefined ? shownAs[name] : 'order_status';
    if (called.status !== 200 || shown === undefined || shown === 'order_status') continue;
    expect(new Set((called.body as Row[]).map((each) => each[shown])), `${name}=${value}`).toSatisfy(
      (seen: Set<string>) => [...seen].every((each) => each === value),
    );
  }
  const wrong = await ask({ [name]: 'no such word' });
  expect(wrong.status, `${name}: ${wrong.text.slice(0, 300)}`).toBe(400);
}
