import type { Database } from '@namehold/base';
import { afterAll, beforeAll, describe, test } from 'vitest';
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

const ofKind = [
  'before-order',
  'after-order',
  'before-send',
  'after-answer',
  'before-settle',
  'in-settle',
  'after-settle',
];
const ofStep = ['before-journal', 'after-journal', 'after-send', 'before-answered', 'after-answered'];

describe.each(verbs)(
  '$name is killed',
  (verb) => {
    test.each([...ofKind.map((point) => `${verb.kind}:${point}`), ...ofStep.map((point) => `${verb.step}:${point}`)])(
      'at %s',
      async (point) => {
        await killedAt(service, db, verb, point);
      },
    );
  },
  patienceMs,
);
