import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { destroySocket, unrefSocket } from '../driver/driver.ts';
import type { ServerLocator } from './hosts.ts';

const heartbeatLimits = {
  everyMs: 500,
  /**
   * After this many ticks without an answer the server counts as unresponsive, so that callers get a 503 within 3 s. The limit counts
   * ticks of our event loop, not time: if this process gets no processor time, an answer that has arrived is read between two ticks.
   */
  unresponsiveTicks: 18,
  tickMs: 100,
};

/** Rejects the work when the server stops responding. */
export type AliveGuard = <T>(work: Promise<T>) => Promise<T>;

/** Has the code of a lost connection, because that is what it is for the caller. */
class DatabaseUnresponsive extends Error {
  override name = 'DatabaseUnresponsive';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database does not respond');
  }
}

interface Heartbeat {
  /** The same promise, but rejected with DatabaseUnresponsive as soon as the server stops responding. */
  readonly guard: AliveGuard;
  /** Whether the last heartbeat was answered. */
  isResponding(): boolean;
  stop(): void;
}

interface HeartbeatListeners {
  readonly onUnresponsive: () => void;
  /** Called at the first heartbeat that fails, also at the start. */
  readonly onUnavailable?: ((why: Error) => void) | undefined;
}

/**
 * A server that hangs keeps its connections open and sends nothing, and no statement timeout distinguishes it from a busy one. So a
 * separate connection sends a trivial query repeatedly. While it is unanswered, all waiting callers get an error and all connections are
 * closed: after a failover they would wait for the old server for ever.
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
    const fresh = new pg.Client({ connectionString, application_name: 'namehold heartbeat', keepAlive: true });
    fresh.on('error', () => undefined);
    fresh.connect().then(
      () => unrefSocket(fresh),
      () => undefined,
    );
    return fresh;
  }

  function drop(dropped: Promise<pg.Client>): void {
    if (client === dropped) client = undefined;
    // Not end(): it would wait for an answer too.
    dropped.then((opened) => destroySocket(opened)).catch(() => undefined);
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      client ??= open();
      const current = client;
      // A server that refuses connections reports an error to every caller at once; only silence needs this check.
      const refusal = await Promise.race([refusalOf(current), detectSilence()]);
      if (refusal) drop(current);
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

/** Undefined: the server answered. */
const refusalOf = (client: Promise<pg.Client>): Promise<Error | undefined> =>
  client
    .then((opened) => opened.query('select 1'))
    .then(
      () => undefined,
      (error: Error) => error,
    );

/** Equivalent to `finally`, which creates three more promises for each statement. */
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
