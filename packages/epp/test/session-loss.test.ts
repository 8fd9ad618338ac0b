import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEppPool, type EppPool, type RegistryProfile, systemClock, type WallClock } from '../src/index.ts';
import type { WireFault } from '../src/server/index.ts';
import { PASSWORD, TEST_PROFILE, type TestRegistry, testRegistry } from './support/registry.ts';
import { faultsOnce } from './support/wire-faults.ts';

const faults = faultsOnce();
let registry: TestRegistry;
let pool: EppPool;

const SILENCE_MS = 400;
const single: RegistryProfile = {
  ...TEST_PROFILE,
  limits: { ...TEST_PROFILE.limits, sessions: 1 },
};
const create = { object: 'domain', verb: 'create', name: 'a.com', authInfo: { pw: 'abcdef12' } } as const;

beforeAll(async () => {
  registry = await testRegistry({ hooks: faults.hooks });
});
afterAll(() => registry.server.close());
beforeEach(() => {
  registry.seen.length = 0;
  faults.before = [];
  faults.after = [];
});

async function withPool<T>(run: () => Promise<T>): Promise<T> {
  pool = createEppPool(registry.client({ profile: single }));
  try {
    return await run();
  } finally {
    await pool.close();
  }
}

/** The way a session ends, and the outcome that the caller must get for the transform in flight. */
const ANSWERED_AFTER_COMMIT: [string, WireFault, string, number | undefined][] = [
  ['closed socket', { do: 'close' }, 'socket-died', undefined],
  ['silence', { do: 'drop' }, 'timeout', undefined],
  ['half a frame, then nothing', { do: 'half-frame' }, 'timeout', undefined],
  ['connection lost in the header', { do: 'cut', afterBytes: 2 }, 'socket-died', undefined],
  ['connection lost in the body', { do: 'cut', afterBytes: 60 }, 'socket-died', undefined],
  ['answer later than the timeout', { do: 'delay', ms: SILENCE_MS * 2 }, 'timeout', undefined],
  ['2400', { do: 'answer', response: { results: [{ code: 2400 }] } }, 'server-error', 2400],
  ['2500', { do: 'answer', response: { results: [{ code: 2500 }] } }, 'server-error', 2500],
];

describe('a transform whose answer is lost', () => {
  test.each(ANSWERED_AFTER_COMMIT)(
    'has an unknown outcome, and the next command succeeds: %s',
    async (_name, fault, why, code) => {
      await withPool(async () => {
        faults.after = [fault];
        const lost = await pool.send(create, { timeoutMs: SILENCE_MS });
        expect(lost).toMatchObject({ kind: 'unknown', why, ...(code === undefined ? {} : { code }) });
        expect(registry.seen).toEqual(['domain:create']);
        expect(await pool.send(create)).toMatchObject({ kind: 'done', code: 1000 });
      });
    },
  );
});

describe('a refusal about the session', () => {
  test('repeats the command once after 2002, on a new session with a new clTRID', async () => {
    await withPool(async () => {
      await pool.send({ object: 'poll', verb: 'request' });
      faults.before = [{ do: 'answer', response: { results: [{ code: 2002 }] } }];
      const ids: string[] = [];
      const answer = await pool.send(create);
      if (answer.kind === 'done') ids.push(answer.clTRID);
      expect(answer).toMatchObject({ kind: 'done', code: 1000 });
      expect(registry.seen).toEqual(['poll:request', 'domain:create']);
    });
  });

  test('returns 2002 for a clTRID of the caller, and the next command succeeds', async () => {
    await withPool(async () => {
      faults.before = [{ do: 'answer', response: { results: [{ code: 2002 }] } }];
      const answer = await pool.send(create, { clTRID: 'MINE-0001' });
      expect(answer).toMatchObject({ kind: 'refused', code: 2002, sessionFault: true, clTRID: 'MINE-0001' });
      expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    });
  });

  test.each([2002, 2200, 2501])(
    'treats %i not as a refused login, and repeats the command once on a new session',
    async (code) => {
      await withPool(async () => {
        faults.before = [{ do: 'answer', response: { results: [{ code }] } }];
        expect(await pool.send(create)).toMatchObject({ kind: 'done' });
        expect(pool.state().loginsStopped).toBe(false);
      });
    },
  );

  test.each([2002, 2200, 2501])('treats %i on a new session too as a refusal of the command', async (code) => {
    await withPool(async () => {
      const answer = { do: 'answer', response: { results: [{ code }] } } as const;
      faults.before = [answer, answer];
      expect(await pool.send(create)).toMatchObject({ kind: 'refused', code, sessionFault: false });
      expect(registry.seen).toEqual([]);
      expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    });
  });

  test('sends a query again after a lost connection, and returns the fourth loss', async () => {
    await withPool(async () => {
      const check = { object: 'domain', verb: 'check', names: ['a.com'] } as const;
      faults.after = [{ do: 'close' }];
      expect(await pool.send(check)).toMatchObject({ kind: 'done' });
      expect(registry.seen).toEqual(['domain:check', 'domain:check']);
      faults.after = [{ do: 'close' }, { do: 'close' }, { do: 'close' }];
      expect(await pool.send(check)).toMatchObject({ kind: 'done' });
      faults.after = [{ do: 'close' }, { do: 'close' }, { do: 'close' }, { do: 'close' }];
      expect(await pool.send(check)).toMatchObject({ kind: 'unknown', why: 'socket-died' });
    });
  });

  test('waits 30 s after 2502, then continues', async () => {
    let shiftMs = 0;
    const clock: WallClock = { ...systemClock, nowMs: () => Date.now() + shiftMs };
    pool = createEppPool(registry.client({ profile: single, clock }));
    faults.before = [{ do: 'answer', response: { results: [{ code: 2502 }] } }];
    // The only session is gone, and the command was not processed.
    await expect(pool.send(create)).rejects.toMatchObject({ why: 'session-limit' });
    await expect(pool.send(create)).rejects.toMatchObject({ why: 'session-limit' });
    shiftMs = 31_000;
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    await pool.close();
  });
});

test('sends a command refused with 2502 on another open session with a new id', async () => {
  const two = { ...single, limits: { ...single.limits, sessions: 2 } };
  pool = createEppPool(registry.client({ profile: two }));
  await Promise.all([pool.send(create), pool.send(create)]);
  await expect.poll(() => pool.state().sessions).toBe(2);
  faults.before = [{ do: 'answer', response: { results: [{ code: 2502 }] } }];
  expect(await pool.send(create)).toMatchObject({ kind: 'done' });
  expect(pool.state()).toMatchObject({ sessions: 1, backingOffUntilMs: expect.any(Number) });
  await pool.close();
});

test('replaces a session that ends while idle, without an error', async () => {
  await withPool(async () => {
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    for (const session of registry.server.sessions) session.destroy('test');
    await expect.poll(() => pool.state().sessions).toBe(0);
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
  });
});

test('reads an answer in 2-byte pieces like any other', async () => {
  await withPool(async () => {
    faults.before = [{ do: 'pieces', bytes: 2, gapMs: 0 }];
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
  });
});

test('returns a command as unsent if no server listens', async () => {
  const options = registry.client({ profile: single });
  const deaf = createEppPool({ ...options, endpoint: { ...options.endpoint, port: 1 } });
  await expect(deaf.send(create)).rejects.toMatchObject({ name: 'EppUnsentError', why: 'connect-failed' });
  await deaf.close();
});

test('stops all logins after a wrong password, which is not in the error', async () => {
  const options = registry.client({ profile: single, credentials: { clID: 'registrar1', pw: 'wrong-pw-77' } });
  const refused = createEppPool(options);
  const error: unknown = await refused.send(create).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: 'EppUnsentError', why: 'login-refused', code: 2200 });
  expect(String(error)).not.toContain('wrong-pw-77');
  await expect(refused.send(create)).rejects.toMatchObject({ why: 'logins-stopped' });
  await refused.close();
});

test('pauses longer after each refused login, until one succeeds', async () => {
  let shiftMs = 0;
  const clock: WallClock = { ...systemClock, nowMs: () => Date.now() + shiftMs };
  const pauses: number[] = [];
  let pw = 'wrong-pw-77';
  const refused = createEppPool({
    ...registry.client({ profile: single, clock }),
    credentials: async () => ({ clID: 'registrar1', pw }),
    onEvent: (event) => void (event.type === 'logins-stopped' && pauses.push(event.delayMs / 60_000)),
  });
  for (const hours of [0, 1, 2, 7, 30, 23]) {
    shiftMs += hours * 3_600_000;
    await refused.send(create).catch(() => undefined);
  }
  expect(pauses).toEqual([10, 60, 360, 1_440, 1_440]);
  pw = PASSWORD;
  shiftMs += 25 * 3_600_000;
  expect(await refused.send(create)).toMatchObject({ kind: 'done' });
  expect(refused.state().loginsStopped).toBe(false);
  await refused.close();
});
