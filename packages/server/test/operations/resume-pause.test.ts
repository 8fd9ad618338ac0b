import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AppContext } from '../../src/core/app-context.ts';
import { resumeOperations } from '../../src/jobs/resume-operations.ts';

test('pauses between two searches for operations that cannot be claimed', async () => {
  const due = Array.from({ length: 80 }, (_, n) => ({ id: `op_${n}`, registry_id: `${n % 8}` }));
  let looks = 0;
  let isOver = false;
  const many = async () => {
    looks += 1;
    return isOver ? [] : due;
  };
  const ctx = {
    db: { as: () => ({ many }) },
    registries: { hasFreeSession: async () => true },
    engine: { resume: async () => undefined },
    log: { warn: () => undefined },
  } as unknown as AppContext;
  await resumeOperations(ctx);
  const since = performance.now();
  await sleep(500);
  isOver = true;
  expect(looks, 'uses places that become free').toBeGreaterThan(1);
  expect(looks).toBeLessThanOrEqual((performance.now() - since) / 50 + 2);
});
