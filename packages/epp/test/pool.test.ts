import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createEppPool,
  type EppClientEvent,
  type EppPoolOptions,
  type JournalEntry,
  type RegistryProfile,
  type ResponseSpec,
} from '../src/index.ts';
import type { EppServerEvent } from '../src/server/index.ts';
import { ManualClock } from './support/clock.ts';
import { plainAnswer, TEST_PROFILE, type TestRegistry, testRegistry } from './support/registry.ts';

let registry: TestRegistry;
let gate: ((command: string) => Promise<void>) | undefined;
let extra: Partial<ResponseSpec> = {};
const serverEvents: EppServerEvent[] = [];

beforeAll(async () => {
  registry = await testRegistry({
    onEvent: (event) => serverEvents.push(event),
    dispatch: async (command) => {
      await gate?.(`${command.object}:${command.verb}`);
      return { ...plainAnswer(command), ...extra };
    },
  });
});
afterAll(() => registry.server.close());
beforeEach(() => {
  gate = undefined;
  extra = {};
  registry.seen.length = 0;
  serverEvents.length = 0;
});

const create = { object: 'domain', verb: 'create', name: 'a.com', authInfo: { pw: 'abcdef12' } } as const;
const poll = { object: 'poll', verb: 'request' } as const;
const info = { object: 'domain', verb: 'delete', name: 'a.com' } as const;
const limits = (more: Partial<RegistryProfile['limits']>): RegistryProfile => ({
  ...TEST_PROFILE,
  limits: { ...TEST_PROFILE.limits, ...more },
});
const poolWith = (more: Partial<EppPoolOptions> = {}) => createEppPool(registry.client(more));
const connected = () => serverEvents.filter((event) => event.type === 'connected').length;

describe('journal', () => {
  test('is awaited before any byte is sent, then gets the outcome', async () => {
    const notes: unknown[] = [];
    let allow: () => void = () => {};
    let entry: JournalEntry | undefined;
    const requests = new Promise<void>((resolve) => {
      allow = resolve;
    });
    const pool = poolWith({
      journal: {
        prepared: async (given) => {
          entry = given;
          notes.push('prepared');
          await requests;
        },
        sent: (clTRID) => void notes.push(['sent', clTRID]),
        answered: (clTRID, { code }) => void notes.push(['answered', clTRID, code]),
      },
    });
    const answer = pool.send(create, { clTRID: 'MINE-1', context: { order: 7 } });
    await expect.poll(() => entry).toBeDefined();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(registry.seen).toEqual([]);
    allow();
    expect(await answer).toMatchObject({ kind: 'done', clTRID: 'MINE-1' });
    expect(notes).toEqual(['prepared', ['sent', 'MINE-1'], ['answered', 'MINE-1', 1000]]);
    expect(entry).toMatchObject({
      clTRID: 'MINE-1',
      registry: 'test',
      object: 'domain',
      verb: 'create',
      targets: ['a.com'],
      transform: true,
      context: { order: 7 },
    });
    expect(entry?.frame).toContain('<domain:name>a.com</domain:name>');
    await pool.close();
  });

  test('prevents sending if it fails', async () => {
    const pool = poolWith({ journal: { prepared: () => Promise.reject(new Error('disk full')) } });
    await expect(pool.send(create)).rejects.toMatchObject({ name: 'EppUnsentError', why: 'journal-failed' });
    expect(registry.seen).toEqual([]);
    await pool.close();
  });

  test('changes no answer if a later note fails', async () => {
    const events: EppClientEvent[] = [];
    const journal = { prepared: async () => {}, answered: () => Promise.reject(new Error('disk full')) };
    const pool = poolWith({ journal, onEvent: (event) => events.push(event) });
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'journal-fault', note: 'answered' }));
    await pool.close();
  });
});

describe('combined checks', () => {
  test('contain names up to the maximum, and equal names share one answer', async () => {
    const clock = new ManualClock();
    const pool = poolWith({ clock });
    const names = Array.from({ length: 25 }, (_, at) => `name${at}.com`);
    const answers = Promise.all([...names, 'name0.com', 'NAME24.com'].map((name) => pool.checkName(name)));
    await expect.poll(() => registry.seen.length).toBe(2);
    clock.advance(TEST_PROFILE.checkGatherMs);
    const all = await answers;
    expect(registry.seen).toEqual(['domain:check', 'domain:check', 'domain:check']);
    expect(all.map((answer) => (answer.kind === 'done' ? answer.data.item.id : answer.kind))).toEqual([
      ...names,
      'name0.com',
      'name24.com',
    ]);
    await pool.close();
  });

  test('reject only the invalid name', async () => {
    const pool = poolWith();
    const good = pool.checkName('good.com');
    await expect(pool.checkName('-bad-.com')).rejects.toMatchObject({ name: 'EppInputError', field: 'name' });
    expect(await good).toMatchObject({ kind: 'done' });
    await pool.close();
  });

  test('do not combine checks with different prices', async () => {
    const pool = poolWith();
    const fee = { currency: 'USD', commands: [{ name: 'create' }] } as const;
    await Promise.all([pool.checkName('a.com'), pool.checkName('a.com', { fee })]);
    expect(registry.seen).toEqual(['domain:check', 'domain:check']);
    await pool.close();
  });
});

describe('priorities', () => {
  test('serve money first, with one connection reserved for it', async () => {
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gate = (command) => (command === 'poll:request' ? opened : Promise.resolve());
    const pool = poolWith({ profile: limits({ sessions: 2 }) });
    const slow = [pool.send(poll), pool.send(poll), pool.send(poll)];
    await expect.poll(() => registry.seen).toEqual(['poll:request']);
    expect(await pool.send(create)).toMatchObject({ kind: 'done' });
    expect(pool.state()).toMatchObject({ busy: 1, waiting: { money: 0, interactive: 0, background: 2 } });
    open();
    await Promise.all(slow);
    await pool.close();
  });

  test('serve money, interactive and background in this order on one connection', async () => {
    let open: () => void = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    gate = () => opened;
    const pool = poolWith({ profile: limits({ sessions: 1 }) });
    const all = [pool.send(poll)];
    await expect.poll(() => registry.seen.length).toBe(1);
    const rest = [
      pool.send(poll),
      pool.send({ object: 'domain', verb: 'check', names: ['a.com'] }),
      pool.send(info),
      pool.send(create),
    ];
    open();
    await Promise.all([...all, ...rest]);
    expect(registry.seen).toEqual(['poll:request', 'domain:delete', 'domain:create', 'domain:check', 'poll:request']);
    await pool.close();
  });
});

test('sends no more commands per second than the profile allows', async () => {
  const clock = new ManualClock();
  const pool = poolWith({ clock, profile: limits({ sessions: 1, commandsPerSecond: 2 }) });
  const all = Promise.all(Array.from({ length: 6 }, () => pool.send(poll)));
  const perSecond: number[] = [];
  // The login takes one of the two tokens of the first second.
  for (const expected of [1, 3, 5, 6]) {
    await expect.poll(() => registry.seen.length).toBe(expected);
    await new Promise((resolve) => setTimeout(resolve, 20));
    perSecond.push(registry.seen.length);
    for (let step = 0; step < 10; step += 1) {
      clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  await all;
  expect(perSecond).toEqual([1, 3, 5, 6]);
  await pool.close();
});

describe('a session', () => {
  test('is kept open by hello at half the idle limit', async () => {
    const clock = new ManualClock();
    const pool = poolWith({ clock, profile: limits({ idleMs: 60_000 }) });
    await pool.send(poll);
    const hellos = () => serverEvents.filter((event) => event.type === 'hello').length;
    clock.advance(29_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(hellos()).toBe(0);
    clock.advance(1_000);
    await expect.poll(hellos).toBe(1);
    expect(await pool.send(poll)).toMatchObject({ kind: 'done', code: 1300 });
    expect(connected()).toBe(1);
    await pool.close();
  });

  test("is replaced after the profile's number of commands", async () => {
    const pool = poolWith({ profile: limits({ sessions: 1, maxCommandsPerSession: 4 }) });
    for (let sent = 0; sent < 6; sent += 1) expect(await pool.send(poll)).toMatchObject({ kind: 'done' });
    // Login, two commands and logout: four.
    expect(connected()).toBe(3);
    await pool.close();
  });

  test('is replaced when it is too old', async () => {
    const clock = new ManualClock();
    const pool = poolWith({ clock, profile: limits({ sessions: 1, maxSessionAgeMs: 60_000, idleMs: 600_000 }) });
    await pool.send(poll);
    clock.advance(61_000);
    await pool.send(poll);
    await pool.send(poll);
    expect(connected()).toBe(2);
    await pool.close();
  });
});

describe('leases', () => {
  test('fail the command as unsent after a wait if none is available', async () => {
    const clock = new ManualClock();
    const pool = poolWith({ clock, connectionLeases: { acquire: async () => null } });
    const sent = pool.send(create).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 10));
    clock.advance(31_000);
    expect(await sent).toMatchObject({ name: 'EppUnsentError', why: 'no-session' });
    await pool.close();
  });

  test('are released, and a lost one closes its session', async () => {
    const lost = new AbortController();
    let held = 0;
    const connectionLeases = {
      acquire: async () => {
        held += 1;
        const release = async () => {
          held -= 1;
        };
        return { id: '1', release, lost: lost.signal };
      },
    };
    const pool = poolWith({ connectionLeases });
    await pool.send(create);
    expect(held).toBe(1);
    lost.abort();
    await expect.poll(() => pool.state().sessions).toBe(0);
    expect(held).toBe(0);
    await pool.close();
  });

  test('requested by another process are kept for a turn during work, and released when idle', async () => {
    const clock = new ManualClock();
    let requested = new AbortController();
    let isFree = true;
    const connectionLeases = {
      acquire: async () => (isFree ? { id: '1', release: async () => {}, requested: requested.signal } : null),
    };
    const pool = poolWith({
      connectionLeases,
      clock,
      profile: {
        ...limits({ sessions: 1, idleMs: 600_000 }),
        timeouts: { ...TEST_PROFILE.timeouts, transformMs: 60_000 },
      },
    });
    await pool.send(create);
    expect(await pool.hasFreeSession()).toBe(true);
    isFree = false;
    requested.abort();
    for (let second = 0; second < 4; second += 1) {
      for (let tenth = 0; tenth < 10; tenth += 1) {
        await pool.send(info);
        clock.advance(100);
      }
    }
    expect(pool.state().sessions).toBe(1);
    clock.advance(300);
    await expect.poll(() => pool.state().sessions).toBe(0);
    expect(await pool.hasFreeSession()).toBe(false);
    requested = new AbortController();
    isFree = true;
    // Requested a moment ago.
    expect(await pool.hasFreeSession()).toBe(false);
    clock.advance(250);
    expect(await pool.hasFreeSession()).toBe(true);
    await expect.poll(() => pool.state().sessions).toBe(1);
    // Even under permanent load its turn ends.
    isFree = false;
    const answer = Promise.withResolvers<void>();
    gate = () => answer.promise;
    const first = pool.send(create);
    await expect.poll(() => registry.seen.filter((each) => each === 'domain:create').length).toBe(2);
    requested.abort();
    clock.advance(4_900);
    expect(pool.state().sessions).toBe(1);
    clock.advance(200);
    answer.resolve();
    expect(await first).toMatchObject({ kind: 'done' });
    await expect.poll(() => pool.state().sessions).toBe(0);
    // Orders fail soon, because other processes could run them.
    let why: string | undefined;
    pool.send(create).catch((error: { why: string }) => {
      why = error.why;
    });
    await expect
      .poll(() => {
        clock.advance(250);
        return why;
      })
      .toBe('no-session');
    await pool.close();
  });
});

test('are requested once a second, and at once after a release of its own', async () => {
  const clock = new ManualClock();
  const lost = [new AbortController(), new AbortController()];
  let free = 2;
  let requests = 0;
  const release = async () => {
    free += 1;
  };
  const connectionLeases = {
    acquire: async () => {
      requests += 1;
      if (free === 0) return null;
      free -= 1;
      return { id: String(requests), release, lost: (lost[requests - 1] ?? new AbortController()).signal };
    },
  };
  const pool = poolWith({ clock, connectionLeases, profile: limits({ sessions: 4, idleMs: 600_000 }) });
  const orders = () => Promise.all(Array.from({ length: 12 }, () => pool.send(create)));
  await orders();
  await orders();
  expect([pool.state().sessions, requests]).toEqual([2, 3]);
  clock.advance(1_000);
  await orders();
  expect(requests).toBe(4);
  lost[0]!.abort();
  await expect.poll(() => pool.state().sessions).toBe(1);
  await orders();
  expect(pool.state().sessions).toBe(2);
  await pool.close();
});

test("are requested by hasFreeSession before the first command, but never another process's last one", async () => {
  const requests: unknown[] = [];
  const connectionLeases = {
    acquire: async (options?: { onlySpare: boolean }) => {
      requests.push(options?.onlySpare);
      return null;
    },
  };
  const pool = poolWith({ connectionLeases, clock: new ManualClock() });
  expect(await pool.hasFreeSession()).toBe(false);
  const order = pool.send(create).catch(() => 'unsent');
  await expect.poll(() => requests).toEqual([true, true]);
  const question = pool.send(poll).catch(() => 'unsent');
  await expect.poll(() => requests).toEqual([true, true, false]);
  await pool.close();
  expect(await Promise.all([order, question])).toEqual(['unsent', 'unsent']);
});

test('rejects waiting commands at close and finishes those in flight', async () => {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  gate = () => opened;
  const pool = poolWith({ profile: limits({ sessions: 1 }) });
  const first = pool.send(create);
  await expect.poll(() => registry.seen.length).toBe(1);
  const second = pool.send(create).catch((error: unknown) => error);
  const closing = pool.close();
  expect(await second).toMatchObject({ name: 'EppUnsentError', why: 'closed' });
  open();
  expect(await first).toMatchObject({ kind: 'done' });
  await closing;
  await expect(pool.send(create)).rejects.toMatchObject({ why: 'closed' });
});

test('reports a waiting message as an event', async () => {
  const events: EppClientEvent[] = [];
  extra = { msgQ: { count: 3, id: '9' } };
  const pool = poolWith({ onEvent: (event) => events.push(event) });
  await pool.send(create);
  expect(events).toContainEqual({ type: 'message-waiting', count: 3 });
  await pool.close();
});

test('refuses invalid input before a connection is opened', async () => {
  const pool = poolWith();
  await expect(pool.send({ ...create, name: 'x'.repeat(300) })).rejects.toMatchObject({ name: 'EppInputError' });
  await expect(pool.send(create, { clTRID: 'x' })).rejects.toMatchObject({ name: 'EppInputError', field: 'clTRID' });
  expect(connected()).toBe(0);
  await pool.close();
});
