import { allTenants, sql } from '@namehold/postgres';
import { vi } from 'vitest';
import { rollUpDomainMonths } from '../../packages/server/src/core/series/domain-counts.ts';
import type { TestService } from '../support/service.ts';

/**
 * One digest per table of all rows of the reseller: equal before and after means that nothing was changed. The last
 * use of a key or session is written late by the owner's own calls. Background jobs compare domains during the test and store the time.
 */
export async function snapshot(t: TestService, resellerId: string): Promise<Record<string, string>> {
  const db = t.ctx.db.as(allTenants);
  // Mail caused by its own calls is delivered meanwhile.
  await vi.waitFor(async () => {
    const queued = await db.many(sql`select id from notice where reseller_id = ${resellerId} and state = 'queued'`);
    if (queued.length > 0) throw new Error(`${queued.length} notices wait to be sent`);
  }, 300_000);
  // Its events are counted meanwhile; after this count only a new event changes it.
  await rollUpDomainMonths(t.ctx);
  return tenantDigests(t, resellerId);
}

/** The rows of one reseller, by table, without waiting for background jobs. */
export async function tenantDigests(
  t: TestService,
  resellerId: string,
  without: readonly string[] = [],
): Promise<Record<string, string>> {
  const tables = await t.ctx.db.as(allTenants).many<{ name: string }>(sql`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'reseller_id' and t.table_type = 'BASE TABLE' order by 1`);
  return digests(t, tables, without, resellerId);
}

/** All tables of the database. Only for services without background jobs. */
export async function databaseDigests(t: TestService, without: readonly string[]): Promise<Record<string, string>> {
  const tables = await t.ctx.db.as(allTenants).many<{ name: string }>(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  return digests(t, tables, without);
}

async function digests(
  t: TestService,
  tables: readonly { readonly name: string }[],
  without: readonly string[],
  resellerId?: string,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !without.includes(table.name))) {
    const { digest } = await t.ctx.db.as(allTenants).one<{ digest: string }>(sql`
      select coalesce(md5(string_agg(row, '|' order by row)), 'empty') as digest
      from (select (to_jsonb(r) - 'last_used_at' - 'last_used_address' - 'last_seen_at' - 'synced_at' - 'updated_at')::text as row from ${sql.raw(`"${name}"`)} r
            ${resellerId === undefined ? sql`` : sql`where r.reseller_id = ${resellerId}`}) rows`);
    found[name] = digest;
  }
  return found;
}
