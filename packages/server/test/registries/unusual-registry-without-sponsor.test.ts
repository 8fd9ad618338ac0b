import { addDays } from '@namehold/base';
import type { ResponseSpec } from '@namehold/epp';
import { type DispatchedCommand, refusal, type ServerSession } from '@namehold/epp/server';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestService } from '../../../../test/support/service.ts';
import { systemActor } from '../../src/core/actors.ts';
import { reconcileNames } from '../../src/core/domains/compare/reconcile.ts';
import { decideOperation } from '../../src/core/operations/decide.ts';
import { watchOperations } from '../../src/jobs/watch-operations.ts';
import type { UnusualRegistry } from './unusual-registry.ts';
import { UnusualRegistryService } from './unusual-registry-world.ts';

let shop: UnusualRegistryService;
let t: TestService;
let there: UnusualRegistry;
beforeAll(async () => {
  shop = await UnusualRegistryService.open();
  ({ t, there } = shop);
});
afterAll(() => shop.close());

test('sends one create and requires manual review if the registry never shows the sponsor', async () => {
  there.capabilities.strangersGet = 2308;
  there.capabilities.meddle = (command, session) => {
    if (command.object !== 'domain' || command.verb !== 'create') return undefined;
    there.give('dark.odd');
    session.destroy('cut');
    return undefined;
  };
  const called = await t.call('POST', '/v1/domains', {
    form: { domain_name: 'dark.odd', ...shop.parties, ns: 'ns1.host.test,ns2.host.test' },
    headers: { prefer: 'wait=0' },
  });
  expect([200, 202], called.text).toContain(called.status);
  await vi.waitFor(async () => expect((await shop.operationOf('dark.odd')).state).toBe('unknown'), 300_000);
  const { id } = await shop.operationOf('dark.odd');
  await shop.tryAgain(id, 5);
  await vi.waitFor(async () => expect((await shop.operationOf('dark.odd')).state).toBe('action_required'), 300_000);
  expect((await shop.operationOf('dark.odd')).attention!.choices).toEqual(['done', 'refused', 'ask_again']);
  expect(there.count('domain:create', 'dark.odd')).toBe(1);
  expect(await shop.held()).toBe(700);
  await decideOperation(t.ctx, systemActor, id, { says: 'ask_again', reason: 'once more' });
  await vi.waitFor(async () => expect((await shop.operationOf('dark.odd')).state).toBe('action_required'), 300_000);
  await decideOperation(t.ctx, systemActor, id, { says: 'refused', reason: 'the registry told by telephone' });
  expect(await shop.held()).toBe(0);
  expect(there.count('domain:create', 'dark.odd')).toBe(1);
  there.capabilities.strangersGet = 2201;
});

describe('applies a manual decision if the registry does not show the outcome', () => {
  /** The registry executes it, the connection breaks, and later queries show nothing of the domain. */
  const inTheDark = (name: string, verb: string, act: () => void = () => undefined) => {
    let isDark = false;
    there.capabilities.meddle = (command, session) => {
      if (command.object !== 'domain' || !('name' in command) || command.name !== name) return undefined;
      if (command.verb === 'info' && isDark) return refusal(2308);
      if (command.verb !== verb || isDark) return undefined;
      if (command.verb === 'transfer' && command.op !== 'request') return undefined;
      isDark = true;
      act();
      session.destroy('cut');
      return undefined;
    };
  };
  /** Ordered, lost, and finally in manual review. */
  const undecided = async (name: string, method: string, path: string, form: Record<string, string>) => {
    const placed = await t.call(method, path, { form, headers: { prefer: 'wait=0' } });
    expect([200, 202], placed.text).toContain(placed.status);
    await vi.waitFor(async () => expect((await shop.operationOf(name)).state).toMatch(/unknown|sent/), 300_000);
    const { id } = await shop.operationOf(name);
    await vi.waitFor(async () => {
      await shop.tryAgain(id, 5);
      expect((await shop.operationOf(name)).state).toBe('action_required');
    }, 300_000);
    return id;
  };
  const settle = (id: string, decision: string) =>
    t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision, reason: 'told by telephone' },
      as: t.operator,
    });
  const settled = async (id: string, decision = 'done') => {
    const called = await settle(id, decision);
    expect(called.status, called.text).toBe(200);
    expect(called.body.operation).toMatchObject({ state: decision });
    there.capabilities.meddle = () => undefined;
    expect(await shop.held()).toBe(0);
  };
  /** `completed 700`: the state of the order and its price. */
  const money = async (id: string) =>
    (
      await t.ctx.db
        .as(allTenants)
        .many<{ line: string }>(
          sql`select status || ' ' || amount as line from ledger_transaction where operation_id = ${id} and reseller_id = ${t.demo.split(':')[0]} order by id`,
        )
    ).map(({ line }) => line);
  const row = (name: string) =>
    t.ctx.db
      .as(allTenants)
      .one<{ state: string; end_date: Date | null; registry_expires_at: Date | null; nameservers: string[] }>(
        sql`select state, end_date, registry_expires_at, nameservers from domain where name = ${name} order by id desc limit 1`,
      );
  const bought = async (name: string) => {
    const called = await shop.order(name);
    expect(called.status, called.text).toBe(200);
    return called.body.domain_id as string;
  };

  test('adds one year and charges once for a renewal', async () => {
    const domain = await bought('dark-renew.odd');
    const before = await row('dark-renew.odd');
    inTheDark('dark-renew.odd', 'renew');
    const date = before.end_date!.toISOString().slice(0, 10);
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await undecided('dark-renew.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    expect(await shop.held()).toBe(700);
    await settled(id);
    expect(await money(id)).toEqual(['completed 700']);
    const after = await row('dark-renew.odd');
    const shown = there.names.get('dark-renew.odd')!.expires;
    expect(after.end_date!.toISOString().slice(0, 10)).toBe(shown.toISOString().slice(0, 10));
    expect(there.count('domain:renew', 'dark-renew.odd')).toBe(1);
  });

  test('charges nothing and adds no year for a refused renewal', async () => {
    const domain = await bought('dark-no.odd');
    const before = await row('dark-no.odd');
    inTheDark('dark-no.odd', 'renew');
    const date = before.end_date!.toISOString().slice(0, 10);
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await undecided('dark-no.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    await settled(id, 'refused');
    expect(await money(id)).toEqual(['cancelled 700']);
    expect((await row('dark-no.odd')).end_date).toEqual(before.end_date);
    // The answer given by telephone.
    there.names.get('dark-no.odd')!.expires = before.registry_expires_at!;
  });

  test('stores the new nameservers of a nameserver change', async () => {
    const domain = await bought('dark-ns.odd');
    inTheDark('dark-ns.odd', 'update');
    const form = { ns: 'ns3.host.test,ns4.host.test' };
    const id = await undecided('dark-ns.odd', 'PUT', `/v1/domains/${domain}/ns`, form);
    await settled(id);
    expect((await row('dark-ns.odd')).nameservers.toSorted()).toEqual(['ns3.host.test', 'ns4.host.test']);
    expect(there.count('domain:update', 'dark-ns.odd')).toBe(2);
  });

  test('removes a deleted domain after one command', async () => {
    const domain = await bought('dark-end.odd');
    inTheDark('dark-end.odd', 'delete');
    const id = await undecided('dark-end.odd', 'DELETE', `/v1/domains/${domain}`, {});
    await settled(id);
    expect((await row('dark-end.odd')).state).toBe('removed');
    expect(there.count('domain:delete', 'dark-end.odd')).toBe(1);
  });

  test('adds a transferred domain with the paid year', async () => {
    there.give('dark-in.odd');
    inTheDark('dark-in.odd', 'transfer', () => {
      const held = there.names.get('dark-in.odd')!;
      held.clID = 'us';
    });
    const form = { domain_name: 'dark-in.odd', ...shop.parties, auth_code: 'Abcdefgh12345678' };
    const id = await undecided('dark-in.odd', 'POST', '/v1/domains/transfer', form);
    expect(await shop.held()).toBe(700);
    await settled(id);
    expect(await money(id)).toEqual(['completed 700']);
    expect((await row('dark-in.odd')).state).toBe('live');
  });

  test('offers no manual decision if the answer contains required data', async () => {
    const domain = await bought('dark-host.odd');
    const form = { hostname: 'ns1.dark-host.odd', ip_address: '192.0.2.1' };
    expect((await t.call('POST', `/v1/domains/${domain}/childns`, { form })).status).toBe(200);
    const ns = { ns: 'ns1.dark-host.odd,ns2.host.test' };
    expect((await t.call('PUT', `/v1/domains/${domain}/ns`, { form: ns })).status).toBe(200);
    inTheDark('dark-host.odd', 'update');
    const id = await undecided('dark-host.odd', 'PUT', `/v1/domains/${domain}/childns/ns1.dark-host.odd/192.0.2.1`, {
      ...form,
      ip_address: '192.0.2.2',
    });
    expect((await shop.operationOf('dark-host.odd')).attention!.choices).toEqual(['refused', 'ask_again']);
    await settled(id, 'refused');
  });

  test('prefers evidence of the registry over the manual decision', async () => {
    const domain = await bought('dark-lie.odd');
    const date = (await row('dark-lie.odd')).end_date!.toISOString().slice(0, 10);
    inTheDark('dark-lie.odd', 'renew');
    const form = { years: '1', current_date: date, invoice_option: 'no_invoice' };
    const id = await undecided('dark-lie.odd', 'POST', `/v1/domains/${domain}/renew`, form);
    // Queries work again, and no year was added.
    there.names.get('dark-lie.odd')!.expires = new Date(`${date}T00:00:00Z`);
    there.capabilities.meddle = () => undefined;
    const lied = await settle(id, 'done');
    expect(lied.status, lied.text).toBe(409);
    expect(lied.body.message).toContain('the registry does not show it');
    expect(await shop.held()).toBe(700);
    const queries = await settle(id, 'ask_again');
    expect(queries.status, queries.text).toBe(200);
    await vi.waitFor(async () => expect((await shop.operationOf('dark-lie.odd')).state).toBe('done'), 300_000);
    expect(await money(id)).toEqual(['completed 700']);
    expect(await shop.held()).toBe(0);
  });
});

test('queries the domain later and does not reorder after "exists" with an unknown sponsor', async () => {
  shop.takenMeanwhile('later.odd');
  const take = there.capabilities.meddle;
  let isSilent = true;
  there.capabilities.meddle = (command, session) => {
    if (command.object === 'domain' && command.verb === 'info' && isSilent) session.destroy('cut');
    return take(command, session);
  };
  void shop.order('later.odd');
  await vi.waitFor(async () => expect((await shop.operationOf('later.odd')).state).toBe('unknown'), 300_000);
  isSilent = false;
  await shop.tryAgain((await shop.operationOf('later.odd')).id, 0);
  await vi.waitFor(async () => expect((await shop.operationOf('later.odd')).state).toBe('refused'), 300_000);
  expect(there.count('domain:create', 'later.odd')).toBe(1);
  there.capabilities.meddle = () => undefined;
  expect(await shop.held()).toBe(0);
});
describe('a create refused as "exists" although the domain does not exist', () => {
  const contradicts = (name: string) => {
    let isFirst = true;
    there.capabilities.meddle = (command, session) => {
      if (command.object !== 'domain' || command.verb !== 'create' || command.name !== name) return undefined;
      if (!isFirst) return refusal(2302);
      isFirst = false;
      session.destroy('cut');
      return refusal(2400);
    };
  };
  const kind = () => {
    there.capabilities.meddle = () => undefined;
  };

  test('is not sent again for an abandoned order', async () => {
    contradicts('given-up.odd');
    void shop.order('given-up.odd');
    await vi.waitFor(async () => expect((await shop.operationOf('given-up.odd')).state).toBe('unknown'), 300_000);
    const { id } = await shop.operationOf('given-up.odd');
    kind();
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set due_at = now() + interval '1 hour' where id = ${id}`);
    const before = there.count('domain:create', 'given-up.odd');
    const called = await t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision: 'refused', reason: 'not wanted' },
      as: t.operator,
    });
    expect(called.status, called.text).toBe(200);
    expect([there.count('domain:create', 'given-up.odd'), (await shop.operationOf('given-up.odd')).state]).toEqual([
      before,
      'refused',
    ]);
    expect(await shop.held()).toBe(0);
  });

  test('ends in manual review for a repeated order', async () => {
    contradicts('blocked.odd');
    void shop.order('blocked.odd');
    await vi.waitFor(async () => {
      await shop.tryAgain((await shop.operationOf('blocked.odd')).id, 0);
      expect((await shop.operationOf('blocked.odd')).state).toBe('action_required');
    }, 300_000);
    expect(there.count('domain:create', 'blocked.odd')).toBeLessThan(9);
    kind();
    const { id } = await shop.operationOf('blocked.odd');
    const called = await t.call('POST', `/v1/operator/operations/${id}/settle`, {
      json: { decision: 'refused', reason: 'blocked by the registry' },
      as: t.operator,
    });
    expect(called.status, called.text).toBe(200);
    expect(await shop.held()).toBe(0);
  });
});

const found = { state: 'done', proof: 'found', result_code: null, result_text: null };
const proofOf = (name: string) =>
  t.ctx.db
    .as(allTenants)
    .one<{ state: string; proof: string; result_code: number | null; result_text: string | null }>(
      sql`select o.state, o.proof, o.result_code, o.result_text from operation o join domain d on d.id = o.domain_id where d.name = ${name} order by o.id limit 1`,
    );

test('explains a domain that first shows another sponsor by the sent create, and sends no second one', async () => {
  let queries = 0;
  there.capabilities.meddle = (command, session) => {
    if (command.object !== 'domain' || !('name' in command) || command.name !== 'lagging.odd') return undefined;
    if (command.verb === 'create') session.destroy('cut');
    if (command.verb !== 'info') return undefined;
    queries += 1;
    return queries === 1 ? refusal(2201) : undefined;
  };
  const placed = shop.order('lagging.odd');
  await vi.waitFor(
    // Refusals of attempts are not the outcome of the order.
    async () => expect(await proofOf('lagging.odd')).toEqual(found),
    300_000,
  );
  expect((await placed).status).toBeLessThan(300);
  there.capabilities.meddle = () => undefined;
  expect(there.count('domain:create', 'lagging.odd')).toBe(1);
  expect(await shop.held()).toBe(0);
});

test('ignores a difference that the second read no longer shows', async () => {
  expect((await shop.order('between.odd')).status).toBe(200);
  const held = there.names.get('between.odd')!;
  let queries = 0;
  there.capabilities.meddle = (command) => {
    if (command.object !== 'domain' || command.verb !== 'info' || command.name !== 'between.odd') return undefined;
    queries += 1;
    held.statuses = queries === 1 ? ['clientHold'] : [];
    return undefined;
  };
  const isHeldThere = async () => {
    const [report] = await reconcileNames(t.ctx, ['between.odd']);
    expect(report!.outcome).toBe('live');
    return report!.drift.some(({ field }) => field === 'foreign_statuses');
  };
  expect(await isHeldThere()).toBe(false);
  expect(queries).toBeGreaterThan(1);
  // A missing lock is set again meanwhile, and a permanent difference is reported.
  there.capabilities.meddle = () => undefined;
  await vi.waitFor(async () => {
    held.statuses = ['clientHold'];
    expect(await isHeldThere()).toBe(true);
  }, 300_000);
});

test('rejects an answer for another domain and queries the outcome of the order', async () => {
  there.capabilities.rewrite = ({ object, verb }, xml) =>
    object === 'domain' && verb === 'create' ? xml.replaceAll('mixed-up.odd', 'another.odd') : xml;
  const called = await shop.order('mixed-up.odd');
  there.capabilities.rewrite = (_command, xml) => xml;
  expect(called.status, called.text).toBe(200);
  expect(await proofOf('mixed-up.odd')).toEqual(found);
  expect(there.count('domain:create', 'mixed-up.odd')).toBe(1);
});

describe('a transfer that the losing registrar has not answered', () => {
  const name = 'patient.odd';
  let isAway = false;
  let isAsked = false;
  let requested = new Date();
  const pending = (command: DispatchedCommand, session: ServerSession): ResponseSpec | undefined => {
    if (command.object !== 'domain' || !('name' in command) || command.name !== name) return undefined;
    if (isAway) session.destroy('cut');
    if (command.verb !== 'transfer') return undefined;
    const by = addDays(requested, 5);
    const data = { object: 'domain', type: 'trnData', name, trStatus: 'pending', reID: 'us', acID: 'other' } as const;
    const isRequest = command.op === 'request';
    isAsked ||= isRequest;
    if (!isAsked) return refusal(2301);
    return { results: [{ code: isRequest ? 1001 : 1000 }], data: { ...data, reDate: requested, acDate: by } };
  };
  const state = () =>
    t.ctx.db
      .as(allTenants)
      .one<{ id: string; state: string; setbacks: number; silent_since: Date | null }>(
        sql`select id, state, setbacks, silent_since from operation where kind = 'transfer' order by id desc limit 1`,
      );
  const own = async () => shop.alarms(`operation:${(await state()).id}`);
  const unknown = () => shop.alarms('operations:unknown');

  test('waits without alarms, except for an unreachable registry until it answers again', async () => {
    there.give(name);
    requested = t.ctx.clock.now();
    there.capabilities.meddle = pending;
    const form = { domain_name: name, ...shop.parties, auth_code: 'Abcdefgh12345678' };
    const placed = await t.call('POST', '/v1/domains/transfer', { form, headers: { prefer: 'wait=0' } });
    expect([200, 202], placed.text).toContain(placed.status);
    await vi.waitFor(async () => expect((await state()).state).toBe('waiting_registry'), 300_000);
    const { id } = await state();
    // Ordered long ago, as for transfers.
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set created_at = created_at - interval '3 days' where id = ${id}`);
    isAway = true;
    await vi.waitFor(async () => {
      await t.ctx.db.autocommit(allTenants).run(sql`update operation set due_at = now() where id = ${id}`);
      await t.ctx.engine.start(id);
      expect(await own()).toHaveLength(1);
    }, 300_000);
    expect((await state()).state).toBe('unknown');
    await watchOperations(t.ctx);
    // No answer for seconds, however old the order is.
    expect(await unknown()).toEqual([]);
    expect(await shop.alarms('operations:unsettled')).toEqual([]);
    await t.ctx.db
      .autocommit(allTenants)
      .run(sql`update operation set silent_since = silent_since - interval '2 hours' where id = ${id}`);
    await watchOperations(t.ctx);
    expect(await unknown()).toHaveLength(1);
    isAway = false;
    await vi.waitFor(async () => {
      await t.ctx.db.autocommit(allTenants).run(sql`update operation set due_at = now() where id = ${id}`);
      await t.ctx.engine.start(id);
      expect(await state()).toMatchObject({ state: 'waiting_registry', setbacks: 0, silent_since: null });
    }, 300_000);
    expect(await own()).toEqual([]);
    await t.ctx.engine.start(id);
    expect(await own()).toEqual([]);
    await watchOperations(t.ctx);
    expect(await unknown()).toEqual([]);
    there.capabilities.meddle = (command) =>
      command.object === 'domain' && command.verb === 'transfer' ? refusal(2301) : undefined;
    await decideOperation(t.ctx, systemActor, id, { says: 'refused', reason: 'no longer wanted' });
    expect(await shop.held()).toBe(0);
    there.capabilities.meddle = () => undefined;
  });
});
