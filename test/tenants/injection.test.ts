import { money } from '@namehold/base';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hold } from '../../packages/server/src/core/ledger/hold.ts';
import { openLogins, settingsOfLogins } from '../../packages/server/src/logins.ts';
import { type TestContext, testContext } from '../../packages/server/test/ledger/context.ts';
import { fillTables } from '../../packages/server/test/migrations/fill.ts';

/** The worst case of a request: statements of an attacker's choice, on a connection of its own account. */
let t: TestContext;
let owner: pg.Client;
let me: string;
let child: string;
let victim: string;
let mark: string;
let attacker: pg.Client;
let hold1: string;

beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  me = await t.reseller('1');
  child = await t.reseller(me);
  victim = await t.reseller('1');
  for (const id of [me, victim]) await t.fund(id, 100_00n);
  const levels = [{ resellerId: me, sellerId: '1', amount: money(1_00n, 'USD') }];
  hold1 = await t.db.transaction(me, (tx) =>
    hold(t.ctx, tx, { levels, operationId: 'op_held', action: 'create', years: 1, description: 'x' }),
  );
  owner = new pg.Client({ connectionString: t.ownerUrl });
  await owner.connect();
  await fillTables(owner, 4, 7);
  // A certificate belongs to the owner of its domain; random values do not match that.
  await owner.query('update certificate c set reseller_id = d.reseller_id from domain d where d.id = c.domain_id');
  // Event numbers were random here: the next one must be free.
  await owner.query(`insert into event_counter as c (reseller_id, last_number) select reseller_id, max(number) from event group by 1
    on conflict (reseller_id) do update set last_number = greatest(c.last_number, excluded.last_number)`);
  const ids = async (table: string) =>
    (await owner.query<{ id: string }>(`select quote_literal(id) as id from ${table} where reseller_id = ${me}`)).rows
      .map((row) => row.id)
      .concat("'0'")
      .join(', ');
  ownByWay = {
    ledger_entry: `account_id in (${await ids('ledger_account')})`,
    registry_command: `operation_id in (${await ids('operation')})`,
  };
  ({ client: attacker, mark } = await connectAs(me));
});
afterAll(async () => {
  await attacker?.end();
  await owner?.end();
  await t?.drop();
});

/** A raw connection of the request's login, with the tenant set like in the pool. */
async function connectAs(tenant: string): Promise<{ client: pg.Client; mark: string }> {
  const { appUrl, tenantKey } = await openLogins(t.ownerUrl);
  const db = openDatabase({ url: appUrl, tenantKey, maxConnections: 1, applicationName: `as ${tenant}` });
  // The signature for the pool's own connection is not valid here, so one for this connection is requested.
  const row = await db.as(tenant).one<{ mark: string }>(sql`select current_setting('namehold.tenant') as mark`);
  await db.close();
  const client = new pg.Client({ connectionString: appUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { rows: seal } = await owner.query<{ seal: string }>(
    `select encode(sha256(secret || sha256(secret || convert_to($1 || '.' || $2, 'UTF8'))), 'hex') as seal from tenant_key`,
    [tenant, String(rows[0]!.pid)],
  );
  await client.query(`select set_config('namehold.tenant', $1, false)`, [`${tenant}.${seal[0]!.seal}`]);
  return { client, mark: row.mark };
}

/** The simple protocol allows any number of statements. Failing ones are ignored, and their effects are rolled back. */
async function attack(text: string): Promise<{ code: string; rows: unknown[] }> {
  try {
    const result = await attacker.query(text);
    const last = Array.isArray(result) ? result.at(-1)! : result;
    return { code: '', rows: last.rows };
  } catch (error) {
    await attacker.query('rollback').catch(() => undefined);
    return { code: (error as { code: string }).code, rows: [] };
  }
}

async function tables(): Promise<{ name: string; columns: string[]; owner: string | undefined }[]> {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped group by 1 order by 1`);
  return rows.map(({ name, columns }) => ({
    name,
    columns,
    owner: name === 'reseller' ? 'id' : columns.find((c) => c === 'reseller_id' || c === 'owner_reseller_id'),
  }));
}

/** Belongs to no account, and may be read by all. */
const common = new Set([
  'tld',
  'tld_alternative',
  'tld_catalogue',
  'transfer_lock',
  'registry',
  'registry_tld',
  'nameserver',
]);
/**
 * Rows that others may see: of a direct child for its parent; of a sale for its seller; of a payment for its payer, with receipts and
 * invoices.
 */
const shared: Record<string, string> = {
  reseller: `parent_id = {me}`,
  domain: `reseller_id in (select id from reseller where parent_id = {me})`,
  domain_total: `reseller_id in (select id from reseller where parent_id = {me})`,
  transaction_total: `customer_id = 0 and reseller_id in (select id from reseller where parent_id = {me})`,
  ledger_transaction: `seller_id = {me}`,
  invitation: `parent_id = {me}`,
  expected_payment: `payer_id = {me}`,
  payment: `expected_id in (select id from expected_payment where payer_id = {me})`,
  invoice: `child_id = {me} and number is not null`,
};
/** Owned through another row. */
let ownByWay: Record<string, string>;

async function foreignRows(): Promise<string[]> {
  const seen: string[] = [];
  for (const table of await tables()) {
    if (common.has(table.name)) continue;
    const also = shared[table.name]?.replaceAll('{me}', me) ?? 'false';
    const isOwn = ownByWay[table.name] ?? (table.owner && `${table.owner} = ${me}`);
    const condition = isOwn ? `not coalesce(${isOwn} or ${also}, false)` : 'true';
    const { rows } = await attack(`select count(*)::integer as n from ${table.name} where ${condition}`);
    const n = (rows[0] as { n: number } | undefined)?.n ?? 0;
    if (n > 0) seen.push(`${table.name}: ${n}`);
  }
  return seen;
}

/** Tables with rows of others, and with rows that must not change: a touched row has a new xmin. */
async function footprint(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const sacred = /^(ledger_|audit$|event$|operation$|registry|tenant_key|login_password|schema_migration|tld)/;
  for (const table of await tables()) {
    const all = !table.owner || sacred.test(table.name);
    const mine = /^(reseller|invitation)$/.test(table.name)
      ? `${table.owner} = ${me} or parent_id = ${me}`
      : `${table.owner} = ${me}`;
    const { rows } = await owner.query<{ marks: string }>(
      `select coalesce(string_agg(ctid::text || xmin::text || xmax::text, ' ' order by ctid), '') as marks from ${table.name}
       where ${all ? 'true' : `not coalesce(${mine}, false)`}`,
    );
    found[table.name] = rows[0]!.marks;
  }
  return found;
}

describe("a statement of the attacker's choice", () => {
  test('reads its own rows only', async () => {
    const { rows } = await attack('select id from reseller order by id');
    const own = await owner.query<{ id: string }>(
      `select id from reseller where id = ${me} or parent_id = ${me} order by id`,
    );
    expect(own.rows.map(({ id }) => id)).toEqual(expect.arrayContaining([me, child]));
    expect(rows).toEqual(own.rows);
    expect(await foreignRows()).toEqual([]);
  });

  test('cannot switch to another role or another tenant', async () => {
    const own = (await attacker.query<{ mark: string }>(`select current_setting('namehold.tenant') as mark`)).rows[0]!
      .mark;
    const seal = own.split('.')[1]!;
    const theirs = await connectAs(victim);
    await theirs.client.end();
    const escapes = [
      `select set_config('role', 'none', false)`,
      'reset role',
      'set role postgres',
      'set role namehold_clockwork',
      'set role namehold_retention',
      'reset session authorization',
      'set session authorization namehold_clockwork',
      'set session authorization postgres',
      `set row_security = off`,
      `select set_config('namehold.tenant', '*', false)`,
      `select set_config('namehold.tenant', '${victim}', false)`,
      `select set_config('namehold.tenant', '${victim}.${seal}', false)`,
      `select set_config('namehold.tenant', '${victim}.', false)`,
      `select set_config('namehold.tenant', '*.${seal}', false)`,
      // The same tenant on another connection is not valid here, and neither is a signature of the victim's connection.
      `select set_config('namehold.tenant', '${mark}', false)`,
      `select set_config('namehold.tenant', '${theirs.mark}', false)`,
    ];
    for (const way of escapes) {
      await attack(way);
      expect(await foreignRows(), way).toEqual([]);
      const { rows } = await attack('select session_user as s, current_user as c');
      expect(rows, way).toEqual([{ s: 'namehold_app', c: 'namehold_app' }]);
      await attack(`reset all; select set_config('namehold.tenant', '${own}', false)`);
    }
  });

  test('changes no row of others, no ledger row and no record', async () => {
    const before = await footprint();
    for (const table of await tables()) {
      for (const column of table.columns)
        if (!(table.name === 'operation' && column === 'request_id'))
          await attack(`update ${table.name} set ${column} = ${column}`);
      await attack(
        `begin; delete from ${table.name} where ${table.owner ?? 'true'} ${table.owner ? `<> ${me}` : ''}; commit`,
      );
      await attack(`truncate ${table.name}`);
      await attack(`lock table ${table.name} in access exclusive mode`);
    }
    for (const table of ['audit', 'event', 'ledger_entry', 'ledger_account', 'ledger_transaction', 'operation'])
      await attack(`delete from ${table}`);
    expect(await footprint()).toEqual(before);
  });

  test('moves no money', async () => {
    const before = await footprint();
    const order = JSON.stringify({
      at: '2026-03-01T00:00:00Z',
      payers: [child, me],
      sellers: [me, '1'],
      amounts: ['0', '5000'],
      currencies: ['USD', 'USD'],
      type: 'domain',
      description: 'x',
    });
    const moves = [
      `select ledger_capture(now(), ${hold1}, null, null, null)`,
      `select ledger_release(now(), ${hold1})`,
      `select ledger_refund(now(), ${hold1}, null, false)`,
      `select ledger_post(now(), 'fund', ${me}, ${child}, null, 100000, 'USD', 'x')`,
      `select ledger_set_credit_limit(${me}, ${child}, 'USD', 100000)`,
      `select ledger_hold(now(), '{${me}}', '{1}', '{5000}', '{USD}', null, null, 'domain', null, null, 'create', 1, 'x')`,
      `select ledger_hold_sealed('${order}', '')`,
      `select ledger_hold_sealed('${order}', split_part(current_setting('namehold.tenant'), '.', 2))`,
      `select ledger_bill(now(), ${me}, 2001, 100, 'USD', 'domain', null, 'create', 1, 'x')`,
      `select ledger_bill_sealed('${order}', '')`,
      `select ledger_bill_pay(now(), ${me}, ${hold1})`,
      `select ledger_bill_cancel(now(), ${me}, ${hold1})`,
      `select ledger_move(now(), '{fund}', '{1}', '{1}', '{1}')`,
      `select ledger_account_id('available', ${me}, null, 'EUR')`,
      `insert into operation (id, reseller_id, kind, request, state, due_at, created_at, updated_at)
       values ('op_forged', ${me}, 'register', '{}', 'intended', now(), now(), now())`,
      `select operation_place('{"id":"op_forged","reseller_id":"${me}","kind":"register","request":{},"state":"intended"}', 'x')`,
      `select retention_forget(now())`,
    ];
    for (const move of moves) expect((await attack(move)).code, move).toMatch(/^(42501|42883)$/);
    expect(await footprint()).toEqual(before);
  });

  test('cannot insert rows that affect another account', async () => {
    const theirs = await domainWithZone(victim, 'victim.example');
    const mine = await domainWithZone(me, 'mine.example');
    const before = await footprint();
    const forgeries = [
      `insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire) values (${theirs.zone}, ${me}, 'victim.example.', 'A', 60, '{192.0.2.1}', '')`,
      `insert into zone_change (zone_id, reseller_id, serial_to, kind, at, soa_to, deleted, added) values (${theirs.zone}, ${me}, 9, 'change', now(), '', '[]', '[]')`,
      `insert into zone_membership (zone_id, name, catalog_label, action, at) values (${theirs.zone}, 'victim.example.', 'z${theirs.zone}', 'leave', now())`,
      `insert into child_host (domain_id, reseller_id, hostname, addresses) values (${theirs.domain}, ${me}, 'ns1.victim.example', '{192.0.2.1}')`,
      `update domain set registrant_contact_id = ${theirs.contact} where id = ${mine.domain}`,
      `update domain set customer_id = ${theirs.customer} where id = ${mine.domain}`,
      `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at)
       values (${me}, ${mine.customer}, 'forged.example', 'example', 'r', 'live', now(), now())`,
      `update domain set registry_created_at = now() where id = ${mine.domain}`,
      `update domain set end_date = now() + interval '10 years' where id = ${mine.domain}`,
      `update domain set state = 'removed', removed_at = now() where id = ${mine.domain}`,
      `update domain set name = 'other.example' where id = ${mine.domain}`,
      `update reseller set parent_id = ${victim} where id = ${me}`,
      `update reseller set status = 'Active' where id = ${me}`,
      `insert into reseller (parent_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
        selling_currency, accounting_currency, created_at) values (${victim}, 'x', 'x', 'x', 'x', 'x', 'x', 'US', '1', '1', '1', 'USD', 'USD', now())`,
      `insert into audit (reseller_id, at, address, request_id, action, object_type, object_id) values (${victim}, now(), 'x', 'x', 'x', 'x', 'x')`,
      `insert into event (reseller_id, number, at, type, object_type, object_id, payload) values (${victim}, 99, now(), 'x', 'x', 'x', '{}')`,
      `select append_event(${victim}, now(), 'x', 'x', 'x', null, '{}')`,
      `select is_zone_in_the_way('example.', ${victim})`,
      `select reseller_in_use(1, ${victim})`,
      `select * from ledger_balance(${victim}, ${victim}, 'USD')`,
      `select zone_last_serial('victim.example.')`,
      `select zone_last_serial('mine.example.') from set_config('namehold.tenant', '', true)`,
      `select zone_make_way('victim.example.', ${mine.domain}, now())`,
      `select zone_make_way('victim.example.', ${theirs.domain}, now())`,
      `select is_zone_in_the_way('www.victim.example.', ${me})`,
      `select * from zone_claim_name('victim.example.', ${victim}, ${theirs.domain}, now())`,
      `select * from zone_claim_name('victim.example.', ${me}, ${mine.domain}, now())`,
      `select nextval(pg_get_serial_sequence('domain', 'id'))`,
      `select * from price_facts(${victim}, now(), null, null, null)`,
      `select * from priced_facts(${victim}, now(), null, null, null, now())`,
      `select * from zone_templates_above(${victim}, null)`,
    ];
    for (const forgery of forgeries) expect((await attack(forgery)).code, forgery).toMatch(/^(42501|23503)$/);
    expect(await footprint()).toEqual(before);
  });

  test('creates zones of its own domains only', async () => {
    const bare = await domainOf(me, 'bare.example');
    const mine = await domainWithZone(me, 'renamed.example');
    const left = await domainWithZone(me, 'left.example');
    const theirs = await domainWithZone(victim, 'gone.example');
    await owner.query(
      `update domain set state = 'removed', removed_at = '2026-05-05' where id in (${left.domain}, ${theirs.domain})`,
    );
    await owner.query(`update zone set state = 'withdrawn', withdrawn_at = now() where id = ${left.zone}`);
    const zoneOf = (domain: string, name: string, more = '') =>
      `insert into zone (${more && 'id, '}reseller_id, domain_id, name, serial, mname, rname, refresh, retry, expire, minimum, changed_at, created_at)
       values (${more && `${more}, `}${me}, ${domain}, '${name}', 1, 'x', 'x', 1, 1, 1, 1, now(), now())`;
    const pending = (name: string) =>
      `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at)
       values (${me}, ${bare.customer}, '${name}', 'example', 'r', 'pending', now(), now())`;
    // A refused order has locked the rows that it refers to, and nothing else.
    const standing = async () => {
      const { zone, zone_membership, zone_rrset, domain, event } = await footprint();
      return { zone, zone_membership, zone_rrset, domain, event };
    };
    const before = await standing();
    const ways = [
      `update zone set name = 'www.victim.example.', serial = serial + 1 where id = ${mine.zone}`,
      `update zone set name = 'unheld.example.' where id = ${mine.zone}`,
      `update zone set domain_id = ${bare.domain} where id = ${mine.zone}`,
      `delete from zone where id = ${mine.zone}`,
      `update zone set state = 'active', withdrawn_at = null where id = ${left.zone}`,
      zoneOf(bare.domain, 'www.victim.example.'),
      zoneOf(bare.domain, 'unheld.example.'),
      zoneOf(bare.domain, 'bare.example.', '4711'),
      `begin; ${pending('unheld.example')}; ${zoneOf(`(select id from domain where name = 'unheld.example')`, 'unheld.example.')}; commit`,
      `begin; ${pending('www.victim.example')}; ${zoneOf(`(select id from domain where name = 'www.victim.example')`, 'www.victim.example.')}; commit`,
      // A former owner's zone is replaced for the current owner of the domain only.
      `begin; ${pending('gone.example')}; select zone_make_way(name || '.', id, '1970-01-02') from domain where name = 'gone.example' and state = 'pending'; commit`,
    ];
    for (const way of ways) expect((await attack(way)).code, way).toMatch(/^(42501|23503)$/);
    expect(await standing()).toEqual(before);

    expect((await attack(zoneOf(bare.domain, 'bare.example.'))).code).toBe('');
    const newOwner = await domainOf(me, 'gone.example');
    expect((await attack(`select zone_make_way('gone.example.', ${newOwner.domain}, '1970-01-02') as n`)).rows).toEqual(
      [{ n: 1 }],
    );
    const { rows } = await owner.query(
      `select state, withdrawn_at = '2026-05-05' as right from zone where id = ${theirs.zone}`,
    );
    expect(rows).toEqual([{ state: 'withdrawn', right: true }]);
  });

  test('cannot create a zone above one of another account', async () => {
    await domainWithZone(victim, 'below.above.example');
    const above = await domainOf(me, 'above.example');
    const way = `insert into zone (reseller_id, domain_id, name, serial, mname, rname, refresh, retry, expire, minimum, changed_at, created_at)
      values (${me}, ${above.domain}, 'above.example.', 1, 'x', 'x', 1, 1, 1, 1, now(), now())`;
    expect((await attack(way)).code).toBe('42501');
  });

  test('opens no file, runs no program, creates nothing, reads no secret', async () => {
    const deeds = [
      `copy (select 1) to program 'id'`,
      `copy customer from program 'id'`,
      `copy (select 1) to '/tmp/namehold-injected'`,
      `copy customer from '/etc/passwd'`,
      `select pg_read_file('/etc/passwd')`,
      `select pg_read_binary_file('/etc/passwd')`,
      `select pg_ls_dir('/')`,
      `select lo_import('/etc/passwd')`,
      `select lo_export(lo_from_bytea(0, 'x'), '/tmp/namehold-injected')`,
      'select lo_create(0)',
      'select lo_creat(0)',
      `select lo_from_bytea(0, 'x')`,
      `comment on role namehold_app is 'x'`,
      'alter role namehold_app nologin',
      `alter role namehold_app valid until '2000-01-01'`,
      'alter role namehold_app connection limit 0',
      'alter role namehold_clockwork set search_path = x',
      'alter role all set search_path = x',
      'alter database postgres set search_path = x',
      'create table loot (x text)',
      'create temporary table domain (x text)',
      'create schema loot',
      `create function loot() returns int language sql as 'select 1'`,
      `create function pg_temp.loot() returns int language sql as 'select 1'`,
      `do $$ begin execute 'create temporary table domain (x text)'; end $$`,
      'create extension plpgsql',
      `alter system set log_statement = 'all'`,
      'select pg_reload_conf()',
      'select rolpassword from pg_authid',
      'select passwd from pg_shadow',
      'select secret from tenant_key',
      'select password from login_password',
      'select secrets_sealed from registry',
      'select tsig_secret_sealed from nameserver',
      'select frame_sealed from registry_command',
      'select body_sealed from poll_message',
      "select is_sealed('x', 'x')",
      `grant namehold_clockwork to namehold_app`,
      `alter role namehold_app superuser`,
      `alter function current_tenant() owner to namehold_app`,
      `alter policy own on customer using (true)`,
      `alter table customer disable row level security`,
    ];
    for (const deed of deeds)
      expect((await attack(deed)).code, deed).toMatch(/^(42501|42P17|42710|3F000|0LP01|22023)$/);
  });

  test('leaves nothing on its connection for the next tenant', async () => {
    const { appUrl, tenantKey } = await openLogins(t.ownerUrl);
    const db = openDatabase({ url: appUrl, tenantKey, maxConnections: 1 });
    const question = () => sql`select count(*)::integer as n from customer where reseller_id = ${victim}`;
    const { name } = question();
    const right = await db.as(victim).one(question());
    const poisons = [
      `begin`,
      `deallocate all; prepare "${name}" (bigint) as select -1 as n`,
      `set search_path = pg_temp; set client_encoding = 'SQL_ASCII'; set statement_timeout = 0`,
      `declare c cursor with hold for select 1`,
      `select pg_advisory_lock(1)`,
    ];
    for (const poison of poisons) {
      await db.as(me).one(question());
      await db
        .as(me)
        .many({ text: poison, values: [] } as never)
        .catch(() => undefined);
      expect(await db.as(victim).one(question()), poison).toEqual(right);
      const left = await db.as(victim).one(sql`
        select current_setting('search_path') as path, (select count(*)::integer from pg_cursors where is_holdable) as cursors,
          (select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`);
      expect(left, poison).toEqual({ path: '"$user", public', cursors: 0, locks: 0 });
    }
    await db.close();
  });
});

/** Roles belong to the whole server, on which other tests run: settings are made for this database only. */
describe('settings that a login makes for itself', () => {
  const settings: Record<string, string> = {
    search_path: 'x',
    timezone: 'Pacific/Auckland',
    datestyle: 'SQL, DMY',
    intervalstyle: 'iso_8601',
    synchronous_commit: 'off',
    row_security: 'off',
    statement_timeout: '1',
    lock_timeout: '1',
    idle_session_timeout: '1',
    transaction_timeout: '1',
    default_transaction_isolation: 'serializable',
    default_transaction_deferrable: 'on',
    standard_conforming_strings: 'off',
    transform_null_equals: 'on',
    array_nulls: 'off',
    bytea_output: 'escape',
    extra_float_digits: '-15',
    exit_on_error: 'on',
    local_preload_libraries: 'nothing',
    'plpgsql.extra_errors': 'all',
  };
  const ofLogin = `select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()`;

  test('affect no connection, are reported by doctor, and are removed by a start', async () => {
    const { appUrl, tenantKey, cleared } = await openLogins(t.ownerUrl);
    expect(cleared).toEqual([]);
    const here = (await owner.query<{ name: string }>('select current_database() as name')).rows[0]!.name;
    const shown = async () => {
      const db = openDatabase({ url: appUrl, tenantKey, maxConnections: 1 });
      try {
        const found: Record<string, unknown> = await db.as(me).one(sql`
          select count(*)::integer as customers, now() as now from customer where reseller_id = ${me}`);
        expect(found.now).toBeInstanceOf(Date);
        for (const name of Object.keys(settings))
          found[name] = (
            await db.as(me).one<{ value: string }>(sql`select current_setting(${name}, true) as value`)
          ).value;
        return { ...found, now: undefined };
      } finally {
        await db.close();
      }
    };
    const before = await shown();
    const taken: string[] = [];
    for (const [name, value] of Object.entries(settings)) {
      const { code } = await attack(`alter role namehold_app in database ${here} set ${name} = '${value}'`);
      // PostgreSQL 15 does not have all of them.
      if (code !== '42704') expect(code, name).toBe('');
      if (code === '') taken.push(name);
      expect(await shown(), name).toEqual(before);
    }
    expect(await settingsOfLogins(t.ownerUrl)).toEqual([expect.stringMatching(/^namehold_app: .*search_path/)]);
    const { cleared: gone } = await openLogins(t.ownerUrl);
    expect(gone[0]!.replace('namehold_app: ', '').toLowerCase().split(', ').sort()).toEqual(taken.sort());
    expect((await owner.query(ofLogin)).rows).toEqual([]);
    expect(await settingsOfLogins(t.ownerUrl)).toEqual([]);
    expect((await openLogins(t.ownerUrl)).cleared).toEqual([]);
  });
});

describe('the isolation as configured', () => {
  test('lets every function search temporary schemas last, and requests call only a few', async () => {
    const { rows } = await owner.query<{ name: string; path: boolean; open: boolean }>(`
      select p.proname as name, coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false) as path,
             has_function_privilege('namehold_app', p.oid, 'execute') as open
      from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`);
    expect(rows.filter((row) => !row.path).map((row) => row.name)).toEqual([]);
    expect(rows.filter((row) => row.open).map((row) => row.name)).toEqual([
      'acting_customer',
      'append_event',
      'brand_above',
      'chain_inactive_place',
      'current_customer',
      'current_tenant',
      'customer_mark',
      'customer_reseller',
      'customers_domains',
      'customers_zones',
      'default_zone_template_of',
      'holder_ask',
      'holder_look',
      'invoice_letterhead',
      'is_clockwork',
      'is_tenant',
      'is_zone_in_the_way',
      'ledger_balance',
      'ledger_balance_at',
      'ledger_bill_sealed',
      'ledger_days',
      'ledger_hold_sealed',
      'ledger_lines',
      'ledger_lock_payers',
      'link_host',
      'mail_allowance',
      'mail_budget',
      'mail_ceiling',
      'mailbox_key',
      'moves_to_customer',
      'name_month_what',
      'note_holder_change',
      'operation_place',
      'price_facts',
      'priced_facts',
      'reseller_in_use',
      'second_yes_of',
      'zone_begin',
      'zone_claim_name',
      'zone_last_serial',
      'zone_make_way',
      'zone_templates_above',
    ]);
  });

  test('has a policy for every table that requests may read, unless the table is public', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm') and not c.relrowsecurity
        and has_any_column_privilege('namehold_app', c.oid, 'select') order by 1`);
    expect(rows.map((row) => row.name)).toEqual([
      'nameserver',
      'registry',
      'registry_tld',
      'tld',
      'tld_alternative',
      'tld_catalogue',
      'transfer_lock',
    ]);
  });

  test('lets no login own anything or switch to another', async () => {
    const { rows } = await owner.query(`
      select r.rolname, m.rolname as becomes from pg_roles r join pg_roles m on m.oid <> r.oid and pg_has_role(r.oid, m.oid, 'member')
      where r.rolname in ('namehold_app', 'namehold_clockwork', 'namehold_retention')`);
    expect(rows).toEqual([]);
    const owned = await owner.query(
      `select from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname like 'namehold\\_%'`,
    );
    expect(owned.rowCount).toBe(0);
  });

  test('refuses an owner or superuser as the login of requests', async () => {
    await expect(openLogins(t.ownerUrl, { app: t.ownerUrl })).rejects.toThrow(/must own nothing/);
    const { schedulerUrl } = await openLogins(t.ownerUrl);
    await expect(openLogins(t.ownerUrl, { app: schedulerUrl })).rejects.toThrow(/it can become namehold_clockwork/);
  });

  test('lets the login of background jobs see every tenant and move money, but change no record', async () => {
    const n = await t.db
      .as(allTenants)
      .one<{ n: number }>(sql`select count(distinct reseller_id)::integer as n from ledger_transaction`);
    expect(n.n).toBeGreaterThan(1);
    for (const statement of [
      sql`delete from audit`,
      sql`update event set type = ''`,
      sql`update ledger_account set balance = 1`,
    ])
      await expect(t.db.autocommit(allTenants).run(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

const one = async (text: string) => (await owner.query<{ id: string }>(`${text} returning id`)).rows[0]!.id;

async function domainOf(reseller: string, name: string) {
  const party = `'x', 'x', 'x', 'x', 'x', 'US', '1', '1', '1'`;
  const partyColumns = 'name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no';
  const customer = await one(
    `insert into customer (reseller_id, email, currency, password_hash, created_at, ${partyColumns}) values (${reseller}, '${name}', 'USD', 'x', now(), ${party})`,
  );
  const contact = await one(
    `insert into contact (reseller_id, customer_id, email, fingerprint, created_at, updated_at, ${partyColumns}) values (${reseller}, ${customer}, 'x', '${name}', now(), now(), ${party})`,
  );
  await owner.query(
    `insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at) values ('r', '{}', 'x', 1, 'x', 'x', now()) on conflict do nothing`,
  );
  const domain = await one(
    `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at) values (${reseller}, ${customer}, '${name}', 'example', 'r', 'live', now(), now())`,
  );
  return { customer, contact, domain };
}

async function domainWithZone(reseller: string, name: string) {
  const held = await domainOf(reseller, name);
  const zone = await one(
    `insert into zone (reseller_id, domain_id, name, serial, mname, rname, refresh, retry, expire, minimum, changed_at, created_at)
     values (${reseller}, ${held.domain}, '${name}.', 1, 'x', 'x', 1, 1, 1, 1, now(), now())`,
  );
  return { ...held, zone };
}
