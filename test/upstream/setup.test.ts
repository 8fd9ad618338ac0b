import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../packages/server/src/cli/run.ts';
import { tools } from '../../packages/server/src/command-line.ts';
import { openAlarms } from '../../packages/server/src/core/alarms/alarm.ts';
import { compareUpstreamPrices } from '../../packages/server/src/core/pricing/upstream-prices.ts';
import {
  raiseOrClearPriceAlarm,
  watchUpstreamPrices,
} from '../../packages/server/src/core/pricing/watch-upstream-prices.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { SimulatorClock } from './simulators/clock.ts';
import { strictSettings } from './simulators/logicboxes/settings.ts';
import { LogicBoxesSimulator } from './simulators/logicboxes/simulator.ts';
import { upstreams } from './simulators/upstreams.ts';

/** Setup of an account at an upstream, and its price list. */
let t: TestService;
let upstream: LogicBoxesSimulator;
let folder: string;
let customerId: string;
const domorg = { addnewdomain: 1_040, renewdomain: 1_060, addtransferdomain: 1_020, restoredomain: 7_000 };
const { apiKey, resellerId } = strictSettings;

beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_THEFT_PROTECTION: 'off' } });
  const products = { ...strictSettings.products, domorg };
  upstream = await LogicBoxesSimulator.start({ ...strictSettings, products }, new SimulatorClock(Date.now));
  customerId = upstream.addCustomer('shop@example.com').id;
  upstream.addDomain('ours.org', customerId);
  folder = mkdtempSync(join(tmpdir(), 'setup-'));
  writeFileSync(join(folder, 'key'), `${apiKey}\n`);
  writeFileSync(join(folder, 'wrong'), 'another-key-0123456789');
  const limits = { sessions: 4, requestsPerMinute: 60_000 };
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ transport: 'http', logicboxes: {}, limits }));
});
afterAll(async () => {
  await t?.stop();
  await upstream?.stop();
  if (folder) rmSync(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. `answers`: what a user enters at the terminal; undefined without a terminal. */
async function run(args: readonly string[], answers?: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void out.push(text));
  const error = vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
  const prompt = answers && (async () => answers.shift() ?? '');
  try {
    const code = await runCommand([...args], { ...tools, withContext: (work) => work(t.ctx), prompt });
    return { code, out: out.join('\n'), err: err.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}

const way = () => [
  '--profile',
  join(folder, 'own.json'),
  '--host',
  '127.0.0.1',
  '--port',
  String(upstream.server.port),
];
const add = (id: string, more: readonly string[], key = 'key') => {
  const login = ['--client-id', resellerId, '--customer-id', customerId, '--password-file', join(folder, key)];
  return run(['registry', 'add', id, '--upstream', 'resellerclub', ...way(), ...login, ...more]);
};
const isStored = async (id: string) =>
  (await t.ctx.db.as(allTenants).many(sql`select id from registry where id = ${id}`)).length === 1;
const costOf = (tld: string, action: string) =>
  t.ctx.db.as(allTenants).many<{ amount: string }>(sql`
    select amount from registry_cost where tld = ${tld} and action = ${action} order by valid_from`);
const alarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key.endsWith(':prices'));

describe('registry add --upstream', () => {
  test.each([
    ['a wrong key', 'wrong', ['--currency', 'USD'], /Invalid credentials.*\n.*API settings.*suspended/],
    ['another currency', 'key', ['--currency', 'EUR'], /billed in USD, and the profile has EUR\n.*in place of EUR/],
    ['no connection', 'key', ['--currency', 'USD', '--port', '1'], /ECONNREFUSED.*\n.*127\.0\.0\.1:1/],
  ])('reports %s with the answer and a remedy, and stores nothing', async (_, key, more, expected) => {
    const ran = await add('refused', [...more, '--tlds', 'org'], key);
    expect(ran).toMatchObject({ code: 1, out: expect.stringMatching(expected) });
    expect(await isStored('refused')).toBe(false);
  });

  test('reports an address that is not allowed, and a page in place of an answer', async () => {
    upstream.allowed = false;
    const refused = await add('refused', ['--currency', 'USD', '--tlds', 'org']);
    upstream.allowed = true;
    expect(refused.out).toMatch(/status 403\n.*allow the address/);
    upstream.faults.add({ kind: 'maintenance', call: 'billing/reseller-balance' });
    const page = await add('refused', ['--currency', 'USD', '--tlds', 'org']);
    expect(page).toMatchObject({ code: 1, out: expect.stringContaining('no JSON') });
    expect(await isStored('refused')).toBe(false);
  });

  test('requests missing values at the terminal, and refuses to run without one', async () => {
    const asked = await run(
      ['registry', 'add', 'asked', '--upstream', 'logicboxes', ...way(), '--out', folder, '--json'],
      [resellerId, customerId, 'usd', apiKey, 'org, net'],
    );
    expect(asked, asked.err).toMatchObject({ code: 0 });
    expect(JSON.parse(asked.out)).toMatchObject({ balance: '100000', domains: 1, tlds: ['org', 'net'] });
    expect(asked.out).not.toContain(apiKey);
    const [first] = JSON.parse(readFileSync(join(folder, 'asked-catalogue.json'), 'utf8')).slice(-2);
    expect(first).toMatchObject({ name: 'org', registry: 'asked', rules: { auto_renew: false } });
    const costs = readFileSync(join(folder, 'asked-costs.csv'), 'utf8');
    expect(costs).toContain('org,create,1,USD,10.40,');
    expect(await costOf('org', 'create')).toEqual([]);
    expect(await run(['registry', 'add', '--upstream', 'opensrs'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--client-id is missing'),
    });
  });

  test('refuses an unknown service, an option without it, and a TLD that the account cannot sell', async () => {
    expect((await run(['registry', 'add', '--upstream', 'nothing'])).err).toContain('resellerclub');
    expect((await run(['registry', 'add', 'x', '--load'])).err).toContain('--load needs --upstream');
    expect((await add('lb', ['--currency', 'USD', '--tlds', 'org,zz'])).err).toContain('cannot sell .zz');
    expect(await isStored('lb')).toBe(false);
  });

  test('loads catalogue, costs and prices with a margin', async () => {
    const margin = ['--margin', '15%', '--rounding-step', '1.00', '--rounding-ending', '0.99'];
    const added = await add('lb', ['--currency', 'USD', '--tlds', 'org,net', ...margin, '--load', '--confirm-tlds']);
    expect(added, added.err).toMatchObject({ code: 0 });
    expect(added.out).toContain('price  .org create 11.99 USD (new)');
    expect(added.out).toContain('next: namehold registry test lb');
    expect(await costOf('org', 'create')).toEqual([{ amount: '1040' }]);
    expect((await run(['registry', 'test', 'lb'])).out).toContain('registry lb: works');
    const { body } = await t.call('GET', '/v1/domains/availability', { query: { domain: 'free.org' } });
    expect(body[0]['free.org'].status).toBe('available');
  });
});

describe('registry record', () => {
  test('writes field names and types of the answers, and compares them with the simulator', async () => {
    const ran = await run(['registry', 'record', 'lb', '--tld', 'org', '--out', folder]);
    expect(ran.out, ran.err).toMatch(/^11 calls recorded, 0 differences from the simulator of logicboxes/);
    expect(ran.code).toBe(0);
    const file = readFileSync(join(folder, 'lb-shapes.json'), 'utf8');
    expect(JSON.parse(file).shapes['GET /billing/reseller-balance']['/sellingcurrencysymbol']).toBe('text');
    expect(file).not.toMatch(/ours\.org|shop@example/);
    expect(file).not.toContain(apiKey);
  });

  test('refuses a TLD of another registry, and a registry that does not exist', async () => {
    expect((await run(['registry', 'record', 'lb', '--tld', 'shop'])).err).toContain('does not serve it');
    expect((await run(['registry', 'record', 'nothing'])).err).toContain('not found');
  });
});

describe.each(Object.entries(upstreams))('an account at %s', (name, open) => {
  test('is tested before it is stored', async () => {
    const simulated = await open();
    const { port, reseller, key } = simulated.way;
    const profile = tools.readProfile(
      JSON.stringify({
        kind: 'upstream',
        currency: simulated.ledger.currency,
        transport: 'http',
        ...simulated.profile,
      }),
      name,
    );
    simulated.addDomain(`${name}-one.org`);
    const login = { id: name, profile, host: '127.0.0.1', port, clientId: reseller };
    const works = await tools.upstreamAccounts.openTrial(t.ctx, { ...login, secret: key });
    expect(await works.run()).toMatchObject({ ok: true, balance: expect.stringMatching(/^\d+/), domains: 1 });
    const listed = await works.prices(['org']);
    expect(listed).toContainEqual(expect.objectContaining({ tld: 'org', command: 'create' }));
    const wrong = await tools.upstreamAccounts.openTrial(t.ctx, { ...login, secret: 'another-key-0123456789' });
    expect(await wrong.run()).toMatchObject({ ok: false, problem: 'login' });
    works.close();
    wrong.close();
    await simulated.stop();
  });
});

describe('price import --from-upstream', () => {
  const priceImport = (...more: string[]) => run(['price', 'import', '--from-upstream', 'lb', ...more]);

  test('changes nothing for a list that is imported already', async () => {
    expect((await priceImport()).out).toBe('0 stored, 0 refused');
    expect(await costOf('org', 'create')).toHaveLength(1);
  });

  test('reports old and new amounts, and prices below cost, and stores them only without a dry run', async () => {
    domorg.addnewdomain = 1_300;
    const dry = await priceImport('--dry-run');
    expect(dry.out).toContain('cost   .org create 10.40 -> 13.00 USD (+25 %)');
    expect(dry.out).toContain('below cost: .org create is sold for 11.99 USD and costs 13.00 USD');
    expect(dry.out).toContain('1 costs and 0 prices would change; nothing was stored');
    expect(await costOf('org', 'create')).toHaveLength(1);
    const stored = await priceImport('--margin', '2.50', '--tlds', 'org');
    expect(stored.out).toContain('price  .org create 11.99 -> 15.50 USD');
    expect(stored.out).not.toContain('below cost');
    expect(await costOf('org', 'create')).toEqual([{ amount: '1040' }, { amount: '1300' }]);
    expect((await priceImport('--margin', '2.50', '--tlds', 'org')).out).toBe('0 stored, 0 refused');
  });

  test.each([
    [['--margin', 'much'], 1, /amount/],
    [['--margin', '15%', '--rounding-ending', '0.99'], 2, /--rounding-ending needs/],
    [['--tlds', 'shop'], 1, /does not serve \.shop/],
    [['--margin', '15%', '--price-currency', 'IDR'], 1, /no exchange rate from USD to IDR/],
    [['--target', 'cost'], 2, /--target must be/],
  ] as const)('refuses %j', async (more, code, message) => {
    expect(await priceImport(...more)).toMatchObject({ code, err: expect.stringMatching(message) });
  });

  test('stores a coming price with its date, and ends a temporary one', async () => {
    const { ctx } = t;
    const from = new Date(ctx.clock.now().getTime() + 86_400_000 * 30);
    const row = { tld: 'org', command: 'renew', years: 1 } as const;
    const listed = [
      { ...row, fee: { amount: '9.00', currency: 'USD' } },
      { ...row, fee: { amount: '10.60', currency: 'USD' }, from },
    ];
    const found = await compareUpstreamPrices(ctx, { registryId: 'lb' }, ['org'], listed, {
      audience: 'reseller',
      currency: 'USD',
    });
    expect(found.costs).toMatchObject([
      { before: 1_060n, after: 900n, from: null },
      { before: 900n, after: 1_060n, from },
    ]);
  });
});

describe('the daily comparison of prices', () => {
  test('raises an alarm for another price, and clears it after the import', async () => {
    await t.ctx.db.transaction(allTenants, (tx) =>
      tx.run(sql`update registry set created_at = created_at - interval '2 days' where id = 'lb'`),
    );
    domorg.restoredomain = 7_500;
    await watchUpstreamPrices(t.ctx);
    await expect
      .poll(alarms, { timeout: 300_000 })
      .toMatchObject([{ sentence: expect.stringContaining('.org restore 70.00 -> 75.00 USD (+7.1 %)') }]);
    expect((await run(['price', 'import', '--from-upstream', 'lb'])).out).toContain('1 stored, 0 refused');
    expect(await alarms()).toEqual([]);
  });

  test('names a price that will apply later, and a TLD that is no longer listed', async () => {
    const from = new Date(t.ctx.clock.now().getTime() + 86_400_000 * 30);
    const fee = (amount: string) => ({ amount, currency: 'USD' });
    const org = (amount: string) => ({ tld: 'org', command: 'create' as const, years: 1, fee: fee(amount) });
    await raiseOrClearPriceAlarm(t.ctx, 'lb', ['net', 'org'], [org('13.00'), { ...org('14.00'), from }]);
    const [alarm] = await alarms();
    expect(alarm?.sentence).toContain(
      `.org create 13.00 -> 14.00 USD (+7.6 %) from ${from.toISOString().slice(0, 10)}`,
    );
    expect(alarm?.sentence).toContain('.net is no longer listed');
  });
});
