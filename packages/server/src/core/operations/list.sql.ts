import { type Reader, type Sql, sql } from '@namehold/base';
import { ofCustomer, operationColumns } from './operation.sql.ts';
import type { Operation, OperationState } from './operation.ts';

export interface OperationFilter {
  readonly state?: OperationState | undefined;
  readonly kind?: string | undefined;
  readonly domainId?: string | undefined;
  readonly customerId?: string | undefined;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Newest first: ids sort by time. */
export async function pageOfOperations<R extends Operation>(
  db: Reader,
  columns: unknown,
  conditions: readonly Sql[],
  page: Page,
): Promise<{ rows: R[]; total: number }> {
  const where = sql.join(conditions, ' and ');
  const [rows, counted] = await Promise.all([
    db.many<R>(sql`
      select ${columns} from operation where ${where} order by id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from operation where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}

export async function listOperationRows(
  db: Reader,
  resellerId: string,
  filter: OperationFilter,
  page: Page,
): Promise<{ rows: Operation[]; total: number }> {
  const made: Sql[] = [sql`reseller_id = ${resellerId}`];
  if (filter.state) made.push(sql`state = ${filter.state}`);
  if (filter.kind) made.push(sql`kind = ${filter.kind}`);
  if (filter.domainId) made.push(sql`domain_id = ${filter.domainId}`);
  if (filter.customerId) made.push(ofCustomer(filter.customerId));
  return pageOfOperations<Operation>(db, operationColumns, made, page);
}
