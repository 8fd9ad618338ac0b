import { fileURLToPath } from 'node:url';
import { migrate, pendingMigrations, readMigrations } from '@namehold/base';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { countTables, fillTables } from './fill.ts';

const folders: [string, string][] = [
  ['the service', fileURLToPath(new URL('../../src/migrations', import.meta.url))],
  ['the sandbox registry', fileURLToPath(new URL('../../../sandbox/src/migrations', import.meta.url))],
];
const rowsPerTable = 3;

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tables, columns, constraints, indexes and policies, as the server describes them. */
async function shapeOf(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select format('%s.%s %s %s', table_name, column_name, data_type, is_nullable) as line from information_schema.columns where table_schema = 'public'
      union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
      union all select indexdef from pg_indexes where schemaname = 'public'
      union all select format('%s %s %s', tablename, policyname, coalesce(qual, with_check)) from pg_policies where schemaname = 'public'
      order by 1`);
    return rows.map((row) => row.line);
  });
}

describe.each(folders)('%s', (_name, folder) => {
  test('runs each migration on the data of the one before, and loses none of it', async () => {
    const database = await emptyDatabase('m');
    const migrations = readMigrations(folder);
    expect(migrations.length).toBeGreaterThan(0);
    const filled = new Map<string, string>();
    // One connection for everything, because each new one would read the catalogue of a hundred tables again.
    await withClient(database.url, async (client) => {
      for (const [index, { name }] of migrations.entries()) {
        const before = await countTables(client);
        expect(await migrate({ url: database.url, folder, upTo: name })).toEqual([name]);
        const after = await countTables(client);
        for (const [table, rows] of before) {
          if (after.has(table))
            expect({ name, table, rows: after.get(table) }).toEqual({
              name,
              table,
              rows: Math.max(rows, after.get(table)!),
            });
        }
        const empty = await fillTables(client, rowsPerTable, 1_000 + index, filled);
        expect(empty, `after ${name}: no row could be made up for these`).toEqual([]);
      }
    });
    expect(await pendingMigrations(database.url, folder)).toEqual([]);
    expect(await migrate({ url: database.url, folder })).toEqual([]);
    const direct = await emptyDatabase('m');
    await migrate({ url: direct.url, folder });
    expect(await shapeOf(database.url)).toEqual(await shapeOf(direct.url));
    await database.drop();
    await direct.drop();
  });

  test('applies each migration once when several processes start together', async () => {
    const database = await emptyDatabase('m');
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate({ url: database.url, folder })));
    expect(applied.flat().sort()).toEqual(readMigrations(folder).map((m) => m.name));
    await database.drop();
  });

  test('refuses to start after a migration file was changed, and names the file', async () => {
    const database = await emptyDatabase('m');
    await migrate({ url: database.url, folder });
    const [first] = readMigrations(folder);
    await withClient(database.url, (client) =>
      client.query(`update schema_migration set checksum = 'x' where name = $1`, [first!.name]),
    );
    await expect(migrate({ url: database.url, folder })).rejects.toThrow(first!.name);
    await database.drop();
  });
});
