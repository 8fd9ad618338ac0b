import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Columns that differ between copies, as SQL over `n` and the copied `row`. */
export type Differing = Readonly<Record<string, string>>;

/** Copies the latest row repeatedly. */
export async function multiply(owner: pg.Client, table: string, copies: number, differing: Differing): Promise<void> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a'`,
    [table],
  );
  const values = rows.map(({ name, type }) => (differing[name] ? `(${differing[name]})::${type}` : `row."${name}"`));
  await owner.query(
    `insert into ${table} (${rows.map(({ name }) => `"${name}"`).join(', ')})
     select ${values.join(', ')} from (select * from ${table} order by ctid desc limit 1) row, generate_series(1, ${copies}) n`,
  );
}

/** A server session reports statistics at most once a second; later work is reported after ten seconds of idling. */
export const statisticsDelayMs = 11_000;

/** Number of rows of each table that were ever read. */
export async function rowsRead(owner: pg.Client, tables: readonly string[]): Promise<Map<string, number>> {
  await sleep(statisticsDelayMs);
  const { rows } = await owner.query<{ name: string; n: number }>(
    `select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::float as n from pg_stat_user_tables where relname = any ($1)`,
    [tables],
  );
  return new Map(rows.map(({ name, n }) => [name, n]));
}
