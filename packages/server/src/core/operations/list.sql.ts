import { type Reader, type Sql, sql } from '@namehold/postgres';
import type { Operation, OperationState } from '../model/operation.ts';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';
import { ofCustomer, operationColumns } from './operation.sql.ts';

export interface OperationFilter {
  readonly state?: OperationState | undefined;
  readonly kind?: string | undefined;
  readonly domainId?: string | undefined;
  readonly customerId?: string | undefined;
}

/** Newest first: ids sort by time. */
export function pageOfOperations<R extends Operation>(
  db: Reader,
  columns: unknown,
  conditions: readonly Sql[],
  page: Page,
): Promise<Listed<R>> {
  const where = sql.join(conditions, ' and ');
  return pageOfNewest<R>(db, columns, { table: sql`operation`, where, id: sql`id` }, page);
}

export async function listOperationRows(
  db: Reader,
  resellerId: string,
  filter: OperationFilter,
  page: Page,
): Promise<Listed<Operation>> {
  const made: Sql[] = [sql`reseller_id = ${resellerId}`];
  if (filter.state) made.push(sql`state = ${filter.state}`);
  if (filter.kind) made.push(sql`kind = ${filter.kind}`);
  if (filter.domainId) made.push(sql`domain_id = ${filter.domainId}`);
  if (filter.customerId) made.push(ofCustomer(filter.customerId));
  return pageOfOperations<Operation>(db, operationColumns, made, page);
}
