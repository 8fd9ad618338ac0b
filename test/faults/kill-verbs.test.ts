import type { Database } from '@namehold/base';
import { afterAll, beforeAll, test } from 'vitest';
import { realBooksAgree } from '../support/books.ts';
import { openWalled } from '../support/database.ts';
import { RealService } from '../support/process.ts';
import { killedAt } from './killed.ts';
import { moneyAndNamesAgree } from './settled.ts';
import { verbs } from './verbs.ts';

/** Three starts of a real service and a recovery; a busy machine takes its time. */
const patienceMs = 240_000;

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

// The bytes have left and nobody hears the answer: the worst moment. The long run kills at every point.
test.each(verbs)(
  '$name, killed after its command was sent',
  async (verb) => {
    await killedAt(service, db, verb, `${verb.step}:after-send`);
  },
  patienceMs,
);
