import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { clearAlarm, openAlarms, raiseAlarm } from '../../src/core/alarms/alarm.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { sliceLimits } from '../../src/core/ledger/slices.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { recordBalance } from '../../src/core/registries/registry.sql.ts';
import { deliverAlarms, deliveryLimits } from '../../src/jobs/deliver-alarms.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const as = () => ({ as: t.operator });
const alarmKeys = async () =>
  (await openAlarms(t.ctx)).map((alarm) => alarm.key).filter((key) => key.startsWith('books:'));

/** An order that waits for the registry's review: open, with money on hold. */
async function waiting(name: string): Promise<string> {
  const form = orderOf(name, { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' });
  const called = await t.call('POST', '/v1/domains', { form, headers: { Prefer: 'wait=60' } });
  expect(called.status, called.text).toBe(202);
  const id = called.body.operation_id as string;
  const state = async () => (await t.call('GET', `/v1/operations/${id}`)).body.state;
  await expect.poll(state).toBe('waiting_registry');
  return id;
}
const settle = (id: string, json: object) => t.call('POST', `/v1/operator/operations/${id}/settle`, { json, ...as() });

test('returns 403 for operator data and settlements to everyone but the operator', async () => {
  for (const path of ['operations', 'events', 'alarms', 'books', 'registries', 'nameservers', 'settings'])
    expect((await t.call('GET', `/v1/operator/${path}`)).body.code).toBe('operator_only');
  const refused = await t.call('POST', '/v1/operator/operations/op_1/settle', {
    json: { decision: 'done', reason: 'x' },
  });
  expect(refused.body.code).toBe('operator_only');
  expect((await t.call('POST', '/v1/operator/verify')).body.code).toBe('operator_only');
  const repair = await t.call('POST', '/v1/operator/reconciliation/repair', { json: { key: 'books:x', reason: 'x' } });
  expect(repair.body.code).toBe('operator_only');
});

test('returns registries, nameservers and settings without secrets', async () => {
  const registries = await t.call('GET', '/v1/operator/registries', as());
  expect(registries.body, registries.text).toMatchObject({
    registries: expect.arrayContaining([
      expect.objectContaining({ registry_id: 'sandbox', is_active: true, is_reachable: true, login_refused: null }),
    ]),
  });
  const { sessions } = registries.body.registries[0];
  expect(sessions.open).toBeLessThanOrEqual(sessions.most);
  const nameservers = await t.call('GET', '/v1/operator/nameservers', as());
  expect(nameservers.status, nameservers.text).toBe(200);
  for (const each of nameservers.body.nameservers) expect(each.zones_behind).toBeGreaterThanOrEqual(0);
  const settings = await t.call('GET', '/v1/operator/settings', as());
  const shown = settings.body.settings as { name: string; value: string | null; is_secret: boolean; is_set: boolean }[];
  const find = (name: string) => shown.find((each) => each.name === name);
  expect(find('NAMEHOLD_MODE')).toMatchObject({ value: 'sandbox', is_secret: false, is_set: true });
  for (const each of shown.filter(({ is_secret }) => is_secret)) expect(each.value, each.name).toBeNull();
  for (const name of ['DATABASE_URL', 'NAMEHOLD_MASTER_KEY', 'NAMEHOLD_SMTP_URL', 'NAMEHOLD_ALARM_COMMAND'])
    expect(find(name)?.is_secret, name).toBe(true);
  const secrets = [t.ctx.config.masterKey, t.ctx.config.databaseUrl].flatMap((each) => (each ? [String(each)] : []));
  for (const text of [registries.text, nameservers.text, settings.text])
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
});

test('runs a requested reconciliation as a job, one at a time, and not again at once', async () => {
  const ask = async () => (await t.call('POST', '/v1/operator/verify', as())).body.state as string;
  const last = async () =>
    (await t.call('GET', '/v1/operator/reconciliation', as())).body.last_run?.started_at as string;
  const db = t.ctx.db.autocommit(allTenants);
  await expect.poll(last, { timeout: 300_000 }).toBeTruthy();
  expect(await ask()).toMatch(/^(recent|running)$/);
  await db.run(sql`update books_run set started_at = started_at - interval '1 day'`);
  const before = await last();
  expect(await ask()).toBe('due');
  await expect.poll(last, { timeout: 300_000 }).not.toBe(before);
  await db.run(sql`insert into books_run (started_at, leased_until) values (now(), now() + interval '1 minute')`);
  expect(await ask()).toBe('running');
  expect((await t.call('GET', '/v1/operator/reconciliation', as())).body.running_since).toBeTruthy();
  await db.run(sql`delete from books_run where finished_at is null`);
});

test('reports no difference for orders placed while small slices are compared', async () => {
  const whole = { ...sliceLimits };
  Object.assign(sliceLimits, { accounts: 2, linesOfAnAccount: 5, rows: 3 });
  let isFlowing = true;
  const flow = async (lane: string) => {
    for (let n = 1; n <= 6; n += 1) {
      await life.buy(`flow-${lane}-${n}.com`);
      const form = { amount: '1', description: 'flow' };
      expect((await t.call('POST', '/v1/customers/2001/transactions/fund', { form })).status).toBe(200);
      if (n % 2 === 0) expect((await t.call('DELETE', `/v1/domains/flow-${lane}-${n}.com`)).status).toBe(200);
    }
  };
  try {
    const flows = Promise.all(['a', 'b', 'c'].map(flow)).finally(() => {
      isFlowing = false;
    });
    let rounds = 0;
    for (; isFlowing; rounds += 1)
      expect((await reconcile(t.ctx, ['entries', 'operations', 'domains'])).differences).toEqual([]);
    await flows;
    expect(rounds).toBeGreaterThan(0);
    await expectReconciled(t);
  } finally {
    Object.assign(sliceLimits, whole);
  }
});

describe('settling a stuck operation', () => {
  test('releases the money and reverts an order settled as refused, and changes nothing in a dry run', async () => {
    const before = await life.balance();
    const id = await waiting('macet.web.id');
    const dry = await settle(id, { decision: 'refused', reason: 'try', dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, operation: { state: 'waiting_registry', reseller_id: '1000' } });
    const listed = await t.call('GET', '/v1/operator/operations', { query: { state: 'open' }, ...as() });
    expect(listed.body).toMatchObject([{ operation_id: id, domain_name: 'macet.web.id' }]);
    // The registry must not hold it either, or reconciliation would find a difference.
    await t.control('POST', '/domains/macet.web.id/review', { decision: 'refuse' });
    const done = await settle(id, { decision: 'refused', reason: 'the registry will never answer' });
    // The message of the registry may have been faster; then there is nothing left to settle.
    if (done.status !== 409) expect(done.body.operation.state).toBe('refused');
    await expect.poll(() => life.balance()).toEqual(before);
    expect((await settle(id, { decision: 'done', reason: 'again' })).status).toBe(409);
    expect((await settle('op_none', { decision: 'done', reason: 'again' })).status).toBe(404);
    expect((await settle(id, { decision: 'maybe', reason: 'x' })).status).toBe(400);
  });

  test('captures the money of an order settled as done if the registry shows the domain, with the operator as proof', async () => {
    const db = t.ctx.db.as(allTenants);
    const id = await waiting('jadi.web.id');
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set state = 'action_required', due_at = now() + interval '1 day' where id = ${id}`);
    const { body } = await settle(id, { decision: 'ask_again', reason: 'look once more' });
    expect(body.operation.state).toBe('waiting_registry');
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set state = 'action_required', due_at = now() + interval '1 day' where id = ${id}`);
    await t.control('POST', '/domains/jadi.web.id/review', { decision: 'approve' });
    await settle(id, { decision: 'done', reason: 'the registry wrote a letter' });
    await expect.poll(async () => (await life.row('jadi.web.id')).state).toBe('live');
    const settled = await db.one(
      sql`select state, proof, decision ->> 'reason' as reason from operation where id = ${id}`,
    );
    expect(settled).toEqual({ state: 'done', proof: 'operator', reason: 'the registry wrote a letter' });
    const audit = await db.many(
      sql`select reseller_id from audit where object_id = ${id} and action = 'operation.decide'`,
    );
    expect(audit).toEqual([{ reseller_id: '1' }, { reseller_id: '1' }]);
    const events = await t.call('GET', '/v1/operator/events', { query: { type: 'domain.*', limit: '5' }, ...as() });
    expect(events.body[0]).toMatchObject({ reseller_id: '1000' });
  });
});

/** As only the owner of the database can. */
async function change(...statements: ReturnType<typeof sql>[]): Promise<void> {
  const db = openDatabase({ url: t.databaseUrl, maxConnections: 1 });
  try {
    await db.transaction(allTenants, async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`);
      for (const statement of statements) await tx.run(statement);
    });
  } finally {
    await db.close();
  }
}

describe('a difference', () => {
  const repair = (json: object, headers: Record<string, string> = {}) =>
    t.call('POST', '/v1/operator/reconciliation/repair', { json, headers, ...as() });

  test('is found, raised as an alarm, repaired after a dry run, and cleared', async () => {
    await life.buy('repaired.com');
    const privacy = await t.call('POST', '/v1/domains/repaired.com/privacy_protection/buy', {
      form: { invoice_option: 'no_invoice' },
    });
    expect(privacy.status, privacy.text).toBe(200);
    const before = await life.balance();
    // As if it had been refused: the captured money must be refunded.
    await change(
      sql`update operation set state = 'refused' where id = ${privacy.body.operation_id}`,
      sql`delete from registry_command where operation_id = ${privacy.body.operation_id}`,
      sql`update domain set privacy_until = null, privacy_enabled = false where name = 'repaired.com'`,
    );
    const { differences } = await verifyAndReport(t.ctx);
    expect(differences).toMatchObject([
      { rule: 'captured_after_refusal', name: 'repaired.com', amount: '3.00', currency: 'USD' },
    ]);
    const [key] = await alarmKeys();
    const { body } = await t.call('GET', '/v1/operator/reconciliation', as());
    expect(body.differences).toMatchObject([{ key, repair: { action: 'refund' } }]);
    expect(body.last_run).toMatchObject({ differences: 1, skipped: [] });
    expect(await t.service.parts.metrics.registry.metrics()).toMatch(/namehold_books_differences\{book="entries"\} 1/);
    const dry = await repair({ key, reason: 'look', dry_run: true });
    expect(dry.body).toMatchObject({ is_done: false, action: 'refund' });
    expect(await life.balance()).toEqual(before);
    const once = { 'Idempotency-Key': 'repair-once' };
    const done = await repair({ key, reason: 'the order was refused' }, once);
    expect(done.body, done.text).toMatchObject({
      is_done: true,
      result: expect.stringContaining('3.00 USD (repaired.com)'),
    });
    expect((await life.balance()).available - before.available).toBe(300n);
    expect(await alarmKeys()).toEqual([]);
    expect((await repair({ key, reason: 'the order was refused' }, once)).text).toBe(done.text);
    expect((await repair({ key, reason: 'again' })).status).toBe(404);
    const [audit] = await t.ctx.db.as(allTenants).many(sql`select after from audit where action = 'books.mend'`);
    expect(audit).toMatchObject({ after: { action: 'refund', reason: 'the order was refused' } });
  });

  test('clears its alarm when it no longer exists, and refuses a manual repair with a message', async () => {
    await change(sql`update ledger_account set balance = balance + 1 where kind = 'available' and reseller_id = 1000`);
    await verifyAndReport(t.ctx);
    const keys = (await alarmKeys()).filter((key) => key.includes('balance_sum'));
    expect(keys).toHaveLength(1);
    const refused = await repair({ key: keys[0], reason: 'please' });
    expect(refused.body).toMatchObject({ code: 'conflict' });
    await change(sql`update ledger_account set balance = balance - 1 where kind = 'available' and reseller_id = 1000`);
    await verifyAndReport(t.ctx);
    expect((await alarmKeys()).filter((key) => key.includes('balance_sum'))).toEqual([]);
  });

  test('is repaired for a live domain with a tombstone by adopting it for its last owner', async () => {
    await life.buy('buried.com');
    await change(
      sql`update domain set state = 'removed', removed_reason = 'dropped', removed_at = now() where name = 'buried.com'`,
    );
    await verifyAndReport(t.ctx);
    const [key] = (await alarmKeys()).filter((each) => each.includes('buried.com'));
    const done = await repair({ key, reason: 'the registry has it' });
    expect(done.body, done.text).toMatchObject({
      is_done: true,
      action: 'adopt',
      result: expect.stringMatching(
        /restored buried\.com for reseller 1000, reseller 1000 was charged 12\.39 USD for it \(transaction \d+, operation op_\w+\)/,
      ),
    });
    expect(await life.row('buried.com')).toMatchObject({ state: 'live' });
  });
});

describe('a repair', () => {
  const repairOf = async (part: string) => {
    const [key] = (await alarmKeys()).filter((each) => each.includes(part));
    return t.call('POST', '/v1/operator/reconciliation/repair', { json: { key, reason: 'try' }, ...as() });
  };

  test('is refused if it would refund a live domain whose order is marked as refused', async () => {
    const domainId = await life.buy('same.com');
    const before = await life.balance();
    await change(sql`update operation set state = 'refused' where kind = 'register' and domain_id = ${domainId}`);
    await verifyAndReport(t.ctx);
    expect((await repairOf('refused_though_bought')).status).toBe(409);
    // An alarm of an older verify may still say refund: it looks again.
    await change(
      sql`update alarm set facts = jsonb_set(facts::jsonb, '{repair,action}', '"refund"') where key like '%refused_though_bought%'`,
    );
    const refused = await repairOf('refused_though_bought');
    expect(refused.body, refused.text).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was bought'),
    });
    expect(await life.balance()).toEqual(before);
    // Comparing with the registry does not end it either, and the result says so.
    expect((await repairOf('refused_after_success')).body).toMatchObject({
      is_done: false,
      result: expect.stringContaining('the difference remains'),
    });
    expect((await alarmKeys()).filter((each) => each.includes('refused_after_success'))).toHaveLength(1);
    await change(sql`update operation set state = 'done' where kind = 'register' and domain_id = ${domainId}`);
    await verifyAndReport(t.ctx);
  });

  test('is listed and carried out if an earlier release stored the difference', async () => {
    await life.buy('stored.com');
    await change(sql`update domain set state = 'redemption' where name = 'stored.com'`);
    await verifyAndReport(t.ctx);
    const key = (await alarmKeys()).find((each) => each.includes('state_differs:name stored.com'))!;
    await change(sql`
      update alarm set facts = facts - 'source' - 'repair' || jsonb_build_object('book', facts ->> 'source',
        'mend', jsonb_build_object('act', facts #> '{repair,action}', 'words', facts #> '{repair,message}')) where key = ${key}`);
    const { body } = await t.call('GET', '/v1/operator/reconciliation', as());
    const listed = (body.differences as { key: string }[]).find((each) => each.key === key);
    expect(listed).toMatchObject({ source: 'registry', repair: { action: 'reconcile', message: expect.any(String) } });
    expect((await repairOf('state_differs:name stored.com')).body).toMatchObject({
      is_done: true,
      action: 'reconcile',
    });
  });

  test('returns is_done false for a comparison that changes nothing, and true for one that does', async () => {
    await life.buy('gone.com');
    await t.control('POST', '/domains/gone.com/tamper', { sponsor: 'rival' });
    await verifyAndReport(t.ctx);
    expect((await repairOf('held_here_not_there:name gone.com')).body).toMatchObject({
      is_done: false,
      result: expect.stringMatching(/sponsored by \w+; .* Repeat this repair after \d{4}-\d\d-\d\dT/),
    });
    await t.control('POST', '/domains/gone.com/tamper', { sponsor: 'namehold' });
    await change(sql`update domain set state = 'redemption' where name = 'gone.com'`);
    await verifyAndReport(t.ctx);
    expect((await repairOf('state_differs:name gone.com')).body).toMatchObject({ is_done: true });
    expect(await life.row('gone.com')).toMatchObject({ state: 'live' });
  });
});

describe('a registry without a list of domains', () => {
  /** The same service; its registry offers only standard EPP commands. */
  const plainContext = (): AppContext => ({
    ...t.ctx,
    registries: {
      tldFields: t.ctx.registries.tldFields,
      async of(id) {
        const { holdings: _, ...plain } = await t.ctx.registries.of(id);
        return plain;
      },
      hasFreeSession: async () => true,
      isSessionLimitReached: async () => false,
      hasSession: async () => true,
      isReachable: (id) => t.ctx.registries.isReachable(id),
      close: async () => undefined,
    },
  });

  test('is compared domain by domain, and its money by the reported balance', async () => {
    const report = await reconcile(plainContext(), ['registry']);
    expect(report.differences).toEqual([]);
    const tell = (amount: bigint) => {
      const since = { business: t.ctx.clock.now(), wall: t.ctx.wall.now() };
      const reading = { registryId: 'sandbox', balance: { amount, currency: 'USD' }, at: since.wall, since };
      return t.ctx.db.transaction(allTenants, (tx) => recordBalance(tx, reading));
    };
    await tell(500_00n);
    await life.buy('charged.com');
    await tell(500_00n - 1026n);
    expect((await reconcile(plainContext(), ['registry'])).differences).toEqual([]);
    await tell(400_00n);
    const { differences } = await reconcile(plainContext(), ['registry']);
    expect(differences).toMatchObject([{ rule: 'balance_differs', amount: '89.74', currency: 'USD' }]);
    // A later reading does not hide it, nor does a deposit.
    await tell(400_00n);
    await tell(900_00n);
    expect((await reconcile(plainContext(), ['registry'])).differences).toMatchObject([
      { rule: 'balance_differs', amount: '89.74' },
    ]);
    await t.control('POST', '/domains/charged.com/tamper', { sponsor: 'rival' });
    const found = (await reconcile(plainContext(), ['registry'])).differences.map(
      (each) => `${each.rule} ${each.name}`,
    );
    expect(found).toContain('held_here_not_there charged.com');
    await t.control('POST', '/domains/charged.com/tamper', { sponsor: 'namehold' });
  });
});

describe('the alarm program', () => {
  const withProgram = (alarmCommand: string): AppContext => ({ ...t.ctx, config: { ...t.ctx.config, alarmCommand } });
  const program = (name: string, body: string): string => {
    const file = join(t.folder, name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o700);
    return file;
  };

  test('runs once for each new alarm, with the facts on standard input and without a shell', async () => {
    const [inputFile, injectedFile] = [join(t.folder, 'told'), join(t.folder, 'trap')];
    const ctx = withProgram(program('tell', `cat >> '${inputFile}'`));
    const alarm = {
      key: `test:$(touch ${injectedFile})`,
      severity: 'critical' as const,
      sentence: `"; touch ${injectedFile} #`,
    };
    await raiseAlarm(t.ctx, { ...alarm, facts: { name: 'example.com' } });
    for (let round = 0; round < 3; round += 1) await deliverAlarms(ctx);
    const mine = () =>
      readFileSync(inputFile, 'utf8')
        .split('\n')
        .filter((line) => line.includes('test:'));
    expect(mine()).toHaveLength(1);
    expect(JSON.parse(mine()[0]!)).toMatchObject({ ...alarm, facts: { name: 'example.com' } });
    expect(existsSync(injectedFile)).toBe(false);
    await clearAlarm(t.ctx, alarm.key);
    await raiseAlarm(t.ctx, alarm);
    await deliverAlarms(ctx);
    expect(mine()).toHaveLength(2);
    await clearAlarm(t.ctx, alarm.key);
  });

  test('is retried a limited number of times when it fails', async () => {
    const tries = join(t.folder, 'tries');
    const ctx = withProgram(program('fail', `echo x >> '${tries}'; exit 3`));
    await raiseAlarm(t.ctx, { key: 'test:fails', severity: 'warning', sentence: 'its program fails' });
    for (let round = 0; round < deliveryLimits.tries + 2; round += 1) await deliverAlarms(ctx);
    expect(readFileSync(tries, 'utf8').trim().split('\n')).toHaveLength(deliveryLimits.tries);
    await clearAlarm(t.ctx, 'test:fails');
    const listed = await t.call('GET', '/v1/operator/alarms', { query: { state: 'cleared', limit: '100' }, ...as() });
    expect(listed.body.map((each: { key: string }) => each.key)).toContain('test:fails');
  });
});
