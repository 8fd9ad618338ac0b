import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { showMessage } from '../../src/core/domains/compare/show-message.ts';
import { comingMaintenances, describeMaintenance } from '../../src/core/registries/maintenance.ts';
import { pollRegistries } from '../../src/jobs/poll-registries.ts';
import { lifeOf } from './life.ts';

/** Poll messages of registry extensions: RFC 8590, RFC 9167, RFC 9038 and rgp-poll. */
let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
/** The restore that was not ordered here. */
const boughtElsewhere = 4_000n;
afterAll(() => life.end(boughtElsewhere));

const pollOptions = { timeout: 300_000, interval: 50 };
const alarm = async (key: string) => (await openAlarms(t.ctx)).find((each) => each.key === key);

/** Read and processed by the first reader. A reader that was already active may have been too early; the next one is not. */
async function readAll(): Promise<void> {
  await vi.waitFor(async () => {
    await pollAfresh(t.ctx, 'sandbox');
    const { open } = await t.ctx.db.as(allTenants).one<{ open: number }>(sql`
      select count(*)::integer as open from poll_message where processed_at is null`);
    expect(open).toBe(0);
  }, pollOptions);
}

const kinds = () =>
  t.ctx.db
    .as(allTenants)
    .many<{ kind: string; outcome: string }>(
      sql`select kind, outcome from poll_message order by received_at, message_id`,
    );

test('writes a change by the registry to the audit log once, and notifies the reseller', async () => {
  const id = await life.buy('changed-lock.com');
  await t.control('POST', '/domains/changed-lock.com/tamper', {
    add_statuses: ['serverHold', 'serverUpdateProhibited'],
    told: {
      who: 'URS Admin',
      operation: 'custom',
      detail: 'lock',
      reason: 'URS Lock',
      case: { type: 'urs', id: 'urs123' },
    },
  });
  await readAll();
  const query = { object_type: 'domain', object_id: id, action: 'domain.changed_at_registry' };
  const { body } = await t.call('GET', '/v1/account/audit', { query });
  const act = {
    who: 'URS Admin',
    operation: 'custom',
    detail: 'lock',
    reason: 'URS Lock',
    dispute: { type: 'urs', id: 'urs123' },
  };
  expect(body).toHaveLength(2);
  expect(body[1]).toMatchObject({ before: { statuses: ['clientTransferProhibited'] }, after: act });
  expect(body[0]).toMatchObject({
    before: null,
    after: { ...act, statuses: ['clientTransferProhibited', 'serverHold', 'serverUpdateProhibited'] },
  });
  const events = await t.call('GET', '/v1/events', { query: { type: 'domain.changed_at_registry' } });
  expect(events.body.events).toMatchObject([
    { object_id: id, payload: { ...act, state: 'before' } },
    { object_id: id, payload: { ...act, state: 'after' } },
  ]);
  // The comparison that follows adopts the registry's values.
  const details = await t.call('GET', '/v1/domains/changed-lock.com');
  expect(details.text).toContain('serverHold');
  // A registry may send a message twice.
  expect(new Set((await kinds()).map(({ kind }) => kind))).toEqual(new Set(['change']));
});

test('reports a maintenance with its dates until it ends, is cancelled or is moved', async () => {
  const now = t.ctx.clock.now().getTime();
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const announce = (more: object) => t.control('POST', '/messages', { text: 'Maintenance', maintenance: more });
  await announce({ id: 'M-1', start: at(24), end: at(26), description: 'a new database', tlds: ['com'] });
  await announce({ id: 'M-2', start: at(48), end: at(50) });
  await readAll();
  const [first] = await comingMaintenances(t.ctx);
  expect(describeMaintenance(first!)).toMatch(
    /^planned maintenance M-1 from .*Z to .*Z: EPP full; com; a new database$/,
  );
  expect(await alarm('registry:sandbox:maintenance:M-1')).toMatchObject({
    severity: 'warning',
    facts: { registry_id: 'sandbox', starts_at: at(24), ends_at: at(26) },
  });
  await announce({ id: 'M-2', start: at(48), end: at(50), poll_type: 'delete' });
  await announce({ id: 'M-1', start: at(24), end: at(30), poll_type: 'update' });
  await readAll();
  expect(await alarm('registry:sandbox:maintenance:M-2')).toBeUndefined();
  t.moveClock('+27h');
  await pollRegistries(t.ctx);
  expect(await alarm('registry:sandbox:maintenance:M-1')).toMatchObject({ facts: { ends_at: at(30) } });
  t.moveClock('+4h');
  await pollRegistries(t.ctx);
  expect(await alarm('registry:sandbox:maintenance:M-1')).toBeUndefined();
  expect(await comingMaintenances(t.ctx)).toEqual([]);
});

test('keeps a message with an unknown extension, raises one alarm for it, and compares its domains', async () => {
  await life.buy('changed-strange.com');
  await t.control('POST', '/domains/changed-strange.com/tamper', { add_statuses: ['serverHold'] });
  const namespace = 'urn:example:registry:verdict-1.0';
  const message = { text: 'A verdict', unknown: { namespace, name: 'verdict', text: 'changed-strange.com: on hold' } };
  await t.control('POST', '/messages', message);
  await t.control('POST', '/messages', message);
  await readAll();
  const raised = await alarm(`registry:sandbox:namespace:${namespace}`);
  expect(raised).toMatchObject({ severity: 'warning' });
  expect((await kinds()).slice(-2)).toEqual([
    { kind: 'other', outcome: 'changed-strange.com compared: live' },
    { kind: 'other', outcome: 'changed-strange.com compared: live' },
  ]);
  const [frame] = await showMessage(t.ctx, 'sandbox', String(raised!.facts.message_id));
  expect(frame).toContain('changed-strange.com: on hold');
  expect(await alarm(`registry:sandbox:namespace:${namespace}`)).toBeUndefined();
});

test('settles our own restore, and raises an alarm for one ordered elsewhere until it ends', async () => {
  for (const name of ['changed-ours.cc', 'changed-theirs.cc']) {
    await life.buy(name);
    t.moveClock('+6d');
    expect((await t.call('DELETE', `/v1/domains/${name}`)).status).toBe(200);
  }
  const ours = await t.call('POST', '/v1/domains/changed-ours.cc/restore', { form: { invoice_option: 'no_invoice' } });
  expect(ours.status, ours.text).toBe(200);
  await readAll();
  expect((await kinds()).at(-1)).toEqual({ kind: 'restore_due', outcome: 'changed-ours.cc compared: live' });
  // A restore is requested directly at the registry, and its report is missing.
  const { id, registry_id, name } = await t.ctx.db
    .as(allTenants)
    .one<{ id: string; registry_id: string; name: string }>(sql`select * from domain where name = 'changed-theirs.cc'`);
  const registry = await t.ctx.registries.of(registry_id);
  expect(await registry.restore(name, undefined, {})).toMatchObject({ kind: 'done' });
  await readAll();
  expect(await life.row(name)).toMatchObject({ state: 'pending_restore' });
  expect(await alarm(`restore-report:${id}`)).toMatchObject({ severity: 'critical' });
  t.moveClock('+8d');
  await reconcileNames(t.ctx, [name]);
  expect(await life.row(name)).toMatchObject({ state: 'redemption' });
  expect(await alarm(`restore-report:${id}`)).toBeUndefined();
});
