import type { Database } from '@namehold/postgres';
import { afterAll, beforeAll, test } from 'vitest';
import { openRestricted } from '../support/database.ts';
import { RealService } from '../support/process.ts';
import { expectServiceReconciled } from '../support/reconciliation.ts';
import type { KillPoint } from './kill-points.ts';
import { killedAt } from './killed.ts';
import { expectConsistent } from './settled.ts';

/** One installation dies at each of these failpoints in turn; at the end it is reconciled with the registry. */
export function killAtEach(points: readonly KillPoint[]): void {
  let service: RealService;
  let db: Database;
  beforeAll(async () => {
    service = await RealService.create();
    db = await openRestricted(service.databaseUrl);
  });
  afterAll(async () => {
    await expectConsistent(db);
    await expectServiceReconciled(service);
    await db.close();
    await service.dispose();
  });
  test.each(points)('$verb.name is executed once when the process is killed at $failpoint', ({ verb, failpoint }) =>
    killedAt(service, db, verb, failpoint),
  );
}
