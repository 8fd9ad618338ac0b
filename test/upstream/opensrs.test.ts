import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testConnection } from '../../packages/server/src/registries/test-connection.ts';
import { Seller } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { SimulatorClock } from './simulators/clock.ts';
import type { FaultRule } from './simulators/faults.ts';
import { lenientSettings, strictSettings } from './simulators/opensrs/settings.ts';
import { OpenSrsSimulator } from './simulators/opensrs/simulator.ts';

const ns = 'ns1.host.example,ns2.host.example';
/** The costs that the seller of these tests has imported, in cents. */
const prices = { new: 1_040, renewal: 1_060, transfer: 1_020, redeem: 7_000 };

describe.each([strictSettings, lenientSettings])('a seller at OpenSRS ($form)', (form) => {
  let upstream: OpenSrsSimulator;
  let seller: Seller;

  beforeAll(async () => {
    const tlds = { ...form.tlds, org: prices };
    upstream = await OpenSrsSimulator.start({ ...form, tlds }, new SimulatorClock(Date.now));
    const more = {
      dialect: 'opensrs',
      timeouts: { queryMs: 2_000, transformMs: 2_000 },
      opensrs: { visibleAfterSeconds: 1 },
    };
    const { username: reseller, key } = upstream.state.settings;
    seller = await Seller.open({ port: upstream.server.port, reseller, key }, ['org'], more);
  });
  afterAll(async () => {
    await seller?.t.stop();
    await upstream?.stop();
  });

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

  describe('a registration', () => {
    const faults: readonly Omit<FaultRule, 'call'>[] = [
      { kind: 'lost_before' },
      { kind: 'lost_after' },
      { kind: 'cut' },
      { kind: 'delayed', delayMs: 3_000 },
      { kind: 'doubled' },
      { kind: 'error_before' },
      { kind: 'error_after' },
      { kind: 'maintenance' },
      { kind: 'numbers_as_text' },
      { kind: 'missing_fields', fields: ['response_code'] },
    ];
    test.each(faults)('is charged once with the fault $kind', async (fault) => {
      const name = `${fault.kind.replaceAll('_', '-')}.org`;
      upstream.faults.add({ ...fault, call: 'sw_register domain', domain: name });
      const called = await register(name);
      expect(await seller.settled(called.body.operation_id)).toBe('done');
      expect(charges(name)).toEqual([1_040]);
      expect(await seller.paid(name)).toBe(1300);
    });
  });

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
        select query_to_xml(format('select * from %I', ${name}::text), true, false, '')::text like ${`%${upstream.state.settings.key}%`} as has`);
      expect(has, name).toBe(false);
    }
  });
});
