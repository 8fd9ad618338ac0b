import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { findMissingDomains } from '../../src/core/domains/compare/find-missing.ts';
import { importDomains } from '../../src/core/domains/compare/import.ts';
import { alarmOrphan, updateOrphans } from '../../src/core/domains/compare/orphan.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { reconcile } from '../../src/core/reconciliation/reconcile.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import { lifeOf, orderOf } from './life.ts';

/** Faults at the one moment at which they cause damage. Each of them once lost money or a domain. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  // A test waits until then for a command that is held back.
  t = await startTestService({ sandbox: true, env: { NAMEHOLD_SANDBOX_REPLY_TIMEOUT_MS: '10000' } });
  life = lifeOf(t);
});
beforeEach(() => clearFaults());
afterAll(async () => {
  await life.ledgerIsSound();
  await t.stop();
});

const clearFaults = () => t.control('DELETE', '/faults');
const db = () => t.ctx.db.as(allTenants);
const noWait = { headers: { Prefer: 'wait=0' } };

const injectFault = (kind: string, command: string, name: string, more: object = {}) =>
  t.control('POST', '/faults', { kind, commands: [command], name, how: 'close', ...more });

/** No query of the domain is answered once this command has arrived: one would find its outcome. */
const dropQueriesAfter = (command: string, name: string, more: object = {}) =>
  injectFault('drop-before', 'domain:info', name, { after: `domain:${command}`, ...more });

interface OperationRow {
  readonly id: string;
  readonly state: string;
  readonly outcome: Record<string, unknown> | null;
}

const lastOperation = (name: string) =>
  db().one<OperationRow>(
    sql`select id, state, outcome from operation where request->>'name' = ${name} order by id desc limit 1`,
  );

/** Retries until the operation is in one of these states. */
async function until(name: string, states: readonly string[]): Promise<OperationRow> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const operation = await lastOperation(name);
    if (states.includes(operation.state)) return operation;
    await t.ctx.engine.start(operation.id);
    await sleep(100);
  }
  throw new Error(`${name} is still ${(await lastOperation(name)).state}`);
}

const alarmOf = (operationId: string, about = 'operation') =>
  db().maybe<{ sentence: string }>(
    sql`select sentence from alarm where key = ${`${about}:${operationId}`} and cleared_at is null`,
  );

const deleted = async (name: string) => {
  await life.buy(name);
  t.moveClock('+6d');
  expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
};
const restore = (name: string) =>
  t.call('POST', `/v1/domains/${name}/restore`, { form: { invoice_option: 'no_invoice' }, ...noWait });

test('does not charge a restore that never arrived, although the domain is no longer in redemption', async () => {
  await deleted('never-back.com');
  const money = await life.balance();
  await injectFault('drop-before', 'domain:update', 'never-back.com');
  await dropQueriesAfter('update', 'never-back.com');
  await restore('never-back.com');
  await until('never-back.com', ['unknown']);
  t.moveClock('+31d');
  await clearFaults();
  await until('never-back.com', ['refused']);
  expect(await life.balance()).toEqual(money);
  expect(await life.statement('never-back.com')).toEqual(['charge create 10.26']);
  expect(await life.row('never-back.com')).not.toMatchObject({ state: 'live' });
});

test('requires a decision for a restore that was executed and expired again', async () => {
  await deleted('fell-back.com');
  const money = await life.balance();
  await injectFault('drop-after-commit', 'domain:update', 'fell-back.com');
  await dropQueriesAfter('update', 'fell-back.com');
  await restore('fell-back.com');
  await until('fell-back.com', ['unknown']);
  t.moveClock('+31d');
  await clearFaults();
  const operation = await until('fell-back.com', ['action_required', 'waiting_registry', 'refused', 'done']);
  expect(operation.state).toBe('action_required');
  expect((await alarmOf(operation.id))?.sentence).toContain('fell-back.com');
  expect((await life.balance()).held - money.held).toBe(4809n);
  expect(await life.statement('fell-back.com')).toEqual(['charge create 10.26', 'charge restore 40.00']);
});

test('refunds nothing when a delete planned within the add grace period is sent after it', async () => {
  await life.buy('planned-early.com');
  const money = await life.balance();
  await injectFault('drop-before', 'domain:delete', 'planned-early.com');
  await t.call('DELETE', '/v1/domains/planned-early.com', noWait);
  await until('planned-early.com', ['unknown']);
  t.moveClock('+6d');
  await clearFaults();
  await until('planned-early.com', ['done']);
  expect(await life.balance()).toEqual(money);
  expect(await life.statement('planned-early.com')).toEqual(['charge create 10.26']);
  expect(await life.row('planned-early.com')).toMatchObject({ state: 'redemption' });
});

test('refunds a delete executed within the add grace period whose result is determined after it', async () => {
  const money = await life.balance();
  await life.buy('found-late.com');
  await injectFault('drop-after-commit', 'domain:delete', 'found-late.com');
  await dropQueriesAfter('delete', 'found-late.com');
  await t.call('DELETE', '/v1/domains/found-late.com', noWait);
  await until('found-late.com', ['unknown']);
  t.moveClock('+6d');
  await clearFaults();
  await until('found-late.com', ['done']);
  expect(await life.balance()).toEqual(money);
});

test('uses the date of a delete whose result is determined after the renew grace period', async () => {
  await life.buy('renewed-deleted.com');
  t.moveClock('+6d');
  const money = await life.balance();
  expect((await life.renew('renewed-deleted.com')).status).toBe(200);
  await injectFault('drop-after-commit', 'domain:delete', 'renewed-deleted.com');
  await dropQueriesAfter('delete', 'renewed-deleted.com');
  await t.call('DELETE', '/v1/domains/renewed-deleted.com', noWait);
  await until('renewed-deleted.com', ['unknown']);
  t.moveClock('+6d');
  await clearFaults();
  await until('renewed-deleted.com', ['done']);
  expect(await life.balance()).toEqual(money);
  expect((await life.statement('renewed-deleted.com')).at(-1)).toBe('refund renew 10.26');
});

/** The delete is executed within the renew grace period, and its result is not known until the domain is long gone. */
async function deleteWithUnknownResult(name: string): Promise<void> {
  await life.buy(name);
  t.moveClock('+6d');
  expect((await life.renew(name)).status).toBe(200);
  await injectFault('drop-after-commit', 'domain:delete', name);
  await dropQueriesAfter('delete', name);
  await t.call('DELETE', `/v1/domains/${name}`, noWait);
  await until(name, ['unknown']);
  t.moveClock('+100d');
}

test("takes the refund from the registry's statement for a delete determined after the domain is gone", async () => {
  await deleteWithUnknownResult('forgotten.com');
  const money = await life.balance();
  await clearFaults();
  const { id, outcome } = await until('forgotten.com', ['done']);
  expect(outcome).toMatchObject({ refunded: [{ amount: '12.39' }] });
  expect((await life.balance()).available - money.available).toBe(1239n);
  expect(await alarmOf(id, 'refund')).toBeUndefined();
});

test('refunds nothing without a registry statement, and raises an alarm for the operator', async () => {
  const registry = await t.ctx.registries.of('sandbox');
  const { holdings } = registry;
  await deleteWithUnknownResult('doubtful.com');
  const money = await life.balance();
  Object.assign(registry, { holdings: undefined });
  await clearFaults();
  const { id } = await until('doubtful.com', ['done']);
  Object.assign(registry, { holdings });
  expect(await life.balance()).toEqual(money);
  expect((await alarmOf(id, 'refund'))?.sentence).toContain('doubtful.com');
});

const renewLater = (name: string) => life.renew(name, {}, noWait.headers);

test('records no sent year for a renewal that was planned before the registry auto-renewed', async () => {
  await life.buy('renewed-itself.com');
  const { end_date } = await life.row('renewed-itself.com');
  const before = end_date.getTime() - t.ctx.clock.now().getTime();
  t.moveClock(`+${Math.floor(before / 1000) - 3600}s`);
  await injectFault('drop-before', 'domain:renew', 'renewed-itself.com');
  await dropQueriesAfter('renew', 'renewed-itself.com');
  await renewLater('renewed-itself.com');
  await until('renewed-itself.com', ['unknown']);
  t.moveClock('+1d');
  await clearFaults();
  const operation = await until('renewed-itself.com', ['done']);
  expect(operation.outcome).toMatchObject({ sent_years: 0, auto_renewed_years: 1 });
  // Within the registry's own grace period the year is refunded, at the registry and here.
  t.moveClock('+10d');
  const money = await life.balance();
  expect((await t.call('DELETE', '/v1/domains/renewed-itself.com')).status).toBe(200);
  expect((await life.balance()).available - money.available).toBe(1239n);
  expect((await life.statement('renewed-itself.com')).slice(-2)).toEqual([
    'charge autorenew 10.26',
    'refund autorenew 10.26',
  ]);
});

test("counts the grace period from the registry's date when a renewal was settled late", async () => {
  await life.buy('settled-late.com');
  t.moveClock('+6d');
  await injectFault('drop-after-commit', 'domain:renew', 'settled-late.com');
  await dropQueriesAfter('renew', 'settled-late.com');
  await renewLater('settled-late.com');
  await until('settled-late.com', ['unknown']);
  t.moveClock('+4d');
  await clearFaults();
  await until('settled-late.com', ['done']);
  expect((await life.renew('settled-late.com')).status).toBe(200);
  t.moveClock('+2d');
  const money = await life.balance();
  expect((await t.call('DELETE', '/v1/domains/settled-late.com')).status).toBe(200);
  expect((await life.balance()).available - money.available).toBe(1239n);
  const statement = await life.statement('settled-late.com');
  expect(statement.filter((line) => line.startsWith('refund'))).toEqual(['refund renew 10.26']);
});

test('keeps a domain missing at the registry once, and restores one that is shown again later', async () => {
  await life.buy('disowned.com');
  const comparedOutcome = async () => (await reconcileNames(t.ctx, ['disowned.com']))[0]?.outcome;
  const sponsor = (name: string) => t.control('POST', '/domains/disowned.com/tamper', { sponsor: name });
  const alarm = async () =>
    db().maybe<{ sentence: string }>(
      sql`select sentence from alarm where key like 'missing:%' and cleared_at is null and sentence like 'disowned.com%'`,
    );
  await sponsor('rival');
  expect(await comparedOutcome()).toContain('missing');
  expect(await comparedOutcome()).toContain('missing');
  expect((await alarm())?.sentence).toContain('rival');
  await sponsor('namehold');
  expect(await comparedOutcome()).toBe('live');
  expect(await alarm()).toBeUndefined();
  await sponsor('rival');
  await comparedOutcome();
  t.moveClock('+20m');
  await processExpiryOnce(t.ctx);
  expect(await life.row('disowned.com')).toMatchObject({ state: 'removed', removed_reason: 'transferred_away' });
  await sponsor('namehold');
  t.moveClock('+25h');
  await findMissingDomains(t.ctx);
  expect(await life.row('disowned.com')).toMatchObject({ state: 'live', removed_reason: null });
  expect(await life.events('disowned.com')).toContain('domain.found_again');
  expect(await alarm()).toBeUndefined();
});

test('returns unknown for a domain only the registry has, raises an alarm, and imports it at its cost', async () => {
  const registry = await t.ctx.registries.of('sandbox');
  await life.buy('template.com');
  const template = await registry.info('template.com');
  if (template.kind !== 'done' || !template.data) throw new Error('no template');
  const made = await registry.create(
    {
      ...template.data,
      name: 'stray.com',
      years: 2,
      registrant: template.data.registrant!,
      nameservers: [],
      extra: {},
    },
    {},
  );
  expect(made.kind).toBe('done');
  const checked = await t.call('GET', '/v1/domains/availability', { query: { domain: 'stray.com,google.com' } });
  expect(JSON.stringify(checked.body)).toContain('unknown');
  expect(JSON.stringify(checked.body)).not.toContain('regthroughothers');
  const alarm = () =>
    db().maybe(sql`select key from alarm where key = 'stray:sandbox:stray.com' and cleared_at is null`);
  expect(await alarm()).toBeDefined();
  const refused = await t.call('POST', '/v1/domains', { form: orderOf('stray.com') });
  expect(refused.body).toMatchObject({
    code: 'domain_not_available',
    message: expect.stringContaining('your provider'),
  });
  expect(await db().maybe(sql`select id from operation where request->>'name' = 'stray.com'`)).toBeUndefined();
  const order = { registryId: 'sandbox', resellerId: '1000', customerId: '2001', names: ['stray.com'] };
  const [report] = await importDomains(t.ctx, order);
  expect(report).toMatchObject({ outcome: 'imported', registryCost: '20.52 USD' });
  expect(report!.detail).toContain('no reseller was charged');
  expect(await alarm()).toBeUndefined();
  const quote = await t.call('POST', '/v1/quotes', { form: { kind: 'register', domain_name: 'stray.com' } });
  expect(quote.body.code).toBe('domain_not_available');
});

test('clears the alarm of an orphaned domain that was imported or deleted at the registry', async () => {
  await life.buy('adopted.com');
  for (const name of ['adopted.com', 'gone.com']) await alarmOrphan(t.ctx, 'sandbox', name);
  const open = async () =>
    (
      await db().many<{ key: string }>(
        sql`select key from alarm where key like 'stray:%' and cleared_at is null order by key`,
      )
    ).map(({ key }) => key);
  await watchOperations(t.ctx);
  expect(await open()).toEqual(['stray:sandbox:gone.com']);
  await updateOrphans(t.ctx);
  expect(await open()).toEqual(['stray:sandbox:gone.com']);
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update alarm set seen_at = seen_at - interval '25 hours' where key = 'stray:sandbox:gone.com'`);
  await updateOrphans(t.ctx);
  expect(await open()).toEqual([]);
});

test('emits one event for a registry review, however often it is polled', async () => {
  const called = await t.call('POST', '/v1/domains', {
    form: orderOf('lama-sekali.web.id', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }),
    ...noWait,
  });
  expect(called.status, called.text).toBe(202);
  await until('lama-sekali.web.id', ['waiting_registry']);
  const { id } = await lastOperation('lama-sekali.web.id');
  const steps = async () => (await t.call('GET', `/v1/operations/${id}`)).body.steps.length;
  const before = await steps();
  for (let round = 0; round < 3; round += 1) await t.ctx.engine.start(id);
  expect(await steps()).toBe(before);
  expect(await life.events('lama-sekali.web.id')).toEqual(['domain.registration_pending']);
});

const order = (name: string) => t.call('POST', '/v1/domains', { form: orderOf(name), ...noWait });

test('recognises its own create after the clock was moved', async () => {
  const money = await life.balance();
  await injectFault('drop-after-commit', 'domain:create', 'moved-clock.com');
  await dropQueriesAfter('create', 'moved-clock.com');
  await order('moved-clock.com');
  await until('moved-clock.com', ['unknown']);
  t.moveClock('+40d');
  await clearFaults();
  await until('moved-clock.com', ['done']);
  expect(await life.row('moved-clock.com')).toMatchObject({ state: 'live' });
  expect(money.available - (await life.balance()).available).toBe(1239n);
});

test('recognises its own create at a registry that shows dates at midnight', async () => {
  await t.control('POST', '/faults', { kind: 'midnight-dates', commands: ['domain:info'], name: 'midnight.com' });
  await injectFault('drop-after-commit', 'domain:create', 'midnight.com', { limit: 1 });
  await order('midnight.com');
  await until('midnight.com', ['done']);
  expect(await life.row('midnight.com')).toMatchObject({ state: 'live' });
});

test('registers and charges once when a create arrives after the query that missed it', async () => {
  await injectFault('held', 'domain:create', 'late-create.com', { until: 'question', limit: 1 });
  await order('late-create.com');
  await until('late-create.com', ['done']);
  expect(await life.statement('late-create.com')).toEqual(['charge create 10.26']);
});

test('settles a delete as done that arrives after the query that missed it', async () => {
  await life.buy('late-delete.com');
  t.moveClock('+6d');
  await injectFault('held', 'domain:delete', 'late-delete.com', { until: 'question', limit: 1 });
  await t.call('DELETE', '/v1/domains/late-delete.com', noWait);
  await until('late-delete.com', ['done']);
  expect(await life.row('late-delete.com')).toMatchObject({ state: 'redemption' });
});

test('charges once for a restore that arrives after the query that missed it', async () => {
  await deleted('late-restore.com');
  const money = await life.balance();
  await injectFault('held', 'domain:update', 'late-restore.com', { until: 'question', limit: 1 });
  await restore('late-restore.com');
  await until('late-restore.com', ['done']);
  expect(await life.row('late-restore.com')).toMatchObject({ state: 'live' });
  expect(money.available - (await life.balance()).available).toBe(4809n);
  expect(await life.statement('late-restore.com')).toEqual(['charge create 10.26', 'charge restore 40.00']);
});

test('repeats queries to a registry with lagging reads until they agree', async () => {
  await deleted('lagging.com');
  await t.control('POST', '/faults', { kind: 'lagging-info', name: 'lagging.com', ms: 1_500 });
  await restore('lagging.com');
  await until('lagging.com', ['done']);
  await renewLater('lagging.com');
  const renewed = await until('lagging.com', ['done']);
  expect(renewed.outcome).toMatchObject({ sent_years: 1 });
  await t.call('DELETE', '/v1/domains/lagging.com', noWait);
  await until('lagging.com', ['done']);
  expect(await life.statement('lagging.com')).toEqual([
    'charge create 10.26',
    'charge restore 40.00',
    'charge renew 10.26',
    'refund renew 10.26',
  ]);
});

test('requires a decision for a domain that the registry holds and this order cannot have registered', async () => {
  const registry = await t.ctx.registries.of('sandbox');
  const template = await registry.info('template.com');
  if (template.kind !== 'done' || !template.data) throw new Error('no template');
  const { registrant } = template.data;
  await registry.create(
    { ...template.data, name: 'unexplained.com', years: 1, registrant: registrant!, nameservers: [], extra: {} },
    {},
  );
  const money = await life.balance();
  // The registry does not show before the order that it has the domain.
  await injectFault('2400', 'domain:check', 'unexplained.com', { limit: 1, when: 'before' });
  await order('unexplained.com');
  const operation = await until('unexplained.com', ['action_required', 'refused', 'done']);
  expect(operation.state).toBe('action_required');
  expect((await alarmOf(operation.id))?.sentence).toContain('unexplained.com');
  expect((await life.balance()).held - money.held).toBe(1239n);
  expect((await t.control('GET', '/domains/unexplained.com')).status).toBe(200);
});

test('continues a restore without a decision when a query is lost before anything was sent', async () => {
  await deleted('lost-question.com');
  await injectFault('drop-before', 'domain:info', 'lost-question.com', { limit: 1 });
  await restore('lost-question.com');
  await until('lost-question.com', ['done']);
  expect(await life.statement('lost-question.com')).toEqual(['charge create 10.26', 'charge restore 40.00']);
});

test('settles a renewal at the next query, without a decision, when answer and query were lost', async () => {
  await life.buy('seen-later.com');
  await injectFault('drop-after-commit', 'domain:renew', 'seen-later.com', { limit: 1 });
  await dropQueriesAfter('renew', 'seen-later.com', { limit: 1 });
  await renewLater('seen-later.com');
  const renewed = await until('seen-later.com', ['done', 'action_required']);
  expect(renewed).toMatchObject({ state: 'done', outcome: { sent_years: 1, auto_renewed_years: 0 } });
  const { proof } = await db().one<{ proof: string }>(sql`select proof from operation where id = ${renewed.id}`);
  expect(proof).toBe('found');
});

test('refunds a delete right after the purchase, also when the registry reads from a lagging replica', async () => {
  const lag = (name: string) => t.control('POST', '/faults', { kind: 'lagging-info', name, ms: 2_500 });
  await lag('lagging-add.com');
  await life.buy('lagging-add.com');
  await t.call('DELETE', '/v1/domains/lagging-add.com', noWait);
  expect((await until('lagging-add.com', ['done'])).outcome).toMatchObject({ refunded: [{ amount: '12.39' }] });

  await life.buy('lagging-renew.com');
  await t.moveClock('+6d');
  await lag('lagging-renew.com');
  await renewLater('lagging-renew.com');
  await until('lagging-renew.com', ['done']);
  await t.call('DELETE', '/v1/domains/lagging-renew.com', noWait);
  expect((await until('lagging-renew.com', ['done'])).outcome).toMatchObject({ refunded: [{ amount: '12.39' }] });
  for (const [name, bought] of [
    ['lagging-add.com', 'create'],
    ['lagging-renew.com', 'renew'],
  ] as const) {
    expect((await life.statement(name)).at(-1)).toBe(`refund ${bought} 10.26`);
  }
});

test('does not settle a delete that never arrived because of a read older than the domain', async () => {
  await t.control('POST', '/faults', { kind: 'lagging-info', name: 'not-yet-there.com', ms: 2_500 });
  await life.buy('not-yet-there.com');
  await injectFault('drop-before', 'domain:delete', 'not-yet-there.com', { limit: 1 });
  await t.call('DELETE', '/v1/domains/not-yet-there.com', noWait);
  expect((await until('not-yet-there.com', ['done'])).outcome).toMatchObject({ refunded: [{ amount: '12.39' }] });
  expect(await life.statement('not-yet-there.com')).toEqual(['charge create 10.26', 'refund create 10.26']);
});

test('counts two consecutive renewals from the paid term, not from a lagging read', async () => {
  await life.buy('twice-renewed.com');
  await t.control('POST', '/faults', { kind: 'lagging-info', name: 'twice-renewed.com', ms: 2_500 });
  for (const _ of [1, 2]) {
    await renewLater('twice-renewed.com');
    expect(await until('twice-renewed.com', ['done', 'refused', 'action_required'])).toMatchObject({ state: 'done' });
  }
  expect(await life.statement('twice-renewed.com')).toEqual([
    'charge create 10.26',
    'charge renew 10.26',
    'charge renew 10.26',
  ]);
});

test('requires a decision for a renewal when unordered years existed before the end of the term', async () => {
  await life.buy('ahead.com');
  const { end_date: ends } = (await t.call('GET', '/v1/domains/ahead.com')).body as { end_date: string };
  const expires_at = `${Number(ends.slice(0, 4)) + 1}${ends.slice(4).replace(' ', 'T')}Z`;
  await t.control('POST', '/domains/ahead.com/tamper', { expires_at });
  await renewLater('ahead.com');
  const renewed = await until('ahead.com', ['done', 'refused', 'action_required']);
  expect(renewed.state).toBe('action_required');
});

test('settles a renewal that arrives after the query that missed it by its own command', async () => {
  await life.buy('held-renewal.com');
  await t.control('POST', '/faults', {
    kind: 'held',
    until: 'question',
    commands: ['domain:renew'],
    name: 'held-renewal.com',
    limit: 1,
  });
  await renewLater('held-renewal.com');
  const renewed = await until('held-renewal.com', ['done', 'refused', 'action_required']);
  expect(renewed).toMatchObject({ state: 'done', outcome: { sent_years: 1 } });
  expect(await life.statement('held-renewal.com')).toEqual(['charge create 10.26', 'charge renew 10.26']);
});

test('charges a registration and a restore as ordered when they are seen only after an auto-renewal', async () => {
  await deleted('restored-unseen.fr');
  const { end_date: ends } = await life.row('restored-unseen.fr');
  await injectFault('drop-after-commit', 'domain:update', 'restored-unseen.fr', { limit: 1 });
  await injectFault('drop-after-commit', 'domain:create', 'created-unseen.com');
  await dropQueriesAfter('update', 'restored-unseen.fr');
  await dropQueriesAfter('create', 'created-unseen.com');
  await restore('restored-unseen.fr');
  await order('created-unseen.com');
  for (const name of ['restored-unseen.fr', 'created-unseen.com']) await until(name, ['unknown']);
  t.moveClock('+370d');
  await clearFaults();
  await until('created-unseen.com', ['done']);
  const created = await life.row('created-unseen.com');
  const yearsBetween = (from: Date, to: Date) => to.getUTCFullYear() - from.getUTCFullYear();
  expect(yearsBetween(created.registry_created_at, created.end_date)).toBe(1);
  expect(yearsBetween(created.registry_created_at, created.registry_expires_at)).toBe(2);
  // The grace period of the unpaid year is open, and the domain can be deleted with a refund in it.
  await processExpiryOnce(t.ctx);
  expect((await life.row('created-unseen.com')).grace_ends_at).not.toBeNull();
  expect(await until('restored-unseen.fr', ['done', 'action_required', 'refused'])).toMatchObject({ state: 'done' });
  expect((await life.row('restored-unseen.fr')).end_date).toEqual(ends);
});

test('restores a domain long after its term, and books the unpaid year', async () => {
  await life.buy('long-after.fr');
  const { end_date: paid } = await life.row('long-after.fr');
  t.moveClock('+450d');
  expect((await t.call('DELETE', '/v1/domains/long-after.fr')).status).toBe(200);
  await restore('long-after.fr');
  await until('long-after.fr', ['done']);
  const row = await life.row('long-after.fr');
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(row.end_date.getUTCFullYear() - paid.getUTCFullYear()).toBe(1);
  const { differences } = await reconcile(t.ctx, ['domains']);
  expect(differences.filter(({ name }) => name === 'long-after.fr')).toEqual([]);
});

test('queries the registry whether a restore includes a renewal', async () => {
  await life.buy('known-before.fr', { years: '2' });
  t.moveClock('+400d');
  expect((await t.call('DELETE', '/v1/domains/known-before.fr')).status).toBe(200);
  await t.ctx.db
    .autocommit(allTenants)
    .run(
      sql`update domain set registry_expires_at = registry_expires_at - interval '1 year' where name = 'known-before.fr'`,
    );
  const quoted = await t.call('POST', '/v1/quotes', { json: { kind: 'restore', domain_name: 'known-before.fr' } });
  expect(quoted.body.lines.map(({ line }: { line: string }) => line)).toEqual(['restore']);
});
