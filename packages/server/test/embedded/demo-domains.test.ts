import { join } from 'node:path';
import { clockFromFile } from '@namehold/base';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { runDemoActivity } from '../../src/embedded/demo-activity.ts';

let t: TestService;
beforeAll(async () => {
  const env = { NAMEHOLD_DEMO_DOMAINS: 'on' };
  t = await startTestService({ sandbox: true, env });
});
afterAll(() => t.stop());

const names = async (by: TestService = t) => {
  const { body } = await by.call('GET', '/v1/domains?limit=100');
  return Object.fromEntries(body.map((each: Record<string, string>) => [each.domain_name, each]));
};

test('creates demo domains with a history at the first start, and keeps them at the second', async () => {
  expect(clockFromFile(join(t.folder, 'clock')).offsetMs()).toBe(0);
  expect(Object.keys(await names())).toHaveLength(7);
  const refused: unknown[] = [];
  const log = { warn: (facts: unknown) => refused.push(facts) };
  await runDemoActivity(t.service.credentials!, log as never);
  expect(refused).toEqual([]);
  // Runs due jobs now instead of at the next interval.
  expect((await t.call('POST', '/v1/sandbox/clock', { json: { move: '+0s' } })).status).toBe(200);
  await vi.waitFor(async () => {
    const found = await names();
    expect(
      Object.fromEntries(
        Object.entries(found).map(([name, each]) => [name, (each as { order_status: string }).order_status]),
      ),
    ).toMatchObject({
      'santoso-coffee.com': 'Live',
      'santoso-roastery.com': 'Live',
      'xn--kaffee-bro-heb.com': 'Live',
      'last-years-cafe.com': 'Expired',
      'closed-cafe.net': 'Pending Delete Restorable',
      'leaving-cafe.net': 'Pending Transfer',
    });
  }, 300_000);
  expect((await names())['unpaid-cafe.com']).toMatchObject({ suspended: true });
  const history = await t.call('GET', '/v1/domains/santoso-coffee.com/zone/history');
  expect(history.text).toContain('The shop moves in');
  const second = await t.second({ NAMEHOLD_DEMO_DOMAINS: 'on' });
  expect(Object.keys(await names(second))).toHaveLength(7);
  await second.stop();
  expect(clockFromFile(join(t.folder, 'clock')).offsetMs()).toBe(0);
  await expectReconciled(t);
});
