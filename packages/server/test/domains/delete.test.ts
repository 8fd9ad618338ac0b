import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

test('deletes at once and refunds the registration and its renewal within the add grace period', async () => {
  const money = await life.balance();
  const id = await life.buy('del-add.com');
  expect((await life.renew('del-add.com', { years: '2' })).status).toBe(200);
  const called = await t.call('DELETE', `/v1/domains/${id}`);
  expect(called.status, called.text).toBe(200);
  expect(called.body).toMatchObject({ domain_id: id, deleted: true, restorable: false });
  expect(called.body.refunded).toHaveLength(2);
  expect(await life.balance()).toEqual(money);
  expect(await life.row('del-add.com')).toMatchObject({ state: 'removed', removed_reason: 'deleted' });
  expect((await t.control('GET', '/domains/del-add.com')).status).toBe(404);
  expect(await life.events('del-add.com')).toEqual(['domain.registered', 'domain.renewed', 'domain.deleted']);
  // The domain is free and can be registered again.
  await life.buy('del-add.com');
});

test('sets redemption with its end date and refunds nothing after every grace period', async () => {
  await life.buy('del-late.com');
  t.moveClock('+6d');
  const money = await life.balance();
  const called = await t.call('DELETE', '/v1/domains/del-late.com');
  expect(called.status, called.text).toBe(200);
  expect(called.body).toMatchObject({ deleted: true, restorable: true, refunded: [] });
  expect(await life.balance()).toEqual(money);
  const row = await life.row('del-late.com');
  expect(row.state).toBe('redemption');
  const days = (row.redemption_ends_at!.getTime() - t.ctx.clock.now().getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  const again = await t.call('DELETE', '/v1/domains/del-late.com');
  expect(again.status).toBe(409);
  expect(again.body.message).toContain('already deleted');
  const renewal = await life.renew('del-late.com');
  expect(renewal.status).toBe(409);
  expect(renewal.body.message).toContain('redemption');
});

test('refunds the renewal and shortens the term by its year within the renew grace period', async () => {
  await life.buy('del-renew.com');
  t.moveClock('+6d');
  const before = await life.row('del-renew.com');
  const money = await life.balance();
  expect((await life.renew('del-renew.com')).status).toBe(200);
  const called = await t.call('DELETE', '/v1/domains/del-renew.com');
  expect(called.body.refunded).toHaveLength(1);
  expect(await life.balance()).toEqual(money);
  const row = await life.row('del-renew.com');
  expect(row.state).toBe('redemption');
  expect(row.end_date).toEqual(before.end_date);
});

test('refunds nothing at a registry without an add grace period', async () => {
  const money = await life.balance();
  const called = await t.call('POST', '/v1/domains', {
    form: orderOf('del-nograce.fr', { ns: 'ns1.namehold-dns.net,ns2.namehold-dns.net' }),
  });
  expect(called.status, called.text).toBe(200);
  const deleted = await t.call('DELETE', '/v1/domains/del-nograce.fr');
  expect(deleted.body).toMatchObject({ deleted: true, restorable: true, refunded: [] });
  expect((await life.balance()).available).toBeLessThan(money.available);
});

test('names a lock or a registry status in the refusal', async () => {
  const id = await life.buy('del-locked.com');
  const lock = `/v1/domains/${id}/locked`;
  expect((await t.call('PUT', lock, { form: { reason: 'a dispute' } })).status).toBe(200);
  const locked = await t.call('DELETE', `/v1/domains/${id}`);
  expect(locked.status).toBe(400);
  expect(locked.body.code).toBe('domain_blocked');
  expect(locked.body.message).toContain('a dispute');
  expect((await t.call('DELETE', lock)).status).toBe(200);
  await t.control('POST', '/domains/del-locked.com/tamper', { add_statuses: ['serverDeleteProhibited'] });
  const blocked = await t.call('DELETE', `/v1/domains/${id}`);
  expect(blocked.status).toBe(400);
  expect(blocked.body.message).toContain('serverDeleteProhibited');
  expect(await life.row('del-locked.com')).toMatchObject({ state: 'live' });
});

test('refuses while other domains use its nameservers, and deletes its own hosts with it', async () => {
  const id = await life.buy('del-hosts.com');
  const form = { hostname: 'ns1.del-hosts.com', ip_address: '192.0.2.1' };
  expect((await t.call('POST', `/v1/domains/${id}/childns`, { form })).status).toBe(200);
  await life.buy('del-user.com', { ns: 'ns1.del-hosts.com,ns2.namehold-dns.net' });
  const used = await t.call('DELETE', `/v1/domains/${id}`);
  expect(used.status).toBe(409);
  expect(used.body.code).toBe('in_use');
  expect(used.body.message).toContain('del-user.com');
  expect((await t.call('DELETE', '/v1/domains/del-user.com')).status).toBe(200);
  const gone = await t.call('DELETE', `/v1/domains/${id}`);
  expect(gone.status, gone.text).toBe(200);
  expect((await t.control('GET', '/domains/del-hosts.com')).status).toBe(404);
});

test("returns a message with the cause for the registry's 2305, and changes nothing", async () => {
  await life.buy('del-linked.com');
  const registry = await t.ctx.registries.of('sandbox');
  await registry.createHost('ns1.del-linked.com', ['192.0.2.2'], {});
  await life.buy('del-linker.com');
  await t.control('POST', '/domains/del-linker.com/tamper', { name_servers: ['ns1.del-linked.com'] });
  const called = await t.call('DELETE', '/v1/domains/del-linked.com');
  expect(called.status, called.text).toBe(409);
  expect(called.body.code).toBe('in_use');
  expect(called.body.message).toContain('ns1.del-linked.com');
  expect(await life.row('del-linked.com')).toMatchObject({ state: 'live' });
  await t.control('POST', '/domains/del-linker.com/tamper', {
    name_servers: ['ns1.namehold-dns.net', 'ns2.namehold-dns.net'],
  });
});

test('determines the result of a lost answer, and deletes and refunds once', async () => {
  const money = await life.balance();
  await life.buy('del-lost.com');
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    commands: ['domain:delete'],
    name: 'del-lost.com',
    limit: 1,
    how: 'close',
  });
  const called = await t.call('DELETE', '/v1/domains/del-lost.com');
  expect(called.status, called.text).toBe(200);
  expect(await life.balance()).toEqual(money);
  expect(await life.statement('del-lost.com')).toEqual(['charge create 10.26', 'refund create 10.26']);
});

test('returns the same response to a request repeated with its Idempotency-Key', async () => {
  await life.buy('del-twice.com');
  const headers = { 'Idempotency-Key': 'delete-once' };
  const first = await t.call('DELETE', '/v1/domains/del-twice.com', { headers });
  const again = await t.call('DELETE', '/v1/domains/del-twice.com', { headers });
  expect(again.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect(again.body.deleted).toBe(true);
});
