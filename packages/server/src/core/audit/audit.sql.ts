import { type Reader, type Sql, sql } from '@namehold/postgres';
import type { NewAuditRow } from '../commit/inserted-audit.sql.ts';
import { pageOfNewest } from '../page.sql.ts';
import type { Listed, Page } from '../page.ts';

export interface AuditRow extends Omit<NewAuditRow, 'reseller_id' | 'before' | 'after'> {
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly objectType?: string | undefined;
  readonly objectId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly personId?: string | undefined;
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
  if (filter.keyId) made.push(sql`key_id = ${filter.keyId}`);
  if (filter.personId) made.push(sql`person_id = ${filter.personId}`);
  const columns = sql.raw(
    'id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before, after',
  );
  return pageOfNewest<AuditRow>(db, columns, { table: sql`audit`, where: sql.join(made, ' and '), id: sql`id` }, page);
}
