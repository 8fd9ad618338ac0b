import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { orderPurchase } from '../../src/core/domains/buy/order-purchase.ts';
import { register } from '../../src/core/domains/buy/register.ts';
import { actor, lifeOf, orderOf } from '../domains/life.ts';

let t: TestService;
let life: ReturnType<typeof lifeOf>;
let first: Record<string, string>;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  life = lifeOf(t);
  first = (await t.call('POST', '/v1/domains', { form: orderOf('op-one.com') })).body;
  await life.buy('op-two.com');
});
afterAll(async () => {
  await life.ledgerIsSound();
  await t.stop();
});

const list = async (query: Record<string, string> = {}) => {
  const called = await t.call('GET', '/v1/operations', { query });
  expect(called.status, called.text).toBe(200);
  return { rows: called.body as Record<string, unknown>[], total: called.headers.get('x-total-count') };
};

test("returns one operation with its steps and the registry's evidence", async () => {
  const { body, status } = await t.call('GET', `/v1/operations/${first.operation_id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    operation_id: first.operation_id,
    kind: 'register',
    state: 'done',
    is_final: true,
    domain_id: first.domain_id,
    domain_name: 'op-one.com',
    transaction_id: first.transaction_id,
    result_code: 1000,
    cltrid: expect.any(String),
    svtrid: expect.any(String),
    finished_at: expect.stringMatching(/Z$/),
  });
  expect(body.steps.length).toBeGreaterThan(0);
  for (const step of body.steps) expect(step.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('lists operations newest first, with filters and pages', async () => {
  const { rows, total } = await list();
  expect(total).toBe('2');
  expect(rows.map((row) => row.domain_name)).toEqual(['op-two.com', 'op-one.com']);
  expect((await list({ limit: '1', page_no: '2' })).rows.map((row) => row.domain_name)).toEqual(['op-one.com']);
  expect((await list({ domain_id: first.domain_id! })).total).toBe('1');
  expect((await list({ kind: 'renew' })).rows).toEqual([]);
  expect((await list({ kind: 'register', state: 'done' })).total).toBe('2');
  expect((await list({ state: 'unknown' })).total).toBe('0');
  expect((await t.call('GET', '/v1/operations', { query: { state: 'finished' } })).status).toBe(400);
  const unknown = await t.call('GET', '/v1/operations', { query: { kind: 'zzz' } });
  expect([unknown.status, unknown.body.errors?.[0].field]).toEqual([400, 'kind']);
  expect(unknown.body.message).toContain('contact_update');
  expect((await t.call('GET', '/v1/operations', { query: { colour: 'red' } })).status).toBe(400);
});

test('cancels an operation that was not sent, and releases the money', async () => {
  const money = await life.balance();
  const id = await placeUnsent();
  const there = await t.call('GET', `/v1/operations/${id}`);
  expect(there.body.state).toBe('intended');
  const cancelled = await t.call('POST', `/v1/operations/${id}/cancel`);
  expect(cancelled.status, cancelled.text).toBe(200);
  expect(cancelled.body).toMatchObject({ state: 'cancelled', is_final: true });
  expect(await life.balance()).toEqual(money);
  const again = await t.call('POST', `/v1/operations/${id}/cancel`);
  expect([again.status, again.body.code]).toEqual([409, 'conflict']);
});

/** An order that no process has started yet. */
async function placeUnsent(): Promise<string> {
  const id = await orderPurchase(t.ctx, actor, register, {
    domainName: 'op-never.com',
    years: 1,
    privacy: false,
    parties: {
      customerId: '2001',
      contacts: { registrant: '3001', admin: '3001', tech: '3001', billing: '3001' },
      nameservers: undefined,
      extra: {},
    },
    guard: { maxPrice: undefined, quoteId: undefined },
  });
  // The background job must not start it while the test reads it.
  await t.ctx.db.transaction(allTenants, (tx) =>
    tx.run(sql`update operation set due_at = '2100-01-01' where id = ${id}`),
  );
  return id;
}

test('refuses to cancel a finished operation', async () => {
  const called = await t.call('POST', `/v1/operations/${first.operation_id}/cancel`);
  expect([called.status, called.body.code]).toEqual([409, 'conflict']);
});

test('returns 404 for unknown ids and those of other accounts', async () => {
  expect((await t.call('GET', '/v1/operations/op_nothing')).status).toBe(404);
  const stranger = await makeReseller(t);
  expect((await t.call('GET', `/v1/operations/${first.operation_id}`, { as: stranger })).status).toBe(404);
  expect((await t.call('POST', `/v1/operations/${first.operation_id}/cancel`, { as: stranger })).status).toBe(404);
  expect((await t.call('GET', '/v1/operations', { as: stranger })).body).toEqual([]);
});

test('stores one row for each ordered operation', async () => {
  const rows = await t.ctx.db
    .as(allTenants)
    .many(sql`select state, count(*)::int as n from operation group by state order by state`);
  expect(rows).toEqual([
    { state: 'cancelled', n: 1 },
    { state: 'done', n: 2 },
  ]);
});
