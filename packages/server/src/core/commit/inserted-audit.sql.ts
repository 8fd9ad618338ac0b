import { type Sql, sql } from '@namehold/postgres';

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
