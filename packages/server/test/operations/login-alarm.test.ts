import { allTenants, type Database, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppContext } from '../../src/core/app-context.ts';
import { LoginAlarm, loginAlarmLimits } from '../../src/registries/login-alarm.ts';
import { type TestContext, testContext } from '../ledger/context.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const isOpen = async () => {
  const found = await t.db
    .as(allTenants)
    .maybe(sql`select 1 as one from alarm where key = 'registry:r:login' and cleared_at is null`);
  return found !== undefined;
};
const until = (wanted: boolean) => expect.poll(isOpen).toBe(wanted);

test('retries to store an alarm that could not be stored, and clears it when a login succeeds', async () => {
  const retryMs = loginAlarmLimits.retryMs;
  loginAlarmLimits.retryMs = 20;
  let failures = 3;
  const db: Database = {
    ...t.db,
    transaction: (tenant, work) =>
      failures-- > 0 ? Promise.reject(new Error('the database is away')) : t.db.transaction(tenant, work),
  };
  const alarm = new LoginAlarm({ ...t.ctx, db } as AppContext, 'r');
  alarm.stopped(2200, 600_000);
  await until(true);
  expect(failures).toBeLessThan(0);
  alarm.worked();
  await until(false);
  // An alarm of an earlier process is cleared by the first login of the next.
  new LoginAlarm(t.ctx, 'r').stopped(2501, 600_000);
  await until(true);
  new LoginAlarm(t.ctx, 'r').worked();
  await until(false);
  loginAlarmLimits.retryMs = retryMs;
});
