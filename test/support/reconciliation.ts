import { expect } from 'vitest';
import type { ReconciliationSource } from '../../packages/server/src/core/reconciliation/difference.ts';
import { reconcile } from '../../packages/server/src/core/reconciliation/reconcile.ts';
import type { RealService } from './process.ts';
import type { TestService } from './service.ts';

/** The last step of a test: all reconciliation sources agree, or the difference is shown. */
export async function expectReconciled(
  t: Pick<TestService, 'ctx'>,
  wanted?: readonly ReconciliationSource[],
): Promise<void> {
  const { differences, skipped } = await reconcile(t.ctx, wanted);
  expect(differences, 'reconciliation finds differences').toEqual([]);
  expect(skipped, 'a registry could not be compared').toEqual([]);
}

/** The same for a service in a separate process, which must be running so that the registry can be queried. */
export async function expectServiceReconciled(service: RealService): Promise<void> {
  if (!service.isAlive) await service.start();
  const { code, output } = await service.namehold(['verify']);
  expect(code, output).toBe(0);
}
