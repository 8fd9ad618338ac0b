import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sign } from '../../packages/server/test/payments/test-card.ts';
import type { RealService } from '../support/process.ts';
import { expectServiceReconciled } from '../support/reconciliation.ts';

const secret = 'a secret of the card provider';
let service: RealService;
beforeAll(async () => {
  vi.stubEnv('NAMEHOLD_TEST_PROGRAM', fileURLToPath(new URL('../support/card-service.ts', import.meta.url)));
  const { RealService: Real } = await import('../support/process.ts');
  service = await Real.create();
});
afterAll(async () => {
  await expectServiceReconciled(service);
  await service.dispose();
});

/** Like the provider: without a key, and repeated until it is answered. */
async function tell(id: string, type: string, reference: string, amount: string): Promise<string | undefined> {
  const body = JSON.stringify({ id, type, reference, amount, currency: 'USD' });
  const headers = { 'Content-Type': 'application/json', 'X-Card-Signature': sign(secret, body) };
  try {
    const url = `${service.credentials.base_url}/payments/test_card/1000`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    return ((await answer.json()) as { events: { fate: string }[] }).events[0]?.fate;
  } catch {
    return undefined;
  }
}

test.each([
  ['before', 'charged_back'],
  ['in', 'charged_back'],
  ['after', 'already_seen'],
])('debits a repeated charge-back once after the process was killed %s it', async (when, fate) => {
  const funds = async () => Number((await service.call('GET', '/v1/customers/2001/funds')).body.balance.amount);
  await service.start([`payment:${when}-take-back`]);
  const account = { json: { details: 'cards', secret } };
  expect((await service.call('PUT', '/v1/account/payment_providers/test_card', account)).status).toBe(200);
  const before = await funds();
  const json = { customer_id: '2001', amount: '40.00', provider: 'test_card' };
  const { reference, payment_id } = (await service.call('POST', '/v1/payments', { json })).body;
  expect(await tell(`paid-${when}`, 'paid', reference, '40.00')).toBe('matched');
  expect(await tell(`back-${when}`, 'charged_back', reference, '15.00')).toBe(undefined);
  await service.died();
  await service.start();
  expect(await tell(`back-${when}`, 'charged_back', reference, '15.00')).toBe(fate);
  expect(await tell(`back-${when}`, 'charged_back', reference, '15.00')).toBe('already_seen');
  expect((await funds()) - before).toBe(25);
  const { body } = await service.call('GET', `/v1/payments/${payment_id}`);
  expect(body.charged_back.amount).toBe('15.00');
});
