import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader } from './database.ts';
import { sql } from './sql.ts';

/** Whoever shares requests out asks every few seconds, and waits no longer. */
const limitMs = 3_000;

/** Whether the database can be asked anything now, and told: a standby only answers. */
export async function isDatabaseAvailable(db: Reader): Promise<boolean> {
  const query = db.one<{ ok: boolean }>(sql`select not pg_is_in_recovery() as ok`).then(
    ({ ok }) => ok,
    () => false,
  );
  // Behind a pooler that waits for its server nobody says anything, and nobody is silent either.
  return Promise.race([query, sleep(limitMs, false, { ref: false })]);
}
