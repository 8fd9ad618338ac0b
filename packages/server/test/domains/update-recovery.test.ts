import { allTenants, sql } from '@namehold/postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import type { AppContext } from '../../src/core/app-context.ts';
import { domainWorkflows } from '../../src/core/composition/workflows.ts';
import { setNameservers } from '../../src/core/domains/change/set-nameservers.ts';
import { Engine } from '../../src/core/operations/engine.ts';
import type { DomainChange, Registries, Registry } from '../../src/core/ports/registry.ts';
import { actor, lifeOf } from './life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
});
afterEach(async () => {
  await t.control('DELETE', '/faults');
});
afterAll(async () => {
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from operation where state not in ('done', 'refused', 'cancelled')`);
  expect(n).toBe('0');
  await life.ledgerIsSound();
  await life.expectReconciled();
  await t.stop();
});

const wanted = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];
const lose = (kind: string, more: object = {}) =>
  t.control('POST', '/faults', {
    kind,
    rate: 1,
    seed: 1,
    commands: ['domain:update'],
    how: 'close',
    limit: 1,
    ...more,
  });
const stepsOf = async (name: string) => {
  const { steps } = await t.ctx.db.as(allTenants).one<{ steps: { name: string; result: string }[] }>(sql`
    select o.steps from operation o join domain d on d.id = o.domain_id
    where d.name = ${name} and o.kind = 'update' order by o.id desc limit 1`);
  return steps.map((step) => `${step.name}: ${step.result}`);
};
const updatesSent = async (name: string) => {
  const { n } = await t.ctx.db.as(allTenants).one<{ n: string }>(sql`
    select count(*) as n from registry_command where name = ${name} and object = 'domain' and verb = 'update' and step <> 'protect'`);
  return Number(n);
};

test('recognises an executed update with a lost answer by comparison, and does not send it again', async () => {
  const id = await life.buy('lost-after.com');
  await lose('drop-after-commit');
  const changed = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: wanted.join() } });
  expect(changed.status, changed.text).toBe(200);
  expect(await stepsOf('lost-after.com')).toContain('update: found out: done');
  expect(await updatesSent('lost-after.com')).toBe(1);
});

test('recognises an update that was never executed, and sends it once more', async () => {
  const id = await life.buy('lost-before.com');
  await lose('drop-before');
  const changed = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: wanted.join() } });
  expect(changed.status, changed.text).toBe(200);
  expect(await stepsOf('lost-before.com')).toContain('update: found out: never');
  expect(await updatesSent('lost-before.com')).toBe(2);
});

test.each(['2400', '2500'])('treats %s as an unknown outcome', async (kind) => {
  const name = `vague-${kind}.com`;
  const id = await life.buy(name);
  await lose(kind, { when: 'after' });
  const changed = await t.call('DELETE', `/v1/domains/${id}/theft_protection`);
  expect(changed.status, changed.text).toBe(200);
  expect((await t.control('GET', `/domains/${name}`)).body.statuses).toEqual(['ok']);
  expect(await updatesSent(name)).toBe(1);
});

test('executes an update in another process after the ordering process died', async () => {
  await life.buy('orphan.com');
  const operationId = await setNameservers(t.ctx, actor, 'orphan.com', undefined, wanted);
  const second = await t.second();
  try {
    await second.ctx.engine.start(operationId);
  } finally {
    await second.stop();
  }
  // The background job of the first process may have been faster; then it is open there.
  await expect.poll(async () => Object.values((await t.call('GET', '/v1/domains/orphan.com/ns')).body)).toEqual(wanted);
  expect((await t.control('GET', '/domains/orphan.com')).body.hosts.sort()).toEqual(wanted);
});

test('runs one operation at a time, and returns the open one to the second caller', async () => {
  const id = await life.buy('busy.com');
  const operationId = await setNameservers(t.ctx, actor, 'busy.com', undefined, wanted);
  const second = await t.call('PUT', `/v1/domains/${id}/locked`);
  if (second.status !== 200) {
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ code: 'operation_in_progress', operation_id: operationId });
  }
  const cancelled = await t.call('POST', `/v1/operations/${operationId}/cancel`);
  expect([200, 409]).toContain(cancelled.status);
  await t.ctx.engine.start(operationId);
});

test('sends only what is missing when the domain was changed at the registry meanwhile', async () => {
  const id = await life.buy('half-done.com');
  await t.control('POST', '/domains/half-done.com/tamper', { name_servers: [wanted[0], 'ns9.elsewhere.example'] });
  const changed = await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: wanted.join() } });
  expect(changed.status, changed.text).toBe(200);
  expect((await t.control('GET', '/domains/half-done.com')).body.hosts.sort()).toEqual(wanted);
});

/** A registry that accepts no change while the transfer lock is set, around the real one. */
function strictRegistry(real: Registry, seen: DomainChange[]): Registry {
  return {
    ...real,
    async update(name, change, context) {
      seen.push(change);
      const view = await real.info(name);
      const isLocked = view.kind === 'done' && view.data?.statuses.includes('clientTransferProhibited');
      const isAboutLock = Object.keys(change).every((key) => key === 'addStatuses' || key === 'removeStatuses');
      if (isLocked && !isAboutLock) {
        return { kind: 'refused', evidence: { code: 2304, text: 'Object status prohibits operation' } };
      }
      return real.update(name, change, context);
    },
  };
}

async function strictContext(seen: DomainChange[]): Promise<AppContext> {
  const real = await t.ctx.registries.of('sandbox');
  const registries: Registries = {
    tldFields: t.ctx.registries.tldFields,
    of: () => Promise.resolve(strictRegistry(real, seen)),
    isReachable: () => true,
    hasFreeSession: async () => true,
    isSessionLimitReached: async () => false,
    hasSession: async () => true,
    close: () => Promise.resolve(),
  };
  const engine = new Engine(domainWorkflows, 'strict-test');
  const ctx: AppContext = { ...t.ctx, registries, engine };
  engine.bind(ctx);
  return ctx;
}

test('removes theft protection for a change if the registry requires it, and sets it again', async () => {
  const id = await life.buy('insists.com');
  await t.call('PUT', `/v1/domains/${id}/theft_protection`);
  const seen: DomainChange[] = [];
  const ctx = await strictContext(seen);
  await ctx.engine.start(await setNameservers(ctx, actor, id, undefined, wanted));
  expect(seen.map((change) => Object.keys(change).sort().join())).toEqual([
    'addNameservers,removeNameservers',
    'removeStatuses',
    'addNameservers,removeNameservers',
    'addStatuses',
  ]);
  const there = (await t.control('GET', '/domains/insists.com')).body;
  expect(there.statuses).toEqual(['clientTransferProhibited']);
  expect(there.hosts.sort()).toEqual(wanted);
  expect((await life.row('insists.com')).registry_status).toEqual(['clientTransferProhibited']);
});

test('sets the lock again when the change is refused', async () => {
  const id = await life.buy('insists-still.com');
  await t.call('PUT', `/v1/domains/${id}/theft_protection`);
  const seen: DomainChange[] = [];
  const ctx = await strictContext(seen);
  const real = await ctx.registries.of('sandbox');
  const refusingRegistry: Registry = {
    ...real,
    async update(name, change, context) {
      const reply = await real.update(name, change, context);
      if (reply.kind === 'refused' || !change.addNameservers) return reply;
      return { kind: 'refused', evidence: { code: 2308, text: 'Data management policy violation' } };
    },
  };
  const engine = new Engine(domainWorkflows, 'grumpy-test');
  const failingContext: AppContext = {
    ...ctx,
    engine,
    registries: { ...ctx.registries, of: () => Promise.resolve(refusingRegistry) },
  };
  engine.bind(failingContext);
  await engine.start(await setNameservers(failingContext, actor, id, undefined, wanted));
  const operation = await t.ctx.db.as(allTenants).one<{ state: string }>(sql`
    select state from operation where domain_id = ${id} and kind = 'update' order by id desc limit 1`);
  expect(operation.state).toBe('refused');
  expect((await t.control('GET', '/domains/insists-still.com')).body.statuses).toEqual(['clientTransferProhibited']);
  // Our row did not follow the refused change.
  expect(Object.values((await t.call('GET', `/v1/domains/${id}/ns`)).body)).not.toContain(wanted[0]);
  await t.call('PUT', `/v1/domains/${id}/ns`, { form: { ns: wanted.join() } });
});
