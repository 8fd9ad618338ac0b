import type { Socket } from 'node:net';
import type pg from 'pg';

/**
 * What this package needs of `pg` and what `pg` does not declare. Nothing outside this folder uses it, and `driver.test.ts` fails if a new
 * release of `pg` changes it. `prepared-query.ts` has the parts of a query.
 */
interface Client {
  readonly connection: {
    readonly stream: Socket;
    /** The prepared statements that the driver knows to exist on the connection. */
    parsedStatements: object;
    submittedNamedStatements: object;
  };
  getTransactionStatus(): string | null;
}
interface Pool {
  /** Idle connections; the last one is lent first. */
  readonly _idle: { readonly client: pg.PoolClient }[];
  /** Includes connections that are being opened. */
  readonly _clients: readonly pg.PoolClient[];
}
const insideClient = (client: pg.ClientBase) => client as unknown as Client;
const insidePool = (pool: pg.Pool) => pool as unknown as Pool;

/** For a server that does not answer: `end` would wait for it. */
export const destroySocket = (client: pg.ClientBase): void => void insideClient(client).connection.stream.destroy();

/** The process may end while the connection is open. */
export const unrefSocket = (client: pg.ClientBase): void => void insideClient(client).connection.stream.unref();

/** Joins all statements of the current tick into one write; the driver would write each one separately. */
export function corkWrites(client: pg.ClientBase): void {
  const { stream } = insideClient(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

export const isInTransaction = (client: pg.ClientBase): boolean => insideClient(client).getTransactionStatus() !== 'I';

/** After `discard all`, which removes them on the server. */
export function forgetPreparedStatements(client: pg.ClientBase): void {
  const { connection } = insideClient(client);
  connection.parsedStatements = {};
  connection.submittedNamedStatements = {};
}

/** Also connections that are being opened, which the pool does not announce yet. */
export const clientsOf = (pool: pg.Pool): readonly pg.PoolClient[] => insidePool(pool)._clients;

/**
 * Lends the connection that was idle last among those that `isOwn` accepts, else a new one if the pool may open one, else the one that
 * has been idle longest. The pool alone lends the last idle connection, and opens one only if none is idle.
 */
export function connectOwn(
  pool: pg.Pool,
  most: number,
  isOwn: (client: pg.PoolClient) => boolean,
): Promise<pg.PoolClient> {
  const { _idle: idle } = insidePool(pool);
  const own = idle.findLastIndex(({ client }) => isOwn(client));
  const isNew = own < 0 && pool.totalCount < most;
  const others = idle.splice(isNew ? 0 : Math.max(0, own), isNew ? idle.length : 1);
  if (!isNew) idle.push(...others);
  const lent = pool.connect();
  if (isNew) idle.push(...others);
  return lent;
}
