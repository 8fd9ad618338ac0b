import { type Reader, type Sql, sql } from '@namehold/base';
import { operationColumns } from './operation.sql.ts';
import type { Operation, OperationState } from './operation.ts';

export interface OperationFilter {
  readonly state?: OperationState | undefined;
  readonly kind?: string | undefined;
  readonly domainId?: string | undefined;
}

/** Newest first: ids sort by time. */
export async function listOperationRows(
  db: Reader,
  resellerId: string,
  filter: OperationFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: Operation[]; total: number }> {
  const made: Sql[] = [sql`reseller_id = ${resellerId}`];
  if (filter.state) made.push(sql`state = ${filter.state}`);
  if (filter.kind) made.push(sql`kind = ${filter.kind}`);
  if (filter.domainId) made.push(sql`domain_id = ${filter.domainId}`);
  const where = sql.join(made, ' and ');
  const [rows, counted] = await Promise.all([
    db.many<Operation>(sql`
      select ${operationColumns} from operation where ${where} order by id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from operation where ${where}`),
  ]);
  return { rows, total: Number(counted.n) };
}
