import { afterAll, beforeAll, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { playAll } from './play.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(() => t.stop());

test('any sequence of orders, payments, cancels, refunds and credit notes over three levels is as the documents say', async () => {
  await playAll(t, 14_2026, 2, 45);
  await expectReconciled(t);
});
