import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { recheckOrders } from '../../src/core/reconciliation/recheck-orders.ts';
import { verifyAndReport } from '../../src/core/reconciliation/report.ts';
import { lifeOf, orderOf } from '../domains/life.ts';

/** A command is delayed in the network. Its order is abandoned, the money is released, and then the command arrives. */
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

const db = () => t.ctx.db.as(allTenants);
const async = { headers: { Prefer: 'respond-async' } };
const tamper = (name: string, json: object) => t.control('POST', `/domains/${name}/tamper`, json);
const hour = 3_600_000;

const harm = (kind: string, command: string, name: string, more: object = {}) =>
  t.control('POST', '/faults', { kind, commands: [command], name, how: 'close', ...more });

interface OperationRow {
  readonly id: string;
  readonly state: string;
  readonly proof: string | null;
  readonly looks: number;
  readonly look_again_at: Date | null;
}

const lastOperation = (name: string) =>
  db().one<OperationRow>(
    sql`select id, state, proof, looks, look_again_at from operation where request->>'name' = ${name} order by id desc limit 1`,
  );

async function until(name: string, state: string): Promise<OperationRow> {
  for (let tries = 0; ; tries += 1) {
    const operation = await lastOperation(name);
    if (operation.state === state) return operation;
    if (tries > 600) throw new Error(`${name} is ${operation.state}`);
    await t.ctx.db.autocommit(allTenants).run(sql`update operation set due_at = now() where id = ${operation.id}`);
    await t.ctx.engine.start(operation.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The job runs when the check is due. */
async function look(name: string): Promise<void> {
  const { id, look_again_at } = await lastOperation(name);
  expect(look_again_at, 'a look is planned').not.toBeNull();
  await t.ctx.db.autocommit(allTenants).run(sql`update operation set look_again_at = now() where id = ${id}`);
  await recheckOrders(t.ctx);
}

const lateAlarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key.includes('arrived_late'));

const repair = (key: string, more: object = {}) =>
  t.call('POST', '/v1/operator/reconciliation/repair', {
    json: { key, reason: 'it was carried out', ...more },
    as: t.operator,
  });

async function repairLate(name: string): Promise<void> {
  const [alarm, ...others] = await lateAlarms();
  expect(alarm?.sentence, 'the alarm names the name').toContain(name);
  expect(others).toEqual([]);
  const before = await life.balance();
  const dry = await repair(alarm!.key, { dry_run: true });
  expect(dry.body, dry.text).toMatchObject({ action: 'reopen', is_done: false });
  expect(await life.balance()).toEqual(before);
  expect((await lastOperation(name)).state).toBe('refused');
  // A full reconciliation finds the same, and does not clear the alarm.
  await verifyAndReport(t.ctx, ['operations']);
  expect(await lateAlarms()).toHaveLength(1);
  const done = await repair(alarm!.key);
  expect(done.body, done.text).toMatchObject({ action: 'reopen', is_done: true });
  expect(await lastOperation(name)).toMatchObject({ state: 'done', proof: 'found' });
  expect(await lateAlarms()).toEqual([]);
  await verifyAndReport(t.ctx);
}

/** The first is delayed, the second is refused: a status prevents it for a while. */
async function refusedWhileOnItsWay(command: string, name: string, status: string, order: () => Promise<unknown>) {
  await harm('held', command, name, { ms: hour, limit: 1 });
  await tamper(name, { add_statuses: [status] });
  await order();
  await until(name, 'refused');
  await tamper(name, { rem_statuses: [status] });
}

/** The first is delayed, no other gets through, and an operator settles the order as refused. */
async function givenUpManually(command: string, name: string, order: () => Promise<unknown>): Promise<void> {
  await harm('held', command, name, { ms: hour, limit: 1 });
  await harm('drop-before', command, name);
  await order();
  await until(name, 'unknown');
  const { id } = await lastOperation(name);
  const json = { decision: 'refused', reason: 'it does not answer' };
  const settled = await t.call('POST', `/v1/operator/operations/${id}/settle`, { json, as: t.operator });
  expect(settled.status, settled.text).toBe(200);
  await t.control('DELETE', '/faults');
}

const arrive = () => t.control('POST', '/held');

test('finds a renewal executed after its refusal, and charges it when the operator repairs it', async () => {
  await life.buy('late-renew.com');
  const before = await life.balance();
  await refusedWhileOnItsWay('domain:renew', 'late-renew.com', 'serverRenewProhibited', () =>
    life.renew('late-renew.com', { years: '2' }, { Prefer: 'respond-async' }),
  );
  expect(await life.balance()).toEqual(before);
  await look('late-renew.com');
  expect(await lateAlarms(), 'nothing has arrived yet').toEqual([]);
  const ends = (await life.row('late-renew.com')).end_date;
  await arrive();
  await look('late-renew.com');
  await repairLate('late-renew.com');
  const paid = await life.row('late-renew.com');
  expect(paid.end_date.getUTCFullYear()).toBe(ends.getUTCFullYear() + 2);
  expect(await life.statement('late-renew.com')).toEqual(['charge create 10.26', 'charge renew 20.52']);
  const after = await life.balance();
  expect(after.held).toBe(before.held);
  expect(after.available).toBeLessThan(before.available);
});

test('reopens for its buyer a registration that was settled as refused and then executed', async () => {
  const before = await life.balance();
  await givenUpManually('domain:create', 'late-create.com', () =>
    t.call('POST', '/v1/domains', { form: orderOf('late-create.com'), ...async }),
  );
  expect(await life.balance()).toEqual(before);
  await arrive();
  await look('late-create.com');
  await repairLate('late-create.com');
  expect(await life.row('late-create.com')).toMatchObject({ state: 'live' });
  expect(before.available - (await life.balance()).available).toBe(1239n);
});

test('reopens the abandoned order of an unknown domain instead of adopting the domain', async () => {
  await givenUpManually('domain:create', 'late-adopted.com', () =>
    t.call('POST', '/v1/domains', { form: orderOf('late-adopted.com'), ...async }),
  );
  await arrive();
  await verifyAndReport(t.ctx);
  const alarm = (await openAlarms(t.ctx)).find(({ key }) => key.endsWith('name late-adopted.com'));
  const done = await repair(alarm!.key);
  const { id } = await lastOperation('late-adopted.com');
  expect(done.body, done.text).toMatchObject({ action: 'adopt', is_done: true, result: expect.stringContaining(id) });
  expect(await lastOperation('late-adopted.com')).toMatchObject({ state: 'done', proof: 'found' });
  await verifyAndReport(t.ctx);
});

const tell = async (name: string) => {
  await verifyAndReport(t.ctx);
  return (await openAlarms(t.ctx)).filter(({ sentence }) => sentence.includes(name)).map(({ key }) => key);
};

/** Bought by a second create, deleted and refunded; then the first one arrives, and is unpaid. */
async function boughtAgainBehindOurBack(name: string): Promise<string> {
  await harm('held', 'domain:create', name, { ms: hour, limit: 1 });
  await t.call('POST', '/v1/domains', { form: orderOf(name), ...async });
  await until(name, 'done');
  expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
  await arrive();
  expect(await life.statement(name)).toEqual(['charge create 10.26', 'refund create 10.26', 'charge create 10.26']);
  const [key] = await tell(name);
  expect(key).toBe(`books:registry:held_there_not_here:name ${name}`);
  const adopted = await repair(key!);
  expect(adopted.body, adopted.text).toMatchObject({ action: 'adopt', is_done: true });
  expect(adopted.body.result).toContain('no reseller was charged');
  const unpaid = await tell(name);
  expect(unpaid).toEqual([`books:domains:adopted_unpaid:domain ${(await life.row(name)).id}`]);
  return unpaid[0]!;
}

test('reports an adopted, unpaid domain until an operator accepts it', async () => {
  const before = await life.balance();
  const key = await boughtAgainBehindOurBack('taken-in.com');
  const dry = await repair(key, { dry_run: true });
  expect(dry.body, dry.text).toMatchObject({ action: 'accept', is_done: false });
  expect(await tell('taken-in.com')).toEqual([key]);
  const done = await repair(key, { reason: 'charged with debit note 7' });
  expect(done.body, done.text).toMatchObject({ action: 'accept', is_done: true });
  expect(await tell('taken-in.com')).toEqual([]);
  expect(await life.balance()).toEqual(before);
});

test("does not report the registry's refund for an adopted domain as owed to a reseller", async () => {
  const before = await life.balance();
  await boughtAgainBehindOurBack('given-back.com');
  expect((await t.call('DELETE', '/v1/domains/given-back.com')).status).toBe(200);
  expect((await life.statement('given-back.com')).at(-1)).toBe('refund create 10.26');
  expect(await tell('given-back.com')).toEqual([]);
  expect(await life.balance()).toEqual(before);
});

test('refunds a deletion executed after its refusal, as the registry did', async () => {
  await life.buy('late-remove.com');
  const before = await life.balance();
  await refusedWhileOnItsWay('domain:delete', 'late-remove.com', 'serverDeleteProhibited', () =>
    t.call('DELETE', '/v1/domains/late-remove.com', async),
  );
  await arrive();
  await look('late-remove.com');
  await repairLate('late-remove.com');
  expect(await life.row('late-remove.com')).toMatchObject({ state: 'removed', removed_reason: 'deleted' });
  expect((await life.balance()).available - before.available).toBe(1239n);
});

test('charges a restore that was settled as refused and then executed', async () => {
  await life.buy('late-restore.com');
  t.moveClock('+6d');
  expect((await t.call('DELETE', '/v1/domains/late-restore.com')).status).toBe(200);
  const before = await life.balance();
  await givenUpManually('domain:update', 'late-restore.com', () =>
    t.call('POST', '/v1/domains/late-restore.com/restore', { form: { invoice_option: 'no_invoice' }, ...async }),
  );
  expect(await life.balance()).toEqual(before);
  await arrive();
  await look('late-restore.com');
  await repairLate('late-restore.com');
  expect(await life.row('late-restore.com')).toMatchObject({ state: 'live' });
  expect(before.available - (await life.balance()).available).toBe(4809n);
});

test('needs no repair if a later order covers the years', async () => {
  await life.buy('late-again.com');
  await refusedWhileOnItsWay('domain:renew', 'late-again.com', 'serverRenewProhibited', () =>
    life.renew('late-again.com', {}, { Prefer: 'respond-async' }),
  );
  const { id } = await lastOperation('late-again.com');
  await arrive();
  await look('late-again.com');
  const [alarm] = await lateAlarms();
  expect(alarm?.key).toContain(id);
  // The reseller saw that it was refused, and orders it again. The year exists, and no command of the new order explains it.
  await life.renew('late-again.com', {}, { Prefer: 'respond-async' });
  const second = await until('late-again.com', 'action_required');
  const json = { decision: 'done', reason: 'the first one has arrived' };
  const settled = await t.call('POST', `/v1/operator/operations/${second.id}/settle`, { json, as: t.operator });
  expect(settled.body, settled.text).toMatchObject({ operation: { state: 'done' } });
  expect((await repair(alarm!.key)).body).toMatchObject({ code: 'conflict' });
  await t.ctx.db.autocommit(allTenants).run(sql`update operation set look_again_at = now() where id = ${id}`);
  await recheckOrders(t.ctx);
  expect(await lateAlarms()).toEqual([]);
  expect(await life.statement('late-again.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
});

test('stops checking an order after three checks without a finding, and never checks an answered one', async () => {
  await life.buy('quiet.com');
  expect((await lastOperation('quiet.com')).look_again_at).toBeNull();
  await refusedWhileOnItsWay('domain:renew', 'quiet.com', 'serverRenewProhibited', () =>
    life.renew('quiet.com', {}, { Prefer: 'respond-async' }),
  );
  await t.control('DELETE', '/held');
  for (let looks = 1; looks <= 3; looks += 1) {
    await look('quiet.com');
    expect(await lastOperation('quiet.com')).toMatchObject({ looks });
  }
  expect((await lastOperation('quiet.com')).look_again_at).toBeNull();
});
