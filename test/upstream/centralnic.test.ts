import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import type { Registry } from '../../packages/server/src/core/ports/registry.ts';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { CentralNicUpstream } from './centralnic-upstream.ts';
import { yearsLater } from './simulators/clock.ts';

const ns = 'ns1.namehold-dns.net,ns2.namehold-dns.net';

describe('a seller at CentralNic Reseller', () => {
  let upstream: CentralNicUpstream;
  let port: Registry;
  beforeAll(async () => {
    upstream = await CentralNicUpstream.open(['org', 'nl']);
    port = await upstream.t.ctx.registries.of('up');
  });
  afterAll(() => upstream?.stop());

  const order = async (name: string, more: Record<string, string> = {}) => {
    const called = await upstream.seller.order(name, { ns, ...more });
    expect([200, 202], called.text).toContain(called.status);
    return called;
  };
  const ends = async (called: { body: { operation_id: string } }, state: string) => {
    expect(await upstream.seller.settled(called.body.operation_id)).toBe(state);
  };
  const done = async (name: string) => {
    const reply = await port.info(name);
    if (reply.kind !== 'done' || !reply.data) throw new Error(JSON.stringify(reply));
    return reply.data;
  };
  const modeOf = async (name: string) => (await upstream.domain(name)).keysys.renewalmode;
  const costs: Record<string, string> = { org: '10.74', nl: '4.50' };
  const charge = (command: string, tld = 'org') => `${command} ${costs[tld]}`;

  test('passes the test of a connection', async () => {
    const { ok, findings } = await testConnection(upstream.t.ctx, 'up');
    expect(ok, findings.join('; ')).toBe(true);
  });

  test('registers a domain with assigned contact ids, and switches the renewal of the upstream off', async () => {
    await ends(await order('first.org'), 'done');
    const there = await upstream.domain('first.org');
    expect(there.registrant).toMatch(/^P-/);
    expect(await modeOf('first.org')).toBe('AUTOEXPIRE');
    expect(await done('first.org')).toMatchObject({ autoRenew: false, registrant: expect.stringMatching(/^nh/) });
    expect(await upstream.charges('first.org')).toEqual([charge('create')]);
  });

  test('passes a refusal on, and releases the money', async () => {
    const called = await upstream.seller.order('x.org', { ns }, undefined, 10);
    expect(called.status, called.text).toBe(400);
    expect(called.body).toMatchObject({ code: 'domain_not_available' });
    expect(await upstream.seller.paid('x.org')).toBe(0);
  });

  const lost = ['drop-before', 'drop-after-commit', 'cut', '2400'];

  describe('an order with a lost answer is charged once', () => {
    test.each(lost)('registration: %s', async (kind) => {
      const name = `new-${kind}.org`;
      await upstream.fault(kind, 'domain:create', { name, bytes: 40, when: 'after' });
      await ends(await order(name), 'done');
      expect(await upstream.charges(name)).toEqual([charge('create')]);
      expect(await modeOf(name)).toBe('AUTOEXPIRE');
    });

    test.each(lost)('renewal: %s', async (kind) => {
      const name = `old-${kind}.org`;
      await ends(await order(name), 'done');
      const { expiresAt } = await done(name);
      await upstream.fault(kind, 'domain:renew', { name, bytes: 40, when: 'after' });
      const called = await upstream.seller.renew(name);
      await ends(called, 'done');
      expect(await upstream.charges(name)).toEqual([charge('create'), charge('renew')]);
      expect((await done(name)).expiresAt!.getTime()).toBe(yearsLater(expiresAt!.getTime(), 1));
    });

    test.each(lost)('renewal by the renewal mode: %s', async (kind) => {
      const name = `mode-${kind}.nl`;
      await ends(await order(name), 'done');
      const { expiresAt } = await done(name);
      await upstream.fault(kind, 'domain:update', { name, bytes: 40, when: 'after' });
      const called = await upstream.seller.renew(name);
      await ends(called, 'done');
      expect(await modeOf(name)).toBe('RENEWONCETHENAUTOEXPIRE');
      expect(await upstream.charges(name)).toEqual([charge('create', 'nl')]);
      expect((await done(name)).expiresAt!.getTime()).toBe(yearsLater(expiresAt!.getTime(), 1));
    });

    test.each(lost)('transfer: %s', async (kind) => {
      const name = `comes-${kind}.org`;
      await upstream.asOtherRegistrar((other) => other.hold(name, 'Long-auth-code-4711'));
      await upstream.fault(kind, 'domain:transfer:request', { name, bytes: 40, when: 'after' });
      const called = await order(name, { auth_code: 'Long-auth-code-4711' });
      await upstream.seller.until(called.body.operation_id, ['waiting_registry']);
      await upstream.approve(name);
      await ends(called, 'done');
      expect(await upstream.charges(name)).toEqual([charge('transfer')]);
    });
  });

  describe('a transfer in', () => {
    test('takes contacts and nameservers, and the renewal of the upstream is switched off after it', async () => {
      const name = 'whole.org';
      await upstream.asOtherRegistrar((other) => other.hold(name, 'Long-auth-code-4711'));
      const called = await order(name, { auth_code: 'Long-auth-code-4711' });
      // The upstream states no date for the answer of the losing registrar.
      expect(await upstream.seller.until(called.body.operation_id, ['waiting_registry'])).toBe('waiting_registry');
      await upstream.approve(name);
      await ends(called, 'done');
      const there = await upstream.domain(name);
      expect(there.registrant).toMatch(/^P-/);
      expect(there.contacts.every(({ id }: { id: string }) => id.startsWith('P-'))).toBe(true);
      await reconcileNames(upstream.t.ctx, [name]);
      await expect.poll(() => modeOf(name), { timeout: 60_000 }).toBe('AUTOEXPIRE');
    });

    test('charges nothing for a wrong auth code, and waits for another', async () => {
      const name = 'wrong-code.org';
      await upstream.asOtherRegistrar((other) => other.hold(name, 'Long-auth-code-4711'));
      const called = await order(name, { auth_code: 'Other-auth-code-1' });
      const { body } = await upstream.t.call('GET', `/v1/operations/${called.body.operation_id}`);
      expect(JSON.stringify(body)).toContain('code');
      expect(await upstream.charges(name)).toEqual([]);
    });
  });

  test('a renewal that is ordered by its mode is carried out once, and another one only after it', async () => {
    const name = 'by-mode.nl';
    await ends(await order(name), 'done');
    await ends(await upstream.seller.renew(name), 'done');
    const again = await upstream.seller.renew(name);
    expect(again.status).toBe(400);
    expect(again.text).toContain('ordered and not yet carried out');
    await expectReconciled(upstream.t);
    upstream.t.moveClock('+366d');
    await upstream.sandbox.settle();
    expect(await upstream.charges(name)).toEqual([charge('create', 'nl'), charge('autorenew', 'nl')]);
    expect(await modeOf(name)).toBe('AUTOEXPIRE');
  });
});

describe('the HTTP API of CentralNic Reseller', () => {
  let upstream: CentralNicUpstream;
  let port: Registry;
  beforeAll(async () => {
    upstream = await CentralNicUpstream.open(['org', 'nl']);
    port = await upstream.t.ctx.registries.of('up');
    for (const name of ['aa.org', 'bb.org', 'cc.nl', 'dd.nl', 'ee.org']) {
      const called = await upstream.seller.order(name, { ns });
      expect(called.status, called.text).toBe(200);
    }
  });
  afterAll(() => upstream?.stop());

  const done = async (name: string) => {
    const reply = await port.info(name);
    if (reply.kind !== 'done' || !reply.data) throw new Error(JSON.stringify(reply));
    return reply.data;
  };
  const holdings = async (wanted: Parameters<NonNullable<Registry['holdings']>>[0]) => {
    const reply = await port.holdings!(wanted);
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
    return reply.data;
  };

  test('lists domains in byte order, with their charges', async () => {
    const page = await holdings({ after: '', limit: 3 });
    expect(page.map(({ name }) => name)).toEqual(['aa.org', 'bb.org', 'cc.nl']);
    expect(page[0]).toMatchObject({
      isOurs: true,
      lines: [{ kind: 'charge', command: 'create', fee: { amount: '10.74', currency: 'USD' } }],
    });
    const rest = await holdings({ after: 'cc.nl', limit: 3 });
    expect(rest.map(({ name }) => name)).toEqual(['dd.nl', 'ee.org']);
    expect(await holdings({ name: 'none.org' })).toEqual([]);
  });

  test('shows a renewal that is ordered and not yet charged', async () => {
    const called = await upstream.seller.renew('dd.nl');
    expect(called.status, called.text).toBe(200);
    const [holding] = await holdings({ name: 'dd.nl' });
    expect(holding!.lines!.map(({ command, fee }) => `${command} ${fee.amount}`)).toEqual([
      'create 4.50',
      'renew 4.50',
    ]);
    expect(holding!.expiresAt!.getUTCFullYear() - new Date().getUTCFullYear()).toBe(2);
    await expectReconciled(upstream.t);
  });

  test('agrees with our records after a domain has left', async () => {
    const called = await upstream.t.call('DELETE', '/v1/domains/ee.org', { headers: { Prefer: 'wait=60' } });
    expect([200, 202], called.text).toContain(called.status);
    const [holding] = await holdings({ name: 'ee.org' });
    expect(holding).toMatchObject({ isOurs: false, lines: [{ kind: 'charge' }, { kind: 'refund' }] });
    await expectReconciled(upstream.t);
  });

  test('agrees with our records while a deleted domain can be restored', async () => {
    // Older than the days in which a delete is refunded.
    upstream.t.moveClock('+10d');
    const called = await upstream.t.call('DELETE', '/v1/domains/aa.org', { headers: { Prefer: 'wait=60' } });
    expect([200, 202], called.text).toContain(called.status);
    expect(await done('aa.org')).toMatchObject({ statuses: expect.arrayContaining(['pendingDelete']) });
    await expectReconciled(upstream.t);
  });

  test('reports balance, prices and TLDs', async () => {
    const balance = await port.balance!();
    expect(balance).toMatchObject({ kind: 'done', data: { available: expect.stringMatching(/^\d+\.\d\d$/) } });
    const prices = await port.priceList!(['nl']);
    if (prices.kind !== 'done') throw new Error(JSON.stringify(prices));
    const shown = prices.data
      .filter(({ years }) => years < 3)
      .map((each) => `${each.command} ${each.years} ${each.fee.amount}`);
    expect(shown).toEqual([
      'create 1 4.50',
      'renew 1 4.50',
      'create 2 9.00',
      'renew 2 9.00',
      'transfer 1 4.50',
      'restore 1 40.00',
    ]);
    expect(await port.offeredTlds!()).toMatchObject({ kind: 'done', data: [{ tld: 'org' }, { tld: 'nl' }] });
  });

  test('reports an account in another currency', async () => {
    await upstream.connect(['org', 'nl'], { currency: 'EUR' as never });
    const other = await upstream.t.ctx.registries.of('up');
    expect(await other.balance!()).toMatchObject({
      kind: 'refused',
      evidence: { text: 'the account is kept in USD, and the profile states EUR' },
    });
  });

  test('a wrong address is a finding of the test of the connection, without the password', async () => {
    await upstream.connect(['org', 'nl'], { side: { url: 'http://127.0.0.1:1/api/call.cgi' } });
    const { ok, findings } = await testConnection(upstream.t.ctx, 'up');
    expect(ok).toBe(false);
    const password = upstream.sandbox.systems.find(({ name }) => name === 'centralnic-reseller')!.password;
    expect(findings.join()).toContain('the HTTP API of the profile (side)');
    expect(findings.join()).not.toContain(password);
  });
});
