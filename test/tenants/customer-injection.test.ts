import { openDatabase, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLogins } from '../../packages/server/src/logins.ts';
import { type TestContext, testContext } from '../../packages/server/test/ledger/context.ts';
import { fillTables } from '../../packages/server/test/migrations/fill.ts';

/** Like injection.test.ts, on a connection of a customer: neither its reseller's rows nor those of another customer are visible. */
let t: TestContext;
let owner: pg.Client;
let attacker: pg.Client;
let me: string;
let mine: Named;
let theirs: Named;
let mark: string;

interface Named {
  readonly customer: string;
  readonly contact: string;
  readonly domain: string;
  readonly zone: string;
}

const one = async (text: string) => (await owner.query<{ id: string }>(text)).rows[0]!.id;

async function customerWithZone(reseller: string, name: string): Promise<Named> {
  const address = `'x', 'x', 'x', 'x', 'x', 'US', '1', '1', '1'`;
  const columns = 'name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no';
  const customer = await one(`insert into customer (reseller_id, email, password_hash, currency, created_at, ${columns})
    values (${reseller}, '${name}@x.example', 'x', 'USD', now(), ${address}) returning id`);
  const contact =
    await one(`insert into contact (reseller_id, customer_id, email, fingerprint, created_at, updated_at, ${columns})
    values (${reseller}, ${customer}, '${name}@x.example', '${name}', now(), now(), ${address}) returning id`);
  const domain =
    await one(`insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at)
    select ${reseller}, ${customer}, '${name}.example', r.tld, r.registry_id, 'live', now(), now() from registry_tld r limit 1 returning id`);
  const zone =
    await one(`insert into zone (reseller_id, domain_id, name, serial, mname, rname, refresh, retry, expire, minimum, changed_at, created_at)
    values (${reseller}, ${domain}, '${name}.example.', 1, 'x', 'x', 1, 1, 1, 1, now(), now()) returning id`);
  await owner.query(`insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire)
    values (${zone}, ${reseller}, '${name}.example.', 'A', 60, '{192.0.2.1}', '')`);
  return { customer, contact, domain, zone };
}

beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  me = await t.reseller('1');
  owner = new pg.Client({ connectionString: t.ownerUrl });
  await owner.connect();
  await fillTables(owner, 4, 7);
  await owner.query(`insert into event_counter as c (reseller_id, last_number) select reseller_id, max(number) from event group by 1
    on conflict (reseller_id) do update set last_number = greatest(c.last_number, excluded.last_number)`);
  mine = await customerWithZone(me, 'mine');
  theirs = await customerWithZone(me, 'theirs');
  const { appUrl } = await openLogins(t.ownerUrl);
  attacker = new pg.Client({ connectionString: appUrl });
  await attacker.connect();
  mark = await markFor(`${me}:${mine.customer}`);
  await attacker.query(`select set_config('namehold.tenant', $1, false)`, [mark]);
});
afterAll(async () => {
  await attacker?.end();
  await owner?.end();
  await t?.drop();
});

/** The same settings as the pool makes, on the attacker's connection. */
async function markFor(tenant: string): Promise<string> {
  const { rows } = await attacker.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { rows: seal } = await owner.query<{ seal: string }>(
    `select encode(sha256(secret || sha256(secret || convert_to($1 || '.' || $2, 'UTF8'))), 'hex') as seal from tenant_key`,
    [tenant, String(rows[0]!.pid)],
  );
  return `${tenant}.${seal[0]!.seal}`;
}

async function attack(text: string): Promise<{ code: string; rows: Record<string, unknown>[]; count: number }> {
  try {
    const result = await attacker.query(text);
    const last = Array.isArray(result) ? result.at(-1)! : result;
    return { code: '', rows: last.rows, count: last.rowCount ?? 0 };
  } catch (error) {
    await attacker.query('rollback').catch(() => undefined);
    return { code: (error as { code: string }).code, rows: [], count: 0 };
  }
}

async function tables(): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped group by 1 order by 1`);
  return rows;
}

const common = new Set([
  'tld',
  'tld_alternative',
  'tld_catalogue',
  'transfer_lock',
  'registry',
  'registry_tld',
  'nameserver',
]);

/** Visible rows of another customer. The counter of events contains only a number. */
async function foreignRows(): Promise<string[]> {
  const seen: string[] = [];
  for (const { name, columns } of await tables()) {
    if (common.has(name) || name === 'event_counter') continue;
    const own = ownBy(name, columns);
    const { rows } = await attack(`select count(*)::integer as n from ${name} where not coalesce(${own}, false)`);
    const n = (rows[0]?.n as number | undefined) ?? 0;
    if (n > 0) seen.push(`${name}: ${n}`);
  }
  return seen;
}

function ownBy(name: string, columns: string[]): string {
  if (name === 'customer') return `id = ${mine.customer}`;
  if (columns.includes('customer_id')) return `customer_id = ${mine.customer}`;
  if (columns.includes('domain_id')) return `domain_id = ${mine.domain}`;
  if (columns.includes('zone_id')) return `zone_id = ${mine.zone}`;
  return 'false';
}

test("reads the customer's own rows, and none of its reseller or of another customer", async () => {
  for (const [table, id] of [
    ['customer', mine.customer],
    ['contact', mine.contact],
    ['domain', mine.domain],
    ['zone', mine.zone],
  ])
    expect((await attack(`select id from ${table}`)).rows, table).toEqual([{ id }]);
  expect((await attack('select zone_id from zone_rrset')).rows).toEqual([{ zone_id: mine.zone }]);
  expect(await foreignRows()).toEqual([]);
  const mayRead = (customer: string) =>
    attack(`select available from ledger_balance_at(${me}, ${me}, ${customer}, 'USD', now())`);
  expect([(await mayRead(mine.customer)).code, (await mayRead(theirs.customer)).code]).toEqual(['', '42501']);
  expect((await mayRead('null')).code).toBe('42501');
  expect((await attack('select logo_type from invoice_letterhead(1)')).rows).toEqual([{ logo_type: null }]);
});

test('stores an event for the customer of its domain at that time, whatever the statement sets', async () => {
  const forge = (object: string, customer: string) =>
    attack(`insert into event (reseller_id, number, at, type, object_type, object_id, payload, customer_id)
      values (${me}, 99998, now(), 'x', 'domain', '${object}', '{}', ${customer})`);
  expect((await forge(theirs.domain, mine.customer)).code).toBe('42501');
  expect((await forge(mine.domain, theirs.customer)).code).toBe('');
  expect((await attack('select customer_id from event where number = 99998')).rows).toEqual([
    { customer_id: mine.customer },
  ]);
});

test('cannot act as its reseller, nor as another customer', async () => {
  const seal = mark.split('.')[1]!;
  const { customer } = theirs;
  for (const forged of [
    '',
    me,
    '*',
    `${me}.${seal}`,
    `*.${seal}`,
    `${me}:.${seal}`,
    `${me}:${customer}.${seal}`,
    `${me}:${customer}`,
    `${me}:${mine.customer}:${customer}.${seal}`,
    `${me}+${mine.customer}.${seal}`,
    `${me}+.${seal}`,
  ]) {
    await attack(`select set_config('namehold.tenant', '${forged}', false)`);
    expect(await foreignRows(), forged).toEqual([]);
    expect((await attack('select id from customer')).rows, forged).toEqual([]);
  }
  await attack(`reset all; select set_config('namehold.tenant', '${mark}', false)`);
  expect((await attack('select id from customer')).rows).toEqual([{ id: mine.customer }]);
});

test('changes its own records, and nothing else', async () => {
  const footprint = async () => {
    const found: Record<string, string> = {};
    for (const { name, columns } of await tables()) {
      const isOwn = /^(zone|zone_rrset|zone_change|displaced_rrset)$/.test(name) ? ownBy(name, columns) : 'false';
      const own = name === 'zone' ? `id = ${mine.zone}` : isOwn;
      const { rows } = await owner.query<{ marks: string }>(
        `select coalesce(string_agg(ctid::text || xmin::text, ' ' order by ctid), '') as marks from ${name} where not coalesce(${own}, false)`,
      );
      found[name] = rows[0]!.marks;
    }
    return found;
  };
  const before = await footprint();
  for (const { name, columns } of await tables()) {
    if (name === 'event_counter') continue;
    for (const column of columns) await attack(`update ${name} set ${column} = ${column}`);
    await attack(`begin; delete from ${name} where ${ownBy(name, columns)} is not true; commit`);
  }
  const forgeries = [
    `insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire) values (${theirs.zone}, ${me}, 'theirs.example.', 'AAAA', 60, '{}', '')`,
    `insert into audit (reseller_id, at, address, request_id, action, object_type, object_id) values (${me}, now(), 'x', 'x', 'x', 'x', 'x')`,
    `insert into audit (reseller_id, at, address, request_id, action, object_type, object_id, person_id)
     values (${me}, now(), 'x', 'x', 'x', 'x', 'x', 'customer:${theirs.customer}')`,
    `insert into event (reseller_id, number, at, type, object_type, object_id, payload) values (${me}, 99999, now(), 'x', 'domain', '${theirs.domain}', '{}')`,
    `insert into idempotency (reseller_id, key, request_hash, state, leased_until, created_at) values (${me}, 'x', 'x', 'in_flight', now(), now())`,
    `insert into customer (reseller_id, email, name) values (${me}, 'x', 'x')`,
    `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at)
     values (${me}, ${mine.customer}, 'forged.example', 'example', 'r', 'pending', now(), now())`,
    `select reseller_in_use(${me}, 1)`,
    `select moves_to_customer(${me}, 1)`,
    `select * from ledger_balance(${me}, ${me}, 'USD')`,
    `select * from price_facts(${me}, now(), null, null, 'customer')`,
    `select * from priced_facts(${me}, now(), null, null, 'customer', now())`,
    `select zone_last_serial('theirs.example.')`,
    `select is_zone_in_the_way('theirs.example.', ${me})`,
    `select chain_inactive_place(${me})`,
    `select * from zone_templates_above(${me}, null)`,
    `select ledger_lock_payers(${me}, ${theirs.customer})`,
    `select * from ledger_balance_at(${me}, ${me}, ${theirs.customer}, 'USD', now())`,
    `select * from ledger_lines(${me}, ${me}, null, 'USD', '-infinity', now(), 0, 10)`,
    `select * from ledger_days(${me}, ${me}, 'USD', '-infinity', now())`,
    `select operation_place('{"id":"op_forged","reseller_id":"${me}","kind":"register","request":{},"state":"intended"}', 'x')`,
  ];
  for (const forgery of forgeries) expect((await attack(forgery)).code, forgery).toMatch(/^(42501|23502|23503)$/);
  expect((await attack(`update customer set access = 'order'`)).count).toBe(0);
  expect(await footprint()).toEqual(before);
  expect((await attack(`update zone_rrset set ttl = 61`)).count).toBe(1);
});

test('leaves nothing on a connection that passes from a customer to its reseller and back', async () => {
  const { appUrl, tenantKey } = await openLogins(t.ownerUrl);
  const db = openDatabase({ url: appUrl, tenantKey, maxConnections: 1 });
  const count = async (tenant: string) =>
    (await db.as(tenant).one<{ n: number }>(sql`select count(*)::integer as n from domain where reseller_id = ${me}`))
      .n;
  const all = await count(me);
  expect(all).toBeGreaterThan(1);
  for (let turn = 0; turn < 2; turn++) {
    expect(await count(`${me}:${mine.customer}`)).toBe(1);
    expect(await count(me)).toBe(all);
  }
  await db.close();
});

test('evaluates the current tenant once per statement in every single-column policy', async () => {
  const { rows } = await owner.query(`
    select tablename from pg_policies where schemaname = 'public' and qual ~ '^is_tenant\\([a-z_]+\\)$'`);
  expect(rows, 'of a new table: (select current_tenant()), and one policy for background jobs').toEqual([]);
});

test('limits the policies that query tables with policies to the listed ones', async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select tablename || '.' || policyname as name from pg_policies
    where schemaname = 'public' and coalesce(qual, '') || coalesce(with_check, '') ~* 'from [a-z]' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    'audit.child',
    'domain.children_read',
    'domain_total.children_read',
    'event.customer_acts',
    'ledger_entry.own',
    'notice.child',
    'operation.customer_acts',
    'payment.own',
    'registry_command.customer_acts',
    'registry_command.own',
    'registry_contact.customer_acts',
    'transaction_total.children_read',
    'waiting_order.own',
    'zone_membership.append',
  ]);
});

test('defines no function with a backslash, because its meaning depends on a connection setting', async () => {
  const { rows } = await owner.query(
    String.raw`select proname from pg_proc where pronamespace = 'public'::regnamespace and strpos(prosrc, '\') > 0`,
  );
  expect(rows).toEqual([]);
});

test("limits acting customers to their own rows of the reseller's tables", async () => {
  const { rows } = await owner.query<{ name: string }>(`
    select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select from pg_policies p where p.tablename = c.relname and p.policyname = 'customer_acts' and p.permissive = 'RESTRICTIVE')`);
  expect(rows, 'a new table must define a customer’s rows, or that there are none').toEqual([]);
  const acting = await markFor(`${me}+${mine.customer}`);
  await attacker.query(`select set_config('namehold.tenant', $1, false)`, [acting]);
  for (const [table, id] of [
    ['customer', mine.customer],
    ['contact', mine.contact],
    ['domain', mine.domain],
    ['zone', mine.zone],
    ['reseller', me],
  ])
    expect((await attack(`select id from ${table}`)).rows, table).toEqual([{ id }]);
  const readAlone =
    /^(reseller|notice_brand|brand|notice_text|mail_address|invoice_settings|invoice_months|tax_rate): \d+$/;
  expect((await foreignRows()).filter((each) => !readAlone.test(each))).toEqual([]);
  for (const none of ['api_key', 'audit', 'ledger_account', 'ledger_transaction', 'price', 'invoice', 'quote'])
    expect((await attack(`select from ${none}`)).count, none).toBe(0);
  for (const forgery of [
    `update customer set access = 'order'`,
    `update domain set customer_id = ${theirs.customer}`,
    `update contact set customer_id = ${theirs.customer}`,
    `insert into contact (reseller_id, customer_id, email, fingerprint, created_at, updated_at) values (${me}, ${theirs.customer}, 'x', 'x', now(), now())`,
    `insert into audit (reseller_id, at, address, request_id, action, object_type, object_id) values (${me}, now(), 'x', 'x', 'x', 'x', 'x')`,
    `insert into event (reseller_id, number, at, type, object_type, object_id, payload) values (${me}, 99997, now(), 'x', 'domain', '${theirs.domain}', '{}')`,
    `insert into idempotency (reseller_id, key, request_hash, state, leased_until, created_at) values (${me}, 'x', 'x', 'in_flight', now(), now())`,
    `insert into domain (reseller_id, customer_id, name, tld, registry_id, state, created_at, updated_at)
     values (${me}, ${theirs.customer}, 'forged.example', 'example', 'r', 'pending', now(), now())`,
    `select * from ledger_lines(${me}, ${me}, null, 'USD', '-infinity', now(), 0, 10)`,
  ])
    expect((await attack(forgery)).code, forgery).toMatch(/^(42501|23502|23503)$/);
  expect((await attack(`update reseller set name = name`)).count).toBe(0);
  await attack(`select note_holder_change(${theirs.contact}, now())`);
  expect(
    (await owner.query('select from domain where holder_changed_at is not null and id = $1', [theirs.domain])).rowCount,
  ).toBe(0);
  await attacker.query(`select set_config('namehold.tenant', $1, false)`, [mark]);
});
