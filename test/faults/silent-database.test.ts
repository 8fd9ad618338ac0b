import { afterAll, beforeAll, expect, test } from 'vitest';
import { SilentDatabase } from './silent-database.ts';

let silent: SilentDatabase;
beforeAll(async () => {
  silent = await SilentDatabase.open('pooler');
});
afterAll(() => silent.close());

test('a database behind PgBouncer that does not answer for a while under load: orders go on after it is back, and the service stops', async () => {
  await expect.poll(() => silent.accepted).toBeGreaterThan(12);
  silent.freeze('database');
  await expect.poll(silent.isReady).toBe(false);
  await silent.recovers('database');
  expect(await silent.stops()).not.toMatch(/not stopped/);
});

test('a service whose event loop is blocked ends with its stack in the log, and the next start takes up its orders', async () => {
  await silent.startAgain({
    NAMEHOLD_TEST_FAULTS: 'register:before-settle=block',
    NAMEHOLD_EVENT_LOOP_LIMIT_MS: '2000',
  });
  const { exit, output } = await silent.ends();
  expect(exit, output).toEqual({ code: 70, signal: null });
  expect(output).toMatch(/"stack":"at blockEventLoop .*"msg":"event loop blocked, the process ends"/);
  await silent.startAgain();
  await silent.endsWell();
  await silent.stops();
});
