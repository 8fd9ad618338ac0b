import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Place } from './hosts.ts';

const pulseLimits = {
  everyMs: 500,
  /**
   * A server that says nothing during this many ticks is stopped or cut off: callers have their 503 within 3 s. Ticks of our own event loop
   * and not a time: where this process itself gets no processor, an answer may lie unread, and between two ticks it is read.
   */
  silentTicks: 18,
  tickMs: 100,
};

/** Work that is ended when the server falls silent. */
export type Alive = <T>(work: Promise<T>) => Promise<T>;

/** Reads as a lost connection, which is what it is to the caller. */
class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database does not answer');
  }
}

export interface Pulse {
  /** The same promise, but ended with DatabaseSilent as soon as the server is found to be silent. */
  readonly guard: Alive;
  /** It answered when it was last asked. */
  isHeard(): boolean;
  stop(): void;
}

/**
 * A stopped server keeps its connections open and says nothing, and no time limit on statements tells it from one that works hard.
 * So a connection of its own asks for nothing again and again. While that is not answered, everybody who waits is let go, and no connection is kept: where
 * another server answers next, who were lent an old one would wait for the former for ever, with nothing to tell them.
 */
export function watchPulse(
  place: Place,
  /** `onAway`: it is asked in vain, after it was heard or at the start. */
  { onSilence, onAway = () => undefined }: { onSilence: () => void; onAway?: ((why: Error) => void) | undefined },
): Pulse {
  const waiting = new Set<(error: Error) => void>();
  let isSilent = false;
  let wasHeard = false;
  let isHeard = false;
  let isAway = false;
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
      const refusal = await Promise.race([refusalOf(asked), silence()]);
      if (refusal) drop(asked);
      isHeard = refusal === undefined;
      wasHeard ||= isHeard;
      isSilent = refusal instanceof DatabaseSilent && wasHeard;
      if (refusal && !isAway && !isOver) onAway(refusal);
      isAway = refusal !== undefined;
      if (isSilent) {
        for (const end of waiting) end(new DatabaseSilent());
        waiting.clear();
        onSilence();
      }
      await sleep(pulseLimits.everyMs, undefined, { ref: false });
    }
  }
  void watch();

  return {
    guard(work) {
      if (isSilent) {
        work.catch(() => undefined);
        return Promise.reject(new DatabaseSilent());
      }
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        settle(work, resolve, reject, () => waiting.delete(reject));
      });
    },
    isHeard: () => isHeard,
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

async function silence(): Promise<DatabaseSilent> {
  for (let tick = 0; tick < pulseLimits.silentTicks; tick++) await sleep(pulseLimits.tickMs, undefined, { ref: false });
  return new DatabaseSilent();
}

export function streamOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
