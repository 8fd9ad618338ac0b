import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { buildOpenApi } from '../../src/http/openapi/document.ts';
import { routesIn } from '../../src/http/v1/index.ts';
import { lifeOf, orderOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterAll(() => life.end());

const move = (by: string) => t.call('POST', '/v1/sandbox/clock', { json: { move: by } });
const statusOf = async (name: string) => (await t.call('GET', `/v1/domains/${name}`)).body.order_status as string;
const otherRegistrar = (action: string, name: string, more: object = {}) =>
  t.call('POST', '/v1/sandbox/transfers', { json: { domain_name: name, action, ...more } });
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 300_000 });

test("plays a domain's life from expiry and redemption to restore and drop", async () => {
  await life.buy('sand-life.com');
  const before = (await t.call('GET', '/v1/sandbox/clock')).body.now;
  const moved = await move('+366d');
  expect(moved.body, moved.text).toEqual({ now: expect.any(String), caught_up: true });
  expect(Date.parse(moved.body.now) - Date.parse(before)).toBeGreaterThanOrEqual(366 * 86_400_000);
  await soon(() => statusOf('sand-life.com')).toBe('Expired');
  await move('+33d');
  // Its last eight days have begun.
  const shown = async () => (await t.call('GET', '/v1/domains/sand-life.com')).body.registry_status as string[];
  await soon(shown).toContain('clientHold');
  await move('+9d');
  await soon(() => statusOf('sand-life.com')).toBe('Pending Delete Restorable');
  const restored = await t.call('POST', '/v1/domains/sand-life.com/restore', {
    form: { invoice_option: 'no_invoice' },
  });
  expect(restored.status, restored.text).toBe(200);
  expect(await statusOf('sand-life.com')).toBe('Live');
  expect((await t.call('DELETE', '/v1/domains/sand-life.com')).status).toBe(200);
  await move('+31d');
  await soon(() => statusOf('sand-life.com')).toBe('Pending Delete');
  await move('+6d');
  await soon(() => statusOf('sand-life.com')).toBe('Deleted');
});

test('moves the clock only forward, by a readable period, up to a limit', async () => {
  for (const wrong of ['-1d', 'tomorrow', '+4001d', '']) {
    const called = await move(wrong);
    expect(called.status, wrong).toBe(400);
    expect(called.body.errors[0].field).toBe('move');
  }
  expect((await move('+0s')).status).toBe(200);
});

test('completes an order in spite of injected faults, and changes nothing for an invalid fault', async () => {
  const set = await t.call('PUT', '/v1/sandbox/faults', {
    json: { kind: 'drop-after-commit', commands: ['domain:create'], limit: 1, rate: '1' },
  });
  expect(set.status, set.text).toBe(200);
  expect(set.body.faults).toMatchObject([{ kind: 'drop-after-commit' }]);
  const wrong = await t.call('PUT', '/v1/sandbox/faults', { json: { kind: 'rain' } });
  expect(wrong.status).toBe(400);
  expect(wrong.body.errors[0].field).toBe('kind');
  expect((await t.call('GET', '/v1/sandbox/faults')).body.faults).toMatchObject([{ kind: 'drop-after-commit' }]);
  const other = await t.call('PUT', '/v1/sandbox/faults', { json: { kind: 'poll-lost', rate: '0.5' } });
  expect(other.body.faults).toMatchObject([{ kind: 'poll-lost', rate: 0.5 }]);
  expect((await t.call('DELETE', '/v1/sandbox/faults')).body).toEqual({ faults: [] });
});

test("shows the registry's view of own domains, and moves the clock and sets faults in one call", async () => {
  await life.buy('sand-look.com');
  const path = '/v1/sandbox/domains/sand-look.com';
  const seen = await t.call('GET', path);
  expect(seen.body, seen.text).toMatchObject({
    domain_name: 'sand-look.com',
    phase: 'active',
    rgp_statuses: ['addPeriod'],
    nameservers: expect.arrayContaining([expect.stringMatching(/^ns1\./)]),
    transfer_status: null,
  });
  expect(seen.body.due_at).toBe(seen.body.expires_at);
  expect(seen.text).not.toMatch(/auth/i);
  expect((await t.call('GET', '/v1/sandbox/domains/not-registered.com')).status).toBe(404);
  expect((await t.call('GET', path, { as: t.operator })).status).toBe(404);
  await t.call('PUT', '/v1/sandbox/faults', { json: { kind: 'delay', ms: 5 } });
  const sandbox = await t.call('GET', '/v1/sandbox');
  expect(sandbox.body, sandbox.text).toMatchObject({ faults: [{ kind: 'delay' }] });
  expect(Math.abs(Date.parse(sandbox.body.now) - t.ctx.clock.now().getTime())).toBeLessThan(600_000);
  await t.call('DELETE', '/v1/sandbox/faults');
});

test('requests, cancels and answers transfers as the other registrar', async () => {
  await life.buy('sand-away.com');
  const wrong = await otherRegistrar('request', 'sand-away.com', { auth_code: 'this-is-not-the-code' });
  expect(wrong.status).toBe(409);
  expect((await otherRegistrar('request', 'sand-away.com')).body.errors[0]).toMatchObject({
    field: 'auth_code',
    code: 'required',
  });
  await t.call('DELETE', '/v1/domains/sand-away.com/theft_protection');
  const code = (await t.call('GET', '/v1/domains/sand-away.com/auth_code')).body as string;
  const requested = await otherRegistrar('request', 'sand-away.com', { auth_code: code });
  expect(requested.body, requested.text).toMatchObject({ sponsor: 'namehold', transfer_status: 'pending' });
  await move('+1m');
  await soon(() => statusOf('sand-away.com')).toBe('Pending Transfer');
  expect((await otherRegistrar('approve', 'sand-away.com')).status).toBe(409);
  expect((await otherRegistrar('cancel', 'sand-away.com')).body).toMatchObject({ transfer_status: 'clientCancelled' });
  await move('+1m');
  await soon(() => statusOf('sand-away.com')).toBe('Live');
  expect((await otherRegistrar('cancel', 'sand-nobodys.com')).body.errors[0]).toMatchObject({
    field: 'domain_name',
    code: 'not_found',
  });
});

test('ends an order that has waited long enough when the clock moves', async () => {
  await otherRegistrar('register', 'sand-uncoded.cc', { auth_code: 'Rival-holds-this-9x' });
  const form = { ...orderOf('sand-uncoded.cc'), auth_code: 'Rival-holds-another-9x' };
  const { body, text } = await t.call('POST', '/v1/domains/transfer', { form });
  expect(body.operation_state, text).toBe('waiting_registry');
  expect((await move('+15d')).body.caught_up).toBe(true);
  expect(await statusOf(body.domain_id)).toBe('Cancelled');
});

test('does not report work as done that a crashed process has not done yet', async () => {
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`
      insert into job_lease (name, owner, leased_until) values ('poll:sandbox', 'one-that-died', now() + interval '1 hour')
      on conflict (name) do update set owner = excluded.owner, leased_until = excluded.leased_until`),
  );
  expect((await move('+1m')).body.caught_up).toBe(false);
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update job_lease set leased_until = now() where name = 'poll:sandbox'`),
  );
  await soon(async () => (await move('+1m')).body.caught_up).toBe(true);
});

test('registers a domain at the other registrar for a transfer in, and refuses one of ours', async () => {
  const made = await otherRegistrar('register', 'sand-rivals.com', { auth_code: 'Rival-holds-this-9x' });
  expect(made.body, made.text).toMatchObject({ sponsor: 'rival', transfer_status: null });
  await life.buy('sand-ours.com');
  const ownRefused = await otherRegistrar('register', 'sand-ours.com', { auth_code: 'Rival-holds-this-9x' });
  expect(ownRefused.body.code).toBe('domain_not_available');
  const reviewed = await otherRegistrar('register', 'sand-rivals.co.id', { auth_code: 'Rival-holds-this-9x' });
  expect(reviewed.body, reviewed.text).toMatchObject({ sponsor: 'rival' });
  const refused = await otherRegistrar('register', 'sand-rivals.us', { auth_code: 'Rival-holds-this-9x' });
  expect(refused.body.code, refused.text).toBe('conflict');
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from domain where name like 'sand-rivals%'`);
  expect(n).toBe('0');
});

test('sets the number of sessions at the first start only', async () => {
  const db = t.ctx.db;
  const sessions = () =>
    db.as(allTenants).one(sql`
      select (profile->'limits'->'sessions')::int as allowed, (select count(*)::int from registry_slot s where s.registry_id = r.id) as slots
      from registry r where id = 'sandbox'`);
  expect(await sessions()).toEqual({ allowed: 8, slots: 8 });
  await db
    .autocommit(allTenants)
    .run(sql`update registry set profile = jsonb_set(profile, '{limits,sessions}', '3') where id = 'sandbox'`);
  const next = await t.second();
  await next.stop();
  expect(await sessions()).toEqual({ allowed: 3, slots: 3 });
});

test('publishes no sandbox route in production', () => {
  const paths = Object.keys((buildOpenApi(routesIn('production')) as { paths: object }).paths);
  expect(paths.filter((path) => path.includes('sandbox'))).toEqual([]);
  expect(paths.length).toBeGreaterThan(100);
  expect(Object.keys((buildOpenApi(routesIn('sandbox')) as { paths: object }).paths).length).toBeGreaterThan(
    paths.length,
  );
});
