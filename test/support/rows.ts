import { allTenants, type Sql, sql } from '@namehold/postgres';
import type { TestService } from './service.ts';

/** The number of rows of a table, with the login of background jobs. The condition is SQL text of the test. */
export async function countRows(t: TestService, table: string, condition: Sql = sql`true`): Promise<number> {
  const found = await t.ctx.db
    .as(allTenants)
    .one<{ n: number }>(sql`select count(*)::integer as n from ${sql.raw(table)} where ${condition}`);
  return found.n;
}
