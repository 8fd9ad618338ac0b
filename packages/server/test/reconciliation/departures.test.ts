import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { done, type OtherRegistrar, openOtherRegistrar } from '../../../../test/support/other-registrar.ts';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { recheckOrders } from '../../src/core/reconciliation/recheck-orders.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

/** Two changes between two comparisons of a domain: what happened before it left is known from the registry's statement or from dates. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
let otherRegistrar: OtherRegistrar;
beforeAll(async () => {
  t = await startTestService({
    sandbox: true,
    env: { NAMEHOLD_THEFT_PROTECTION: 'off', NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: '10000' },
  });
  life = lifeOf(t);
  otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
});
beforeEach(async () => {
  await t.control('DELETE', '/faults');
});
afterAll(async () => {
  await expectReconciled(t);
  await life.expectReconciled();
  expect((await life.balance()).held).toBe(0n);
  await otherRegistrar.close();
  await t.stop();
});

const context = { priority: 'interactive' } as const;
const db = () => t.ctx.db.as(allTenants);
const later = { headers: { Prefer: 'wait=0' } };
const fault = (kind: string, command: string, name: string, more: object = {}) =>
  t.control('POST', '/faults', { kind, commands: [command], name, how: 'close', ...more });
const ours = { client: 'namehold' };
/** The registry answers no query about the domain once it got this command: one would find the outcome. */
const silentAfter = (command: 'renew' | 'update', name: string) =>
  fault('drop-before', 'domain:info', name, { ...ours, after: `domain:${command}` });

interface OperationRow {
  readonly id: string;
  readonly state: string;
  readonly proof: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever is there
  readonly attention: any;
}
const lastOperation = (name: string) =>
  db().one<OperationRow>(
    sql`select id, state, proof, attention from operation where request->>'name' = ${name} order by id desc limit 1`,
  );
const ended = ['done', 'refused', 'cancelled', 'action_required'];
async function until(name: string, states: readonly string[] = ended): Promise<OperationRow> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const operation = await lastOperation(name);
    if (states.includes(operation.state)) return operation;
    await t.ctx.engine.start(operation.id);
    await sleep(50);
  }
  throw new Error(`${name} is still ${JSON.stringify(await lastOperation(name))}`);
}
/** The statement has had time to show the charge. */
const ageOperation = async (id: string, by = '1 hour') => {
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update operation set created_at = created_at - ${by}::interval where id = ${id}`);
};
const settle = (id: string, decision: string, more: object = {}) =>
  t.call('POST', `/v1/operator/operations/${id}/settle`, {
    json: { decision, reason: 'a test says so', ...more },
    as: t.operator,
  });
const authCode = async (name: string) => (await t.call('GET', `/v1/domains/${name}/auth_code`)).body as string;
const request = async (name: string, code: string) =>
  done(await otherRegistrar.registry.requestTransfer({ name, authCode: code, years: 1 }, context));
/** The domain is requested by the other registrar, and the registry approves the transfer after five days. */
async function leave(name: string, code: string): Promise<void> {
  await request(name, code);
  t.moveClock('+6d');
  done(await otherRegistrar.registry.info(name, context));
}
/** Sessions that were closed meanwhile reopen within seconds. */
async function registryAnswers(name: string): Promise<void> {
  const registry = await t.ctx.registries.of('sandbox');
  await expect.poll(async () => (await registry.info(name)).kind).toBe('done');
}
async function withoutStatement<T>(act: () => Promise<T>): Promise<T> {
  const registry = await t.ctx.registries.of('sandbox');
  const { holdings } = registry;
  Object.assign(registry, { holdings: undefined });
  try {
    return await act();
  } finally {
    Object.assign(registry, { holdings });
  }
}
const notice = async (name: string) => {
  await reconcileNames(t.ctx, [name]);
  await reconcileNames(t.ctx, [name]);
  expect(await life.row(name)).toMatchObject({ state: 'removed' });
};

/** A renewal without an answer, at a registry that does not answer queries about the domain either, until the faults are removed. */
async function renewInSilence(name: string, kind: 'drop-after-commit' | 'drop-before'): Promise<string> {
  await fault(kind, 'domain:renew', name);
  await silentAfter('renew', name);
  await life.renew(name, {}, later.headers);
  return (await until(name, ['unknown'])).id;
}

/** The answer to the renewal is lost and the registry is silent; then the domain is transferred away. */
async function renewedAndLeft(name: string, kind: 'drop-after-commit' | 'drop-before'): Promise<string> {
  await life.buy(name);
  const code = await authCode(name);
  const id = await renewInSilence(name, kind);
  await leave(name, code);
  await t.control('DELETE', '/faults');
  return id;
}

describe('a renewal whose domain was transferred away before its outcome was known', () => {
  test("is settled as done if the registry's statement shows its charge", async () => {
    const before = await life.balance();
    await renewedAndLeft('charged-and-left.com', 'drop-after-commit');
    expect(await until('charged-and-left.com')).toMatchObject({ state: 'done', proof: 'found' });
    expect(before.available - (await life.balance()).available).toBe(1239n + 1239n);
    expect(await life.statement('charged-and-left.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
    await notice('charged-and-left.com');
    await expectReconciled(t);
  });

  test("is settled as refused if the registry's statement shows no charge in time", async () => {
    const id = await renewedAndLeft('never-charged.com', 'drop-before');
    const before = await life.balance();
    await t.ctx.engine.start(id);
    expect((await lastOperation('never-charged.com')).state).toBe('unknown');
    await ageOperation(id);
    expect(await until('never-charged.com')).toMatchObject({ state: 'refused' });
    expect((await life.balance()).available - before.available).toBe(1239n);
    await notice('never-charged.com');
    await expectReconciled(t);
  });

  test.each(['done', 'refused'] as const)(
    'is settled by an operator as %s, with the money, if the registry has no statement',
    async (decision) => {
      const name = `by-hand-${decision}.com`;
      const id = await withoutStatement(async () => {
        await renewedAndLeft(name, decision === 'done' ? 'drop-after-commit' : 'drop-before');
        const waiting = await until(name);
        expect(waiting).toMatchObject({ state: 'action_required' });
        expect(waiting.attention.choices).toEqual(['done', 'refused', 'ask_again']);
        const dry = await settle(waiting.id, decision, { dry_run: true });
        expect(dry.body.result, dry.text).toContain('12.39 USD');
        expect(dry.body.says).toBe(dry.body.result);
        const held = (await life.balance()).held;
        expect(held).toBe(1239n);
        const settled = await settle(waiting.id, decision);
        expect(settled.status, settled.text).toBe(200);
        return waiting.id;
      });
      expect(await lastOperation(name)).toMatchObject({ id, state: decision });
      expect((await life.balance()).held).toBe(0n);
      await notice(name);
      await expectReconciled(t);
    },
  );
});

describe('a restore that was charged and whose report was never sent', () => {
  async function fellBack(name: string): Promise<string> {
    await life.buy(name);
    t.moveClock('+6d');
    expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
    await fault('drop-after-commit', 'domain:update', name);
    await silentAfter('update', name);
    await t.call('POST', `/v1/domains/${name}/restore`, { form: { invoice_option: 'no_invoice' }, ...later });
    const { id } = await until(name, ['unknown']);
    // The domain falls back, its redemption ends, and it is deleted.
    t.moveClock('+90d');
    await t.control('DELETE', '/faults');
    expect(await until(name)).toMatchObject({ state: 'action_required' });
    expect(await life.statement(name)).toEqual(['charge create 10.26', 'charge restore 40.00']);
    return id;
  }

  test('is settled as done, and the buyer pays for it', async () => {
    const id = await fellBack('pays-restore.com');
    const { available, held } = await life.balance();
    const dry = await settle(id, 'done', { dry_run: true });
    expect(dry.body.result, dry.text).toMatch(/takes 48\.09 USD/);
    const settled = await settle(id, 'done');
    expect(settled.status, settled.text).toBe(200);
    expect(await lastOperation('pays-restore.com')).toMatchObject({ state: 'done', proof: 'operator' });
    expect(await life.balance()).toEqual({ available, held: held - 4809n });
    await notice('pays-restore.com');
    await expectReconciled(t);
  });

  test('is settled as refused: the money is released, and the charge is booked as an operator cost', async () => {
    const id = await fellBack('loses-restore.com');
    const { available, held } = await life.balance();
    const dry = await settle(id, 'refused', { dry_run: true });
    expect(dry.body.result, dry.text).toMatch(/gives back 48\.09 USD.*registry keeps 40\.00 USD/);
    const settled = await settle(id, 'refused');
    expect(settled.status, settled.text).toBe(200);
    expect(await life.balance()).toEqual({ available: available + 4809n, held: held - 4809n });
    await notice('loses-restore.com');
    await expectReconciled(t);
  });
});

describe('an auto-renewed year of a domain that was transferred away', () => {
  const left = async (name: string, days: string) => {
    await life.buy(name);
    const code = await authCode(name);
    t.moveClock(days);
    await leave(name, code);
    await notice(name);
  };

  test('is booked if the registry kept the charge and no comparison followed the renewal', async () => {
    await left('kept-year.com', '+420d');
    expect(await life.statement('kept-year.com')).toEqual(['charge create 10.26', 'charge autorenew 10.26']);
    await expectReconciled(t);
  });

  test('is not booked if the registry refunded it', async () => {
    await left('returned-year.com', '+370d');
    expect(await life.statement('returned-year.com')).toHaveLength(3);
    await expectReconciled(t);
  });

  test.each(['+370d', '+420d'])('is booked by the dates of the transfer if there is no statement, %s', async (days) => {
    await withoutStatement(() => left(`dated-${days.slice(1)}.com`, days));
    await expectReconciled(t);
  });

  test('is refunded to its buyer, also when the departure is detected long after the grace period', async () => {
    const name = 'paid-and-returned.com';
    await life.buy(name);
    t.moveClock('+366d');
    await reconcileNames(t.ctx, [name]);
    const before = await life.balance();
    expect((await life.renew(name)).status).toBe(200);
    await leave(name, await authCode(name));
    t.moveClock('+100d');
    await notice(name);
    expect(await life.balance()).toEqual(before);
    await expectReconciled(t);
  });

  test('is booked later if an older release had not booked it', async () => {
    const name = 'repaired-year.com';
    await left(name, '+420d');
    await t.ctx.db.transaction(allTenants, async (tx) => {
      const { id } = await tx.one<{ id: string }>(sql`
        select t.id from ledger_transaction t join domain d on d.id = t.domain_id where d.name = ${name} and t.type = 'registry'`);
      await tx.run(sql`select ledger_registry_charge_end(now(), ${id}, 'refunded')`);
    });
    await verifyAndReport(t.ctx);
    const [alarm, ...others] = (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('books:'));
    expect(others).toEqual([]);
    const repair = (more: object = {}) =>
      t.call('POST', '/v1/operator/reconciliation/repair', {
        json: { key: alarm?.key, reason: 'kept', ...more },
        as: t.operator,
      });
    const dry = await repair({ dry_run: true });
    expect(dry.body, dry.text).toMatchObject({ action: 'book', is_done: false });
    expect(dry.body.result).toContain('10.26 USD');
    const repaired = await repair();
    expect(repaired.body, repaired.text).toMatchObject({ action: 'book', is_done: true });
    await expectReconciled(t);
    expect((await repair()).status).toBe(404);
  });
});

describe('a domain that was deleted at the registry without an order here', () => {
  test('is refunded to its buyer by the repair, which leaves no difference and sends an event', async () => {
    const name = 'deleted-there.com';
    const before = await life.balance();
    await life.buy(name);
    done(await (await t.ctx.registries.of('sandbox')).remove(name, context));
    // A domain that is gone without a reason is queried again a quarter of an hour later.
    await reconcileNames(t.ctx, [name]);
    t.moveClock('+20m');
    await notice(name);
    await verifyAndReport(t.ctx);
    const [alarm, ...others] = (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('books:'));
    expect(others).toEqual([]);
    const json = { key: alarm?.key, reason: 'deleted by the registry' };
    const repaired = await t.call('POST', '/v1/operator/books/mend', { json, as: t.operator });
    expect(repaired.body, repaired.text).toMatchObject({ act: 'book', is_done: true });
    expect(await life.balance()).toEqual(before);
    await expectReconciled(t);
    const { body } = await t.call('GET', '/v1/events?type=domain.purchase_refunded');
    expect(body.events.at(-1), JSON.stringify(body)).toMatchObject({
      payload: { domain_name: name, refunded: { amount: '12.39', currency: 'USD' } },
    });
  });
});

describe('a late transfer request', () => {
  test('is not reported as executed twice after its order was reopened', async () => {
    const name = 'late-transfer.com';
    const code = 'a-long-auth-code-4711';
    await otherRegistrar.hold(name, code);
    t.moveClock('+61d');
    // The first request is delayed. The second is accepted, and the losing registrar rejects it.
    await fault('held', 'domain:transfer:request', name, { ms: 3_600_000, limit: 1 });
    const ordered = await t.call('POST', '/v1/domains/transfer', {
      form: orderOf(name, { auth_code: code }),
      headers: { Prefer: 'respond-async' },
    });
    expect(ordered.status, ordered.text).toBeLessThan(300);
    await until(name, ['waiting_registry']);
    done(await otherRegistrar.registry.rejectTransfer(name, context));
    const { id } = await until(name, ['refused']);
    await t.control('POST', '/held');
    await t.control('DELETE', '/faults');
    done(await otherRegistrar.registry.info(name, context));
    await t.ctx.db.autocommit(allTenants).run(sql`update operation set look_again_at = now() where id = ${id}`);
    await recheckOrders(t.ctx);
    const late = (await openAlarms(t.ctx)).find(({ key }) => key.includes('arrived_late'));
    const json = { key: late?.key, reason: 'it arrived' };
    const repaired = await t.call('POST', '/v1/operator/reconciliation/repair', { json, as: t.operator });
    expect(repaired.status, repaired.text).toBe(200);
    done(await otherRegistrar.registry.approveTransfer(name, context));
    expect(await until(name, ['done'])).toMatchObject({ id });
    await verifyAndReport(t.ctx);
    expect((await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('books:'))).toEqual([]);
  });
});

describe('a domain with an open operation', () => {
  test('is skipped by the comparison for some minutes, then reported with the operation', async () => {
    const name = 'open-for-long.com';
    await life.buy(name);
    const id = await renewInSilence(name, 'drop-after-commit');
    expect((await reconcile(t.ctx, ['registry'])).differences).toEqual([]);
    await ageOperation(id);
    const { differences } = await reconcile(t.ctx, ['registry']);
    expect(differences).toMatchObject([{ name, operation_id: id, repair: { action: 'ask_again' } }]);
    await t.control('DELETE', '/faults');
    await until(name, ['done']);
    await expectReconciled(t);
  });
});

describe('a decision that the registry did not confirm', () => {
  const decisionOf = async (id: string) =>
    (await db().one<{ decision: object | null }>(sql`select decision from operation where id = ${id}`)).decision;

  /** An operator decides that the renewal was carried out. */
  async function decidedInSilence(name: string, kind: 'drop-after-commit' | 'drop-before'): Promise<string> {
    const id = await renewInSilence(name, kind);
    for (const isDry of [true, false]) {
      const settled = await settle(id, 'done', { dry_run: isDry });
      expect(settled.status, settled.text).toBe(409);
    }
    return id;
  }

  test('has no effect on an order that the registry explains later', async () => {
    const name = 'word-not-kept.com';
    await life.buy(name);
    const id = await decidedInSilence(name, 'drop-after-commit');
    expect(await decisionOf(id)).toBeNull();
    await t.control('DELETE', '/faults');
    expect(await until(name)).toMatchObject({ state: 'done', proof: 'found' });
    await expectReconciled(t);
  });

  test('never captures money later at a registry without a statement', async () => {
    const name = 'word-no-statement.com';
    await life.buy(name);
    await withoutStatement(async () => {
      const code = await authCode(name);
      const id = await decidedInSilence(name, 'drop-before');
      await leave(name, code);
      await t.control('DELETE', '/faults');
      expect(await until(name)).toMatchObject({ state: 'action_required' });
      expect((await life.balance()).held).toBe(1239n);
      expect((await settle(id, 'refused')).status).toBe(200);
    });
    await notice(name);
    await expectReconciled(t);
  });

  test('is refused in a dry run too when the statement shows no charge, and the order settles without it', async () => {
    const name = 'word-disproved.com';
    const id = await renewedAndLeft(name, 'drop-before');
    const { available } = await life.balance();
    await ageOperation(id);
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set due_at = now() + interval '1 day' where id = ${id}`);
    await registryAnswers(name);
    for (const isDry of [true, false]) {
      const settled = await settle(id, 'done', { dry_run: isDry });
      expect(settled.status, settled.text).toBe(409);
      expect(settled.body.message).toContain('statement');
    }
    expect(await decisionOf(id)).toBeNull();
    expect(await until(name)).toMatchObject({ state: 'refused' });
    expect((await life.balance()).available - available).toBe(1239n);
    await notice(name);
    await expectReconciled(t);
  });
});

test('an operator cannot decide about a command that is under way', async () => {
  const name = 'under-way.com';
  await registryAnswers(name);
  await life.buy(name);
  const before = await life.balance();
  await fault('delay', 'domain:renew', name, { ms: 3_000, limit: 1 });
  await life.renew(name, {}, later.headers);
  await expect.poll(async () => (await lastOperation(name)).state).toBe('sent');
  const { id } = await lastOperation(name);
  for (const decision of ['refused', 'done'])
    for (const isDry of [true, false]) {
      const settled = await settle(id, decision, { dry_run: isDry });
      expect(settled.body, settled.text).toMatchObject({ code: 'conflict', operation_id: id });
    }
  await expect.poll(async () => (await lastOperation(name)).state).toBe('done');
  expect(await lastOperation(name)).toMatchObject({ proof: 'answered' });
  expect(before.available - (await life.balance()).available).toBe(1239n);
  await expectReconciled(t);
});
