import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { quick, Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { type FaultRow, faultRows } from './fault-rows.ts';
import { SimulatorClock, yearsLater } from './simulators/clock.ts';
import type { FaultRule } from './simulators/faults.ts';
import { lenientSettings, strictSettings } from './simulators/openprovider/settings.ts';
import { OpenproviderSimulator } from './simulators/openprovider/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
const waiting = { timeout: 300_000, interval: 50 };
/** Limits of identical requests are tested elsewhere. */
const often = { requests: 10_000, seconds: 1 };
const identical = { shareSeconds: 0, query: often, check: often, create: often };
const repeats = {
  query: [1_000_000, 300],
  check: [1_000_000, 300],
  create: [1_000_000, 10],
  login: [30, 60],
  badLogin: [100, 3_600],
} as const;

describe.each([strictSettings, lenientSettings])('a seller at Openprovider ($form)', (form) => {
  let upstream: OpenproviderSimulator;
  let seller: Seller;

  beforeAll(async () => {
    upstream = await OpenproviderSimulator.start({ ...form, repeats }, new SimulatorClock(Date.now));
    const more = {
      dialect: 'openprovider',
      limits: { ...quick, identical },
      timeouts: { queryMs: 2_000, transformMs: 2_000 },
      authCode: { madeBy: 'us' },
      openprovider: { visibleAfterSeconds: 1 },
    };
    const { username: reseller, password: key } = upstream.state.settings;
    seller = await Seller.open({ port: upstream.server.port, reseller, key }, ['org'], more);
  });
  afterAll(async () => {
    await seller?.t.stop();
    await upstream?.stop();
  });

  const rows = <T extends FaultRow>(all: readonly T[]) => faultRows(form.form, all);
  const domain = (name: string) => upstream.state.portfolio.find(name);
  const charges = (name: string) => upstream.state.ledger.charges(name).map(({ amount }) => -amount);
  const available = async (name: string) =>
    (await seller.t.call('GET', '/v1/domains/availability', { query: { domain: name } })).body[0][name].status;
  const register = async (name: string) => {
    const called = await seller.order(name, { ns });
    expect([200, 202], called.text).toContain(called.status);
    return called;
  };
  const call = async (method: string, path: string, more: Record<string, string> = {}) => {
    const called = await seller.t.call(method, `/v1/domains/${path}`, { form: more, headers: { Prefer: 'wait=5' } });
    expect([200, 202], called.text).toContain(called.status);
    return called;
  };
  const faultsOf = (...kinds: FaultRule['kind'][]) =>
    kinds.map((kind) => ({ kind, delayMs: 3_000, fields: ['status'] }) as const);
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
    expect(upstream.commentOf(domain('first.org')!)).toBe(`namehold register ${called.body.operation_id}`);
    expect(charges('first.org')).toEqual([1_040]);
    expect(await seller.paid('first.org')).toBe(1300);
  });

  describe('a registration', () => {
    test.concurrent.for(rows([...lostAnswers, ...faultsOf('doubled')]))(
      'is charged once with the fault $kind',
      async (fault) => {
        const name = `${fault.kind.replaceAll('_', '-')}.org`;
        upstream.faults.add({ ...fault, call: 'createDomain', domain: name });
        const called = await register(name);
        expect(await seller.settled(called.body.operation_id)).toBe('done');
        expect(charges(name)).toEqual([1_040]);
        expect(await seller.paid(name)).toBe(1300);
      },
    );

    test.each(['saved', 'in_doubt'] as const)(
      'that continues at the upstream is charged when it is done (%s)',
      async (kind) => {
        const name = `later-${kind.replace('_', '-')}.org`;
        upstream.faults.add({ kind, call: 'createDomain', domain: name });
        const called = await register(name);
        expect(await seller.until(called.body.operation_id, ['waiting_registry'])).toBe('waiting_registry');
        expect(charges(name)).toEqual([]);
        upstream.state.portfolio.settle();
        await ends(called, 'done');
        expect(charges(name)).toEqual([1_040]);
        expect(await seller.paid(name)).toBe(1300);
      },
    );

    test('charges nothing for an order that fails later, and allows another', async () => {
      upstream.faults.add({ kind: 'fails_later', call: 'createDomain', domain: 'fails.org' });
      const called = await register('fails.org');
      upstream.state.portfolio.settle();
      await ends(called, 'refused');
      expect(charges('fails.org')).toEqual([]);
      expect(await seller.paid('fails.org')).toBe(0);
      await ends(await register('fails.org'), 'done');
      expect(charges('fails.org')).toEqual([1_040]);
    });
  });

  test('passes a refusal on, and releases the money', async () => {
    upstream.faults.add({ kind: 'refused', call: 'createDomain', message: 'Something of 510000123 is wrong' });
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
        upstream.faults.add({ ...fault, call: 'renewDomain', domain: name });
        const called = await seller.renew(name);
        expect([200, 202], called.text).toContain(called.status);
        await ends(called, 'done');
        expect(charges(name)).toEqual([1_040, 1_060]);
        expect(domain(name)!.expiresAt).toBe(yearsLater(expires, 1));
        expect(domain(name)!.autoRenew).toBe(false);
        expect(await seller.paid(name)).toBe(2700);
      },
    );

    // Without the record of calls, nothing at Openprovider shows such a renewal.
    test.runIf(form.apiHistory)('repeats no order that continues at the upstream', async () => {
      await ends(await register('renew-later.org'), 'done');
      upstream.faults.add({ kind: 'saved', call: 'renewDomain', domain: 'renew-later.org' });
      const called = await seller.renew('renew-later.org', 3);
      expect(called.status, called.text).toBe(202);
      await seller.until(called.body.operation_id, ['unknown', 'running', 'waiting_registry']);
      upstream.state.portfolio.settle();
      await ends(called, 'done');
      expect(charges('renew-later.org')).toEqual([1_040, 1_060]);
      expect(upstream.log.of('renewDomain').filter(({ domain: of }) => of === 'renew-later.org')).toHaveLength(1);
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
        if (fault.kind !== 'none') upstream.faults.add({ ...fault, call: 'transferDomain', domain: name });
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

    test('charges nothing for a wrong auth code', async () => {
      upstream.addElsewhere('wrong-code.org');
      const called = await order('wrong-code.org', 'another-code');
      const operation = () => seller.t.call('GET', `/v1/operations/${called.body.operation_id}`);
      await expect.poll(async () => (await operation()).body.attention?.choices).toEqual(['new_auth_code', 'cancel']);
      await seller.t.call('POST', '/v1/domains/wrong-code.org/transfer/cancel');
      await ends(called, 'cancelled');
      expect(charges('wrong-code.org')).toEqual([]);
      expect(await seller.paid('wrong-code.org')).toBe(0);
    });
  });

  describe('changes', () => {
    test('are sent: nameservers, lock, auth code', async () => {
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
    });

    test.concurrent.for(rows(lostAnswers))(
      'changes nameservers in spite of the fault $kind',
      async (fault, { expect }) => {
        const name = `change-${fault.kind.replaceAll('_', '-')}.org`;
        await ends(await register(name), 'done');
        upstream.faults.add({ ...fault, call: 'updateDomain', domain: name });
        await call('PUT', `${name}/ns`, { ns: 'ns3.host.example,ns4.host.example' });
        const wanted = ['ns3.host.example', 'ns4.host.example'];
        await expect.poll(() => domain(name)!.nameservers.toSorted()).toEqual(wanted);
      },
    );
  });

  test('switches off an auto-renewal that someone switched on there', async () => {
    await ends(await register('renews.org'), 'done');
    const shown = domain('renews.org')!;
    upstream.state.extras.get(shown.id)!.autorenew = 'default';
    shown.autoRenew = true;
    await reconcileNames(seller.t.ctx, ['renews.org']);
    await expect.poll(() => upstream.state.extras.get(shown.id)!.autorenew).toBe('off');
  });

  test.concurrent.for(rows([...lostAnswers, ...faultsOf('doubled')]))(
    'a restore is charged once with the fault $kind',
    async (fault) => {
      const name = `restore-${fault.kind.replaceAll('_', '-')}.org`;
      await ends(await register(name), 'done');
      Object.assign(domain(name)!, { status: 'redemption', deletedAt: upstream.state.clock.now() });
      await reconcileNames(seller.t.ctx, [name]);
      upstream.faults.add({ ...fault, call: 'restoreDomain', domain: name });
      await ends(await call('POST', `${name}/restore`, { invoice_option: 'no_invoice' }), 'done');
      expect(charges(name)).toEqual([1_040, 7_000]);
      expect(domain(name)!.status).toBe('active');
      expect(await seller.paid(name)).toBe(1300 + 9000);
    },
  );

  test.each(faultsOf('lost_after', 'doubled'))(
    'a delete is carried out once and not refunded with the fault $kind',
    async (fault) => {
      const name = `delete-${fault.kind.replaceAll('_', '-')}.org`;
      await ends(await register(name), 'done');
      upstream.faults.add({ ...fault, call: 'deleteDomain', domain: name });
      await ends(await call('DELETE', name), 'done');
      expect(domain(name)!.status).toBe('redemption');
      expect(upstream.state.ledger.netOfDomain(name)).toBe(1_040);
      expect(await seller.paid(name)).toBe(1300);
    },
  );

  test('charges for each order once, and leaves no open order', async () => {
    expect(upstream.problems()).toEqual([]);
    const { open } = await seller.t.ctx.db.as(allTenants).one<{ open: string }>(sql`
      select count(*) as open from operation where state not in ('done', 'refused', 'cancelled')`);
    expect(Number(open)).toBe(0);
    await expectReconciled(seller.t);
  });

  test('logs in once, and stores neither the password nor the token as plain text', async () => {
    expect(upstream.logins).toBeLessThanOrEqual(2);
    const secrets = [upstream.state.settings.password, ...upstream.state.tokens.keys()];
    const db = seller.t.ctx.db.as(allTenants);
    const tables = await db.many<{ name: string }>(sql`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`);
    expect(tables.length).toBeGreaterThan(50);
    for (const { name } of tables) {
      const { content } = await db.one<{ content: string }>(sql`
        select query_to_xml(format('select * from %I', ${name}::text), true, false, '')::text as content`);
      for (const secret of secrets) expect(content.includes(secret), name).toBe(false);
    }
  });
});
