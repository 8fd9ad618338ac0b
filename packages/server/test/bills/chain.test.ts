import { afterAll, beforeAll, test } from 'vitest';
import { expectReconciled } from '../../../../test/support/reconciliation.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { playAll } from './play.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService({ sandbox: true });
});
afterAll(() => t.stop());

test('agrees with the model of the documents for random billing sequences over three levels', async () => {
  await playAll(t, 14_2026, 2, 45);
  await expectReconciled(t);
});
