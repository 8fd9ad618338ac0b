import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AccountRateLimit,
  createEppPool,
  type EppClientEvent,
  type EppPool,
  type EppPoolOptions,
  type Grant,
  type JournalEntry,
  type RegistryProfile,
} from '../src/index.ts';
import { ManualClock } from './support/clock.ts';
import { type Frame, rawRegistry } from './support/raw-registry.ts';
import { TEST_PROFILE } from './support/registry.ts';
import { okFrame } from './support/scripted.ts';

let registry: Awaited<ReturnType<typeof rawRegistry>>;
let clock: ManualClock;
let events: EppClientEvent[];
let pools: EppPool[];

beforeAll(async () => {
  registry = await rawRegistry();
});
afterAll(() => registry.close());
beforeEach(() => {
  registry.behave({});
  registry.seen.length = 0;
  clock = new ManualClock();
  events = [];
  pools = [];
});
afterEach(async () => {
  registry.behave({});
  await Promise.all(pools.map((pool) => pool.close()));
  // Closes all connections, so that none affects the next test.
  await expect.poll(() => registry.sockets.size).toBe(0);
});

const removal = { object: 'domain', verb: 'delete', name: 'a.com' } as const;
const question = { object: 'domain', verb: 'check', names: ['a.com'] } as const;
const who = { clID: 'registrar1', pw: 'secret-1' };
const profile = (limits: Partial<RegistryProfile['limits']> = {}): RegistryProfile => ({
  ...TEST_PROFILE,
  timeouts: { connectMs: 1e12, greetingMs: 1e12, loginMs: 1e12, queryMs: 3_000, transformMs: 8_000, logoutMs: 500 },
  limits: { ...TEST_PROFILE.limits, sessions: 1, idleMs: 1e12, maxSessionAgeMs: 1e12, ...limits },
});
function poolWith(more: Partial<EppPoolOptions> = {}): EppPool {
  const pool = createEppPool({
    endpoint: registry.endpoint,
    credentials: who,
    profile: profile(),
    clock,
    maxWaitMs: 1e12,
    onEvent: (event) => events.push(event),
    ...more,
  });
  pools.push(pool);
  return pool;
}
/** Waits until everything that needs no timer of the pool has happened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));
const failure = (sending: Promise<unknown>) => sending.catch((error: unknown) => error);
const seen = (name: string) => registry.seen.filter((each) => each === name).length;
const tooMany = ({ socket, clTRID }: Frame) => socket.write(okFrame(clTRID, 2502));
const isLogin = ({ xml }: Frame) => /<login/.test(xml);
const usual = ({ socket, clTRID }: Frame) => void socket.write(okFrame(clTRID));

describe('the rate limit of a shared account', () => {
  /** Refuses the first `refusals` requests. A pool that requests without a wait gets its grant after them, so that the test ends. */
  const refusing = (refusals: number, refuse: () => Promise<Grant>) => {
    let taken = 0;
    const account: AccountRateLimit = {
      take: (wanted) => {
        taken += 1;
        return taken <= refusals ? refuse() : Promise.resolve({ granted: wanted, waitMs: 0 });
      },
      charge: () => {},
      mayLogIn: () => null,
      failed: () => null,
      worked: () => false,
    };
    return { account, taken: () => taken };
  };
  const refusals = 10;
  const none = (waitMs: number) => () => Promise.resolve({ granted: 0, waitMs });

  test.each([
    ['fails', 1_000, () => Promise.reject(new Error('the database is unavailable'))],
    ['grants nothing for 300 ms', 300, none(300)],
    ['grants nothing and returns no wait', 1, none(0)],
  ])('is requested again after a wait, not at once, if it %s', async (_what, waitMs, refuse) => {
    const { account, taken } = refusing(refusals, refuse);
    const pool = poolWith({ account });
    const sent = [pool.send(removal), pool.send(removal)];
    await expect.poll(taken).toBeGreaterThan(0);
    await settled();
    expect(taken()).toBe(1);
    // Further commands do not shorten the wait.
    sent.push(pool.send(removal));
    clock.advance(waitMs - 1);
    await settled();
    expect(taken()).toBe(1);
    for (let times = 2; times <= 5; times += 1) {
      clock.advance(waitMs);
      await settled();
      expect(taken()).toBe(times);
    }
    expect(seen('delete')).toBe(0);
    while (taken() <= refusals) {
      clock.advance(waitMs);
      await settled();
    }
    expect(await Promise.all(sent)).toMatchObject(sent.map(() => ({ kind: 'done' })));
  });

  test('is requested again after its own wait, also during a longer wait for a lease', async () => {
    const { account, taken } = refusing(1, none(300));
    const leases = [{ id: '1', release: async () => {} }];
    const pool = poolWith({
      account,
      profile: profile({ sessions: 3 }),
      connectionLeases: { acquire: async () => leases.pop() ?? null },
    });
    const sent = [pool.send(removal), pool.send(removal)];
    await expect.poll(taken).toBe(1);
    await settled();
    clock.advance(300);
    expect(await Promise.all(sent)).toMatchObject(sent.map(() => ({ kind: 'done' })));
  });
});

describe('logins', () => {
  test('read the credentials each time, so that a changed password is used', async () => {
    let reads = 0;
    const pool = poolWith({
      credentials: async () => {
        reads += 1;
        return who;
      },
    });
    await pool.send(removal);
    for (const socket of registry.sockets) socket.destroy();
    await expect.poll(() => pool.state().sessions).toBe(0);
    await pool.send(removal);
    expect(reads).toBe(2);
    expect(registry.seen).toEqual(['login', 'delete', 'login', 'delete']);
  });

  test('send nothing and release the lease without credentials', async () => {
    let held = 0;
    const connectionLeases = {
      acquire: async () => {
        held += 1;
        return {
          id: '1',
          release: async () => {
            held -= 1;
          },
        };
      },
    };
    const pool = poolWith({ connectionLeases, credentials: () => Promise.reject(new Error('the vault is closed')) });
    expect(await failure(pool.send(removal))).toMatchObject({ message: 'the vault is closed' });
    expect(held).toBe(0);
    expect(registry.seen).toEqual([]);
    expect(pool.state()).toMatchObject({ sessions: 0, busy: 0, waiting: { money: 0 } });
  });

  test('fail only the waiting commands if leases cannot be requested', async () => {
    let isDown = true;
    const pool = poolWith({
      connectionLeases: {
        acquire: () =>
          isDown ? Promise.reject(new Error('no database')) : Promise.resolve({ id: '1', release: async () => {} }),
      },
    });
    expect(await failure(pool.send(removal))).toMatchObject({ message: 'no database' });
    isDown = false;
    expect(await pool.send(removal)).toMatchObject({ kind: 'done' });
  });

  test('fail the waiting commands without a greeting, and the next command tries again', async () => {
    registry.behave({ greet: (socket) => socket.end() });
    const pool = poolWith();
    const both = [failure(pool.send(removal)), failure(pool.send(question))];
    for (const error of await Promise.all(both)) expect(error).toMatchObject({ why: 'greeting-failed' });
    registry.behave({});
    expect(await pool.send(removal)).toMatchObject({ kind: 'done' });
  });

  test('wait 30 s after 2502, then twice as long, until one succeeds', async () => {
    registry.behave({ answer: ({ socket, clTRID }) => socket.write(okFrame(clTRID, 2502)) });
    const pool = poolWith();
    const refused = { why: 'session-limit', code: 2502 };
    expect(await failure(pool.send(removal))).toMatchObject(refused);
    expect(pool.state().backingOffUntilMs).toBe(clock.nowMs() + 30_000);
    expect(await failure(pool.send(removal))).toMatchObject(refused);
    expect(seen('login')).toBe(1);
    clock.advance(30_000);
    expect(await failure(pool.send(removal))).toMatchObject(refused);
    expect(seen('login')).toBe(2);
    expect(events.flatMap((event) => (event.type === 'backing-off' ? [event.delayMs] : []))).toEqual([30_000, 60_000]);
    registry.behave({});
    clock.advance(60_000);
    expect(await pool.send(removal)).toMatchObject({ kind: 'done' });
    expect(pool.state().backingOffUntilMs).toBeUndefined();
  });

  test('pause long after 2502 while sessions work, and are tried earlier without sessions', async () => {
    let isFull = true;
    registry.behave({
      answer: (frame) => (isLogin(frame) && isFull && seen('login') > 1 ? tooMany(frame) : usual(frame)),
    });
    const pool = poolWith({ profile: profile({ sessions: 2 }) });
    const both = () => Promise.allSettled([pool.send(removal), pool.send(removal)]);
    const pauses = () => events.flatMap((event) => (event.type === 'backing-off' ? [event.delayMs] : []));
    for (const round of [1, 2, 3, 4, 5]) {
      clock.advance(700_000);
      await both();
      await expect.poll(() => pauses().length).toBe(round);
    }
    expect(pauses().at(-1)).toBe(480_000);
    for (const socket of registry.sockets) socket.destroy();
    await expect.poll(() => pool.state().sessions).toBe(0);
    const before = seen('login');
    clock.advance(31_000);
    expect(await failure(pool.send(removal))).toMatchObject({ why: 'session-limit' });
    expect(await failure(pool.send(removal))).toMatchObject({ why: 'session-limit' });
    expect(seen('login')).toBe(before + 1);
    isFull = false;
    clock.advance(31_000);
    expect(await pool.send(removal)).toMatchObject({ kind: 'done' });
  });

  test('are tried one at a time, so that an expired password is refused once', async () => {
    let isWrong = false;
    registry.behave({
      answer: (frame) => (isLogin(frame) && isWrong ? frame.socket.write(okFrame(frame.clTRID, 2200)) : usual(frame)),
    });
    const pool = poolWith({ profile: profile({ sessions: 4 }) });
    const many = () => Promise.allSettled(Array.from({ length: 8 }, () => pool.send(removal)));
    await many();
    isWrong = true;
    const before = seen('login');
    // A working session gives no information about the password.
    const [, ...others] = registry.sockets;
    for (const socket of others) socket.destroy();
    await many();
    for (const socket of registry.sockets) socket.destroy();
    await many();
    expect(seen('login')).toBe(before + 1);
  });

  test('keeps commands queued during the login of a second session while the first session works', async () => {
    let logins = 0;
    let answer: () => void = () => {};
    registry.behave({
      answer: (frame) => {
        if (isLogin(frame)) {
          logins += 1;
          frame.socket.write(okFrame(frame.clTRID, logins === 1 ? 1000 : 2502));
        } else if (seen('delete') === 1) answer = () => usual(frame);
        else usual(frame);
      },
    });
    const pool = poolWith({ profile: profile({ sessions: 2 }) });
    const first = pool.send(removal);
    await expect.poll(() => seen('delete')).toBe(1);
    const second = pool.send(removal);
    await expect.poll(() => events.some(({ type }) => type === 'backing-off')).toBe(true);
    answer();
    expect(await first).toMatchObject({ kind: 'done' });
    expect(await second).toMatchObject({ kind: 'done' });
  });
});

describe('commands', () => {
  test.each([
    ['a query', question, 3_000, undefined],
    ['a transform', removal, 8_000, undefined],
    ['a command with its own timeout', removal, 1_234, 1_234],
  ])('ends with an unknown outcome after its timeout: %s', async (_what, request, ms, timeoutMs) => {
    registry.behave({ answer: (frame) => (isLogin(frame) ? usual(frame) : undefined) });
    const pool = poolWith();
    const sent = pool.send(request, timeoutMs === undefined ? {} : { timeoutMs });
    await expect.poll(() => registry.seen).toEqual(['login', request.verb]);
    clock.advance(ms - 1);
    expect(pool.state().busy).toBe(1);
    clock.advance(1);
    expect(await sent).toMatchObject({ kind: 'unknown', why: 'timeout' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'unknown-outcome', why: 'timeout' }));
  });

  test('are repeated once after 2002 with a new journalled id, then returned', async () => {
    registry.behave({
      answer: (frame) => (isLogin(frame) ? usual(frame) : frame.socket.write(okFrame(frame.clTRID, 2002))),
    });
    const prepared: JournalEntry[] = [];
    const answered: [string, number][] = [];
    const pool = poolWith({
      journal: {
        prepared: async (entry) => void prepared.push(entry),
        answered: (clTRID, { code }) => void answered.push([clTRID, code]),
      },
    });
    const answer = await pool.send(removal);
    expect(answer).toMatchObject({ kind: 'refused', code: 2002 });
    expect(registry.seen).toEqual(['login', 'delete', 'login', 'delete']);
    expect(prepared).toHaveLength(2);
    const [first, second] = prepared;
    expect(first!.clTRID).not.toBe(second!.clTRID);
    expect(second!.frame).toContain(second!.clTRID);
    expect(answered).toEqual([
      [first!.clTRID, 2002],
      [second!.clTRID, 2002],
    ]);
    expect(answer.clTRID).toBe(second!.clTRID);
  });

  test('records journalled commands that could not be sent as unsent', async () => {
    const notes: unknown[] = [];
    const pool = poolWith({
      journal: {
        prepared: async () => {
          registry.behave({ greet: (socket) => socket.end() });
          for (const socket of registry.sockets) socket.destroy();
          await expect.poll(() => pool.state().sessions).toBe(0);
        },
        sent: (clTRID) => void notes.push(['sent', clTRID]),
        unsent: (clTRID) => void notes.push(['unsent', clTRID]),
      },
    });
    expect(await failure(pool.send(removal, { clTRID: 'MINE-1' }))).toMatchObject({ why: 'greeting-failed' });
    expect(notes).toEqual([['unsent', 'MINE-1']]);
    expect(seen('delete')).toBe(0);
  });

  test('are sent on the next connection with the same id if theirs was lost before sending', async () => {
    let times = 0;
    const pool = poolWith({
      journal: {
        prepared: async () => {
          times += 1;
          for (const socket of registry.sockets) socket.destroy();
          await expect.poll(() => pool.state().sessions).toBe(0);
        },
      },
    });
    expect(await pool.send(removal, { clTRID: 'MINE-1' })).toMatchObject({ kind: 'done', clTRID: 'MINE-1' });
    expect(times).toBe(1);
    expect(registry.seen).toEqual(['login', 'login', 'delete']);
  });

  test('above the frame limit open no connection', async () => {
    const pool = poolWith({ profile: profile({ maxFrameBytes: 200 }) });
    expect(await failure(pool.send(removal))).toMatchObject({ name: 'EppUnsentError', why: 'frame-too-large' });
    expect(registry.sockets.size).toBe(0);
  });

  test('fails commands that wait too long for a connection, and does not send them later', async () => {
    let answer: () => void = () => {};
    registry.behave({
      answer: (frame) => {
        if (isLogin(frame) || seen('delete') > 1) usual(frame);
        else answer = () => usual(frame);
      },
    });
    const pool = poolWith({ maxWaitMs: 2_000 });
    const first = pool.send(removal);
    await expect.poll(() => seen('delete')).toBe(1);
    const second = failure(pool.send(removal));
    clock.advance(1_999);
    expect(pool.state().waiting.money).toBe(1);
    clock.advance(1);
    expect(await second).toMatchObject({ why: 'no-session' });
    answer();
    expect(await first).toMatchObject({ kind: 'done' });
    expect(pool.state()).toMatchObject({ busy: 0, waiting: { money: 0 } });
    expect(seen('delete')).toBe(1);
  });
});
