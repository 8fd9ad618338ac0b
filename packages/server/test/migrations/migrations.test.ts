import { fileURLToPath } from 'node:url';
import { migrate, pendingMigrations, readSchema } from '@namehold/postgres';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { schemaFolder } from '../../src/parts.ts';
import { migrateStepwise } from './stepwise.ts';

const registrySchema = fileURLToPath(new URL('../../../sandbox/src/schema', import.meta.url));
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const filesOf = (folder: string): string[] => {
  const { baseline, migrations, repeatables } = readSchema(folder);
  return [...baseline, ...migrations, ...repeatables].map(({ name }) => name);
};

describe.each([
  ['the service', schemaFolder],
  ['the sandbox registry', registrySchema],
])('%s', (_name, folder) => {
  test('runs the tables and each migration on the data of the one before, and loses none of it', async () => {
    const { migrations } = readSchema(folder);
    const stops = ['0000', ...migrations.map(({ name }) => name), undefined];
    await migrateStepwise(stops.map((upTo) => ({ folder, ...(upTo ? { upTo } : {}) })));
  });

  test('reports no missing file after the first start, and applies none at the second', async () => {
    const database = await emptyDatabase('m');
    expect(await pendingMigrations(database.url, folder)).toEqual(filesOf(folder));
    expect(await migrate({ url: database.url, folder })).toEqual(filesOf(folder));
    expect(await pendingMigrations(database.url, folder)).toEqual([]);
    expect(await migrate({ url: database.url, folder })).toEqual([]);
    await database.drop();
  });

  test('applies each file once when several processes start together', async () => {
    const database = await emptyDatabase('m');
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate({ url: database.url, folder })));
    expect(applied.flat()).toEqual(filesOf(folder));
    await database.drop();
  });

  test('refuses to start after a migration file was changed, and names the file', async () => {
    const database = await emptyDatabase('m');
    await migrate({ url: database.url, folder });
    const [first] = filesOf(folder);
    await withClient(database.url, (client) =>
      client.query(`update schema_migration set checksum = 'x' where name = $1`, [first!]),
    );
    await expect(migrate({ url: database.url, folder })).rejects.toThrow(first!);
    await database.drop();
  });

  test('numbers each migration once, after those before the baseline', () => {
    const { bridge, migrations } = readSchema(folder);
    const numbers = migrations.map(({ name }) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.filter((number) => number <= (bridge.at(-1)?.name.slice(0, 4) ?? ''))).toEqual([]);
  });
});
