import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { watchRefusals } from '../../src/core/refusals/count.ts';
import { guessLimits } from '../../src/http/guess-throttle.ts';

const guesses = 10_000;
const networks = 100;
const inFlight = 16;
const profile = '/v1/account/profile';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ env: { NAMEHOLD_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => t.stop());

const addressOf = (n: number) => `198.51.100.${n % networks}`;

test("refuses nearly all of 10,000 key guesses from 100 addresses, and accepts the owner's key", {
  timeout: 3_600_000,
}, async () => {
  const seen: Record<number, number> = {};
  let owner = 0;
  const began = performance.now();
  for (let at = 0; at < guesses; at += inFlight) {
    const group = Array.from({ length: Math.min(inFlight, guesses - at) }, async (_, place) => {
      const n = at + place;
      const secret = Buffer.from(`guess number ${n}`.padEnd(32, '.')).toString('base64url').slice(0, 43);
      const called = await t.call('GET', profile, {
        as: `${'0'.repeat(n % 4)}1000:nh_${secret}`,
        headers: { 'X-Forwarded-For': addressOf(n) },
      });
      seen[called.status] = (seen[called.status] ?? 0) + 1;
    });
    await Promise.all(group);
    // From an address of its own, during the attack.
    if (at % (inFlight * 50) === 0) {
      expect((await t.call('GET', profile)).status).toBe(200);
      owner += 1;
    }
  }
  const minutes = (performance.now() - began) / 60_000;
  console.log(`guesses: ${JSON.stringify(seen)} in ${minutes.toFixed(1)} minutes; the owner came ${owner} times`);
  expect(Object.keys(seen).sort()).toEqual(['401', '429']);
  expect(seen[401]! + seen[429]!).toBe(guesses);
  // The budget of the account and its refill during the attack; the process may hold a lease of one second.
  expect(seen[401]).toBeLessThanOrEqual(guessLimits.perReseller * (minutes + 1.1) + inFlight);
  await t.service.flushCounts();
  await watchRefusals(t.ctx);
  expect((await openAlarms(t.ctx)).map(({ key }) => key)).toContain('refusals:1000:login');
  const counted = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select sum(count) as n from refusal_count where reseller_id = 1000 and kind = 'login'`);
  expect(Number(counted.n)).toBe(guesses);
  // The correct key works from an address that has guessed, if the whitelist allows it.
  const made = await t.call('POST', '/v1/account/keys', { json: { label: 'own', ip_whitelist: [addressOf(1)] } });
  const own = { as: `1000:${made.body.api_key}`, headers: { 'X-Forwarded-For': addressOf(1) } };
  expect((await t.call('GET', profile, own)).status).toBe(200);
});
