import { rmSync } from 'node:fs';
import { readSchema } from '@namehold/postgres';
import { afterAll, expect, test } from 'vitest';
import { oldSchema } from './old-schema.ts';
import { migrateStepwise } from './stepwise.ts';

const folder = oldSchema();
afterAll(() => rmSync(folder, { recursive: true }));

test('runs each migration before the baseline on the data of the one before, and loses none of it', async () => {
  // The last one checks foreign keys, which made-up rows do not satisfy.
  const names = readSchema(folder)
    .migrations.map(({ name }) => name)
    .filter((name) => name !== '0277_baseline.sql');
  expect(names).toHaveLength(129);
  await migrateStepwise(names.map((upTo) => ({ folder, upTo })));
});
