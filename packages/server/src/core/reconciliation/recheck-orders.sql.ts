import { type Reader, sql } from '@namehold/postgres';
import type { OperationOf } from '../model/operation.ts';
import type { DomainKind } from '../model/operation-kinds.ts';
import { holdsName } from '../tables/domain.sql.ts';

/** Whether another order owns the domain, or did the same and was carried out: then the state at the registry is that order's. */
export async function isExplained(db: Reader, operation: OperationOf<DomainKind>): Promise<boolean> {
  const row = await db.one<{ is_explained: boolean }>(sql`
    select exists (select from domain d where d.name = ${operation.request.name} and d.id <> ${operation.domain_id} and ${holdsName('d')})
      or exists (select from domain d where ${operation.kind} in ('register', 'transfer') and d.id = ${operation.domain_id} and d.state not in ('removed', 'unpaid'))
      or exists (select from operation o where o.domain_id = ${operation.domain_id} and o.kind = ${operation.kind} and o.id > ${operation.id}
        and o.state = 'done') as is_explained`);
  return row.is_explained;
}
