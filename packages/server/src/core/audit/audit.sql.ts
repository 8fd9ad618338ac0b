import { type Reader, sql, type Tx } from '@namehold/base';

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

export async function insertAudit(tx: Tx, rows: readonly NewAuditRow[]): Promise<void> {
  const all = <K extends keyof NewAuditRow>(column: K) => rows.map((row) => row[column]);
  await tx.run(sql`
    insert into audit (reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before, after)
    select reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before::jsonb, after::jsonb
    from unnest(${all('reseller_id')}::bigint[], ${all('at')}::timestamptz[], ${all('key_id')}::text[], ${all('person_id')}::text[],
                ${all('person_name')}::text[], ${all('session_id')}::text[], ${all('address')}::text[], ${all('request_id')}::text[],
                ${all('action')}::text[], ${all('object_type')}::text[], ${all('object_id')}::text[], ${all('before')}::text[], ${all('after')}::text[])
      with ordinality as row (reseller_id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before,
        after, place)
    order by place`);
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
  page: { limit: number; offset: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const where = sql`
    reseller_id = ${resellerId}
    and (${filter.action ?? null}::text is null or action = ${filter.action ?? null})
    and (${filter.objectType ?? null}::text is null or object_type = ${filter.objectType ?? null})
    and (${filter.objectId ?? null}::text is null or object_id = ${filter.objectId ?? null})`;
  const [rows, total] = await Promise.all([
    db.many<AuditRow>(sql`
      select id, at, key_id, person_id, person_name, session_id, address, request_id, action, object_type, object_id, before, after from audit
      where ${where} order by id desc limit ${page.limit} offset ${page.offset}`),
    db.one<{ n: string }>(sql`select count(*) as n from audit where ${where}`),
  ]);
  return { rows, total: Number(total.n) };
}
