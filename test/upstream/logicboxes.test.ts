import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { type FaultRow, faultRows } from './fault-rows.ts';
import { SimulatorClock, yearsLater } from './simulators/clock.ts';
import type { FaultRule } from './simulators/faults.ts';
import { lenientSettings, strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
const waiting = { timeout: 300_000, interval: 50 };
/** The costs that the seller of these tests has imported, in cents. */
const prices = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };

/** The documents do not say that an outdated `exp-date` is refused. */
const forms = [strictSettings, { ...lenientSettings, outdatedExpDateRefused: false }];

describe.each(forms)('a seller at LogicBoxes ($form)', (settings) => {
  let upstream: LogicBoxesSimulator;
  let seller: Seller;

  beforeAll(async () => {
    const products = { ...settings.products, domorg: prices };
    upstream = await LogicBoxesSimulator.start({ ...settings, products }, new SimulatorClock(Date.now));
    const customerId = upstream.addCustomer('shop@example.com').id;
    const more = {
      dialect: 'logicboxes',
      basePath: '/api',
      customerId,
      timeouts: { queryMs: 2_000, transformMs: 2_000 },
      logicboxes: { visibleAfterSeconds: 1 },
    };
    const { resellerId: reseller, apiKey: key } = upstream.state.settings;
    seller = await Seller.open({ port: upstream.server.port, reseller, key }, ['org'], more);
  });
  afterAll(async () => {
    await seller?.t.stop();
    await upstream?.stop();
  });

  const rows = <T extends FaultRow>(all: readonly T[]) => faultRows(settings.form, all);
  const domain = (name: string) => upstream.state.portfolio.find(name);
  const charges = (name: string) => upstream.state.ledger.charges(name).map(({ amount }) => -amount);
  const available = async (name: string) =>
    (await seller.t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0][name].status;
  const register = async (name: string) => {
    const called = await seller.order(name, { ns });
    expect([200, 202], called.text).toContain(called.status);
    return called;
  };

  test('passes the test of a connection', async () => {
    const { ok, findings } = await testConnection(seller.t.ctx, 'up');
    expect(ok, findings.join('; ')).toBe(true);
  });

  test('checks, registers and shows a domain', async () => {
    expect(await available('first.org')).toBe('available');
    const called = await seller.order('first.org', { ns });
    expect(called.status, called.text).toBe(200);
    expect(domain('first.org')).toMatchObject({ status: 'active', autoRenew: false });
    expect(await seller.read('first.org')).toMatchObject({ order_status: 'Live', ns1: 'ns1.host.example' });
    expect(charges('first.org')).toEqual([1_040]);
    expect(await seller.paid('first.org')).toBe(1300);
  });

  test('does not take a domain of the same registrar as its own', async () => {
    upstream.addElsewhere('cousin.org', { sameRegistrar: true });
    expect(await available('cousin.org')).not.toBe('available');
    const called = await seller.order('cousin.org', { ns });
    expect(called.status, called.text).toBe(400);
    expect(await seller.paid('cousin.org')).toBe(0);
  });

  describe('a registration', () => {
    const faults: readonly Omit<FaultRule, 'call'>[] = [
      { kind: 'lost_before' },
      { kind: 'lost_after' },
      { kind: 'cut' },
      { kind: 'delayed', delayMs: 3_000 },
      { kind: 'doubled' },
      { kind: 'error_before' },
      { kind: 'error_after' },
    ];
    test.concurrent.for(rows(faults))('is charged once with the fault $kind', async (fault) => {
      const name = `${fault.kind.replaceAll('_', '-')}.org`;
      upstream.faults.add({ ...fault, call: 'domains/register', domain: name });
      const called = await register(name);
      expect(await seller.settled(called.body.operation_id)).toBe('done');
      expect(charges(name)).toEqual([1_040]);
      expect(await seller.paid(name)).toBe(1300);
    });
  });

  const form = { invoice_option: 'no_invoice' };
  const call = async (method: string, path: string, more: Record<string, string> = {}) => {
    const called = await seller.t.call(method, `/v1/domains/${path}`, { form: more, headers: { Prefer: 'wait=5' } });
    expect([200, 202], called.text).toContain(called.status);
    return called;
  };
  const faultsOf = (...kinds: FaultRule['kind'][]) =>
    kinds.map((kind) => ({ kind, delayMs: 3_000, fields: ['actionstatus', 'status'] }) as const);
  const lostAnswers = faultsOf(
    'lost_before',
    'lost_after',
    'cut',
    'delayed',
    'error_before',
    'error_after',
    'maintenance',
  );
  /** Answers an operation that waits, and checks its result. */
  const ends = async (called: { body: { operation_id: string } }, state: string) => {
    expect(await seller.settled(called.body.operation_id)).toBe(state);
  };

  describe('an order that continues at the upstream', () => {
    test.each(['saved', 'in_doubt'] as const)('is charged when it is done (%s)', async (kind) => {
      const name = `later-${kind.replace('_', '-')}.org`;
      upstream.faults.add({ kind, call: 'domains/register', domain: name });
      const called = await register(name);
      expect(await seller.until(called.body.operation_id, ['waiting_registry'])).toBe('waiting_registry');
      expect(charges(name)).toEqual([]);
      upstream.state.portfolio.settle();
      await ends(called, 'done');
      expect(charges(name)).toEqual([1_040]);
      expect(await seller.paid(name)).toBe(1300);
    });

    test('costs nothing if it fails later', async () => {
      upstream.faults.add({ kind: 'fails_later', call: 'domains/register', domain: 'fails.org' });
      const called = await register('fails.org');
      upstream.state.portfolio.settle();
      await ends(called, 'refused');
      expect(charges('fails.org')).toEqual([]);
      expect(await seller.paid('fails.org')).toBe(0);
    });
  });

  test('passes a refusal on, and releases the money', async () => {
    upstream.faults.add({ kind: 'refused', call: 'domains/register', message: 'Something of 510000123 is wrong' });
    const called = await seller.order('refused.org', { ns });
    expect(called.body).toMatchObject({ code: 'registry_refused' });
    expect(called.text).not.toContain('510000123');
    expect(await seller.paid('refused.org')).toBe(0);
  });

  describe('a renewal', () => {
    test.concurrent.for(rows([...lostAnswers, ...faultsOf('numbers_as_text', 'missing_fields')]))(
      'is charged once with the fault $kind',
      async (fault) => {
        const name = `renew-${fault.kind.replaceAll('_', '-')}.org`;
        await ends(await register(name), 'done');
        const expires = domain(name)!.expiresAt!;
        upstream.faults.add({ ...fault, call: 'domains/renew', domain: name });
        const called = await seller.renew(name);
        expect([200, 202], called.text).toContain(called.status);
        await ends(called, 'done');
        expect(charges(name)).toEqual([1_040, 1_060]);
        expect(domain(name)!.expiresAt).toBe(yearsLater(expires, 1));
        expect(domain(name)!.autoRenew).toBe(false);
        expect(await seller.paid(name)).toBe(2700);
      },
    );

    test('repeats no order that continues at the upstream', async () => {
      await ends(await register('renew-later.org'), 'done');
      upstream.faults.add({ kind: 'saved', call: 'domains/renew', domain: 'renew-later.org' });
      const called = await seller.renew('renew-later.org', 3);
      expect(called.status, called.text).toBe(202);
      upstream.state.portfolio.settle();
      await ends(called, 'done');
      expect(charges('renew-later.org')).toEqual([1_040, 1_060]);
    });
  });

  describe('a transfer in', () => {
    const order = (name: string, auth_code = 'Code-4711') => seller.order(name, { auth_code });
    const carriedOut = async (name: string) => {
      await vi.waitFor(() => expect(domain(name)?.status).toBe('pending'), waiting);
      const { portfolio } = upstream.state;
      portfolio.complete(portfolio.openOrder(domain(name)!.id)!.id);
    };

    test.concurrent.for(rows([{ kind: 'none' } as const, ...lostAnswers]))(
      'is charged once with the fault $kind',
      async (fault) => {
        const name = `comes-${fault.kind.replaceAll('_', '-')}.org`;
        upstream.addElsewhere(name);
        if (fault.kind !== 'none') upstream.faults.add({ ...fault, call: 'domains/transfer', domain: name });
        const called = await order(name);
        expect(called.status, called.text).toBe(202);
        await seller.until(called.body.operation_id, ['waiting_registry']);
        await carriedOut(name);
        await ends(called, 'done');
        expect(charges(name)).toEqual([1_020]);
        expect(await seller.paid(name)).toBe(1200);
        expect(domain(name)!.autoRenew).toBe(false);
      },
    );

    test('refuses a wrong auth code without a charge', async () => {
      upstream.addElsewhere('wrong-code.org');
      const called = await order('wrong-code.org', 'another-code');
      const operation = () => seller.t.call('GET', `/v1/operations/${called.body.operation_id}`);
      await expect.poll(async () => (await operation()).body.attention?.choices).toEqual(['new_auth_code', 'cancel']);
      await seller.t.call('POST', '/v1/domains/wrong-code.org/transfer/cancel');
      await ends(called, 'cancelled');
      expect(charges('wrong-code.org')).toEqual([]);
      expect(await seller.paid('wrong-code.org')).toBe(0);
    });

    test('is not possible for a locked domain', async () => {
      upstream.addElsewhere('kept.org', { locked: true });
      const { body } = await order('kept.org');
      expect(body).toMatchObject({ code: 'transfer_not_possible' });
    });
  });

  describe('changes', () => {
    test('are sent: nameservers, lock, auth code, contacts, child nameservers', async () => {
      await ends(await register('changed.org'), 'done');
      await call('PUT', 'changed.org/ns', { ns: 'ns3.host.example,ns4.host.example' });
      expect(domain('changed.org')!.nameservers.toSorted()).toEqual(['ns3.host.example', 'ns4.host.example']);
      await call('PUT', 'changed.org/theft_protection');
      expect(domain('changed.org')!.locked).toBe(true);
      expect(await seller.read('changed.org')).toMatchObject({ theft_protection: 'true' });
      await call('DELETE', 'changed.org/theft_protection');
      expect(domain('changed.org')!.locked).toBe(false);
      const code = 'An-Auth-Code-4711';
      await call('PUT', 'changed.org/auth_code', { auth_code: code });
      expect(domain('changed.org')!.authCode).toBe(code);
      await call('POST', 'changed.org/childns', { hostname: 'ns1.changed.org', ip_address: '192.0.2.7' });
      expect(domain('changed.org')!.hosts).toEqual({ 'ns1.changed.org': ['192.0.2.7'] });
      await call('DELETE', 'changed.org/childns/ns1.changed.org/192.0.2.7');
      expect(domain('changed.org')!.hosts).toEqual({});
    });

    test.concurrent.for(rows(lostAnswers))(
      'changes nameservers in spite of the fault $kind',
      async (fault, { expect }) => {
        const name = `change-${fault.kind.replaceAll('_', '-')}.org`;
        await ends(await register(name), 'done');
        upstream.faults.add({ ...fault, call: 'domains/modify-ns', domain: name });
        await call('PUT', `${name}/ns`, { ns: 'ns3.host.example,ns4.host.example' });
        const wanted = ['ns3.host.example', 'ns4.host.example'];
        await expect.poll(() => domain(name)!.nameservers.toSorted()).toEqual(wanted);
      },
    );
  });

  test.concurrent.for(rows([...lostAnswers, ...faultsOf('doubled')]))(
    'a delete is refunded once with the fault $kind',
    async (fault) => {
      const name = `delete-${fault.kind.replaceAll('_', '-')}.org`;
      await ends(await register(name), 'done');
      upstream.faults.add({ ...fault, call: 'domains/delete', domain: name });
      await ends(await call('DELETE', name), 'done');
      expect(domain(name)!.status).toBe('deleted');
      expect(upstream.state.ledger.netOfDomain(name)).toBe(0);
      expect(await seller.paid(name)).toBe(0);
    },
  );

  test('a delete that fails later at the upstream needs a decision', async () => {
    await ends(await register('undeleted.org'), 'done');
    upstream.faults.add({ kind: 'fails_later', call: 'domains/delete', domain: 'undeleted.org' });
    const called = await call('DELETE', 'undeleted.org');
    upstream.state.portfolio.settle();
    const id = called.body.operation_id;
    await seller.t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`
        update registry_command set answered_at = answered_at - interval '10 minutes' where operation_id = ${id}`),
    );
    await ends(called, 'action_required');
    const form = { decision: 'refused', reason: 'by the records of the upstream' };
    const settled = await seller.t.call('POST', `/v1/operator/operations/${id}/settle`, {
      form,
      as: seller.t.operator,
    });
    expect(settled.status, settled.text).toBe(200);
    expect(await seller.read('undeleted.org')).toMatchObject({ order_status: 'Live' });
    expect(await seller.paid('undeleted.org')).toBe(1300);
  });

  test('a restore repeats no order that continues at the upstream', async () => {
    await ends(await register('restore-later.org'), 'done');
    Object.assign(domain('restore-later.org')!, { status: 'redemption', deletedAt: upstream.state.clock.now() });
    await reconcileNames(seller.t.ctx, ['restore-later.org']);
    upstream.faults.add({ kind: 'saved', call: 'domains/restore', domain: 'restore-later.org' });
    const called = await call('POST', 'restore-later.org/restore', form);
    upstream.state.portfolio.settle();
    await ends(called, 'done');
    expect(charges('restore-later.org')).toEqual([1_040, 7_000]);
  });

  test.concurrent.for(rows([...lostAnswers, ...faultsOf('doubled')]))(
    'a restore is charged once with the fault $kind',
    async (fault) => {
      const name = `restore-${fault.kind.replaceAll('_', '-')}.org`;
      await ends(await register(name), 'done');
      Object.assign(domain(name)!, { status: 'redemption', deletedAt: upstream.state.clock.now() });
      await reconcileNames(seller.t.ctx, [name]);
      upstream.faults.add({ ...fault, call: 'domains/restore', domain: name });
      await ends(await call('POST', `${name}/restore`, form), 'done');
      expect(charges(name)).toEqual([1_040, 7_000]);
      expect(domain(name)!.status).toBe('active');
      expect(await seller.paid(name)).toBe(1300 + 9000);
    },
  );

  test('charges for each order once, and leaves no open order', async () => {
    expect(upstream.problems()).toEqual([]);
    const { open } = await seller.t.ctx.db.as(allTenants).one<{ open: string }>(sql`
      select count(*) as open from operation where state not in ('done', 'refused', 'cancelled')`);
    expect(Number(open)).toBe(0);
    await expectReconciled(seller.t);
  });

  test('stores the key in no row', async () => {
    const db = seller.t.ctx.db.as(allTenants);
    const tables = await db.many<{ name: string }>(sql`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables) {
      const { has } = await db.one<{ has: boolean }>(sql`
        select query_to_xml(format('select * from %I', ${name}::text), true, false, '')::text like ${`%${upstream.state.settings.apiKey}%`} as has`);
      expect(has, name).toBe(false);
    }
  });
});
