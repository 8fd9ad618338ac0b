import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { type Called, startTestService, type TestService } from '../../../../test/support/service.ts';
import { guessLimits } from '../../src/http/guess-throttle.ts';

const profile = '/v1/account/profile';
let t: TestService;
afterEach(() => t.stop());

const start = async (env: Record<string, string>) => {
  t = await startTestService({ env });
};
const statuses = (called: readonly Called[]) => called.map((one) => one.status);
const granted = (called: readonly Called[]) => statuses(called).filter((status) => status === 200).length;

async function many(count: number, send: (index: number) => Promise<Called>): Promise<Called[]> {
  const all: Called[] = [];
  for (let i = 0; i < count; i++) all.push(await send(i));
  return all;
}

/** Sends until one is refused, whatever the speed of the machine: one unit is refilled per second. */
async function untilRefused(send: (index: number) => Promise<Called>): Promise<Called[]> {
  const all: Called[] = [];
  do all.push(await send(all.length));
  while (all.at(-1)!.status !== 429 && all.length < 1_000);
  return all;
}

describe('the rate limit of one key', () => {
  test('allows a burst, then returns 429 with the time to wait, and recovers', async () => {
    // A burst of half the minute's budget; one unit is refilled per second.
    await start({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '60' });
    const began = performance.now();
    const called = await untilRefused(() => t.call('GET', profile));
    const seconds = (performance.now() - began) / 1000;
    expect(granted(called)).toBeGreaterThanOrEqual(30);
    expect(granted(called)).toBeLessThanOrEqual(31 + Math.ceil(seconds));
    expect(called[0]!.headers.get('ratelimit-policy')).toBe('"default";q=60;w=60');
    const left = called.slice(0, 30).map((one) => Number(/r=(\d+)/.exec(one.headers.get('ratelimit')!)![1]));
    expect(left).toEqual([...left].sort((a, b) => b - a));
    const refused = called.find((one) => one.status === 429)!;
    expect(refused.body).toMatchObject({ type: 'invalid_request', code: 'rate_limited' });
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get('ratelimit')).toMatch(/^"default";r=0;t=\d+$/);
    await sleep(wait * 1000 + 200);
    expect((await t.call('GET', profile)).status).toBe(200);
  });
  test('is granted by the process without burst while the database is read-only', async () => {
    await start({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '60' });
    const owner = new pg.Client({ connectionString: t.databaseUrl });
    await owner.connect();
    const { rows } = await owner.query<{ text: string }>(`select pg_get_functiondef('rate_take'::regproc) as text`);
    await owner.query(rows[0]!.text.replace(/\bbegin\b/, "begin raise exception using errcode = '25006';"));
    const began = performance.now();
    const called = await many(20, () => t.call('GET', profile));
    const seconds = (performance.now() - began) / 1000;
    expect(called[0]!.status).toBe(200);
    expect(granted(called)).toBeLessThanOrEqual(1 + Math.ceil(seconds));
    const refused = called.find((one) => one.status === 429)!;
    expect(refused.headers.get('retry-after')).toBe('1');
    // Units granted by the database before and after count as one budget.
    await owner.query(rows[0]!.text);
    await owner.end();
    await sleep(1_100);
    expect(statuses(await many(20, () => t.call('GET', profile)))).toEqual(Array(20).fill(200));
  });
  test('is separate from that of other keys', async () => {
    await start({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '20' });
    const other = await makeReseller(t);
    expect((await untilRefused(() => t.call('GET', profile))).at(-1)!.status).toBe(429);
    expect((await t.call('GET', profile, { as: other })).status).toBe(200);
  });
  test('allows a panel registration of seven calls many times', async () => {
    await start({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '3000', NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '6000' });
    // 700 calls of 100 registrations, 100 in flight at a time.
    for (let round = 0; round < 7; round++) {
      const called = await Promise.all(Array.from({ length: 100 }, () => t.call('GET', profile)));
      expect(new Set(statuses(called))).toEqual(new Set([200]));
    }
    // The process leased what it needed and not the whole budget: another one still gets its share.
    const { left } = await t.ctx.db
      .as(allTenants)
      .one<{ left: number }>(
        sql`select (1500 - extract(epoch from max(empties_at) - now()) * 50)::integer as left from rate_bucket where bucket like 'key:%'`,
      );
    expect(left).toBeGreaterThan(1_500 - 700 - 300);
  });
});

test('two processes share one budget', async () => {
  await start({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '60' });
  const other = await t.second({ NAMEHOLD_RATE_LIMIT_PER_MINUTE: '60' });
  const began = performance.now();
  const called = await many(80, (i) => (i % 2 ? t : other).call('GET', profile, { as: t.demo }));
  const seconds = (performance.now() - began) / 1000;
  await other.stop();
  expect(granted(called)).toBeGreaterThanOrEqual(30);
  expect(granted(called)).toBeLessThanOrEqual(32 + Math.ceil(seconds));
});

test('limits one address over all its keys', async () => {
  await start({ NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '60', NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' });
  const made = await t.call('POST', '/v1/account/keys', { json: { label: 'any', ip_whitelist: ['0.0.0.0/0'] } });
  const from = (address: string, as: string) => t.call('GET', profile, { as, headers: { 'X-Forwarded-For': address } });
  const any = `1000:${made.body.api_key}`;
  const began = performance.now();
  const called = await untilRefused((i) => from('127.0.0.9', i % 2 ? t.demo : any));
  expect(granted(called)).toBeLessThanOrEqual(31 + Math.ceil((performance.now() - began) / 1000));
  expect(called.at(-1)!.status).toBe(429);
  expect((await from('203.0.113.7', any)).status).toBe(200);
});

describe('guessing of keys', () => {
  test("is throttled per address and reseller in 600 attempts, while the owner's key is accepted", async () => {
    await start({ NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' });
    const owner = () => t.call('GET', profile);
    const guess = (address: string) =>
      t.call('GET', profile, { as: `1000:nh_${'C'.repeat(43)}`, headers: { 'X-Forwarded-For': address } });
    const began = performance.now();
    // The refill of a budget while the test runs.
    const back = (perMinute: number) => Math.ceil(((performance.now() - began) / 60_000) * perMinute) + 1;
    const oneAddress = await many(100, () => guess('203.0.113.1'));
    const tries = statuses(oneAddress).filter((status) => status === 401).length;
    expect(tries).toBeGreaterThanOrEqual(guessLimits.perNetwork);
    expect(tries).toBeLessThanOrEqual(guessLimits.perNetwork + back(guessLimits.perNetwork));
    const slowed = oneAddress.find((one) => one.status === 429)!;
    expect(slowed.body.code).toBe('rate_limited');
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await owner()).status).toBe(200);
    const botnet = await Promise.all(Array.from({ length: 500 }, (_, i) => guess(`198.18.${i >> 8}.${i & 255}`)));
    const tried = statuses(botnet).filter((status) => status === 401).length;
    expect(tried).toBeLessThanOrEqual(guessLimits.perReseller + back(guessLimits.perReseller));
    expect(tried).toBeGreaterThan(0);
    expect((await owner()).status).toBe(200);
    // Guesses at another reseller have their own budget.
    expect(
      (await t.call('GET', profile, { as: `1:nh_${'D'.repeat(43)}`, headers: { 'X-Forwarded-For': '192.0.2.77' } }))
        .status,
    ).toBe(401);
  });
});
