import pg from 'pg';
import { watchPulse } from './pulse.ts';
import { type Sql, sql } from './sql.ts';

// Dates without a time stay text: a local-time Date would shift the day.
pg.types.setTypeParser(1082, (text) => text);

/** Whose rows a statement may touch: one reseller's, or `*` for the clockwork and the operator's tools. */
export type Tenant = string;
export const everyTenant: Tenant = '*';

export interface Queryable {
  many<R extends object>(statement: Sql): Promise<R[]>;
  maybe<R extends object>(statement: Sql): Promise<R | undefined>;
  one<R extends object>(statement: Sql): Promise<R>;
  /** Number of rows changed. */
  run(statement: Sql): Promise<number>;
}

/** A transaction is always an argument; who holds one may write. */
export interface Tx extends Queryable {
  readonly tenant: Tenant;
}

export interface Database {
  /** Reads outside a transaction. The tenant travels in the same round trip as the statement. */
  as(tenant: Tenant): Queryable;
  /** Runs again on a deadlock or serialization failure: nothing but SQL may happen inside. */
  transaction<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  url: string;
  maxConnections?: number;
  /** Role without ownership of the tables, so that row-level security holds. */
  role?: string;
  applicationName?: string;
  statementTimeoutMs?: number;
  onError?: (error: Error) => void;
  /** Notices a server that is stopped but not dead, and lets everybody go who waits for it. */
  pulse?: boolean;
}

/**
 * In the `returning` of a statement that stands alone: its commit does not wait for the disk. A crash of the server may take it
 * back, never out of order: every later commit that does wait brings it along. For notes that nothing outside depends on.
 */
export const flushLater = sql.raw(`set_config('synchronous_commit', 'off', true)`);

const transactionTries = 5;
const retryable = new Set(['40001', '40P01']);

function queryable(send: (statement: Sql) => Promise<pg.QueryResult>): Queryable {
  return {
    many: async <R extends object>(statement: Sql) => (await send(statement)).rows as R[],
    maybe: async <R extends object>(statement: Sql) => (await send(statement)).rows[0] as R | undefined,
    async one<R extends object>(statement: Sql) {
      const { rows } = await send(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${statement.text.slice(0, 80)}`);
      return rows[0] as R;
    },
    run: async (statement) => (await send(statement)).rowCount ?? 0,
  };
}

const config = (statement: Sql) => ({
  text: statement.text,
  values: [...statement.values],
  ...(statement.name ? { name: statement.name } : {}),
});

/** Which tenant each connection was last set to; a repeated one needs no second statement. */
const tenants = new WeakMap<pg.PoolClient, Tenant>();

function setTenant(client: pg.PoolClient, tenant: Tenant): Promise<unknown> | undefined {
  if (tenants.get(client) === tenant) return undefined;
  tenants.set(client, tenant);
  return client.query({
    name: 'set_tenant',
    text: `select set_config('namehold.tenant', $1, false)`,
    values: [tenant],
  });
}

export function openDatabase(settings: DatabaseSettings): Database {
  const pool = new pg.Pool({
    connectionString: settings.url,
    max: settings.maxConnections ?? 16,
    application_name: settings.applicationName ?? 'namehold',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1_800,
    keepAlive: true,
    pipeline: true,
    statement_timeout: settings.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: 60_000,
    ...(settings.role ? { options: `-c role=${settings.role}` } : {}),
  });
  // Without a listener a restarting server would end the process with an uncaught 57P01.
  pool.on('error', (error) => settings.onError?.(error));
  // The pool listens to idle connections only; one that dies while it is lent out would end the process just the same.
  pool.on('connect', (client) => client.on('error', () => undefined));

  const pulse = settings.pulse ? watchPulse(settings.url) : undefined;
  const alive = <T>(work: Promise<T>): Promise<T> => (pulse ? pulse.guard(work) : work);
  async function borrow(): Promise<pg.PoolClient> {
    const lent = pool.connect();
    return alive(lent).catch((error: unknown) => {
      // One that still comes goes back unused.
      lent.then((client) => client.release()).catch(() => undefined);
      throw error;
    });
  }

  async function read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    const client = await borrow();
    let broken: Error | undefined;
    try {
      // Both leave in one write (pipelining): the second wall costs no round trip.
      const [, result] = await alive(Promise.all([setTenant(client, tenant), client.query(config(statement))]));
      return result;
    } catch (error) {
      tenants.delete(client);
      broken = isConnectionLoss(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function attempt<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await borrow();
    let broken: Error | undefined;
    let isOver = false;
    const send = (statement: Sql) =>
      // Work that outlives its transaction would write into the next one on this connection.
      isOver ? Promise.reject(new Error('the transaction is over')) : alive(client.query(config(statement)));
    try {
      await alive(Promise.all([setTenant(client, tenant), client.query('begin')]));
      const result = await work({ tenant, ...queryable(send) });
      isOver = true;
      const { command } = await alive(client.query('commit'));
      // After a failed statement whose error was caught, COMMIT says ROLLBACK and is no error of its own.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
      return result;
    } catch (error) {
      isOver = true;
      tenants.delete(client);
      await alive(client.query('rollback')).catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    pool,
    as: (tenant) => queryable((statement) => read(tenant, statement)),
    async transaction(tenant, work) {
      for (let attemptNumber = 1; ; attemptNumber++) {
        try {
          return await attempt(tenant, work);
        } catch (error) {
          const code = (error as { code?: string }).code ?? '';
          if (!retryable.has(code) || attemptNumber >= transactionTries) throw error;
        }
      }
    },
    async close() {
      pulse?.stop();
      await pool.end();
    },
  };
}

export function isConnectionLoss(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  // 57P01 to 57P03 and 57P05: the server ends or does not take sessions; 25P03: idle in transaction; 53300: no session left.
  return (
    /^(57P0[1235]|25P03|53300|08\w{3}|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(
      code,
    ) || /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(String(error))
  );
}

/** The name of the violated constraint, where that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' || code === '23P01' ? constraint : undefined;
}
