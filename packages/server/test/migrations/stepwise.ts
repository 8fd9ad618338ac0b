import { type MigrateOptions, migrate } from '@namehold/postgres';
import pg from 'pg';
import { expect } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { countTables, fillTables } from './fill.ts';

const rowsPerTable = 3;

/** Migrates an empty database step by step. Every table has rows before the next step, and no step may lose one. */
export async function migrateStepwise(steps: readonly Omit<MigrateOptions, 'url'>[]): Promise<void> {
  const database = await emptyDatabase('m');
  // One connection for everything, because each new one would read the catalogue of a hundred tables again.
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const filled = new Map<string, string>();
  for (const [index, step] of steps.entries()) {
    const name = step.upTo ?? 'all';
    const before = await countTables(client);
    await migrate({ url: database.url, ...step });
    const after = await countTables(client);
    for (const [table, rows] of before)
      if (after.has(table))
        expect({ name, table, rows: after.get(table) }).toEqual({
          name,
          table,
          rows: Math.max(rows, after.get(table)!),
        });
    const empty = await fillTables(client, rowsPerTable, 1_000 + index, filled);
    expect(empty, `after ${name}: no row could be made up for these`).toEqual([]);
  }
  await client.end();
  await database.drop();
}
