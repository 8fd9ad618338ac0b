import { type Sql, sql } from '@namehold/postgres';

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

/**
 * Numbered in this order; the counter of an account is taken once for all its events. `along`: what the same statement writes in
 * addition.
 */
export function appendedEvents(rows: readonly EventRow[], along?: Sql): Sql {
  const all = <K extends keyof EventRow>(fact: K) => rows.map((row) => row[fact]);
  return sql.kept`
    with ${along ? sql.kept`along as (${along}),` : sql``} given as (
      select reseller_id, at, type, object_type, object_id, request_id, payload, place,
        row_number() over (partition by reseller_id order by place desc) - 1 as later
      from unnest(${all('resellerId')}::bigint[], ${all('at')}::timestamptz[], ${all('type')}::text[], ${all('objectType')}::text[],
                  ${all('objectId')}::text[], ${all('requestId')}::text[], ${all('payload')}::text[])
        with ordinality as row (reseller_id, at, type, object_type, object_id, request_id, payload, place)
    ), counted as (
      insert into event_counter as c (reseller_id, last_number) select reseller_id, count(*) from given group by reseller_id order by reseller_id
      on conflict (reseller_id) do update set last_number = c.last_number + excluded.last_number
      returning reseller_id, last_number
    )
    insert into event (reseller_id, number, at, type, object_type, object_id, request_id, payload)
    select reseller_id, last_number - later, at, type, object_type, object_id, request_id, payload::jsonb
    from given join counted using (reseller_id) order by place`;
}
