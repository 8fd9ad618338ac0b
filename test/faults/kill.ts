import type { Database } from '@namehold/base';
import { afterAll, beforeAll, test } from 'vitest';
import { realBooksAgree } from '../support/books.ts';
import { openWalled } from '../support/database.ts';
import { RealService } from '../support/process.ts';
import type { KillPoint } from './kill-points.ts';
import { killedAt } from './killed.ts';
import { moneyAndNamesAgree } from './settled.ts';

/** One installation dies at each of these points, one after the other; at the end its books are held against the registry's. */
export function killAtEach(points: readonly KillPoint[]): void {
  let service: RealService;
  let db: Database;
  beforeAll(async () => {
    service = await RealService.create();
    db = await openWalled(service.databaseUrl);
  });
  afterAll(async () => {
    await moneyAndNamesAgree(db);
    await realBooksAgree(service);
    await db.close();
    await service.dispose();
  });
  test.each(points)('$verb.name is killed at $point: nothing lost, nothing doubled', ({ verb, point }) =>
    killedAt(service, db, verb, point),
  );
}
