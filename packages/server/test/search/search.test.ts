import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertDomainRow } from '../../../../test/support/domain-row.ts';
import { makeCustomer } from '../../../../test/support/parties.ts';
import { keyFor, makeReseller } from '../../../../test/support/resellers.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openSession } from '../../../../test/support/users.ts';
import { searchLimits } from '../../src/core/search/search.ts';

let t: TestService;
let own: string;
let ownId: string;
let customerId: string;
let domainId: string;
beforeAll(async () => {
  t = await startTestService();
  own = await makeReseller(t);
  ownId = own.split(':')[0]!;
  customerId = await makeCustomer(t, own, { name: 'Budi Santoso', email: 'budi@shop.example' });
  domainId = await insertDomainRow(t, { resellerId: ownId, customerId, name: 'xn--bcher-kva.com' });
  for (let each = 0; each < 12; each += 1)
    await insertDomainRow(t, { resellerId: ownId, customerId, name: `many-${each}.com` });
});
afterAll(() => t.stop());

type Found = { kind: string; id: string; title: string; detail: string };
async function find(q: string, as = own): Promise<Found[]> {
  const called = await t.call('GET', '/v1/search', { query: { q }, as });
  expect(called.status, called.text).toBe(200);
  return called.body.found as Found[];
}

test('finds a few of many domains by prefix, as typed', async () => {
  const book = { kind: 'domain', id: domainId, title: 'bücher.com', detail: 'live' };
  for (const q of ['bücher.com', ' BÜCHER.com ', 'xn--bch', 'bücher.']) expect(await find(q), q).toEqual([book]);
  const many = await find('many-');
  expect(many).toHaveLength(searchLimits.ofKind);
  expect(many[0]!.title).toBe('many-0.com');
  expect(await find('many-11')).toMatchObject([{ title: 'many-11.com' }]);
  expect(await find('any-1')).toEqual([]);
});

test('finds customers by part of the name, start of the address, and number', async () => {
  const budi = { kind: 'customer', id: customerId, title: 'Budi Santoso', detail: 'budi@shop.example' };
  for (const q of ['santo', 'Budi S', 'budi@', customerId]) expect(await find(q), q).toContainEqual(budi);
});

test('finds ids of every kind', async () => {
  expect(await find(domainId)).toContainEqual(expect.objectContaining({ kind: 'domain', id: domainId }));
  const [{ key_id }] = (await t.call('GET', '/v1/account/keys', { as: own })).body as [{ key_id: string }];
  expect(await find(key_id)).toEqual([{ kind: 'key', id: key_id, title: 'test', detail: 'valid' }]);
  const funded = await t.call('POST', `/v1/resellers/${ownId}/transactions/fund`, {
    form: { amount: '12.00', description: 'a deposit' },
    as: t.operator,
  });
  expect(funded.status, funded.text).toBe(200);
  const [entry] = (await t.call('GET', '/v1/account/transactions', { as: own })).body as { transaction_id: string }[];
  expect(await find(entry!.transaction_id)).toContainEqual(
    expect.objectContaining({ kind: 'transaction', id: entry!.transaction_id }),
  );
  const { events } = (await t.call('GET', '/v1/events', { as: own })).body as { events: { event_id: string }[] };
  expect(await find(events[0]!.event_id)).toMatchObject([{ kind: 'event', id: events[0]!.event_id }]);
});

test('returns nothing for input without a match, whatever it contains', async () => {
  for (const q of ['%', '_', "'", '\\', '\u202e', 'op_', 'op_x', 'key_', 'evt_', 'evt_9', '9'.repeat(40), '. .', 'ÿ'])
    expect(await find(q), q).toEqual([]);
  for (const q of ['', ' ', 'x'.repeat(254)])
    expect((await t.call('GET', '/v1/search', { query: { q }, as: own })).status, q).toBe(400);
});

test("returns nothing of other accounts, and no kinds outside the caller's scopes", async () => {
  const stranger = await makeReseller(t);
  const child = await makeReseller(t, own);
  for (const as of [stranger, child, t.operator])
    for (const q of ['bücher.com', 'many-', 'santo', domainId, customerId]) {
      const found = JSON.stringify(await find(q, as));
      expect(found).not.toMatch(/bücher|many-|Santoso/);
    }
  const narrow = await keyFor(t, ownId, ['customers:read']);
  expect(await find('many-', narrow)).toEqual([]);
  expect(await find('santo', narrow)).toHaveLength(1);
  const session = await openSession(t, ownId, { role: 'staff', scopes: ['domains:read'] });
  const response = await t.call('GET', '/v1/search', { query: { q: 'many-1' }, session });
  expect(response.body.found).toHaveLength(3);
});

test('uses the index for domains, however many exist', async () => {
  const plan = await t.ctx.db.transaction(allTenants, async (tx) => {
    await tx.run(sql`
      insert into domain (reseller_id, customer_id, name, tld, registry_id, state, compared_at, created_at, updated_at)
      select ${ownId}, ${customerId}, 'bulk-' || n || '.com', 'com', registry_id, 'live', now(), now(), now()
      from generate_series(1, 5000) n, (select registry_id from domain where id = ${domainId}) r`);
    await tx.run(sql`analyze domain`);
    return tx.many<Record<string, string>>(sql`
      explain select id from domain where reseller_id = ${ownId} and name ~>=~ 'bulk-77' and name ~<~ ${'bulk-77\u007f'} and state <> 'removed'
      order by name using ~<~ limit 8`);
  });
  expect(JSON.stringify(plan)).toContain('domain_name_pattern');
  expect(await find('bulk-77')).toHaveLength(searchLimits.ofKind);
});

test('returns the status of jobs to the operator only', async () => {
  expect((await t.call('GET', '/v1/operator/jobs', { as: own })).body.code).toBe('operator_only');
  const called = await t.call('GET', '/v1/operator/jobs', { as: t.operator });
  expect(called.status, called.text).toBe(200);
  for (const job of called.body.jobs as { state: string }[])
    expect(['ok', 'failing', 'still', 'not_reported']).toContain(job.state);
});
