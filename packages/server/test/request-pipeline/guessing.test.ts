import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { networkOf } from '../../src/core/connection-limits.ts';
import { isIssuedHere, newSecret } from '../../src/core/keys/secret.ts';
import { refusalLimits, watchRefusals } from '../../src/core/refusals/count.ts';
import { Authenticator } from '../../src/http/authenticate.ts';
import { guessLimits } from '../../src/http/guess-throttle.ts';
import { basic } from './support/raw.ts';

const profile = '/v1/account/profile';
const env = { NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' };
let t: TestService;
let other: TestService;
beforeAll(async () => {
  t = await startTestService({ env });
  other = await t.second(env);
});
afterAll(async () => {
  await other.stop();
  await t.stop();
});

const guess = (on: TestService, address: string, user = '1000', letter = 'C') =>
  on.call('GET', profile, { as: `${user}:nh_${letter.repeat(43)}`, headers: { 'X-Forwarded-For': address } });

const budgets = async () =>
  (await t.ctx.db.as(allTenants).many<{ bucket: string }>(sql`select bucket from rate_bucket order by bucket`)).map(
    ({ bucket }) => bucket,
  );

test('shares one guessing budget per /64 between both processes', async () => {
  const called = await Promise.all(
    Array.from({ length: 2 * guessLimits.perNetwork }, (_, i) =>
      guess(i % 2 ? t : other, `2001:db8:0:1::${i.toString(16)}`),
    ),
  );
  const seen = called.map((one) => one.status);
  // One unit is refilled in two seconds, so a slow machine gets a few more.
  expect(seen.filter((status) => status === 401).length).toBeGreaterThanOrEqual(guessLimits.perNetwork);
  expect(seen).toContain(429);
  expect((await budgets()).filter((bucket) => bucket.includes('2001:db8:0:1:'))).toEqual([
    'guess-from:2001:db8:0:1::/64',
  ]);
  expect((await guess(t, '2001:db8:0:2::1')).status).toBe(401);
});

test('counts different spellings of an id as one id', async () => {
  for (let zeros = 0; zeros < 5; zeros++) await guess(t, `198.18.0.${zeros}`, `${'0'.repeat(zeros)}1001`);
  expect((await budgets()).filter((bucket) => /^guess-at:.*1001$/.test(bucket))).toEqual(['guess-at:1001']);
});

describe('a throttled caller', () => {
  test('causes no query with an invented key, and is admitted with a valid one, however new', async () => {
    const address = '203.0.113.50';
    for (let i = 0; i < guessLimits.perNetwork + 5; i++) await guess(t, address);
    // A database handle that fails on queries, because background jobs of the running service query theirs all the time.
    const db = new Proxy(t.ctx.db, { get: () => expect.fail('the database was asked') });
    const identify = (refuse: () => void) =>
      new Authenticator({ ...t.ctx, db }).identify(basic(`1000:nh_${'E'.repeat(43)}`), address, {
        refuseThrottled: refuse,
      });
    const throttled = new Error('throttled');
    await expect(
      identify(() => {
        throw throttled;
      }),
    ).rejects.toBe(throttled);
    await expect(identify(() => undefined)).rejects.toThrow('the database was asked');
    const made = await t.call('POST', '/v1/account/keys', { json: { label: 'new', ip_whitelist: [address] } });
    const owner = await t.call('GET', profile, {
      as: `1000:${made.body.api_key}`,
      headers: { 'X-Forwarded-For': address },
    });
    expect(owner.status).toBe(200);
  });
});

test('only keys issued by this service pass the offline check', () => {
  const { vault } = t.ctx;
  const { secret } = newSecret(vault);
  expect(secret).toMatch(/^nh_[\w-]{43}$/);
  expect(isIssuedHere(vault, secret)).toBe(true);
  for (const wrong of [
    secret.slice(0, -1),
    `${secret}A`,
    `nh_${'A'.repeat(43)}`,
    secret.slice(3),
    '',
    `nh_${secret.slice(4)}x`,
  ])
    expect(isIssuedHere(vault, wrong), wrong).toBe(false);
});

test.each([
  ['2001:db8::1', '2001:db8::/64'],
  ['2001:db8:0:0:ffff::', '2001:db8::/64'],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['nonsense', 'none'],
])('counts %s as network %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('counts refusals by reseller and raises an alarm above a rate, which clears later', async () => {
  const made = await t.call('POST', '/v1/account/keys', {
    json: { label: 'reader', ip_whitelist: ['127.0.0.1'], scopes: ['dns:read'] },
  });
  const as = `1000:${made.body.api_key}`;
  for (let i = 0; i <= refusalLimits.alarmAt.scope; i++)
    expect((await t.call('GET', '/v1/customers', { as })).status).toBe(403);
  await t.service.flushCounts();
  await watchRefusals(t.ctx);
  const alarms = await openAlarms(t.ctx);
  expect(alarms.map((alarm) => alarm.key)).toContain('refusals:1000:scope');
  const counted = await t.ctx.db
    .as(allTenants)
    .many<{ kind: string }>(sql`select distinct kind from refusal_count where reseller_id = 1000 order by kind`);
  expect(counted.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['login', 'scope']));
  await t.ctx.db.transaction(allTenants, (tx) => tx.run(sql`delete from refusal_count`));
  await watchRefusals(t.ctx);
  expect((await openAlarms(t.ctx)).filter((alarm) => alarm.key.startsWith('refusals:'))).toEqual([]);
});

test('raises an alarm for many guesses from one address, although most are throttled', async () => {
  const burst = await Promise.all(Array.from({ length: 130 }, () => guess(t, '203.0.113.77')));
  const seen = new Set(burst.map((one) => one.status));
  expect([...seen].sort()).toEqual([401, 429]);
  // The background job may look before the counts are stored, and clear the alarm; the next look raises it again.
  const alarm = async () => {
    await t.service.flushCounts();
    await watchRefusals(t.ctx);
    return (await openAlarms(t.ctx)).find(({ key }) => key === 'refusals:1000:login')?.facts;
  };
  await expect.poll(alarm, { timeout: 300_000 }).toMatchObject({ reseller_id: '1000' });
  // Counts of earlier tests may have been written after the table was emptied.
  expect((await alarm())?.count).toBeGreaterThanOrEqual(130);
});
