import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SilentDatabase } from './silent-database.ts';

const frozenMs = 60_000;

describe.each(['hosts', 'pooler'] as const)('a service that reaches its database by %s', (connection) => {
  let silent: SilentDatabase;
  beforeAll(async () => {
    silent = await SilentDatabase.open(connection);
  });
  afterAll(() => silent.close());

  const frozen = connection === 'pooler' ? (['database', 'pooler'] as const) : (['database'] as const);
  test.each(frozen)('continues within 10 s of the return of a %s that did not answer for 60 s', async (what) => {
    const before = silent.accepted;
    await expect.poll(() => silent.accepted).toBeGreaterThan(before + 12);
    silent.freeze(what);
    await sleep(frozenMs);
    expect(await silent.isReady()).toBe(false);
    await silent.recovers(what);
  });

  test('stops with code 0 while the database does not answer, and logs the unfinished parts', async () => {
    silent.freeze('database');
    await expect.poll(silent.isReady).toBe(false);
    const log = await silent.stops();
    for (const line of log.split('\n').filter((each) => /not stopped/.test(each)))
      expect(JSON.parse(line)).toMatchObject({ part: expect.any(String), limit_ms: expect.any(Number) });
    await silent.startAgain();
    await expect.poll(() => silent.accepted).toBeGreaterThan(0);
    await silent.endsWell();
    await silent.stops();
  });

  test.runIf(connection === 'pooler')(
    'exits with its stack in the log if its event loop is blocked, and resumes orders at the start',
    async () => {
      await silent.startAgain({
        NAMEHOLD_TEST_FAULTS: 'register:before-settle=block',
        NAMEHOLD_EVENT_LOOP_LIMIT_MS: '2000',
      });
      const { exit, output } = await silent.ends();
      expect(exit, output).toEqual({ code: 70, signal: null });
      expect(output).toMatch(/"stack":"at blockEventLoop .*"msg":"event loop blocked; exiting"/);
      await silent.startAgain();
      await silent.endsWell();
      await silent.stops();
    },
  );
});
