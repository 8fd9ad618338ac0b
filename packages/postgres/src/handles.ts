import type { Sql } from './sql/sql.ts';
import type { Tenant } from './tenants/tenant.ts';

/** Read access only: the server refuses a write outside a transaction, whatever its text. */
export interface Reader {
  many<R extends object>(statement: Sql): Promise<R[]>;
  maybe<R extends object>(statement: Sql): Promise<R | undefined>;
  one<R extends object>(statement: Sql): Promise<R>;
}

/** Adds single statements that write, each in a transaction of its own. */
export interface Autocommit extends Reader {
  run(statement: Sql): Promise<number>;
}

export interface Tx extends Autocommit {
  readonly tenant: Tenant;
  /**
   * Signs an order that the database accepts only from the service, so that an injected statement cannot forge it. Valid on this
   * connection only.
   */
  sign(order: string, what: string): string;
  /** Adds a statement that is sent together with the commit. Its number of changed rows is not reported. */
  beforeCommit(statement: () => Sql): void;
  /** Runs after the commit; not at all if the process ends in between. */
  afterCommit(callback: () => void): void;
}

export interface Database {
  /** Reads outside a transaction. The tenant is set in the same round trip as the statement. */
  as(tenant: Tenant): Reader;
  /** Like `as`, for long reads: a standby may answer if it has replayed every change that a caller can have seen. */
  asReplica(tenant: Tenant): Reader;
  autocommit(tenant: Tenant): Autocommit;
  /**
   * Retries after a deadlock, a serialization failure, a lock timeout or a schema change by another release. The work must contain
   * nothing but SQL.
   */
  transaction<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, whom?: TransactionOptions): Promise<T>;
  /** The longest current wait for a connection, of readers and of writers. */
  longestWaitsMs(): Waits;
  close(): Promise<void>;
}

/** The account of a transaction, if its tenant does not name it, and the start of the wait for a connection. */
export interface TransactionOptions {
  /** An account. Its transactions use a limited share of the connections; further ones wait in a queue. */
  readonly of?: string;
  /** The top account above it. Transactions of all accounts below have a share together. */
  readonly top?: string | undefined;
  /** By `performance.now()`: the wait for a connection ends ten seconds after it. Default: now. */
  readonly since?: number | undefined;
}

/** Readers and writers use separate connections. */
export type Waits = Readonly<Record<'reading' | 'writing', number>>;
