import { fileURLToPath } from 'node:url';
import { allTenants, migrate, openDatabase, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { databaseUrl, migratedDatabase } from '../../../../test/support/database.ts';
import { probeDatabase } from '../../src/embedded/probes.ts';
import { openLogins, rolesSql } from '../../src/logins.ts';
import { migrateWithRoles } from '../../src/missing-roles.ts';

const folder = fileURLToPath(new URL('../../src/schema', import.meta.url));
const name = `logins_${process.pid}`;
const ownerRole = `${name}_owner`;
const ownerUrl = databaseUrl(name).replace('postgres@', `${ownerRole}@`);

async function as(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

afterAll(() =>
  as(databaseUrl('postgres'), [
    `drop database if exists ${name} with (force)`,
    `drop role if exists ${ownerRole}`,
    `drop role if exists ${name}_app`,
  ]),
);

/** The output of `namehold database roles`, for a server on which other tests have created the common roles already. */
function printed(): { server: string[]; database: string[] } {
  const lines = rolesSql()
    .filter((line) => !/^(--|\\connect)/.test(line) && !/^create role namehold_(app|clockwork|retention)/.test(line))
    .map((line) => line.replaceAll('namehold_owner', ownerRole).replace(/\bdatabase namehold\b/, `database ${name}`));
  const inside = lines.findIndex((line) => line.startsWith('alter schema'));
  return { server: lines.slice(0, inside), database: lines.slice(inside) };
}

test('migrates and isolates accounts with the printed roles and an owner that may only create tables', async () => {
  const { server, database } = printed();
  // The common roles exist once per server; the first test file that migrates creates them.
  const template = databaseUrl('postgres');
  await as(template, [
    `do $$ begin create role namehold_app login noinherit; exception when duplicate_object or unique_violation then null; end $$`,
    `do $$ begin create role namehold_clockwork login noinherit; exception when duplicate_object or unique_violation then null; end $$`,
    `do $$ begin create role namehold_retention login noinherit; exception when duplicate_object or unique_violation then null; end $$`,
    ...server,
  ]);
  await as(databaseUrl(name), database);
  await migrate({ url: ownerUrl, folder });
  expect(await migrate({ url: ownerUrl, folder })).toEqual([]);
  const { appUrl, schedulerUrl, tenantKey } = await openLogins(ownerUrl);
  const db = openDatabase({ url: appUrl, allTenantsUrl: schedulerUrl, tenantKey });
  await db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into reseller (id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
                            selling_currency, accounting_currency, created_at)
      values (1, 'x', 'x', 'x', 'x', 'x', 'x', 'US', '1', '1', '1', 'USD', 'USD', now())`),
  );
  expect(await db.as('1').one(sql`select count(*)::integer as n from reseller`)).toEqual({ n: 1 });
  expect(await db.as('2').one(sql`select count(*)::integer as n from reseller`)).toEqual({ n: 0 });
  await expect(db.as('1').many(sql`do $$ begin end $$`)).rejects.toMatchObject({ code: '42501' });
  await db.close();
});

test('accepts the operator’s own login as a member of the role, and refuses one with more rights', async () => {
  await as(databaseUrl('postgres'), [`create role ${name}_app login in role namehold_app`]);
  const app = databaseUrl(name).replace('postgres@', `${name}_app@`);
  const { appUrl, tenantKey } = await openLogins(ownerUrl, { app });
  const db = openDatabase({ url: appUrl, tenantKey });
  expect(await db.as('1').one(sql`select session_user as who, count(*)::integer as n from reseller`)).toEqual({
    who: `${name}_app`,
    n: 1,
  });
  await db.close();
  // Its own settings, in general and for this database, do not count and do not last.
  await as(app, [
    `alter role session_user set search_path = x`,
    `alter role session_user in database ${name} set datestyle = 'SQL'`,
  ]);
  expect((await openLogins(ownerUrl, { app })).cleared).toEqual([`${name}_app: DateStyle, search_path`]);
  expect((await openLogins(ownerUrl, { app })).cleared).toEqual([]);
  await as(databaseUrl('postgres'), [`grant pg_read_all_data to ${name}_app`]);
  await expect(openLogins(ownerUrl, { app })).rejects.toThrow(/member of other roles/);
  const unknownRole = databaseUrl(name).replace('postgres@', 'nobody_at_all@');
  await expect(openLogins(ownerUrl, { app: unknownRole })).rejects.toThrow(/cannot log in.*namehold database roles/s);
});

test('starts two processes at once although both read the same roles first', async () => {
  const first = new pg.Client({ connectionString: databaseUrl(name) });
  await first.connect();
  try {
    await first.query(`grant temporary on database ${name} to public`);
    await first.query(`begin; revoke temporary on database ${name} from public`);
    const second = openLogins(ownerUrl);
    const waits = async () => {
      // In a transaction the first read of the sessions is kept for the next ones.
      await first.query('select pg_stat_clear_snapshot()');
      const waiting = await first.query(
        `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = '${name}'`,
      );
      return waiting.rowCount;
    };
    await vi.waitFor(async () => expect(await waits()).toBe(1), { timeout: 300_000 });
    await first.query('commit');
    expect((await second).appUrl).toContain('namehold_app');
  } finally {
    await first.end();
  }
});

test('refuses a database that was restored before the roles existed, and names the fix', async () => {
  const restored = await migratedDatabase();
  try {
    expect(await migrateWithRoles({ url: restored.url, folder })).toEqual([]);
    // What pg_restore leaves if the role did not exist: tables and functions without its grants.
    await as(restored.url, [
      'revoke all on all tables in schema public from namehold_app, namehold_retention',
      'revoke all on all functions in schema public from namehold_app, namehold_retention',
    ]);
    await expect(migrateWithRoles({ url: restored.url, folder })).rejects.toThrow(
      /^database roles have no rights in this database: namehold_app, namehold_retention; .*restore the dump again \(docs\/operate\/backup-and-restore.md\)$/,
    );
    const probes = await probeDatabase(restored.url, folder);
    expect(probes.filter(({ ok }) => !ok)).toEqual([
      {
        name: 'logins',
        ok: false,
        text: 'database roles have no rights in this database: namehold_app, namehold_retention',
        fix: expect.stringContaining('drop this database, create the roles, and restore the dump again'),
      },
    ]);
  } finally {
    await restored.drop();
  }
});
