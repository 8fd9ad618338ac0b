import { expect } from 'vitest';
import type { ReconciliationSource } from '../../packages/server/src/core/reconciliation/difference.ts';
import { reconcile } from '../../packages/server/src/core/reconciliation/reconcile.ts';
import type { RealService } from './process.ts';
import type { TestService } from './service.ts';

/** The last step of a test: entries, operations, domains and the registry say the same, or the difference is shown. */
export async function expectReconciled(
  t: Pick<TestService, 'ctx'>,
  wanted?: readonly ReconciliationSource[],
): Promise<void> {
  const { differences, skipped } = await reconcile(t.ctx, wanted);
  expect(differences, 'the five books differ').toEqual([]);
  expect(skipped, 'a registry could not be compared').toEqual([]);
}

/** The same for a service that is a process of its own: it must run, for the registry to be asked. */
export async function expectServiceReconciled(service: RealService): Promise<void> {
  if (!service.isAlive) await service.start();
  const { code, output } = await service.namehold(['verify']);
  expect(code, output).toBe(0);
}
