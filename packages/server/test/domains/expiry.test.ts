import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { attemptAfresh } from '../../../../test/support/attempt.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { syncWith } from '../../src/core/domains/compare/sync.ts';
import { processExpiryOnce } from '../../src/core/domains/end/expire.ts';
import { interruptsAt } from '../../src/core/domains/lifecycle.ts';
import type { TldRules } from '../../src/core/model/tld.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(async () => {
  await life.ledgerIsSound();
  expect((await life.balance()).held).toBe(0n);
  await t.stop();
});

/** Moves the clock, then runs the background job once. */
async function moveAndRunJobs(by: string): Promise<void> {
  t.moveClock(by);
  await t.control('GET', '/clock');
  await processExpiryOnce(t.ctx);
  await processExpiryOnce(t.ctx);
  // At every moment, not only at the end: an auto-renewal charge of the registry is in our ledger when it happens.
  await vi.waitFor(() => life.expectReconciled(), { timeout: 300_000, interval: 500 });
}

const registryShows = async (name: string) => (await t.control('GET', `/domains/${name}`)).body.statuses as string[];
const noticesOf = async (name: string, kind: string) => {
  const { id } = await life.row(name);
  return (await t.call('GET', '/v1/notices', { query: { domain_id: id, kind } })).body as { notice_id: string }[];
};
const operations = async (name: string) => {
  const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
    select count(*) as n from operation o join domain d on d.id = o.domain_id where d.name = ${name}`);
  return Number(n);
};

test('follows an unrenewed domain from registration through interruption and redemption to its drop', async () => {
  await life.buy('whole-life.com');
  const registered = await life.row('whole-life.com');
  await moveAndRunJobs('+336d');
  await moveAndRunJobs('+23d');
  expect(await life.events('whole-life.com')).toEqual(['domain.registered', 'domain.expiring', 'domain.expiring']);
  await moveAndRunJobs('+7d');
  let row = await life.row('whole-life.com');
  expect(row.state).toBe('live');
  expect(row.end_date).toEqual(registered.end_date);
  expect(row.registry_expires_at.getUTCFullYear()).toBe(registered.end_date.getUTCFullYear() + 1);
  expect(row.grace_ends_at!.getTime() - row.end_date.getTime()).toBe(45 * 86_400_000);
  expect(await life.events('whole-life.com')).toContain('domain.expired');
  await moveAndRunJobs('+30d');
  expect(await registryShows('whole-life.com')).not.toContain('clientHold');
  // In the last eight days before its deletion it does not resolve, and its registrant is notified.
  await moveAndRunJobs('+2d');
  expect(await registryShows('whole-life.com')).toContain('clientHold');
  expect(await noticesOf('whole-life.com', 'domain_interrupted')).toHaveLength(1);
  expect((await life.row('whole-life.com')).state).toBe('live');
  await moveAndRunJobs('+6d');
  expect((await life.row('whole-life.com')).state).toBe('live');
  await moveAndRunJobs('+2d');
  row = await life.row('whole-life.com');
  expect(row.state).toBe('redemption');
  expect(row.registry_expires_at).toEqual(registered.end_date);
  // The registry refunded the year that it had added, because it was not ordered here.
  expect(await life.statement('whole-life.com')).toEqual([
    'charge create 10.26',
    'charge autorenew 10.26',
    'refund autorenew 10.26',
  ]);
  await moveAndRunJobs('+31d');
  expect((await life.row('whole-life.com')).state).toBe('pending_delete');
  await moveAndRunJobs('+6d');
  expect(await life.row('whole-life.com')).toMatchObject({ state: 'removed', removed_reason: 'dropped' });
  expect(await life.events('whole-life.com')).toEqual([
    'domain.registered',
    'domain.expiring',
    'domain.expiring',
    'domain.expired',
    'domain.interrupted',
    'domain.updated',
    'domain.redemption',
    'domain.deleted',
    'domain.pending_delete',
    'domain.dropped',
  ]);
  await life.expectReconciled();
  await life.buy('whole-life.com');
  expect((await life.row('whole-life.com')).state).toBe('live');
});

test('charges a renewal in the auto-renew grace period once, and sends no command', async () => {
  await life.buy('late-payer.com');
  const registered = await life.row('late-payer.com');
  await moveAndRunJobs('+370d');
  expect((await life.row('late-payer.com')).grace_ends_at).not.toBeNull();
  const money = await life.balance();
  const called = await life.renew('late-payer.com');
  expect(called.status, called.text).toBe(200);
  const row = await life.row('late-payer.com');
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(row.end_date.getUTCFullYear()).toBe(registered.end_date.getUTCFullYear() + 1);
  expect(row.grace_ends_at).toBeNull();
  expect(money.available - (await life.balance()).available).toBe(1239n);
  expect(await life.statement('late-payer.com')).toEqual(['charge create 10.26', 'charge autorenew 10.26']);
  const { sent } = await t.ctx.db
    .as(allTenants)
    .one<{ sent: string }>(
      sql`select count(*) as sent from registry_command where verb = 'renew' and name = 'late-payer.com'`,
    );
  expect(sent).toBe('0');
});

test('sends two of three years in the grace period, and refunds only the grace period still open', async () => {
  await life.buy('late-three.com');
  const registered = await life.row('late-three.com');
  await moveAndRunJobs('+370d');
  const money = await life.balance();
  expect((await life.renew('late-three.com', { years: '3' })).status).toBe(200);
  const row = await life.row('late-three.com');
  expect(row.end_date.getUTCFullYear()).toBe(registered.end_date.getUTCFullYear() + 3);
  expect(await life.statement('late-three.com')).toEqual([
    'charge create 10.26',
    'charge autorenew 10.26',
    'charge renew 20.52',
  ]);
  t.moveClock('+10d');
  // The renew grace period is over, the auto-renew grace period is not: a third is refunded.
  const called = await t.call('DELETE', '/v1/domains/late-three.com');
  expect(called.body.refunded).toEqual([{ transaction_id: expect.any(String), amount: '12.39', currency: 'USD' }]);
  expect(money.available - (await life.balance()).available).toBe(2n * 1239n);
});

/** Buys a domain at a registry without auto-renewal, which reviews every order. */
async function buyReviewed(name: string): Promise<void> {
  const called = await t.call('POST', '/v1/domains', {
    form: orderOf(name, { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }),
    headers: { Prefer: 'wait=60' },
  });
  expect(called.status, called.text).toBe(202);
  await t.control('POST', `/domains/${name}/review`, { decision: 'approve' });
  await attemptAfresh(t.ctx, called.body.operation_id);
  expect((await life.row(name)).state).toBe('live');
}

test('follows expiry, hold and redemption at a registry without auto-renewal, and sends no command', async () => {
  await buyReviewed('habis-masa.web.id');
  await moveAndRunJobs('+366d');
  let row = await life.row('habis-masa.web.id');
  expect(row).toMatchObject({ state: 'live' });
  expect(row.registry_status).toContain('serverHold');
  expect(row.grace_ends_at!.getTime() - row.end_date.getTime()).toBe(5 * 86_400_000);
  await moveAndRunJobs('+6d');
  row = await life.row('habis-masa.web.id');
  expect(row.state).toBe('redemption');
  expect(row.redemption_ends_at!.getTime() - row.end_date.getTime()).toBe(35 * 86_400_000);
  // Restored with the renewal that it needs.
  const restored = await t.call('POST', '/v1/domains/habis-masa.web.id/restore', {
    form: { invoice_option: 'no_invoice' },
  });
  expect(restored.status, restored.text).toBe(200);
  row = await life.row('habis-masa.web.id');
  expect(row.state).toBe('live');
  expect(row.end_date).toEqual(row.registry_expires_at);
  expect(row.end_date > t.ctx.clock.now()).toBe(true);
});

test('computes the end of redemption when the hold ends while the registry is queried', async () => {
  const name = 'sementara-itu.web.id';
  await buyReviewed(name);
  await moveAndRunJobs('+366d');
  expect((await life.row(name)).registry_status).toContain('serverHold');
  await moveAndRunJobs('+3d');
  const registry = await t.ctx.registries.of((await life.row(name)).registry_id);
  const { info } = registry;
  let isMoved = false;
  // The hold ends after the first query was sent and before it is answered. A background job may be the one that sends it.
  const queried = vi.spyOn(registry, 'info').mockImplementation((asked, ...more) => {
    if (asked === name && !isMoved) {
      isMoved = true;
      t.moveClock('+2d');
    }
    return info.call(registry, asked, ...more);
  });
  const { id } = await life.row(name);
  await expect.poll(async () => (await syncWith(t.ctx, { id }, async () => undefined)).kind).toBe('synced');
  queried.mockRestore();
  const row = await life.row(name);
  expect(row.state).toBe('redemption');
  expect(row.redemption_ends_at!.getTime() - row.end_date.getTime()).toBe(35 * 86_400_000);
});

test('does not delete a locked domain, and raises an alarm', async () => {
  const id = await life.buy('late-locked.com');
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update domain set locked = true, locked_reason = 'dispute' where id = ${id}`);
  await t.control('POST', '/domains/late-locked.com/tamper', {
    add_statuses: ['clientTransferProhibited', 'clientUpdateProhibited', 'clientDeleteProhibited'],
  });
  await moveAndRunJobs('+366d');
  await moveAndRunJobs('+41d');
  expect((await life.row('late-locked.com')).state).toBe('live');
  expect(await registryShows('late-locked.com')).not.toContain('clientHold');
  const alarms = await openAlarms(t.ctx);
  expect(alarms.some((alarm) => alarm.key === `expiry:${id}` && alarm.sentence.includes('dispute'))).toBe(true);
  // The renewal clears the alarm; the next unpaid year raises it again.
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update domain set locked = false, locked_reason = null where id = ${id}`);
  const at = (await t.call('GET', '/v1/domains/late-locked.com')).body.end_date as string;
  const form = { years: '1', current_date: at, invoice_option: 'no_invoice' };
  expect((await t.call('POST', '/v1/domains/late-locked.com/renew', { form })).status).toBe(200);
  await processExpiryOnce(t.ctx);
  expect((await openAlarms(t.ctx)).some((alarm) => alarm.key === `expiry:${id}`)).toBe(false);
});

test('charges the added year after an outage that outlasts the grace period, then deletes or renews', async () => {
  const [id] = [
    await life.buy('unwatched.com'),
    await life.buy('unwatched-paid.com'),
    await life.buy('unwatched-away.cc'),
  ];
  const registered = await life.row('unwatched.com');
  const isOwed = async () => (await openAlarms(t.ctx)).some((alarm) => alarm.key === 'overdue:sandbox');
  await moveAndRunJobs('+430d');
  expect((await life.row('unwatched.com')).state).toBe('live');
  expect(await isOwed()).toBe(true);
  expect((await life.events('unwatched.com')).slice(-1)).toEqual(['domain.overdue']);
  const { body } = await t.call('GET', `/v1/domains/${id}`);
  const days = (new Date(body.renew_by).getTime() - t.ctx.clock.now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(14.9);
  expect(days).toBeLessThanOrEqual(15);
  // The owed year must be paid before the domain can leave.
  const set = await t.call('PUT', `/v1/domains/${id}/auth_code`, { json: { auth_code: 'Abcdef123456!xyz-More' } });
  expect(set.body.message, set.text).toContain('Renew the domain first');
  const { blocks } = (await t.call('GET', `/v1/domains/${id}/timeline`)).body;
  for (const action of ['transfer', 'move'])
    expect(blocks.find((block: { action: string }) => block.action === action)).toMatchObject({ allowed: false });
  expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).body.message).toContain('Renew the domain first');
  expect((await life.renew('unwatched-paid.com')).status).toBe(200);
  expect((await life.row('unwatched-paid.com')).end_date).toEqual(
    (await life.row('unwatched-paid.com')).registry_expires_at,
  );
  expect((await t.call('GET', '/v1/domains/unwatched-paid.com/auth_code')).status).toBe(200);
  await moveAndRunJobs('+8d');
  expect(await registryShows('unwatched.com')).toContain('clientHold');
  expect(await registryShows('unwatched-paid.com')).not.toContain('clientHold');
  await moveAndRunJobs('+8d');
  expect((await life.row('unwatched.com')).state).toBe('redemption');
  expect((await life.row('unwatched-away.cc')).state).toBe('redemption');
  expect((await life.row('unwatched-paid.com')).state).toBe('live');
  expect(registered.end_date.getUTCFullYear() + 1).toBe(
    (await life.row('unwatched.com')).registry_expires_at.getUTCFullYear(),
  );
  expect(await life.statement('unwatched.com')).toEqual(['charge create 10.26', 'charge autorenew 10.26']);
  // After the restore it is paid, and nothing of the old deadline is left.
  const restored = await t.call('POST', '/v1/domains/unwatched-away.cc/restore', {
    form: { invoice_option: 'no_invoice' },
  });
  expect(restored.status, restored.text).toBe(200);
  const back = (await t.call('GET', '/v1/domains/unwatched-away.cc')).body;
  expect(new Date(back.renew_by).getTime()).toBeGreaterThan(new Date(back.end_date).getTime());
  expect((await t.call('GET', '/v1/domains/unwatched-away.cc/auth_code')).status).toBe(200);
  expect((await life.events('unwatched.com')).filter((type) => type === 'domain.overdue')).toHaveLength(1);
});

test('keeps the second of two owed years when one is paid, and returns no auth code', async () => {
  await life.buy('owes-two.com');
  await moveAndRunJobs('+800d');
  expect((await life.renew('owes-two.com')).status).toBe(200);
  expect((await t.call('GET', '/v1/domains/owes-two.com/auth_code')).body.message).toContain('Renew the domain first');
  expect(new Date((await t.call('GET', '/v1/domains/owes-two.com')).body.renew_by) > t.ctx.clock.now()).toBe(true);
  expect((await life.renew('owes-two.com')).status).toBe(200);
  expect((await t.call('GET', '/v1/domains/owes-two.com/auth_code')).status).toBe(200);
});

test('ends the interruption at once when the domain is renewed, but not a suspension by the reseller', async () => {
  const names = ['paid-at-last.com', 'suspended-too.com', 'lift-refused.com'];
  for (const name of names) await life.buy(name);
  const { end_date } = await life.row(names[0]!);
  await moveAndRunJobs('+366d');
  const [next] = (await t.call('GET', `/v1/domains/${names[0]}/timeline`)).body.milestones;
  expect(next).toMatchObject({ what: 'interrupted', who: 'platform' });
  expect(Math.round((new Date(next.at).getTime() - end_date.getTime()) / 60_000)).toBe(32 * 1_440);
  await moveAndRunJobs('+33d');
  for (const name of names) expect(await registryShows(name), name).toContain('clientHold');
  expect((await t.call('GET', `/v1/domains/${names[0]}/timeline`)).body.must_act.sentence).toContain('until you renew');
  const suspended = await t.call('PUT', '/v1/domains/suspended-too.com/suspended', { form: { reason: 'abuse' } });
  expect(suspended.status, suspended.text).toBe(200);
  const before = await operations('paid-at-last.com');
  expect((await life.renew('paid-at-last.com')).status).toBe(200);
  expect(await registryShows('paid-at-last.com')).not.toContain('clientHold');
  expect(await operations('paid-at-last.com')).toBe(before + 1);
  expect((await life.row('paid-at-last.com')).registry_status).not.toContain('clientHold');
  expect((await life.events('paid-at-last.com')).slice(-2)).toEqual(['domain.renewed', 'domain.interruption_ended']);
  expect((await life.renew('suspended-too.com')).status).toBe(200);
  expect(await registryShows('suspended-too.com')).toContain('clientHold');
  expect((await t.call('DELETE', '/v1/domains/suspended-too.com/suspended')).status).toBe(200);
  expect(await registryShows('suspended-too.com')).not.toContain('clientHold');
  // A registry that refuses to remove the hold now is tried again; the year is charged once all the same.
  await t.control('POST', '/faults', { kind: '2400', when: 'before', commands: ['domain:update'], name: names[2] });
  const money = await life.balance();
  expect((await life.renew('lift-refused.com')).status).toBe(200);
  expect(await registryShows('lift-refused.com')).toContain('clientHold');
  await t.control('DELETE', '/faults');
  await processExpiryOnce(t.ctx);
  expect(await registryShows('lift-refused.com')).not.toContain('clientHold');
  expect(money.available - (await life.balance()).available).toBe(1239n);
  await life.expectReconciled();
});

test('interrupts first and deletes while the year is refunded, when the clock is moved past both', async () => {
  await life.buy('all-at-once.com');
  const { end_date } = await life.row('all-at-once.com');
  await moveAndRunJobs(`+${Math.ceil((end_date.getTime() - t.ctx.clock.now().getTime()) / 1000) + 41 * 86_400}s`);
  expect((await life.row('all-at-once.com')).state).toBe('live');
  expect(await registryShows('all-at-once.com')).toContain('clientHold');
  await moveAndRunJobs('+2d');
  expect((await life.row('all-at-once.com')).state).toBe('live');
  await moveAndRunJobs('+1d');
  expect((await life.row('all-at-once.com')).state).toBe('redemption');
  expect(await noticesOf('all-at-once.com', 'domain_expired')).toHaveLength(1);
  expect(await noticesOf('all-at-once.com', 'domain_expiring')).toHaveLength(0);
  // The restored domain is paid and resolves.
  const restored = await t.call('POST', '/v1/domains/all-at-once.com/restore', {
    form: { invoice_option: 'no_invoice' },
  });
  expect(restored.status, restored.text).toBe(200);
  expect(await registryShows('all-at-once.com')).not.toContain('clientHold');
  await processExpiryOnce(t.ctx);
  expect(await life.row('all-at-once.com')).toMatchObject({ state: 'live', unpaid: false });
});

test('interrupts from the end of the term when the grace period is short, unless the TLD excludes it', async () => {
  const { rules } = await t.ctx.db
    .as(allTenants)
    .one<{ rules: TldRules }>(sql`select rules from tld where name = 'com'`);
  const end = new Date('2027-03-01T12:00:00Z');
  const year = new Date('2028-03-01T12:00:00Z');
  const at = (more: object, tld = 'com', day = (days: number) => ({ ...rules.grace_days, auto_renew: days })) => {
    const { grace = 45, ...own } = more as { grace?: number };
    const domain = { state: 'live', tld, end_date: end, registry_expires_at: year, kept_until: null } as const;
    const begins = interruptsAt(domain, { ...rules, ...own, grace_days: day(grace) });
    return begins && (begins.getTime() - end.getTime()) / 86_400_000;
  };
  expect(at({})).toBe(32);
  expect(at({ grace: 10 })).toBe(0);
  expect(at({ grace: 13 })).toBe(0);
  expect(at({ grace: 14 })).toBe(1);
  expect(at({ grace: 0 })).toBeNull();
  expect(at({}, 'us')).toBeNull();
  expect(at({ interruption_days: 0 })).toBeNull();
  expect(at({ interruption_days: 3 }, 'us')).toBe(37);
  expect(at({ auto_renew: false })).toBeNull();
});

test('deletes other domains in time although hundreds of domains are locked', async () => {
  await life.buy('behind-them.com');
  await moveAndRunJobs('+399d');
  expect(await registryShows('behind-them.com')).toContain('clientHold');
  t.moveClock('+9d');
  const owner = new pg.Client({ connectionString: t.databaseUrl });
  await owner.connect();
  // Already notified, and compared after their grace periods began, so that only the deletion is left to do.
  await owner.query(
    `with made as (
       insert into domain (reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, end_date, registry_expires_at, grace_ends_at,
         registry_created_at, synced_at, compared_at, locked, created_at, updated_at)
       select 1000, 2001, 'held-back-' || n || '.com', 'com', 'sandbox', 'live', 3001, now - interval '44 days', now + interval '321 days',
         now + interval '1 hour', now, now, now, true, now, now
       from generate_series(1, 501) n cross join (select $1::timestamptz as now) at returning id, reseller_id, end_date)
     insert into expiry_mark (domain_id, reseller_id, end_date, mark, at) select id, reseller_id, end_date, 'expired', now() from made`,
    [t.ctx.clock.now()],
  );
  await owner.end();
  await processExpiryOnce(t.ctx);
  expect((await life.row('behind-them.com')).state).toBe('redemption');
  expect((await openAlarms(t.ctx)).filter(({ sentence }) => sentence.startsWith('held-back-'))).toHaveLength(501);
});
