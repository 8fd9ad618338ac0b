import { afterAll, beforeAll, expect, test } from 'vitest';
import { SilentDatabase } from './silent-database.ts';

let silent: SilentDatabase;
beforeAll(async () => {
  silent = await SilentDatabase.open('pooler');
});
afterAll(() => silent.close());

test('continues orders and stops cleanly after a database behind PgBouncer did not answer', async () => {
  await expect.poll(() => silent.accepted).toBeGreaterThan(12);
  silent.freeze('database');
  await expect.poll(silent.isReady).toBe(false);
  await silent.recovers('database');
  expect(await silent.stops()).not.toMatch(/not stopped/);
});
