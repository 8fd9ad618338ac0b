import { allTenants, openDatabase, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/core/app-context.ts';
import { audit } from '../../src/core/audit/audit.ts';
import { allHeads, verifyAudit } from '../../src/core/audit/verify.ts';
import { purgeOld } from '../../src/core/retention/purge.ts';
import { openLogins } from '../../src/logins.ts';
import { actorOf, type TestContext, testContext } from '../ledger/context.ts';

let t: TestContext;
let owner: pg.Client;
let ctx: AppContext;
let shop: string;
const cuts: object[] = [];
const days = {
  keepEventsDays: 400,
  keepAuditDays: 400,
  keepOperationsDays: 550,
  keepJournalDays: 550,
  keepPollMessagesDays: 550,
  keepQuotesDays: 30,
  keepIdempotencyDays: 3,
  keepNoticesDays: 400,
};
let close: () => Promise<void>;
beforeAll(async () => {
  t = await testContext();
  await t.reseller(null);
  shop = await t.reseller('1');
  owner = new pg.Client({ connectionString: t.ownerUrl });
  await owner.connect();
  const { retentionUrl } = await openLogins(t.ownerUrl);
  const retention = openDatabase({ url: retentionUrl, maxConnections: 1 });
  close = () => retention.close();
  const wall = { now: () => new Date() };
  const log = { ...t.ctx.log, info: (facts: object) => void cuts.push(facts) };
  ctx = {
    ...t.ctx,
    clock: wall,
    wall,
    config: days,
    retention: retention.autocommit(allTenants),
    log,
  } as unknown as AppContext;
});
afterAll(async () => {
  await close();
  await owner.end();
  await t.close();
});

const ago = (n: number) => `now() - interval '${n} days'`;
const countOf = async (table: string) =>
  (await owner.query<{ n: number }>(`select count(*)::integer as n from ${table}`)).rows[0]!.n;

test('purges old rows, and keeps recent ones and those still needed', async () => {
  await owner.query(
    `insert into registry (id, profile, host, port, client_id, secrets_sealed, created_at) values ('r', '{}', 'x', 1, 'x', 'x', now())`,
  );
  const operation = (id: string, kind: string, age: number, state = 'done') =>
    owner.query(`insert into operation (id, reseller_id, kind, request, state, due_at, created_at, updated_at, finished_at)
      values ('${id}', ${shop}, '${kind}', '{}', '${state}', now(), now(), now(), ${state === 'done' ? ago(age) : 'null'})`);
  const command = (id: string, op: string | null, age: number, state = 'answered') =>
    owner.query(`insert into registry_command (cltrid, registry_id, operation_id, object, verb, frame_sealed, frame_sha256, state, prepared_at)
      values ('${id}', 'r', ${op ? `'${op}'` : 'null'}, 'x', 'x', 'x', 'x', '${state}', ${ago(age)})`);
  await operation('old-update', 'update', 600);
  await operation('old-open', 'update', 600, 'unknown');
  await operation('old-unresolved', 'update', 600);
  await operation('old-register', 'register', 2000);
  await operation('young-update', 'update', 500);
  for (const id of ['old-update', 'old-open', 'old-register', 'young-update']) await command(`c-${id}`, id, 600);
  await command('c-old-unresolved', 'old-unresolved', 600, 'unknown');
  await command('c-poll', null, 600);
  await command('c-poll-young', null, 10);
  for (const [n, age] of [401, 399].entries())
    await owner.query(
      `insert into event (reseller_id, number, at, type, object_type, object_id, payload) values (${shop}, ${n + 1}, ${ago(age)}, 'x', 'x', 'x', '{}')`,
    );
  for (const [id, age] of Object.entries({ a: 31, b: 29 }))
    await owner.query(
      `insert into quote (id, reseller_id, kind, domain_name, years, lines, total, currency, what_happens, valid_until, created_at) values ('${id}', ${shop}, 'register', 'x', 1, '[]', 1, 'USD', 'x', ${ago(age)}, now())`,
    );
  for (const [key, age] of Object.entries({ a: 4, b: 2 }))
    await owner.query(
      `insert into idempotency (reseller_id, key, request_hash, state, leased_until, created_at) values (${shop}, '${key}', 'x', 'answered', now(), ${ago(age)})`,
    );
  for (const [id, done] of Object.entries({ a: 'now()', b: 'null' }))
    await owner.query(
      `insert into poll_message (registry_id, message_id, received_at, acked_at, processed_at, kind, body_sealed) values ('r', '${id}', ${ago(600)}, now(), ${done}, 'x', 'x')`,
    );
  for (const [id, age, state] of [
    ['n-old', 401, 'sent'],
    ['n-waits', 401, 'queued'],
    ['n-young', 399, 'sent'],
  ] as const)
    await owner.query(
      `insert into notice (id, reseller_id, kind, address, recipient, language, sender_name, subject, body_text, body_html, state, created_at, queued_at)
       values ('${id}', ${shop}, 'x', 'x', 'x', 'en', 'x', 'x', 'x', 'x', '${state}', now(), ${ago(age)})`,
    );
  await owner.query(
    `insert into sandbox_mail (reseller_id, notice_id, message_sealed) values (${shop}, 'n-old', 'x'), (${shop}, 'n-young', 'x')`,
  );
  const purged = await purgeOld(ctx);
  expect(purged).toEqual({
    events: 1,
    audit: 0,
    operations: 1,
    journal: 1,
    poll_messages: 1,
    quotes: 1,
    notices: 1,
    confirmations: 0,
    idempotency: 1,
  });
  expect(await countOf('notice')).toBe(2);
  expect(await countOf('sandbox_mail')).toBe(1);
  const left = await owner.query<{ id: string }>("select id from operation where id not like 'op%' order by id");
  expect(left.rows.map((row) => row.id)).toEqual(['old-open', 'old-register', 'old-unresolved', 'young-update']);
  expect(await countOf('registry_command')).toBe(5);
  await owner.query('delete from registry_command');
});

test('purges audit rows oldest first, and keeps the hash at the cut so that the chain stays valid', async () => {
  const note = (n: number) =>
    t.db.transaction(shop, (tx) =>
      audit(t.ctx, tx, actorOf(shop), { action: 'x', objectType: 'x', objectId: String(n), after: { n } }),
    );
  for (let n = 0; n < 10; n++) {
    // The fifth is young although older ones follow it: nothing after it may be purged.
    t.clock.move(Date.now() - (n === 4 || n > 6 ? 10 : 500) * 86_400_000 - t.clock.now().getTime());
    await note(n);
  }
  const before = await allHeads(t.ctx);
  expect((await verifyAudit(t.db)).breaks).toEqual([]);
  expect((await purgeOld(ctx)).audit).toBe(4);
  const rows = await owner.query<{ id: string }>(`select object_id as id from audit order by id`);
  expect(rows.rows.map((row) => row.id)).toEqual(['4', '5', '6', '7', '8', '9']);
  expect((await verifyAudit(t.db, before)).breaks).toEqual([]);
  const { rows: head } = await owner.query<{ cut: string }>(`select encode(cut_hash, 'hex') as cut from audit_head`);
  expect(JSON.stringify(cuts)).toContain(head[0]!.cut);
  // A manual deletion, without the kept hash, is found.
  await owner.query(`delete from audit where object_id = '4'`);
  await owner.query(`delete from audit_link where number = 5`);
  expect((await verifyAudit(t.db)).breaks.map((found) => found.problem)).toEqual(['link_missing']);
});

test('allows purging only to the retention login, with a minimum age and no other right', async () => {
  const call = sql`select retention_forget('audit', now() + interval '1 year', 10)`;
  await expect(t.db.as(shop).many(call)).rejects.toMatchObject({ code: '42501' });
  await expect(t.db.as(allTenants).many(call)).rejects.toMatchObject({ code: '42501' });
  await owner.query('update audit_head set cut_number = cut_number');
  const young = await countOf('audit');
  await ctx.retention.many(call).catch(() => undefined);
  expect(await countOf('audit')).toBeGreaterThanOrEqual(young - 2);
  for (const table of ['audit', 'event', 'operation', 'customer', 'ledger_entry', 'tenant_key'])
    await expect(ctx.retention.many(sql`select 1 from ${sql.raw(table)}`)).rejects.toMatchObject({ code: '42501' });
});
