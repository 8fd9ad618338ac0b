import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Table } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { resellerTable } from '../../src/core/accounts/account.sql.ts';
import { customerTable } from '../../src/core/customers/customer.sql.ts';
import { invoiceTable } from '../../src/core/invoices/invoice.sql.ts';
import { keyTable } from '../../src/core/keys/key.sql.ts';
import { nameserverTable } from '../../src/core/nameservers/nameserver.sql.ts';
import { noticeTable } from '../../src/core/notices/notice.sql.ts';
import { operationTable } from '../../src/core/operations/operation.sql.ts';
import { quoteTable } from '../../src/core/quotes/quote.sql.ts';
import { registryTable } from '../../src/core/registries/registry.sql.ts';
import { contactTable } from '../../src/core/tables/contact.sql.ts';
import { domainTable } from '../../src/core/tables/domain.sql.ts';
import { zoneTable } from '../../src/core/zones/zone.sql.ts';

/** Compares row types in the code with the columns of the database. */
const source = fileURLToPath(new URL('../../src', import.meta.url));
const tables: readonly Pick<Table<object>, 'name' | 'shape'>[] = [
  keyTable,
  contactTable,
  customerTable,
  domainTable,
  invoiceTable,
  nameserverTable,
  noticeTable,
  operationTable,
  quoteTable,
  registryTable,
  resellerTable,
  zoneTable,
];
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await migratedDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const sqlTypes: Record<string, string> = {
  int8: 'bigint',
  int4: 'integer',
  int2: 'smallint',
  bool: 'boolean',
  _text: 'text[]',
};

async function columnsOf(table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ column_name: string; udt_name: string; is_nullable: string }>(
    `select column_name, udt_name, is_nullable from information_schema.columns where table_schema = 'public' and table_name = $1`,
    [table],
  );
  return new Map(
    rows.map((row) => [
      row.column_name,
      `${sqlTypes[row.udt_name] ?? row.udt_name}${row.is_nullable === 'YES' ? '?' : ''}`,
    ]),
  );
}

test('compares every table constant in the code with the database', () => {
  const written = globSync('**/*.ts', { cwd: source }).flatMap((file) => [
    ...readFileSync(`${source}/${file}`, 'utf8').matchAll(/new Table<[^(]*\(\s*'(\w+)'/g),
  ]);
  expect(written.map((match) => match[1]).sort()).toEqual(tables.map((table) => table.name));
});

test('declares each column of each row type with the type and nullability of the database', async () => {
  const believed = Object.fromEntries(tables.map((table) => [table.name, table.shape]));
  const real: Record<string, object> = {};
  for (const table of tables) {
    const columns = await columnsOf(table.name);
    real[table.name] = Object.fromEntries(Object.keys(table.shape).map((column) => [column, columns.get(column)]));
  }
  expect(real).toEqual(believed);
});

test('refuses an insert or update of a missing column before it is sent', () => {
  expect(() => domainTable.insert({ nmae: 'x' } as object)).toThrow('domain has no column nmae');
  expect(() => domainTable.set({ nmae: 'x' } as object)).toThrow('domain has no column nmae');
});
