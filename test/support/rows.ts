import { allTenants, type Sql, sql } from '@namehold/base';
import type { TestService } from './service.ts';

/** How many rows a table has, seen by the clockwork's eyes. The condition is the test's own text. */
export async function countRows(t: TestService, table: string, condition: Sql = sql`true`): Promise<number> {
  const found = await t.ctx.db
    .as(allTenants)
    .one<{ n: number }>(sql`select count(*)::integer as n from ${sql.raw(table)} where ${condition}`);
  return found.n;
}
