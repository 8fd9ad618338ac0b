import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../src/database.ts';
import { sql } from '../src/sql/sql.ts';
import { allTenants } from '../src/tenants/tenant.ts';

/** A connection that passes to another tenant. */
let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ url, drop } = await emptyDatabase('wipes'));
  const db = openDatabase({ url, maxConnections: 1 });
  await db.autocommit(allTenants).run(sql`create table item (id int primary key, n int not null)`);
  await db.autocommit(allTenants).run(sql`insert into item values (1, 10), (2, 20)`);
  await db.close();
});
afterAll(() => drop());

const tenantOf = sql`select current_setting('namehold.tenant', true) as tenant`;
const find = (id: number) => sql`select n from item where id = ${id}`;
const preparedAt = async (one: Database, tenant: string) =>
  (
    await one.as(tenant).one<{ at: Date }>(sql`
      select prepare_time as at from pg_prepared_statements where name = ${find(1).name}`)
  ).at;

test('keeps the statements that this process prepared, for a while', async () => {
  const one = openDatabase({ url, maxConnections: 1 });
  await one.as('a').one(find(1));
  const before = await preparedAt(one, 'a');
  await one.as('b').one(find(1));
  expect(await preparedAt(one, 'b')).toEqual(before);
  await one.close();

  const forgetful = openDatabase({ url, maxConnections: 1, plansKeptMs: 0 });
  await forgetful.as('a').one(find(1));
  expect(await forgetful.as('b').many(sql`select from pg_prepared_statements where name = ${find(1).name}`)).toEqual(
    [],
  );
  await forgetful.close();
});

test('drops what a statement prepared, and re-prepares what it removed', async () => {
  const one = openDatabase({ url, maxConnections: 1 });
  const change = sql`update item set n = n + 1 where id = 2 returning n`;
  const { n } = await one.as('b').one<{ n: number }>(find(2));
  const uses: ((db: Database) => Promise<unknown>)[] = [
    (db) => db.as('b').one(find(2)),
    (db) => db.autocommit('b').run(change),
    (db) => db.transaction('b', (tx) => tx.run(change)),
    (db) => Promise.all([db.as('b').one(find(2)), db.as('b').one(tenantOf)]),
  ];
  for (const use of uses) {
    await use(one);
    for (const poison of [
      `deallocate all`,
      `deallocate all; prepare "${find(2).name}" (int) as select -1 as n; prepare "${change.name}" as select -1 as n; prepare set_tenant (text) as select $1`,
      `set standard_conforming_strings = off; set search_path = pg_temp; begin`,
    ]) {
      await one.as('a').many({ text: poison, values: [] });
      await use(one);
      expect(await one.as('b').one(tenantOf)).toEqual({ tenant: 'b' });
    }
  }
  // Each kind of change once, by the statement that makes it.
  expect(await one.as('b').one(find(2))).toEqual({ n: n + 8 });
  await one.autocommit(allTenants).run(sql`update item set n = ${n} where id = 2`);
  await one.close();
});

test('discards a session with a foreign prepared statement, as behind a pooler that shares sessions', async () => {
  const one = openDatabase({ url, maxConnections: 1 });
  const look = sql`select n + 0 as n from item where id = ${1}`;
  const change = sql`update item set n = n + 100 where id = 2 returning n`;
  const { n } = await one.as('a').one<{ n: number }>(find(2));
  const foreign = (name: string | undefined) =>
    one.as('a').many({ text: `prepare "${name}" as select -1 as n`, values: [] });
  await foreign(look.name);
  expect(await one.as('a').one(look)).toEqual({ n: 10 });
  await foreign(change.name);
  await one.transaction('a', (tx) => tx.run(change));
  expect(await one.as('a').one(find(2))).toEqual({ n: n + 100 });
  await one.close();
});

test('takes over the session of another tenant if the server has none left', async () => {
  const owner = openDatabase({ url, maxConnections: 1 });
  const role = `one_session_${process.pid}`;
  await owner.autocommit(allTenants).run(sql`create role ${sql.raw(role)} login connection limit 1`);
  const address = new URL(url);
  address.username = role;
  address.searchParams.delete('user');
  const short = openDatabase({ url: address.href, maxConnections: 2 });
  try {
    const who = sql`select pg_backend_pid() as pid, current_setting('namehold.tenant', true) as tenant`;
    const { pid } = await short.as('a').one<{ pid: number }>(who);
    expect(await short.as('b').one(who)).toEqual({ pid, tenant: 'b' });
    expect(await short.transaction('a', (tx) => tx.one(who))).toEqual({ pid, tenant: 'a' });
  } finally {
    await short.close();
    await owner.autocommit(allTenants).run(sql`drop role ${sql.raw(role)}`);
    await owner.close();
  }
});
