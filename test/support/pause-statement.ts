import pg from 'pg';

/** Pauses one transaction of this process at a statement, like a failpoint between two statements. */
export interface Pause {
  /** Resolves when the transaction has reached it. */
  readonly reached: Promise<void>;
  release(): void;
}

type Given = [unknown, ...unknown[]];

/** Without it the server ends a transaction that is idle for five seconds. */
const unlimited = 'set local idle_in_transaction_session_timeout = 0';

/**
 * `statement`: before the first matching statement is sent. `commit`: after it, before the commit of its transaction. The transaction may
 * be idle for as long as the test needs.
 */
export function pauseAt(matches: RegExp, where: 'statement' | 'commit'): Pause {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const client = pg.Client.prototype as unknown as { query(...given: Given): unknown };
  const { query } = client;
  let isTaken = false;
  let marked: object | undefined;
  const hold = (connection: object, given: Given) => {
    client.query = query;
    void Promise.resolve(query.apply(connection, [unlimited])).then(() => reached.resolve(), reached.reject);
    const later = released.promise.then(() => query.apply(connection, given));
    // A statement object has its own callback; for text a promise is returned.
    return typeof given[0] === 'string' ? later : given[0];
  };
  client.query = function paused(this: object, ...given: Given) {
    const [statement] = given;
    const text = String(typeof statement === 'string' ? statement : (statement as { text: string }).text);
    if (!isTaken && matches.test(text)) {
      isTaken = true;
      if (where === 'statement') return hold(this, given);
      marked = this;
    } else if (marked === this && text === 'commit') return hold(this, given);
    return query.apply(this, given);
  };
  return {
    reached: reached.promise,
    release() {
      client.query = query;
      released.resolve();
    },
  };
}
