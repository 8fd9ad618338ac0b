import { type Sql, sql } from '@namehold/base';

export interface EventRow {
  readonly resellerId: string;
  readonly at: Date;
  readonly type: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly requestId: string | null;
  /** JSON. */
  readonly payload: string;
}

/** Numbered in this order. */
export function appendedEvents(rows: readonly EventRow[]): Sql {
  const all = <K extends keyof EventRow>(fact: K) => rows.map((row) => row[fact]);
  return sql`
    select append_event(reseller_id, at, type, object_type, object_id, request_id, payload::jsonb)
    from (
      select reseller_id, at, type, object_type, object_id, request_id, payload
      from unnest(${all('resellerId')}::bigint[], ${all('at')}::timestamptz[], ${all('type')}::text[], ${all('objectType')}::text[],
                  ${all('objectId')}::text[], ${all('requestId')}::text[], ${all('payload')}::text[])
        with ordinality as row (reseller_id, at, type, object_type, object_id, request_id, payload, place)
      order by place) row`;
}
