import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ALL_NAMESPACES,
  type EppClientEvent,
  EppSession,
  encodeFrame,
  type ResponseSpec,
  type SessionOptions,
  writeCommand,
  writeResponse,
} from '../src/index.ts';
import { ManualClock } from './support/clock.ts';
import { type Frame, greetingBytes, rawRegistry } from './support/raw-registry.ts';
import { TEST_PROFILE } from './support/registry.ts';
import { okFrame } from './support/scripted.ts';

const NS = ALL_NAMESPACES;
let registry: Awaited<ReturnType<typeof rawRegistry>>;
let clock: ManualClock;
let events: EppClientEvent[];
let deaths: string[];
let counter = 0;

beforeAll(async () => {
  registry = await rawRegistry();
});
afterAll(() => registry.close());
beforeEach(() => {
  registry.behave({});
  registry.seen.length = 0;
  clock = new ManualClock();
  events = [];
  deaths = [];
});

/** Time does not advance, so only the test can cause a timeout. */
const timeouts = {
  connectMs: 1e12,
  greetingMs: 1_000,
  loginMs: 2_000,
  queryMs: 3_000,
  transformMs: 4_000,
  logoutMs: 500,
};
const options = (limits: Partial<(typeof TEST_PROFILE)['limits']> = {}): SessionOptions => ({
  endpoint: registry.endpoint,
  credentials: { clID: 'registrar1', pw: 'secret-1' },
  profile: { ...TEST_PROFILE, timeouts, limits: { ...TEST_PROFILE.limits, idleMs: 60_000, ...limits } },
  clock,
  newClTRID: () => `OWN-${counter++}`,
  onEvent: (event) => events.push(event),
  onDead: (_session, why) => deaths.push(why),
});
const open = (limits = {}) => EppSession.open(options(limits));
const failure = (opening: Promise<EppSession>) =>
  opening.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Advances time until it is over, however long the network takes. */
async function wait<T>(over: Promise<T>, stepMs: number): Promise<T> {
  let isOver = false;
  const mark = () => {
    isOver = true;
  };
  void over.then(mark, mark);
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    clock.advance(stepMs);
  }
  return over;
}

const removal = (clTRID: string) => writeCommand({ object: 'domain', verb: 'delete', name: 'a.com' }, clTRID, NS);
const send = (session: EppSession, clTRID = 'MINE-1', timeoutMs = 4_000) =>
  session.exchange(removal(clTRID), clTRID, timeoutMs);
const says = (spec: ResponseSpec, clTRID: string | undefined) =>
  encodeFrame(writeResponse(spec, { svTRID: 'SV-1', ...(clTRID === undefined ? {} : { clTRID }) }, NS));
/** Answers logins as usual, and every other command with this. */
const answering = (answer: (frame: Frame) => void) =>
  registry.behave({
    answer: (frame) => (/<login/.test(frame.xml) ? frame.socket.write(okFrame(frame.clTRID)) : answer(frame)),
  });

describe('greetings', () => {
  test('are read in pieces, and the following bytes are kept', async () => {
    registry.behave({
      greet: (socket) => {
        const bytes = greetingBytes();
        socket.write(bytes.subarray(0, 3));
        setTimeout(() => socket.write(bytes.subarray(3)), 5);
      },
    });
    const session = await open();
    expect(session.greeting).toMatchObject({ svID: 'Raw', objURIs: [NS.domain] });
    expect(session.alive).toBe(true);
    expect(events).toMatchObject([{ type: 'session-opened', svID: 'Raw', greeting: { svID: 'Raw' } }]);
    session.destroy('test');
  });

  test.each([
    ['an answer', () => okFrame('X-1'), 'not a greeting'],
    ['not XML', () => encodeFrame('hello'), ''],
    ['a DTD', () => encodeFrame('<!DOCTYPE a><a/>'), ''],
    ['length above the limit', () => Buffer.from([0xff, 0xff, 0xff, 0xff]), 'frame length'],
  ])('are refused, and nothing is sent: %s', async (_what, bytes, text) => {
    registry.behave({ greet: (socket) => socket.write(bytes()) });
    const error = await failure(open());
    expect(error).toMatchObject({ name: 'EppUnsentError', why: 'greeting-failed' });
    expect(String(error)).toContain(text);
    expect(registry.seen).toEqual([]);
  });

  test('fails if the connection is closed before the greeting', async () => {
    registry.behave({ greet: (socket) => socket.end() });
    expect(await failure(open())).toMatchObject({ why: 'greeting-failed' });
  });

  test('fails after the timeout if no greeting arrives on an open connection', async () => {
    registry.behave({ greet: () => {} });
    const error = await wait(failure(open()), 500);
    expect(error).toMatchObject({ why: 'greeting-failed' });
    expect(String(error)).toContain('no greeting within 1000 ms');
  });
});

describe('logins', () => {
  test.each([
    [2200, 'login-refused'],
    [2501, 'login-refused'],
    [2502, 'session-limit'],
    [2306, 'login-failed'],
    [2400, 'login-failed'],
    [1300, 'login-failed'],
  ])('fails after the answer %i as %s', async (code, why) => {
    registry.behave({ answer: ({ socket, clTRID }) => socket.write(okFrame(clTRID, code)) });
    expect(await failure(open())).toMatchObject({ name: 'EppUnsentError', why, code });
    expect(events).toContainEqual(expect.objectContaining({ type: 'login-refused', code }));
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'session-opened' }));
    expect(deaths).toHaveLength(1);
  });

  test('fails after the timeout if the login is not answered', async () => {
    registry.behave({ answer: () => {} });
    const opening = failure(open());
    await expect.poll(() => registry.seen).toEqual(['login']);
    clock.advance(1_999);
    expect(deaths).toEqual([]);
    clock.advance(1);
    const error = await opening;
    expect(error).toMatchObject({ why: 'login-failed' });
    expect(String(error)).toContain('no answer within 2000 ms');
    expect(error).not.toHaveProperty('code', expect.any(Number));
  });

  test('answered with another id or on a lost connection fail', async () => {
    registry.behave({ answer: ({ socket }) => socket.write(okFrame('OTHER-1')) });
    expect(await failure(open())).toMatchObject({ why: 'login-failed' });
    registry.behave({ answer: ({ socket }) => socket.destroy() });
    expect(await failure(open())).toMatchObject({ why: 'login-failed' });
  });

  test('leaves no connection open if the login cannot be written', async () => {
    const opening = EppSession.open({ ...options(), credentials: { clID: 'registrar1', pw: 'short' } });
    expect(await failure(opening)).toMatchObject({ name: 'EppInputError', field: 'pw' });
    expect(deaths).toEqual(['the login cannot be written']);
    await expect.poll(() => registry.sockets.size).toBe(0);
    expect(registry.seen).toEqual([]);
  });
});

describe('a command', () => {
  test('is not sent while another one is running', async () => {
    let answer: () => void = () => {};
    answering(({ socket, clTRID }) => {
      answer = () => socket.write(okFrame(clTRID));
    });
    const session = await open();
    expect(session.busy).toBe(false);
    const first = send(session, 'MINE-1');
    await expect.poll(() => registry.seen.filter((each) => each === 'delete')).toHaveLength(1);
    expect(session.busy).toBe(true);
    expect(await send(session, 'MINE-2')).toEqual({ kind: 'unsent', text: 'another command is in flight' });
    answer();
    expect(await first).toMatchObject({ kind: 'answered', response: { clTRID: 'MINE-1' } });
    expect(session.busy).toBe(false);
    expect(registry.seen).toEqual(['login', 'delete']);
    session.destroy('test');
  });

  test('calls onSent before the answer, and only if it is sent', async () => {
    const session = await open();
    const order: string[] = [];
    await session
      .exchange(removal('MINE-1'), 'MINE-1', 4_000, () => order.push('sent'))
      .then(() => order.push('answered'));
    session.destroy('test');
    await session.exchange(removal('MINE-2'), 'MINE-2', 4_000, () => order.push('sent again'));
    expect(order).toEqual(['sent', 'answered']);
  });

  test('ignores a late answer, because the connection is closed after the timeout', async () => {
    answering(() => {});
    const session = await open();
    expect(await wait(send(session), 1_000)).toEqual({
      kind: 'lost',
      why: 'timeout',
      text: 'no answer within 4000 ms',
    });
    expect(session.alive).toBe(false);
    expect(deaths).toEqual(['no answer within 4000 ms']);
    expect(await send(session)).toEqual({ kind: 'unsent', text: 'no answer within 4000 ms' });
    await expect.poll(() => registry.sockets.size).toBe(0);
  });

  test('clears the timeout when the answer arrives', async () => {
    const session = await open();
    await send(session);
    clock.advance(5_000);
    expect(session.alive).toBe(true);
    session.destroy('test');
  });

  test.each([2000, 2001, 2003, 2005, 2100, 2101, 2102, 2103, 2307])(
    'answered %i without our id is refused, because the server could not parse the frame',
    async (code) => {
      answering(({ socket }) => socket.write(says({ results: [{ code }] }, undefined)));
      const session = await open();
      expect(await send(session)).toMatchObject({ kind: 'answered', response: { results: [{ code }] } });
      expect(session.alive).toBe(true);
      session.destroy('test');
    },
  );

  test.each([1000, 2303, 2304, 2400])(
    'answered %i without our id is lost, because the answer may be about any command',
    async (code) => {
      answering(({ socket }) => socket.write(says({ results: [{ code }] }, undefined)));
      const session = await open();
      expect(await send(session)).toMatchObject({ kind: 'lost', why: 'unreadable-answer' });
      expect(session.alive).toBe(false);
    },
  );

  test('answered 2001 with another id is lost', async () => {
    answering(({ socket }) => socket.write(says({ results: [{ code: 2001 }] }, 'OTHER-1')));
    expect(await send(await open())).toMatchObject({ kind: 'lost', why: 'unreadable-answer' });
  });

  test.each([
    [2002, false],
    [2200, false],
    [2500, false],
    [2501, false],
    [2502, false],
    [2303, true],
    [2400, true],
    [1001, true],
  ])('answered %i leaves the session alive: %s', async (code, alive) => {
    answering(({ socket, clTRID }) => socket.write(okFrame(clTRID, code)));
    const session = await open();
    expect(await send(session)).toMatchObject({ kind: 'answered' });
    expect(session.alive).toBe(alive);
    session.destroy('test');
  });

  test('is answered although invalid bytes follow, and the session ends', async () => {
    answering(({ socket, clTRID }) => socket.write(Buffer.concat([okFrame(clTRID), Buffer.alloc(4)])));
    const session = await open();
    expect(await send(session)).toMatchObject({ kind: 'answered', response: { results: [{ code: 1000 }] } });
    expect(session.alive).toBe(false);
  });

  test('ends the session if an answer arrives without it', async () => {
    const session = await open();
    for (const socket of registry.sockets) socket.write(okFrame('OTHER-1'));
    await expect.poll(() => deaths).toEqual(['an answer without a command']);
    expect(session.alive).toBe(false);
  });

  test('skips a greeting without a hello, also before its answer', async () => {
    answering(({ socket, clTRID }) => socket.write(Buffer.concat([greetingBytes(), okFrame(clTRID)])));
    const session = await open();
    expect(await send(session)).toMatchObject({ kind: 'answered' });
    session.destroy('test');
  });
});

describe('the end of a session', () => {
  test('is reported once', async () => {
    const session = await open();
    session.destroy('first');
    session.destroy('second');
    await session.logout();
    expect(deaths).toEqual(['first']);
    expect(events.filter(({ type }) => type === 'session-closed')).toEqual([{ type: 'session-closed', why: 'first' }]);
    expect(registry.seen).toEqual(['login']);
  });

  test('follows a logout without an answer after its own timeout', async () => {
    answering(() => {});
    const session = await open();
    await wait(session.logout(), 250);
    expect(registry.seen).toEqual(['login', 'logout']);
    expect(deaths).toEqual(['no answer within 500 ms']);
  });

  test('is reached by the number of commands, with one reserved for the logout, or by age', async () => {
    const session = await open({ maxCommandsPerSession: 4, maxSessionAgeMs: 60_000 });
    expect(session.isUsedUp).toBe(false);
    await send(session, 'MINE-1');
    expect(session.isUsedUp).toBe(false);
    await send(session, 'MINE-2');
    expect(session.isUsedUp).toBe(true);
    session.destroy('test');
    const other = await open({ maxSessionAgeMs: 10_000 });
    clock.advance(9_999);
    expect(other.isUsedUp).toBe(false);
    clock.advance(1);
    expect(other.isUsedUp).toBe(true);
    other.destroy('test');
  });
});

describe('hello', () => {
  test('keeps an idle connection open, repeatedly', async () => {
    const session = await open();
    const hellos = () => registry.seen.filter((each) => each === 'hello').length;
    for (const expected of [1, 2]) {
      clock.advance(29_999);
      expect(hellos()).toBe(expected - 1);
      clock.advance(1);
      await expect.poll(hellos).toBe(expected);
      // A command waits for the greeting and then uses the connection.
      expect(await send(session, `MINE-${expected}`)).toMatchObject({ kind: 'answered' });
    }
    expect(session.alive).toBe(true);
    session.destroy('test');
  });

  test('ends the session if a hello is not answered, and does not send a waiting command', async () => {
    answering(() => {});
    const session = await open();
    clock.advance(30_000);
    await expect.poll(() => registry.seen).toEqual(['login', 'hello']);
    const waiting = send(session);
    clock.advance(2_999);
    expect(session.alive).toBe(true);
    clock.advance(1);
    expect(await waiting).toEqual({ kind: 'unsent', text: 'no answer to hello' });
    expect(deaths).toEqual(['no answer to hello']);
  });

  test('is not sent by a session at its limit, which logs out', async () => {
    const session = await open({ maxSessionAgeMs: 20_000 });
    clock.advance(30_000);
    await expect.poll(() => deaths).toEqual(['logged out']);
    expect(registry.seen).toEqual(['login', 'logout']);
    expect(session.alive).toBe(false);
  });
});
