import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader } from '../database.ts';
import { sql } from './sql.ts';

/** Load balancers poll every few seconds and wait no longer. */
const limitMs = 3_000;

/** Whether the database answers queries now and accepts writes. A standby answers queries only. */
export async function isDatabaseAvailable(db: Reader): Promise<boolean> {
  const query = db.one<{ ok: boolean }>(sql`select not pg_is_in_recovery() as ok`).then(
    ({ ok }) => ok,
    () => false,
  );
  // A pooler can hold a query until its server returns, without an error and without a closed connection.
  return Promise.race([query, sleep(limitMs, false, { ref: false })]);
}
