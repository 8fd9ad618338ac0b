import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { protectOwed } from '../../src/core/domains/buy/protect-new.ts';
import { lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterEach(() => t.control('DELETE', '/faults'));
afterAll(async () => {
  await expectReconciled(t);
  await t.stop();
});

const lock = 'clientTransferProhibited';
const statuses = async (name: string) => (await t.control('GET', `/domains/${name}`)).body.statuses as string[];
const isOn = async (name: string) => (await t.call('GET', `/v1/domains/${name}/theft_protection`)).body;
const protectAt = async (name: string) =>
  (
    await t.ctx.db
      .as(allTenants)
      .one<{ at: Date | null }>(sql`select protect_at as at from domain where name = ${name}`)
  ).at;

test('sets theft protection on a new domain as a free step of its registration', async () => {
  const { available } = await life.balance();
  const id = await life.buy('safe-start.com');
  expect(await isOn('safe-start.com')).toBe(true);
  expect(await statuses('safe-start.com')).toContain(lock);
  expect((await life.row('safe-start.com')).registry_status).toEqual([lock]);
  const operations = await t.call('GET', '/v1/operations', { query: { domain_id: id } });
  expect(operations.body.map((each: { kind: string }) => each.kind)).toEqual(['register']);
  const commands = await t.ctx.db.as(allTenants).many<{ step: string }>(sql`
    select c.step from registry_command c join operation o on o.id = c.operation_id where o.domain_id = ${id} order by c.prepared_at`);
  expect(commands.map((each) => each.step).slice(-2)).toEqual(['register', 'protect']);
  expect(await life.statement('safe-start.com')).toHaveLength(1);
  expect(available - (await life.balance()).available).toBeGreaterThan(0n);
  // The next change meets no open operation.
  expect((await life.renew('safe-start.com')).status).toBe(200);
  expect((await t.call('GET', `/v1/domains/${id}/auth_code`)).status).toBe(200);
  expect((await t.call('DELETE', `/v1/domains/${id}`)).status).toBe(200);
});

test('registers although the registry refuses the lock, emits an event, and tries again', async () => {
  await t.control('POST', '/faults', {
    kind: '2400',
    commands: ['domain:update'],
    name: 'refused-lock.com',
    rate: 1,
    when: 'before',
  });
  await life.buy('refused-lock.com');
  expect(await isOn('refused-lock.com')).toBe(false);
  expect(await life.events('refused-lock.com')).toEqual(['domain.registered', 'domain.protection_failed']);
  await t.control('DELETE', '/faults');
  await protectOwed(t.ctx);
  expect(await isOn('refused-lock.com')).toBe(true);
  expect(await statuses('refused-lock.com')).toContain(lock);
  expect(await protectAt('refused-lock.com')).toBeNull();
});

test('queries a lock whose answer is lost before sending it again', async () => {
  await t.control('POST', '/faults', {
    kind: 'drop-after-commit',
    commands: ['domain:update'],
    name: 'lost-answer.com',
    how: 'close',
    limit: 1,
    rate: 1,
  });
  await life.buy('lost-answer.com');
  expect(await isOn('lost-answer.com')).toBe(true);
  expect(await statuses('lost-answer.com')).toContain(lock);
});

test('lets an explicit setting of the order take precedence', async () => {
  await t.control('POST', '/faults', {
    kind: '2400',
    commands: ['domain:update'],
    name: 'last-word.com',
    rate: 1,
    when: 'before',
  });
  await life.buy('last-word.com');
  await t.control('DELETE', '/faults');
  expect((await t.call('DELETE', '/v1/domains/last-word.com/theft_protection')).status).toBe(200);
  t.moveClock('+2h');
  await protectOwed(t.ctx);
  expect(await isOn('last-word.com')).toBe(false);
  expect(await statuses('last-word.com')).not.toContain(lock);
});

test('skips TLDs without the lock, and services that are configured without it', async () => {
  await t.ctx.db
    .autocommit(allTenants)
    .run(sql`update tld set rules = rules || '{"theft_protection_offered": false}' where name = 'net'`);
  await life.buy('no-lock-there.net');
  expect(await isOn('no-lock-there.net')).toBe(false);
  expect(await life.events('no-lock-there.net')).toEqual(['domain.registered']);
  expect(await protectAt('no-lock-there.net')).toBeNull();
});

test("lets the setting of the account override the service's default", async () => {
  const choose = (theft_protection: string) => t.call('PUT', '/v1/account/security', { json: { theft_protection } });
  expect((await choose('off')).body).toEqual({ approvals: [], second_yes: [], theft_protection: 'off' });
  await life.buy('chosen-off.com');
  expect(await isOn('chosen-off.com')).toBe(false);
  expect(await protectAt('chosen-off.com')).toBeNull();
  expect(await life.events('chosen-off.com')).toEqual(['domain.registered']);
  expect((await choose('default')).status).toBe(200);
  await life.buy('chosen-default.com');
  expect(await isOn('chosen-default.com')).toBe(true);
});
