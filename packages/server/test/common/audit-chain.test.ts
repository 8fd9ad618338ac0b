import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../src/core/audit/audit.ts';
import type { AuditBreak } from '../../src/core/audit/chain.sql.ts';
import { allHeads, verifyAudit } from '../../src/core/audit/verify.ts';
import { actorOf, type TestContext, testContext } from '../ledger/context.ts';

let t: TestContext;
let owner: pg.Client;
let one: string;
let two: string;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  [one, two] = [await t.reseller('1'), await t.reseller('1')];
  owner = new pg.Client({ connectionString: t.ownerUrl });
  await owner.connect();
  for (let n = 0; n < 6; n++) await note(n % 2 ? one : two, n);
});
afterAll(async () => {
  await owner.end();
  await t.close();
});

const note = (resellerId: string, n: number) =>
  t.db.transaction(resellerId, (tx) =>
    audit(t.ctx, tx, actorOf(resellerId), {
      action: 'test.note',
      objectType: 'note',
      objectId: String(n),
      after: { n, text: 'ü "quoted" \\ \u0001' },
    }),
  );

const problems = async (kept?: Parameters<typeof verifyAudit>[1]) =>
  [...new Set((await verifyAudit(t.db, kept)).breaks.map((found: AuditBreak) => found.problem))].sort();

/** As the owner of the tables, who may do anything; and back again. */
async function tampered(statements: readonly string[], expected: string[]): Promise<void> {
  await owner.query('begin');
  await owner.query('create temporary table kept_audit on commit drop as select * from audit');
  await owner.query('commit');
  const kept = await Promise.all(
    ['audit', 'audit_link', 'audit_head'].map((name) => owner.query(`select to_jsonb(x) as row from ${name} x`)),
  );
  for (const statement of statements) await owner.query(statement);
  expect(await problems(), statements.join('; ')).toEqual(expected);
  await owner.query('alter table audit disable trigger audit_chain');
  for (const [n, name] of ['audit', 'audit_link', 'audit_head'].entries()) {
    await owner.query(`delete from ${name}`);
    for (const { row } of kept[n]!.rows as { row: object }[])
      await owner.query(
        `insert into ${name} ${name === 'audit' ? 'overriding system value' : ''} select * from jsonb_populate_record(null::${name}, $1)`,
        [JSON.stringify(row)],
      );
  }
  await owner.query('alter table audit enable trigger audit_chain');
  expect(await problems()).toEqual([]);
}

test('finds a changed, removed, inserted, swapped or cut-off row', async () => {
  expect(await problems()).toEqual([]);
  const third = `(select audit_id from audit_link where reseller_id = ${one} and number = 2)`;
  const last = `(select audit_id from audit_link where reseller_id = ${one} and number = 3)`;
  await tampered([`update audit set after = '{"n":99}' where id = ${third}`], ['changed']);
  await tampered([`update audit set at = at + interval '1 microsecond' where id = ${third}`], ['changed']);
  await tampered([`update audit set reseller_id = ${two} where id = ${third}`], ['changed']);
  await tampered([`delete from audit where id = ${third}`], ['removed']);
  await tampered(
    [`delete from audit where id = ${third}`, `delete from audit_link where reseller_id = ${one} and number = 2`],
    ['link_missing'],
  );
  await tampered(
    [`delete from audit where id = ${last}`, `delete from audit_link where reseller_id = ${one} and number = 3`],
    ['head_differs'],
  );
  await tampered(
    [
      'alter table audit disable trigger audit_chain',
      `insert into audit (reseller_id, at, address, request_id, action, object_type, object_id) values (${one}, now(), 'x', 'x', 'x', 'x', 'x')`,
    ],
    ['inserted'],
  );
  await tampered(
    [
      `create temporary table swap as select audit_id, number from audit_link where reseller_id = ${one} and number in (1, 2)`,
      `update audit_link l set audit_id = -s.audit_id from swap s where l.audit_id = s.audit_id`,
      `update audit_link l set audit_id = o.audit_id from swap s join swap o on o.number <> s.number where l.audit_id = -s.audit_id`,
      'drop table swap',
    ],
    ['changed'],
  );
  await tampered([`delete from audit_head where reseller_id = ${one}`], ['head_differs']);
});

test('finds a rewritten chain by comparing it with a head that was stored outside', async () => {
  const kept = await allHeads(t.ctx);
  await note(one, 7);
  expect(await problems(kept)).toEqual([]);
  // Forged from the second row on, every link made again: consistent in itself.
  await owner.query(
    `delete from audit where id = (select audit_id from audit_link where reseller_id = ${one} and number = 2)`,
  );
  await owner.query(`delete from audit_link where reseller_id = ${one}`);
  await owner.query(`delete from audit_head where reseller_id = ${one}`);
  await owner.query(`do $$ declare a audit; begin
    for a in select * from audit where reseller_id = ${one} order by id loop perform audit_link_add(a); end loop; end $$`);
  expect(await problems()).toEqual([]);
  expect(await problems(kept)).toEqual(['not_as_kept']);
});

test('writes one chain for fifty concurrent writers of one account', async () => {
  await Promise.all(Array.from({ length: 50 }, (_, n) => note(two, 100 + n)));
  expect(await problems()).toEqual([]);
  const { n } = await t.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from audit_link where reseller_id = ${two}`);
  expect(Number(n)).toBeGreaterThanOrEqual(53);
});
