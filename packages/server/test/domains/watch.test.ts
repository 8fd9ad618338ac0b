import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { comparisonRate } from '../../src/core/domains/compare/reconcile.sql.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { compareWatched, reconcileDomains } from '../../src/jobs/reconcile-domains.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  // The service's own jobs would compare a domain before the test does.
  t = await startTestService({ sandbox: true, jobs: [] });
  life = lifeOf(t);
});
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const foreignNameservers = ['ns1.evil.example', 'ns2.evil.example'];
const tamper = async (name: string, change: object) =>
  expect((await t.control('POST', `/domains/${name}/tamper`, change)).status).toBe(200);
const drift = (name: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ field: string; action: string }>(
      sql`select r.field, r.action from drift r join domain d on d.id = r.domain_id where d.name = ${name} order by r.id`,
    );
const isAlarmed = async (id: string) => (await openAlarms(t.ctx)).some((alarm) => alarm.key === `drift:${id}`);

test('finds a change of a watched domain within 15 minutes, and of another one within a day', async () => {
  const watched = await life.buy('watched.com');
  const marked = await life.buy('marked.com');
  const other = await life.buy('unwatched.com');
  const put = await t.call('PUT', `/v1/domains/${watched}/watched`);
  expect(put.body).toMatchObject({ watched: true, watched_by_operator: false });
  expect((await t.call('PUT', `/v1/operator/domains/${marked}/watched`)).status).toBe(403);
  const byOperator = await t.call('PUT', `/v1/operator/domains/${marked}/watched`, { as: t.operator });
  expect(byOperator.body).toMatchObject({ watched: false, watched_by_operator: true });
  const digest = 'AB'.repeat(32);
  await tamper('watched.com', { name_servers: foreignNameservers, add_statuses: ['clientHold'] });
  await tamper('marked.com', { ds: [{ keyTag: 1, alg: 13, digestType: 2, digest }] });
  await tamper('unwatched.com', { name_servers: foreignNameservers });
  await compareWatched(t.ctx);
  expect(await isAlarmed(watched)).toBe(false);
  t.moveClock('+11m');
  await compareWatched(t.ctx);
  await reconcileDomains(t.ctx);
  expect((await drift('watched.com')).map((row) => row.field)).toEqual(['foreign_statuses', 'nameservers']);
  expect((await drift('marked.com')).map((row) => row.field)).toEqual(['ds']);
  expect(await life.events('watched.com')).toContain('domain.drift');
  expect(await isAlarmed(watched)).toBe(true);
  expect(await isAlarmed(marked)).toBe(true);
  expect(await drift('unwatched.com')).toEqual([]);
  t.moveClock('+1d');
  await reconcileDomains(t.ctx);
  expect(await isAlarmed(other)).toBe(true);
  const off = await t.call('DELETE', `/v1/domains/${watched}/watched`);
  expect(off.body.watched).toBe(false);
  expect((await t.call('GET', '/v1/domains/marked.com/watched')).body).toMatchObject({ watched_by_operator: true });
});

test('reports the comparison rate, and raises an alarm when a watched domain is overdue', async () => {
  t.moveClock('+16m');
  const { watched, watched_seconds } = await comparisonRate(t.ctx.db.as(allTenants), t.ctx.clock.now());
  expect(watched).toBe(1);
  expect(watched_seconds).toBeGreaterThan(900);
  const overdue = async () => (await openAlarms(t.ctx)).some((alarm) => alarm.key === 'comparison:watched');
  await watchOperations(t.ctx);
  expect(await overdue()).toBe(true);
  await compareWatched(t.ctx);
  await watchOperations(t.ctx);
  expect(await overdue()).toBe(false);
});

test('finds an earlier change at the registry after a change of ours', async () => {
  const id = await life.buy('covered-up.com');
  await tamper('covered-up.com', { name_servers: foreignNameservers });
  const ns = { ns: 'ns1.elsewhere.example,ns2.elsewhere.example' };
  expect((await t.call('PUT', `/v1/domains/${id}/ns`, { form: ns })).status).toBe(200);
  expect(await drift('covered-up.com')).toEqual([{ field: 'nameservers', action: 'reported' }]);
  expect(await life.events('covered-up.com')).toEqual([
    'domain.registered',
    'domain.update_ordered',
    'domain.drift',
    'domain.updated',
  ]);
  expect(await isAlarmed(id)).toBe(true);
  await reconcileDomains(t.ctx);
  expect(await isAlarmed(id)).toBe(false);
});

test('compares at a renewal and when a date is due', async () => {
  const id = await life.buy('renewed-then.com');
  await tamper('renewed-then.com', { name_servers: foreignNameservers });
  expect((await life.renew('renewed-then.com')).status).toBe(200);
  expect(await drift('renewed-then.com')).toEqual([{ field: 'nameservers', action: 'reported' }]);
  await reconcileDomains(t.ctx);
  expect(await isAlarmed(id)).toBe(true);
  await life.buy('ran-out.com');
  await tamper('ran-out.com', { name_servers: foreignNameservers });
  t.moveClock('+366d');
  await processExpiryOnce(t.ctx);
  expect(await drift('ran-out.com')).toContainEqual({ field: 'nameservers', action: 'reported' });
});

test('repairs by rule, and still reports the difference', async () => {
  const repairing = { ...t.ctx, config: { ...t.ctx.config, repair: ['nameservers' as const] } };
  const id = await life.buy('by-rule.com');
  await t.call('PUT', `/v1/domains/${id}/watched`);
  await tamper('by-rule.com', { name_servers: foreignNameservers });
  t.moveClock('+11m');
  await compareWatched(repairing);
  expect((await t.control('GET', '/domains/by-rule.com')).body.hosts).toEqual([
    'ns1.namehold-dns.net',
    'ns2.namehold-dns.net',
  ]);
  expect(await drift('by-rule.com')).toEqual([{ field: 'nameservers', action: 'repaired' }]);
  expect(await life.events('by-rule.com')).toEqual(expect.arrayContaining(['domain.drift', 'domain.repaired']));
  expect(await isAlarmed(id)).toBe(true);
  t.moveClock('+11m');
  await compareWatched(repairing);
  expect(await isAlarmed(id)).toBe(false);
});
