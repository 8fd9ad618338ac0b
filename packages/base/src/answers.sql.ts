import type { Reader } from './database.ts';
import { sql } from './sql.ts';

/** Whether the database can be asked anything now. */
export async function databaseAnswers(db: Reader): Promise<boolean> {
  const row = await db.one<{ ok: number }>(sql`select 1 as ok`).catch(() => undefined);
  return row?.ok === 1;
}
