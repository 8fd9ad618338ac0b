import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { ServerLocator } from './hosts.ts';

const heartbeatLimits = {
  everyMs: 500,
  /**
   * A server that says nothing during this many ticks is stopped or cut off: callers have their 503 within 3 s. Ticks of our own event loop
   * and not a time: where this process itself gets no processor, an answer may lie unread, and between two ticks it is read.
   */
  unresponsiveTicks: 18,
  tickMs: 100,
};

/** Work that is ended when the server falls silent. */
export type AliveGuard = <T>(work: Promise<T>) => Promise<T>;

/** Reads as a lost connection, which is what it is to the caller. */
class DatabaseUnresponsive extends Error {
  override name = 'DatabaseSilent';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database does not answer');
  }
}

export interface Heartbeat {
  /** The same promise, but ended with DatabaseSilent as soon as the server is found to be silent. */
  readonly guard: AliveGuard;
  /** It answered when it was last asked. */
  isResponding(): boolean;
  stop(): void;
}

interface HeartbeatListeners {
  readonly onUnresponsive: () => void;
  /** Called at the first heartbeat that fails, also at the start. */
  readonly onUnavailable?: ((why: Error) => void) | undefined;
}

/**
 * A stopped server keeps its connections open and says nothing, and no time limit on statements tells it from one that works hard.
 * So a connection of its own asks for nothing again and again. While that is not answered, everybody who waits is let go, and no connection is kept: where
 * another server answers next, who were lent an old one would wait for the former for ever, with nothing to tell them.
 */
export function watchHeartbeat(
  place: ServerLocator,
  { onUnresponsive, onUnavailable = () => undefined }: HeartbeatListeners,
): Heartbeat {
  const waiting = new Set<(error: Error) => void>();
  let isUnresponsive = false;
  let hasResponded = false;
  let isResponding = false;
  let isUnavailable = false;
  let isOver = false;
  let client: Promise<pg.Client> | undefined;

  async function open(): Promise<pg.Client> {
    const connectionString = await place.findAgain();
    const fresh = new pg.Client({ connectionString, application_name: 'namehold pulse', keepAlive: true });
    fresh.on('error', () => undefined);
    fresh.connect().then(
      () => streamOf(fresh).unref(),
      () => undefined,
    );
    return fresh;
  }

  function drop(dropped: Promise<pg.Client>): void {
    if (client === dropped) client = undefined;
    // Not end(): its last words would wait for an answer too.
    dropped.then((opened) => streamOf(opened).destroy()).catch(() => undefined);
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      client ??= open();
      const asked = client;
      // A server that refuses says so at once, to everybody, and needs no watch: only silence counts.
      const refusal = await Promise.race([refusalOf(asked), detectSilence()]);
      if (refusal) drop(asked);
      isResponding = refusal === undefined;
      hasResponded ||= isResponding;
      isUnresponsive = refusal instanceof DatabaseUnresponsive && hasResponded;
      if (refusal && !isUnavailable && !isOver) onUnavailable(refusal);
      isUnavailable = refusal !== undefined;
      if (isUnresponsive) {
        for (const end of waiting) end(new DatabaseUnresponsive());
        waiting.clear();
        onUnresponsive();
      }
      await sleep(heartbeatLimits.everyMs, undefined, { ref: false });
    }
  }
  void watch();

  return {
    guard(work) {
      if (isUnresponsive) {
        work.catch(() => undefined);
        return Promise.reject(new DatabaseUnresponsive());
      }
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        settle(work, resolve, reject, () => waiting.delete(reject));
      });
    },
    isResponding: () => isResponding,
    stop() {
      isOver = true;
      if (client) drop(client);
    },
  };
}

/** Undefined: it answered. */
const refusalOf = (asked: Promise<pg.Client>): Promise<Error | undefined> =>
  asked
    .then((opened) => opened.query('select 1'))
    .then(
      () => undefined,
      (error: Error) => error,
    );

/** As `finally` would, which is three promises more for each statement. */
function settle<T>(
  work: Promise<T>,
  resolve: (value: T) => void,
  reject: (error: Error) => void,
  done: () => void,
): void {
  work.then(
    (value) => {
      done();
      resolve(value);
    },
    (error: Error) => {
      done();
      reject(error);
    },
  );
}

async function detectSilence(): Promise<DatabaseUnresponsive> {
  for (let tick = 0; tick < heartbeatLimits.unresponsiveTicks; tick++)
    await sleep(heartbeatLimits.tickMs, undefined, { ref: false });
  return new DatabaseUnresponsive();
}

export function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
