import { type Reader, type Sql, sql } from '@namehold/base';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';

export interface NewAuditRow {
  readonly reseller_id: string;
  readonly at: Date;
  readonly key_id: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly session_id: string | null;
  readonly address: string;
  readonly request_id: string;
  readonly action: string;
  readonly object_type: string;
  readonly object_id: string;
  /** JSON, without secrets. */
  readonly before: string | null;
  readonly after: string | null;
}

/** In this order. */
export function insertedAudit(rows: readonly NewAuditRow[]): Sql {
  const all = <K extends keyof NewAuditRow>(column: K) => rows.map((row) => row[column]);
  return sql`
    insert into audit (reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before, after)
    select reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before::jsonb, after::jsonb
    from unnest(${all('reseller_id')}::bigint[], ${all('at')}::timestamptz[], ${all('key_id')}::text[], ${all('person_id')}::text[],
                ${all('person_name')}::text[], ${all('session_id')}::text[], ${all('address')}::text[], ${all('request_id')}::text[],
                ${all('action')}::text[], ${all('object_type')}::text[], ${all('object_id')}::text[], ${all('before')}::text[], ${all('after')}::text[])
      with ordinality as row (reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before,
        after, place)
    order by place`;
}

export interface AuditRow extends Omit<NewAuditRow, 'reseller_id' | 'before' | 'after'> {
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly objectType?: string | undefined;
  readonly objectId?: string | undefined;
}

export async function listAudit(
  db: Reader,
  resellerId: string,
  filter: AuditFilter,
  page: Page,
): Promise<Listed<AuditRow>> {
  const made: Sql[] = [sql`reseller_id = ${resellerId}`];
  if (filter.action) made.push(sql`action = ${filter.action}`);
  if (filter.objectType) made.push(sql`object_type = ${filter.objectType}`);
  if (filter.objectId) made.push(sql`object_id = ${filter.objectId}`);
  const columns = sql.raw(
    'id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before, after',
  );
  return pageOfNewest<AuditRow>(db, columns, { table: sql`audit`, where: sql.join(made, ' and '), id: sql`id` }, page);
}
