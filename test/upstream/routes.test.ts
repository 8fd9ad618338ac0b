import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../packages/server/src/cli/run.ts';
import { tools } from '../../packages/server/src/command-line.ts';
import { reconcileNames } from '../../packages/server/src/core/domains/compare/reconcile.ts';
import { connectRegistry } from '../../packages/server/src/core/registries/connect.ts';
import { loadCatalogue } from '../../packages/server/src/core/tlds/load.ts';
import { Seller, upstreamAt } from '../namehold-upstream/chain.ts';
import { expectReconciled } from '../support/reconciliation.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/realtimeregister/settings.ts';
import { RealtimeRegisterSimulator } from './simulators/realtimeregister/simulator.ts';
import { authCode, type SimulatedUpstream, upstreams } from './simulators/upstreams.ts';

const ns = 'ns1.host.example,ns2.host.example';
/** In cents. The first upstream charges 10.40, 10.60, 10.20 and 70.00. */
const cheaper = { provider: 'pir', create: 910, renew: 930, transfer: 920, restore: 6_000 };
const cheaperCsv = [
  'tld,action,years,currency,amount,registry',
  'org,create,1,USD,9.10,rtr',
  'org,renew,1,USD,9.30,rtr',
  'org,transfer,1,USD,9.20,rtr',
  'org,restore,1,USD,60.00,rtr',
].join('\n');
const rules = { auto_renew: false, grace_days: { expired_hold: 30 } };
const entries = [
  { name: 'org', registry: 'up', rules },
  { name: 'org', registry: 'rtr', rules: { ...rules, periods: { max_years: 5 }, grace_days: { expired_hold: 20 } } },
];

let first: SimulatedUpstream;
let second: RealtimeRegisterSimulator;
let seller: Seller;
const asOperator = (method: string, path: string, json?: object) =>
  seller.t.call(method, path, { as: seller.t.operator, ...(json ? { json } : {}) });
const setRoute = (registry_id: string, more: object = {}) =>
  asOperator('PUT', '/v1/operator/routes/org', { registry_id, ...more });
const load = (catalogue: readonly object[]) => loadCatalogue(seller.t.ctx, JSON.stringify(catalogue), 'file');

beforeAll(async () => {
  first = await upstreams.logicboxes!();
  seller = await Seller.open(first.way, ['org'], first.profile);
  const tlds = { ...strictSettings.tlds, org: cheaper };
  second = await RealtimeRegisterSimulator.start({ ...strictSettings, tlds }, new SimulatorClock(Date.now));
});
afterAll(async () => {
  await seller?.t.stop();
  await first?.stop();
  await second?.stop();
});

/** The printed lines of a command that runs in this process. */
async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = (text: string) => void lines.push(...text.split('\n'));
  const log = vi.spyOn(console, 'log').mockImplementation(print);
  const error = vi.spyOn(console, 'error').mockImplementation(print);
  try {
    await runCommand(args, { ...tools, withContext: (work) => work(seller.t.ctx) });
    return lines;
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const charged = (name: string) => ({
  up: first.ledger.charges(name).map(({ amount }) => -amount),
  rtr: second.state.ledger.charges(name).map(({ amount }) => -amount),
});
const register = async (name: string) => {
  const called = await seller.order(name, { ns });
  expect(called.status, called.text).toBe(200);
  return called;
};
/** What we owe the registries for an order, in cents. */
const booked = async (order: () => Promise<unknown>) => {
  const before = await seller.owed();
  await order();
  return (await seller.owed()) - before;
};
const registryOf = async (name: string) => {
  const row = await seller.t.ctx.db
    .as(allTenants)
    .one<{ registry_id: string }>(sql`select registry_id from domain where name = ${name} and state <> 'removed'`);
  return row.registry_id;
};

describe('a second registry of a TLD', () => {
  test('becomes an alternative, and the route stays', async () => {
    await register('first.org');
    const { customer: reseller, apiKey: key } = second.state.settings;
    const way = { port: second.server.port, reseller, key };
    const changed = await connectRegistry(seller.t.ctx, {
      ...upstreamAt(way, ['org'], { dialect: 'realtimeregister' }),
      id: 'rtr',
      confirmsTlds: false,
    });
    expect(changed).toEqual({ taken: [], left: [], alternative: [{ tld: 'org', route: 'up' }] });
    const { body } = await asOperator('GET', '/v1/operator/routes');
    expect(body.routes).toEqual([
      {
        tld: 'org',
        registry_id: 'up',
        is_offered: true,
        alternatives: ['rtr'],
        domains: [{ registry_id: 'up', domains: 1 }],
      },
    ]);
  });

  test('gets no route without rules in the catalogue, or without costs', async () => {
    expect(await setRoute('rtr')).toMatchObject({ status: 409 });
    expect((await load(entries)).changed).toBe(1);
    expect((await load(entries)).version).toBeUndefined();
    const refused = await setRoute('rtr');
    expect(refused.status, refused.text).toBe(409);
    expect(refused.body.message).toContain('costs of create, renew, transfer, restore');
    expect(await setRoute('nowhere')).toMatchObject({ status: 400, body: { errors: [{ field: 'registry_id' }] } });
    const foreign = await seller.t.call('PUT', '/v1/operator/routes/org', { json: { registry_id: 'rtr' } });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'operator_only' } });
  });

  test('has costs of its own', async () => {
    const stored = await asOperator('POST', '/v1/account/price_list/import', { target: 'cost', csv: cheaperCsv });
    expect(stored.body).toMatchObject({ stored: 4, refused: 0 });
    const other = cheaperCsv.replaceAll('rtr', 'elsewhere');
    expect(
      (await asOperator('POST', '/v1/account/price_list/import', { target: 'cost', csv: other })).body.lines[0],
    ).toMatchObject({ status: 'refused', reason: expect.stringMatching(/^registry: .*elsewhere does not serve .org/) });
  });

  test.each([
    ['without an entry for the registry of the route', entries.slice(1), 'to which the route'],
    ['with two entries for one registry', [...entries, entries[1]!], 'two entries'],
    ['with entries that differ in is_offered', [entries[0]!, { ...entries[1], is_offered: false }], 'is_offered'],
  ])('is refused in a catalogue %s', async (_, catalogue, message) => {
    await expect(load(catalogue)).rejects.toThrow(message);
  });
});

describe('a change of a route', () => {
  test('shows its effects in a dry run, and changes nothing', async () => {
    const { status, body, text } = await setRoute('rtr', { dry_run: true });
    expect(status, text).toBe(200);
    expect(body).toMatchObject({ dry_run: true, from: 'up', to: 'rtr', pending: 0, below_cost: [], unpriced: [] });
    expect(body.staying).toEqual([{ registry_id: 'up', domains: 1 }]);
    expect(body.rules).toContainEqual({ rule: 'periods.max_years', before: '10', after: '5' });
    expect(body.rules).toContainEqual({ rule: 'grace_days.expired_hold', before: '30', after: '20' });
    expect(body.costs[0]).toEqual({
      action: 'create',
      years: 1,
      before: { amount: '10.40', currency: 'USD' },
      after: { amount: '9.10', currency: 'USD' },
    });
    expect(await run('route', 'set', 'org', 'rtr', '--dry-run')).toEqual([
      'rule   dnssec.records "none" -> "ds"',
      'rule   grace_days.expired_hold 30 -> 20',
      'rule   periods.max_years 10 -> 5',
      'cost   create 10.40 USD -> 9.10 USD',
      'cost   renew 10.60 USD -> 9.30 USD',
      'cost   transfer 10.20 USD -> 9.20 USD',
      'cost   restore 70.00 USD -> 60.00 USD',
      '1 domain at up: no change',
      'the route of .org would lead to rtr (now up); nothing was changed',
    ]);
    expect(await run('route', 'list')).toEqual(['.org  up  alternatives rtr  1 domain at up']);
    await register('still-first.org');
    expect(charged('still-first.org')).toEqual({ up: [1_040], rtr: [] });
  });

  test('sends new registrations and transfers in to the other registry, at its cost', async () => {
    const { status, text } = await setRoute('rtr');
    expect(status, text).toBe(200);
    expect(await booked(() => register('second.org'))).toBe(910);
    expect(charged('second.org')).toEqual({ up: [], rtr: [910] });
    second.addElsewhere('moved-in.org', { authCode });
    first.addElsewhere('moved-in.org');
    const called = await seller.order('moved-in.org', { auth_code: authCode });
    expect([200, 202], called.text).toContain(called.status);
    await seller.until(called.body.operation_id, ['waiting_registry', 'done']);
    second.state.portfolio.settle();
    expect(await seller.settled(called.body.operation_id)).toBe('done');
    expect(charged('moved-in.org')).toEqual({ up: [], rtr: [920] });
    const { body } = await asOperator('GET', '/v1/account/audit?action=route.set');
    expect(body[0]).toMatchObject({ object_id: 'org', before: { registry_id: 'up' }, after: { registry_id: 'rtr' } });
  });

  test('leaves existing domains at their registry, with the costs and rules there', async () => {
    expect(await booked(() => seller.renew('first.org'))).toBe(1_060);
    expect(await booked(() => seller.renew('second.org'))).toBe(930);
    expect(charged('first.org')).toEqual({ up: [1_040, 1_060], rtr: [] });
    expect(charged('second.org')).toEqual({ up: [], rtr: [910, 930] });
    const years = async (name: string) => {
      const query = { domain_name: name, kind: 'renew', years: '6' };
      return (await seller.t.call('POST', '/v1/quotes', { json: { ...query, years: 6 } })).status;
    };
    expect(await years('first.org')).toBe(200);
    expect(await years('second.org')).toBe(400);
    expect((await seller.t.call('GET', '/v1/tlds/org')).body.rules.periods.max_years).toBe(5);
    expect([await registryOf('first.org'), await registryOf('second.org')]).toEqual(['up', 'rtr']);
  });

  test('agrees with both upstreams in reconciliation', async () => {
    const reports = await reconcileNames(seller.t.ctx);
    expect(reports.map(({ name, outcome, drift }) => [name, outcome, drift.length])).toEqual([
      ['first.org', 'live', 0],
      ['still-first.org', 'live', 0],
      ['second.org', 'live', 0],
      ['moved-in.org', 'live', 0],
    ]);
    await expectReconciled(seller.t);
    expect([...first.problems(), ...second.problems()]).toEqual([]);
  });

  test('lets open orders wait at a registry that does not answer, and accepts new ones at another', async () => {
    expect((await setRoute('up')).status).toBe(200);
    first.faults.add({ kind: 'maintenance', times: 1_000 });
    const waiting = await seller.order('waiting.org', { ns }, '3001', 1);
    expect(waiting.status, waiting.text).toBe(202);
    expect((await setRoute('rtr', { dry_run: true })).body.pending).toBe(1);
    expect((await setRoute('rtr')).status).toBe(200);
    await register('at-once.org');
    expect(charged('at-once.org')).toEqual({ up: [], rtr: [910] });
    expect(charged('waiting.org')).toEqual({ up: [], rtr: [] });
    expect(await registryOf('waiting.org')).toBe('up');
    first.faults.clear();
  });

  test('can be repeated, and exchanges costs without a loss', async () => {
    const costs = () =>
      seller.t.ctx.db.as(allTenants).many<{ line: string }>(sql`
        select 'route ' || action || ' ' || amount as line from registry_cost where tld = 'org'
        union all select registry_id || ' ' || action || ' ' || amount from tld_alternative_cost order by 1`);
    const before = await costs();
    expect((await setRoute('rtr')).body).toMatchObject({ from: 'rtr', to: 'rtr', costs: [], rules: [] });
    expect((await setRoute('up')).status).toBe(200);
    expect(await costs()).not.toEqual(before);
    expect((await setRoute('rtr')).status).toBe(200);
    expect(await costs()).toEqual(before);
    expect((await load(entries)).version).toBeDefined();
    expect((await seller.t.call('GET', '/v1/tlds/org')).body.rules.periods.max_years).toBe(5);
  });
});

describe('the comparison of costs', () => {
  const connect = async () => {
    const registry = { ...upstreamAt(first.way, ['org'], first.profile), id: 'eur', currency: 'EUR' };
    await connectRegistry(seller.t.ctx, { ...registry, confirmsTlds: false });
  };
  const importCost = async (...more: string[]) => {
    const csv = ['tld,action,currency,amount,registry', ...more].join('\n');
    const stored = await asOperator('POST', '/v1/account/price_list/import', { target: 'cost', csv });
    expect(stored.body, stored.text).toMatchObject({ refused: 0 });
  };
  const compared = async (query: Record<string, string> = {}) => {
    const called = await seller.t.call('GET', '/v1/operator/costs', { as: seller.t.operator, query });
    expect(called.status, called.text).toBe(200);
    return called.body;
  };

  test('lists the cheapest registry first, and names what cannot be compared', async () => {
    await connect();
    const { costs, currency } = await compared();
    expect(currency).toBe('USD');
    expect(costs.map(({ action }: { action: string }) => action)).toEqual(['create', 'renew', 'transfer', 'restore']);
    expect(costs[0]).toMatchObject({
      tld: 'org',
      offers: [
        { registry_id: 'rtr', is_route: true, converted: { amount: '9.10', currency: 'USD' }, rate: null },
        { registry_id: 'up', is_route: false, converted: { amount: '10.40', currency: 'USD' }, rate: null },
      ],
      uncompared: [{ registry_id: 'eur', reason: 'no_cost', cost: null }],
    });
  });

  test('converts costs by the dated exchange rate', async () => {
    await importCost('org,create,EUR,7.00,eur');
    const [before] = (await compared({ tlds: 'org,nowhere' })).costs;
    expect(before.uncompared).toMatchObject([
      { reason: 'no_exchange_rate', cost: { amount: '7.00', currency: 'EUR' } },
    ]);
    expect((await compared({ tlds: 'org,nowhere' })).unserved).toEqual(['nowhere']);
    await run('exchange-rate', 'set', 'EUR', 'USD', '1.10', '--margin', '2');
    const [{ offers }] = (await compared({ tlds: '.ORG', years: '2' })).costs;
    expect(offers[0]).toMatchObject({
      registry_id: 'eur',
      cost: { amount: '14.00', currency: 'EUR' },
      converted: { amount: '15.71', currency: 'USD' },
      rate: { rate: '1.1', margin_percent: '2' },
    });
    expect(offers.map(({ registry_id }: { registry_id: string }) => registry_id)).toEqual(['eur', 'rtr', 'up']);
    const today = seller.t.ctx.clock.now().toISOString().slice(0, 10);
    expect((await run('price', 'compare')).slice(0, 4)).toEqual([
      '.org create',
      `  7.85 USD  eur  (7.00 EUR at 1.1 + 2 % of ${today})  since ${today}`,
      `  9.10 USD  rtr  since ${today}  (route)`,
      `  10.40 USD  up  since ${today}`,
    ]);
  });

  test('is only for the operator', async () => {
    expect(await seller.t.call('GET', '/v1/operator/costs')).toMatchObject({ status: 403 });
  });
});
