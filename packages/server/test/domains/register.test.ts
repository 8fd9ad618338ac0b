import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { verifyLedger } from '../../src/core/ledger/verify.ts';
import { orderOf } from './life.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(async () => {
  const { differences } = await verifyLedger(t.ctx.db);
  expect(differences).toEqual([]);
  await t.stop();
});

const balance = async () =>
  t.ctx.db.as(allTenants).one<{ available: string; held: string }>(sql`
  select (select balance from ledger_account where reseller_id = 1000 and kind = 'available') as available,
         coalesce((select balance from ledger_account where reseller_id = 1000 and kind = 'held'), 0) as held`);

test('registers a domain, captures the money, and activates the domain at the registry', async () => {
  const before = await balance();
  const called = await t.call('POST', '/v1/domains', { form: orderOf('first.com', { years: '2' }) });
  expect(called.status).toBe(200);
  expect(called.body).toMatchObject({ domain_name: 'first.com', status: 'Completed', operation_state: 'done' });
  const after = await balance();
  expect(BigInt(before.available) - BigInt(after.available)).toBe(2n * 1239n);
  expect(after.held).toBe('0');
  const there = await t.control('GET', '/domains/first.com');
  expect(there.status).toBe(200);
});

test('registers once for two requests with the same Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const calls = await Promise.all(
    Array.from({ length: 20 }, () => t.call('POST', '/v1/domains', { form: orderOf('once.com'), headers })),
  );
  expect(calls.every((c) => c.status === 200 || c.status === 202 || c.status === 409)).toBe(true);
  const again = await t.call('POST', '/v1/domains', { form: orderOf('once.com'), headers });
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const { n } = await t.ctx.db
    .as(allTenants)
    .one<{ n: string }>(sql`select count(*) as n from domain where name = 'once.com'`);
  expect(n).toBe('1');
});
