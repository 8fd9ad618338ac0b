import { type Reader, type Sql, sql } from '@namehold/postgres';

export interface StoredEvent {
  readonly number: string;
  readonly at: Date;
  readonly type: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly request_id: string | null;
  readonly payload: Record<string, unknown>;
}

/** The last number of each log; empty logs are missing. */
export async function newestNumbers(
  db: Reader,
  resellerIds: readonly string[],
): Promise<{ reseller_id: string; last_number: string }[]> {
  return db.many(
    sql`select reseller_id, last_number from event_counter where reseller_id = any(${resellerIds}::bigint[])`,
  );
}

/** In the order of commit: the counter's lock is held until then, so a reader that continues from a number misses none. */
export async function eventsAfter(
  db: Reader,
  of: { readonly resellerId: string; readonly customerId?: string | undefined },
  after: bigint,
  types: { readonly exact?: string; readonly below?: string },
  limit: number,
): Promise<StoredEvent[]> {
  const made: Sql[] = [sql`reseller_id = ${of.resellerId} and number > ${after.toString()}`];
  if (of.customerId !== undefined) made.push(sql`customer_id = ${of.customerId}`);
  if (types.exact) made.push(sql`type = ${types.exact}`);
  if (types.below) made.push(sql`starts_with(type, ${types.below})`);
  return db.many<StoredEvent>(sql`
    select number, at, type, object_type, object_id, request_id, payload from event
    where ${sql.join(made, ' and ')} order by number limit ${limit}`);
}
