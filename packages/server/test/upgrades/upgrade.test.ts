import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { migrate, pendingMigrations, readSchema } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { schemaFolder } from '../../src/parts.ts';
import { release } from '../../src/release.ts';
import { countTables } from '../migrations/fill.ts';
import { catalogueOf } from './catalogue.ts';

/**
 * Databases of earlier commits, written by tools/upgrade-fixture.ts: with the first nine migrations, and of the last commit before the
 * baseline. Their schema after the upgrade must be that of an empty database after the first start.
 */
const fixtures = join(import.meta.dirname, 'fixtures');
const commits = readdirSync(fixtures).map((name) => name.replace('.sql.gz', ''));

/** Migration 0039 adds the missing audit row of the first deposit. */
const addedRows: Readonly<Record<string, Readonly<Record<string, number>>>> = { b8dd914: { audit: 1 } };

type Made = Awaited<ReturnType<typeof emptyDatabase>> & { client: pg.Client };

async function databaseOf(sql?: string): Promise<Made> {
  const database = await emptyDatabase('u');
  if (sql !== undefined) await withClient(database.url, (client) => client.query(sql));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return { ...database, client };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function close({ client, drop }: Made): Promise<void> {
  await client.end();
  await drop();
}

const upgrade = ({ url }: Made) => migrate({ url, folder: schemaFolder, release });

/** Balances and movements by kind and currency, and what customers and accounts own. */
async function moneyOf(client: pg.Client): Promise<object[]> {
  const { rows } = await client.query<object>(`
    select 'account' as what, kind as of, currency, count(*)::text as n, sum(balance)::text as sum, sum(credit_limit)::text as more from ledger_account group by 2, 3
    union all select 'entry', posting, currency, count(*)::text, sum(amount)::text, null from ledger_entry group by 2, 3
    union all select 'transaction', type || ' ' || status, currency, count(*)::text, sum(amount)::text, sum(cost_posted)::text from ledger_transaction group by 2, 3
    union all select 'domain', state, tld, count(*)::text, null, string_agg(name || ' ' || coalesce(end_date::text, ''), ', ' order by id) from domain group by 2, 3
    order by 1, 2, 3`);
  return rows;
}

/** Only for Debian's PostgreSQL: the embedded one has no pg_dump. */
function dumpOf({ url }: Made): string {
  const dump = join(inject('postgresBinaries')!, 'pg_dump');
  const text = execFileSync(dump, ['--schema-only', '--dbname', url], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return text.replace(/^\\(un)?restrict .*$/gm, '');
}

let fresh: Made;
beforeAll(async () => {
  fresh = await databaseOf();
  await upgrade(fresh);
});
afterAll(() => close(fresh));

test('has the database of the first commits and of the last one before the baseline', () => {
  expect(commits).toEqual(['563312b9', 'b8dd914']);
});

describe.each(commits)('a database of commit %s', (commit) => {
  let old: Made;
  let rowsBefore: Map<string, number>;
  let moneyBefore: object[];
  let applied: string[];

  beforeAll(async () => {
    old = await databaseOf(gunzipSync(readFileSync(join(fixtures, `${commit}.sql.gz`))).toString());
    [rowsBefore, moneyBefore] = [await countTables(old.client), await moneyOf(old.client)];
    applied = await upgrade(old);
  });
  afterAll(() => close(old));

  test('gets the migrations that it lacks, in order, and the functions and policies', async () => {
    const { bridge, migrations, repeatables } = readSchema(schemaFolder);
    const missing = applied.slice(0, applied.length - repeatables.length);
    expect(missing).toEqual([...bridge, ...migrations].map(({ name }) => name).slice(-missing.length));
    expect(applied.slice(-repeatables.length)).toEqual(repeatables.map(({ name }) => name));
    expect(await pendingMigrations(old.url, schemaFolder)).toEqual([]);
    expect(await upgrade(old)).toEqual([]);
  });

  test('has the schema of an empty database after its first start', async () => {
    expect(await catalogueOf(old.client)).toEqual(await catalogueOf(fresh.client));
  });

  test.runIf(inject('postgresBinaries'))('has the same pg_dump --schema-only', () => {
    expect(dumpOf(old)).toBe(dumpOf(fresh));
  });

  test('keeps every row and all money', async () => {
    expect(moneyBefore.length).toBeGreaterThan(10);
    expect(await moneyOf(old.client)).toEqual(moneyBefore);
    const rows = await countTables(old.client);
    for (const [table, before] of rowsBefore)
      expect({ table, rows: rows.get(table) }).toEqual({ table, rows: before + (addedRows[commit]?.[table] ?? 0) });
  });
});

test('creates each function again with a check of its body', async () => {
  const { rows } = await fresh.client.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(100);
  for (const { definition } of rows) await fresh.client.query(definition);
});

test('resets the rights of each table in exactly one policy file', async () => {
  const { rows } = await fresh.client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname collate "C"`,
  );
  const policies = readSchema(schemaFolder).repeatables.filter(({ name }) => name.startsWith('policies/'));
  const named = policies.flatMap(({ sql }) => [
    .../select reset_access\(([^)]*)\)/.exec(sql)![1]!.matchAll(/'(\w+)'/g),
  ]);
  expect(named.map(([, name]) => name).sort()).toEqual(rows.map(({ name }) => name));
});
