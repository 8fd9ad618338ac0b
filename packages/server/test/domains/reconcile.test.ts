import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { reconcileDomains } from '../../src/jobs/reconcile-domains.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.expectReconciled();
  await life.ledgerIsSound();
  await t.stop();
});

const tamper = async (name: string, change: object) => {
  const done = await t.control('POST', `/domains/${name}/tamper`, change);
  expect(done.status, done.text).toBe(200);
};
const drift = (name: string) =>
  t.ctx.db
    .as(allTenants)
    .many<{ field: string; action: string; theirs: unknown }>(
      sql`select r.field, r.action, r.theirs from drift r join domain d on d.id = r.domain_id where d.name = ${name} order by r.id`,
    );

test('finds no difference for an unchanged domain', async () => {
  await life.buy('same.com');
  expect(await reconcileNames(t.ctx, ['same.com'])).toEqual([{ name: 'same.com', outcome: 'live', drift: [] }]);
  expect(await reconcileNames(t.ctx, ['nobody.com'])).toEqual([
    { name: 'nobody.com', outcome: 'not held here', drift: [] },
  ]);
});

test('records nameservers changed at the registry once, with event and alarm, and repairs on request', async () => {
  const id = await life.buy('taken-over.com');
  await tamper('taken-over.com', { name_servers: ['ns1.evil.example', 'ns2.evil.example'] });
  const [first] = await reconcileNames(t.ctx, ['taken-over.com']);
  expect(first?.drift).toMatchObject([
    { field: 'nameservers', action: 'reported', theirs: ['ns1.evil.example', 'ns2.evil.example'] },
  ]);
  await reconcileNames(t.ctx, ['taken-over.com']);
  expect(await drift('taken-over.com')).toHaveLength(1);
  expect((await life.events('taken-over.com')).filter((type) => type === 'domain.drift')).toHaveLength(1);
  expect((await openAlarms(t.ctx)).some((alarm) => alarm.key === `drift:${id}`)).toBe(true);
  expect(await reconcileNames(t.ctx, ['taken-over.com'], { repair: true })).toMatchObject([{ repair: 'repaired' }]);
  const { body } = await t.control('GET', '/domains/taken-over.com');
  expect(body.hosts).toEqual(['ns1.namehold-dns.net', 'ns2.namehold-dns.net']);
  expect(await life.events('taken-over.com')).toContain('domain.repaired');
  await reconcileNames(t.ctx, ['taken-over.com']);
  expect((await openAlarms(t.ctx)).some((alarm) => alarm.key === `drift:${id}`)).toBe(false);
});

test('sets a lock that the registry lost', async () => {
  const id = await life.buy('lost-lock.com');
  await t.ctx.db.autocommit(allTenants).run(sql`update domain set theft_protection = true where id = ${id}`);
  await tamper('lost-lock.com', { rem_statuses: ['clientTransferProhibited'] });
  await reconcileNames(t.ctx, ['lost-lock.com']);
  const { body } = await t.control('GET', '/domains/lost-lock.com');
  expect(body.statuses).toContain('clientTransferProhibited');
  expect(await drift('lost-lock.com')).toMatchObject([{ field: 'missing_statuses', action: 'repaired' }]);
  expect((await life.row('lost-lock.com')).registry_status).toContain('clientTransferProhibited');
});

test('reports a hold and a different registrant', async () => {
  await life.buy('held.org');
  await life.buy('other-registrant.org', { registrant_contact_id: '3002' });
  const { body } = await t.control('GET', '/domains/other-registrant.org');
  await tamper('held.org', { add_statuses: ['clientHold'], registrant: body.registrant });
  await reconcileNames(t.ctx, ['held.org']);
  expect((await drift('held.org')).map((row) => `${row.field} ${row.action}`)).toEqual([
    'foreign_statuses reported',
    'registrant reported',
  ]);
  expect((await life.row('held.org')).registry_status).toContain('clientHold');
  const { body: shown } = await t.call('GET', '/v1/domains/held.org');
  expect(shown).toMatchObject({ order_status: 'Live', status: 'suspended', suspended: false });
  const { body: listed } = await t.call('GET', '/v1/domains?status=Suspended&limit=100');
  expect((listed as { domain_name: string }[]).map((each) => each.domain_name)).toContain('held.org');
});

test('adopts and reports a shorter term, and does not adopt a longer one', async () => {
  await life.buy('shorter.com', { years: '3' });
  const before = await life.row('shorter.com');
  const short = new Date(before.end_date.getTime() - 365 * 86_400_000);
  await tamper('shorter.com', { expires_at: short.toISOString() });
  await reconcileNames(t.ctx, ['shorter.com']);
  expect((await life.row('shorter.com')).end_date).toEqual(short);
  expect(await drift('shorter.com')).toMatchObject([{ field: 'expiry', action: 'adopted' }]);
  const long = new Date(short.getTime() + 900 * 86_400_000);
  await tamper('shorter.com', { expires_at: long.toISOString() });
  await reconcileNames(t.ctx, ['shorter.com']);
  const after = await life.row('shorter.com');
  expect(after.end_date).toEqual(short);
  expect(after.registry_expires_at).toEqual(long);
});

test('compares every domain in the daily run, and each only once a day', async () => {
  t.moveClock('+2d');
  await tamper('same.com', { name_servers: [] });
  await reconcileDomains(t.ctx);
  expect(await drift('same.com')).toMatchObject([{ field: 'nameservers', action: 'reported', theirs: [] }]);
  const { old } = await t.ctx.db.as(allTenants).one<{ old: string }>(sql`
    select count(*) as old from domain where state = 'live' and synced_at < ${new Date(t.ctx.clock.now().getTime() - 86_400_000)}`);
  expect(old).toBe('0');
});

test('compares all domains at once for the command line', async () => {
  const reports = await reconcileNames(t.ctx);
  expect(reports.length).toBe(await life.count('domain'));
});
