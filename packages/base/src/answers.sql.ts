import type { Reader } from './database.ts';
import { sql } from './sql.ts';

/** Whether the database can be asked anything now, and told: a standby only answers. */
export async function databaseAnswers(db: Reader): Promise<boolean> {
  const row = await db.one<{ ok: boolean }>(sql`select not pg_is_in_recovery() as ok`).catch(() => undefined);
  return row?.ok === true;
}
