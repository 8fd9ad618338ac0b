import { readFileSync } from 'node:fs';
import { createEppPool } from '@namehold/epp';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attemptAfresh } from '../../../../test/support/attempt.ts';
import { pollAfresh } from '../../../../test/support/poll.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { readPoll } from '../../src/core/domains/compare/read-poll.ts';
import { pollNow } from '../../src/jobs/poll-registries.ts';
import { sandboxProfile } from '../../src/registries/profiles/sandbox.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

const messages = () =>
  t.ctx.db.as(allTenants).many<{
    message_id: string;
    kind: string;
    domain_name: string | null;
    outcome: string | null;
    acked_at: Date;
    body_sealed: string;
    processed_at: Date | null;
  }>(sql`select * from poll_message order by received_at, message_id`);

const until = (check: () => Promise<boolean>) => expect.poll(check).toBe(true);

const waitLong = { Prefer: 'wait=60' };

async function orderPending(name: string): Promise<{ operation_id: string; domain_id: string }> {
  const called = await t.call('POST', '/v1/domains', {
    form: orderOf(name, { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }),
    // The event is appended as soon as the registry reports the review; only a slow machine needs so long.
    headers: waitLong,
  });
  expect(called.status, called.text).toBe(202);
  expect(called.body).toMatchObject({ status: 'Pending', operation_state: 'waiting_registry' });
  return called.body;
}

test('captures the money of a pending create that is approved, and refunds it when refused', async () => {
  const money = await life.balance();
  const good = await orderPending('disetujui.web.id');
  const bad = await orderPending('ditolak.web.id');
  expect((await life.balance()).held).toBeGreaterThan(0n);
  await t.control('POST', '/domains/disetujui.web.id/review', { decision: 'approve' });
  await t.control('POST', '/domains/ditolak.web.id/review', { decision: 'refuse' });
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await life.balance()).held === 0n);
  expect(await life.row('disetujui.web.id')).toMatchObject({ state: 'live', id: good.domain_id });
  expect(await life.row('ditolak.web.id')).toMatchObject({
    state: 'removed',
    removed_reason: 'refused',
    id: bad.domain_id,
  });
  expect(money.available - (await life.balance()).available).toBe(429n);
  expect(await life.events('disetujui.web.id')).toEqual(['domain.registration_pending', 'domain.registered']);
  expect(await life.events('ditolak.web.id')).toEqual(['domain.registration_pending', 'domain.registration_refused']);
  const { state } = await t.ctx.db
    .as(allTenants)
    .one<{ state: string }>(sql`select state from operation where id = ${bad.operation_id}`);
  expect(state).toBe('refused');
  await until(async () => (await messages()).every((m) => m.processed_at !== null));
  const stored = await messages();
  // A registry may send a message twice.
  expect(new Set(stored.map((m) => `${m.kind} ${m.domain_name}`))).toEqual(
    new Set(['pending_action disetujui.web.id', 'pending_action ditolak.web.id']),
  );
  expect(stored.every((m) => m.acked_at !== null && !m.body_sealed.includes('web.id'))).toBe(true);
});

test('reads a message at once when any answer reports queued messages', async () => {
  const { operation_id } = await orderPending('segera.web.id');
  await t.control('POST', '/domains/segera.web.id/review', { decision: 'approve' });
  await life.buy('poll-cue.com');
  await until(async () => (await life.row('segera.web.id')).state === 'live');
  const { state } = await t.ctx.db
    .as(allTenants)
    .one<{ state: string }>(sql`select state from operation where id = ${operation_id}`);
  expect(state).toBe('done');
});

test('turns a domain that was transferred away into a tombstone with the reason', async () => {
  await life.buy('poll-away.com');
  await t.control('POST', '/domains/poll-away.com/tamper', { sponsor: 'rival' });
  // No message reports it, but the next comparison finds it.
  const { reconcileNames } = await import('../../src/core/domains/compare/reconcile.ts');
  const [first] = await reconcileNames(t.ctx, ['poll-away.com']);
  // One answer does not end an active domain: it is queried again after a delay.
  expect(first!.outcome).toContain('missing');
  expect(await life.row('poll-away.com')).toMatchObject({ state: 'live' });
  t.moveClock('+16m');
  const [report] = await reconcileNames(t.ctx, ['poll-away.com']);
  expect(report).toMatchObject({ outcome: 'removed' });
  expect(await life.row('poll-away.com')).toMatchObject({ state: 'removed', removed_reason: 'transferred_away' });
  expect(await life.events('poll-away.com')).toContain('domain.transferred_away');
});

test('treats a message with a reused id as a new message', async () => {
  const before = await life.count('poll_message');
  await t.control('POST', '/faults', { kind: 'poll-reused', commands: ['poll'], rate: 1 });
  for (const name of ['nomor-satu.web.id', 'nomor-dua.web.id']) {
    await orderPending(name);
    await t.control('POST', `/domains/${name}/review`, { decision: 'approve' });
    await pollAfresh(t.ctx, 'sandbox');
    await until(async () => (await life.row(name)).state === 'live');
  }
  await t.control('DELETE', '/faults');
  expect((await life.count('poll_message')) - before).toBe(2);
});

test('reports an outgoing transfer that is requested and then approved without a response', async () => {
  await life.buy('poll-moves.com');
  expect((await t.call('DELETE', '/v1/domains/poll-moves.com/theft_protection')).status).toBe(200);
  await t.control('POST', '/domains/poll-moves.com/tamper', { auth_info: 'a-very-long-auth-code-1' });
  const account = t.service.credentials!.rival_registry_account!;
  const otherRegistrar = createEppPool({
    endpoint: {
      host: account.host,
      port: account.port,
      servername: 'localhost',
      ca: readFileSync(account.ca_file),
      cert: readFileSync(account.cert_file),
      key: readFileSync(account.key_file),
    },
    credentials: { clID: account.client_id, pw: account.password },
    profile: sandboxProfile,
  });
  const requested = await otherRegistrar.send({
    object: 'domain',
    verb: 'transfer',
    op: 'request',
    name: 'poll-moves.com',
    authInfo: { pw: 'a-very-long-auth-code-1' },
  });
  await otherRegistrar.close();
  expect(requested).toMatchObject({ kind: 'done', pending: true });
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await life.row('poll-moves.com')).state === 'pending_transfer');
  expect((await life.renew('poll-moves.com')).status).toBe(409);
  t.moveClock('+6d');
  await until(async () => (await t.control('GET', '/domains/poll-moves.com')).body.sponsor === 'rival');
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await life.row('poll-moves.com')).state === 'removed');
  expect(await life.row('poll-moves.com')).toMatchObject({ removed_reason: 'transferred_away' });
  expect(await life.events('poll-moves.com')).toEqual([
    'domain.registered',
    'domain.update_ordered',
    'domain.updated',
    'domain.transfer_requested',
    'domain.transferred_away',
  ]);
});

test('compares a domain that a message mentions', async () => {
  await life.buy('poll-words.com');
  t.moveClock('+6d');
  await t.call('DELETE', '/v1/domains/poll-words.com');
  t.moveClock('+31d');
  await t.control('GET', '/domains/poll-words.com');
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await life.row('poll-words.com')).state === 'pending_delete');
  t.moveClock('+6d');
  await t.control('GET', '/clock');
  await until(async () => (await t.control('GET', '/domains/poll-words.com')).status === 404);
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await life.row('poll-words.com')).removed_reason === 'dropped');
});

test('raises an alarm for a low registry balance, and continues waiting orders after a deposit', async () => {
  await t.control('POST', '/accounts/namehold', { balance: '1005.00' });
  await life.buy('poll-poor.com');
  await pollAfresh(t.ctx, 'sandbox');
  await until(async () => (await openAlarms(t.ctx)).some((alarm) => alarm.key === 'registry:sandbox:balance'));
  const { balance } = await t.ctx.db
    .as(allTenants)
    .one<{ balance: string }>(sql`select balance from registry where id = 'sandbox'`);
  expect(balance).toBe('99474');
  await t.control('POST', '/accounts/namehold', { balance: '1.00' });
  const called = await life.renew('poll-poor.com', {}, waitLong);
  expect(called.status, called.text).toBe(202);
  expect(called.body.operation_state).toBe('waiting_registry');
  await t.control('POST', '/accounts/namehold', { balance: '5000.00' });
  await attemptAfresh(t.ctx, called.body.operation_id);
  expect((await life.row('poll-poor.com')).last_renewed_at).not.toBeNull();
});

test('queries the registry within a minute when the message about a pending create is lost', async () => {
  const { operation_id } = await orderPending('pesan-hilang.web.id');
  const { is_soon } = await t.ctx.db.as(allTenants).one<{ is_soon: boolean }>(sql`
    select due_at < now() + interval '60 seconds' as is_soon from operation where id = ${operation_id}`);
  expect(is_soon).toBe(true);
  await t.control('POST', '/faults', { kind: 'poll-lost', limit: 1 });
  await t.control('POST', '/domains/pesan-hilang.web.id/review', { decision: 'approve' });
  await pollAfresh(t.ctx, 'sandbox');
  await t.control('DELETE', '/faults');
  await attemptAfresh(t.ctx, operation_id);
  expect(await life.row('pesan-hilang.web.id')).toMatchObject({ state: 'live' });
});

test('processes a message once when its acknowledgement is lost, also with two readers', async () => {
  await orderPending('ulang.web.id');
  await t.control('POST', '/faults', { kind: 'drop-after-commit', commands: ['poll:ack'], limit: 1, how: 'close' });
  await t.control('POST', '/domains/ulang.web.id/review', { decision: 'approve' });
  await Promise.all([readPoll(t.ctx, 'sandbox'), readPoll(t.ctx, 'sandbox'), pollNow(t.ctx, 'sandbox')]);
  await until(async () => (await life.row('ulang.web.id')).state === 'live');
  await t.control('DELETE', '/faults');
  await pollAfresh(t.ctx, 'sandbox');
  const stored = (await messages()).filter((m) => m.domain_name === 'ulang.web.id');
  // Twice at most, if the registry itself sends it twice; never once more after a lost answer.
  expect(new Set(stored.map((m) => m.message_id)).size).toBe(stored.length);
  expect(stored.length).toBeLessThanOrEqual(2);
  const { body } = await t.control('GET', '/stats');
  expect(body).toBeDefined();
});
