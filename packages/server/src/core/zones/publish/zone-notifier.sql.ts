import { type Autocommit, sql } from '@namehold/postgres';

export async function notifyZones(alone: Autocommit, ids: readonly string[]): Promise<void> {
  await alone.run(sql`select pg_notify('namehold_zone', id) from unnest(${ids}::text[]) id`);
}
