import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectReconciled } from '../support/reconciliation.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { makeTraders, registration, type Trader } from './reseller-chain.ts';
import { expectConsistent } from './settled.ts';
import { statementAgrees } from './statement.ts';

let t: TestService;
let trader: Trader;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
  trader = (await makeTraders(t, 1, 0))[0]!;
});
afterAll(async () => {
  await statementAgrees(t);
  await expectConsistent(t.ctx.db);
  await expectReconciled(t);
  await t.stop();
});

const hosts = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];

async function order(name: string): Promise<void> {
  const form = { ...registration(trader, name), ns: hosts.join(',') };
  const called = await t.call('POST', '/v1/domains', { form, as: trader.credentials });
  expect(called.status, called.text).toBe(200);
}

const commandsFor = (name: string) =>
  t.ctx.db.as(allTenants).many<{ object: string; verb: string; result_code: number }>(sql`
    select c.object, c.verb, c.result_code from registry_command c join operation o on o.id = c.operation_id
    where c.step <> 'protect' and o.request->>'name' = ${name} and c.object <> 'contact' order by c.prepared_at`);

test('creates hosts once, caches them, and creates a removed one again to complete the order', async () => {
  await order('first.com');
  await order('second.com');
  expect(await commandsFor('second.com')).toEqual([{ object: 'domain', verb: 'create', result_code: 1000 }]);

  for (const name of ['first.com', 'second.com']) {
    const gone = await t.call('DELETE', `/v1/domains/${name}`, { as: trader.credentials });
    expect(gone.status, gone.text).toBe(200);
  }
  const registry = await t.ctx.registries.of('sandbox');
  for (const host of hosts) expect((await registry.removeHost(host, {})).kind).toBe('done');

  await order('third.com');
  expect(await commandsFor('third.com')).toEqual([
    { object: 'domain', verb: 'create', result_code: 2303 },
    { object: 'host', verb: 'create', result_code: 1000 },
    { object: 'host', verb: 'create', result_code: 1000 },
    { object: 'domain', verb: 'create', result_code: 1000 },
  ]);
  const there = await t.control('GET', '/domains/third.com');
  expect(there.status).toBe(200);
});
