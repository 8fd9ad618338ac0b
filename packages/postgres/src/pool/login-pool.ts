import pg from 'pg';
import { clientsOf, connectOwn, corkWrites, destroySocket, isInTransaction } from '../driver/driver.ts';
import { runQuery } from '../driver/prepared-query.ts';
import type { TransactionOptions, Tx } from '../handles.ts';
import type { AliveGuard } from '../servers/heartbeat.ts';
import type { ServerLocator } from '../servers/hosts.ts';
import type { ReplicaSettings } from '../servers/replica-reads.ts';
import { requirePlainValues } from '../sql/plain-values.ts';
import type { Sql } from '../sql/sql.ts';
import { accountOf, allTenants, type Tenant } from '../tenants/tenant.ts';
import { type CommitTimeout, withCommitTimeout } from './commit-timeout.ts';
import { isConnectionLimitReached, isConnectionLoss } from './connection-loss.ts';
import { KeyedLimiter } from './keyed-limiter.ts';
import { ReadBatcher, settledAnswers } from './read-batcher.ts';
import { isStaleSession } from './retries.ts';
import { Semaphore } from './semaphore.ts';
import { SessionReset } from './session-reset.ts';
import { signatureOf } from './signature.ts';
import { setConfigList, startupSettings } from './startup-settings.ts';
import { writer } from './statements.ts';

export interface DatabaseSettings {
  /** The login for the work of one tenant. */
  url: string;
  /** The login for `allTenants`. Default: `url`. */
  allTenantsUrl?: string;
  /** The key that signs the tenant, if the database requires a signature. */
  tenantKey?: Buffer;
  /** For each login. */
  maxConnections?: number;
  applicationName?: string;
  statementTimeoutMs?: number;
  /** The server ends a transaction that is idle for this long, because a hung process would otherwise keep its row locks. */
  idleInTransactionMs?: number;
  /** The server cancels a statement that waits this long for any lock, and it is retried; see `lockLimitMs`. */
  lockLimitMs?: number;
  /** Plans made under one tenant's settings are kept for other tenants for at most this long. */
  plansKeptMs?: number;
  /** A caller that waits this long for the answer to a commit gets an error; see `withCommitTimeout`. */
  commitLimitMs?: number;
  onError?: (error: Error) => void;
  /**
   * Called when the server refuses the login, for example because an injected statement changed the role's password. The login is then
   * retried.
   */
  repairLogin?: () => Promise<unknown>;
  /** One or more standbys for reads. */
  replica?: ReplicaSettings;
  /** Detects a server that hangs and ends the calls that wait for it. */
  heartbeat?: boolean;
}

const connectLimitMs = 10_000;
/**
 * The share of the writing connections for one account. Its transactions wait for each other's rows, so more connections would hardly be
 * faster.
 */
const accountShare = 1 / 3;
/** The share of all accounts below one top account: several of them together leave connections for the others. */
const topShare = 3 / 4;
const idleInTransactionMs = 5_000;
const closeLimitMs = 5_000;
/**
 * A process that hangs keeps its locks until `idleInTransactionMs` ends its transactions. It must not get further locks after that, so
 * its waits for locks end earlier. A wait for a row has two parts, the queue and the current holder, and each has its own limit.
 */
const lockLimitMs = 2_000;

/** Sent with the start settings of each connection: outside a transaction of ours it can only read. */
const readOnly = `set_config('default_transaction_read_only', 'on', false)`;
/** Set by statement, because poolers accept only a configured list of start parameters and this one was added later. */
const locksWithin = (ms: number) => `set_config('lock_timeout', '${ms}', false)`;
/** Sent once on each new connection. A pooler may have dropped the start parameters of the client. */
const greeting = `select pg_backend_pid() as pid, pg_is_in_recovery() as standby,
  (select source = 'client' from pg_settings where name = 'statement_timeout') as accepted`;
interface Greeting {
  readonly pid: number;
  readonly standby: boolean;
  readonly accepted: boolean;
}
const begin = (client: pg.PoolClient) => client.query('begin read write');

/** The standby's result for the condition under which a read counts. */
interface Held {
  readonly standby: boolean;
  readonly holds: boolean | null;
}

/** For the caller this is a lost connection; the next connection goes to another server. */
const connectionReset = (why: string) => Object.assign(new Error(why), { code: 'ECONNRESET' });

/** Minimum time between two repairs, so that a failing repair is not repeated for every request. */
const repairPauseMs = 1_000;

/** The connection is lost, or its session state is not what this process recorded. */
const isBroken = (error: unknown) => isConnectionLoss(error) || isStaleSession(error);

/** The error of a statement in a transaction that has already failed. */
const isAfterFailure = (error: unknown) => (error as { code?: string }).code === '25P02';

/** Invalid authorisation. */
const isLoginRefused = (error: unknown) => /^28/.test((error as { code?: string }).code ?? '');

/** The connections of one login. */
export class LoginPool {
  readonly #pool: pg.Pool;
  readonly #key: Buffer | undefined;
  readonly #alive: AliveGuard;
  readonly #place: ServerLocator;
  readonly #repairLogin: DatabaseSettings['repairLogin'];
  /** A running repair, shared by all callers that wait for it. */
  #repairing: Promise<unknown> | undefined;
  /** The last tenant of each connection. The same tenant again needs no `set_config`. */
  readonly #tenants = new WeakMap<pg.PoolClient, Tenant | undefined>();
  readonly #backends = new WeakMap<pg.PoolClient, number>();
  readonly #open = new Set<pg.Client>();
  readonly #commits: CommitTimeout;
  readonly #reset: SessionReset;
  readonly #most: number;
  readonly #semaphore: Semaphore;
  readonly #accountLimiter: KeyedLimiter;
  readonly #topLimiter: KeyedLimiter;
  /** The start parameters of a connection. */
  readonly #startParameters: string;
  /** Settings that are set by statement, and again after each reset. */
  readonly #rules: string;
  /** Connections through a pooler that dropped the start parameters. These are set by statement, and again after each reset. */
  readonly #needsSettings = new WeakSet<pg.PoolClient>();
  /** The callers without a connection and the start of their waits, longest first. */
  readonly #waiting = new Set<{ readonly since: number }>();
  readonly #readBatcher = new ReadBatcher((tenant, statements) =>
    this.#single(tenant, (client) => settledAnswers(statements.map((each) => runQuery(client, each)))),
  );

  constructor(place: ServerLocator, settings: DatabaseSettings, alive: AliveGuard, onUnanswered = () => {}) {
    const { url } = place;
    this.#alive = alive;
    this.#place = place;
    this.#commits = { ms: settings.commitLimitMs ?? 10_000, onUnanswered };
    this.#key = settings.tenantKey;
    this.#repairLogin = settings.repairLogin;
    const timeouts = {
      statement_timeout: settings.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: settings.idleInTransactionMs ?? idleInTransactionMs,
    };
    const own = Object.entries(timeouts).map(([name, value]) => [name, String(value)] as const);
    this.#startParameters = setConfigList([...startupSettings(url), ...own]);
    this.#rules = `${readOnly}, ${locksWithin(settings.lockLimitMs ?? lockLimitMs)}`;
    this.#reset = new SessionReset(settings.plansKeptMs ?? 600_000);
    this.#most = settings.maxConnections ?? 16;
    this.#semaphore = new Semaphore(this.#most);
    const perAccount = Math.ceil(this.#most * accountShare);
    this.#accountLimiter = new KeyedLimiter(perAccount);
    this.#topLimiter = new KeyedLimiter(Math.max(perAccount, Math.floor(this.#most * topShare)));
    this.#pool = new pg.Pool({
      max: this.#most,
      application_name: settings.applicationName ?? 'namehold',
      connectionTimeoutMillis: connectLimitMs,
      idleTimeoutMillis: 30_000,
      maxLifetimeSeconds: 1_800,
      keepAlive: true,
      pipeline: true,
      ...timeouts,
    });
    // Without a listener a restarting server would end the process with an uncaught 57P01.
    this.#pool.on('error', (error) => settings.onError?.(error));
    // The pool listens to idle connections only; the loss of one in use would end the process in the same way.
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      this.#open.add(client);
    });
    this.#pool.on('remove', (client) => this.#open.delete(client));
  }

  /**
   * When commits are not answered, another server may have become primary without the old one knowing. Then every connection to the old
   * one is closed, including those that wait for a commit: their callers already have an error.
   */
  async closeOtherConnections(): Promise<void> {
    if (!this.#place.hasSeveralHosts) return;
    const { host, port } = new pg.Client({ connectionString: await this.#place.findAgain() });
    for (const client of this.#open) if (client.host !== host || client.port !== port) destroySocket(client);
  }

  /** Closes every connection to the unresponsive server. The callers already have an error. */
  cut(): void {
    this.#place.leave();
    for (const client of clientsOf(this.#pool)) destroySocket(client);
  }

  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    return this.#readBatcher.read(tenant, statement);
  }

  /** Sends both in one write. Undefined: the condition does not hold and the result does not count. */
  async readIf(tenant: Tenant, condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined> {
    let holds = false;
    const result = await this.#single(tenant, async (client) => {
      const sent = [runQuery<Held>(client, condition), runQuery(client, statement)] as const;
      await Promise.allSettled(sent);
      const [held, read] = await Promise.all(sent);
      if (!held.rows[0]!.standby) throw connectionReset('the standby was made a primary');
      holds = held.rows[0]!.holds === true;
      return read;
    });
    return holds ? result : undefined;
  }

  autocommit(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    return withCommitTimeout(this.#commits, (committing) =>
      this.#single(tenant, async (client) => {
        const sent = [begin(client), runQuery(client, statement), client.query('commit')] as const;
        sent[1].then(committing, () => undefined);
        // After a failed statement too, the connection is returned only when its commit, which rolls back, has been answered.
        await Promise.allSettled(sent);
        return (await Promise.all(sent))[1];
      }),
    );
  }

  /** All statements are sent in one write (pipelining), so setting the tenant costs no round trip. */
  async #single<T>(tenant: Tenant, send: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect(tenant);
    let broken: Error | undefined;
    try {
      corkWrites(client);
      const set = this.#setTenant(client, tenant);
      const sent = send(client);
      return set ? (await this.#alive(Promise.all([sent, set])))[0] : await this.#alive(sent);
    } catch (error) {
      this.#tenants.set(client, undefined);
      broken = isBroken(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }

  attempt<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, { of, top, since }: TransactionOptions = {}): Promise<T> {
    const until = (since ?? performance.now()) + connectLimitMs;
    const account = of ?? (tenant === allTenants ? undefined : accountOf(tenant));
    return withCommitTimeout(this.#commits, (committing) => {
      const run = () => this.#attempt(tenant, work, committing, until);
      if (account === undefined) return run();
      const leftMs = () => until - performance.now();
      // These waits do not count as load: connections are available, but not for this account. Its own share comes first.
      const runBelow = () => (top === undefined ? run() : this.#topLimiter.withSlot(top, leftMs(), run));
      return this.#accountLimiter.withSlot(account, leftMs(), runBelow);
    });
  }

  async #attempt<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, committing: () => void, until: number): Promise<T> {
    const client = await this.#connect(tenant, until);
    let broken: Error | undefined;
    let isOver = false;
    let failed: unknown;
    const send = (statement: Sql) => {
      // Work that outlives its transaction would write into the next one on this connection.
      if (isOver) return Promise.reject(new Error('the transaction is over'));
      const sent = this.#alive(runQuery(client, statement));
      sent.catch((error: unknown) => {
        failed ??= error;
      });
      return sent;
    };
    corkWrites(client);
    // The first statements of the work are sent together with `begin`. If `begin` fails they can only read.
    const opened = this.#alive(Promise.all([this.#setTenant(client, tenant), begin(client)]));
    opened.catch(() => undefined);
    try {
      const sign = (order: string, what: string) =>
        signatureOf(`${what}.${this.#backends.get(client)}.${order}`, this.#key);
      const batched: (() => Sql)[] = [];
      const callbacks: (() => void)[] = [];
      const result = await work({
        tenant,
        sign,
        beforeCommit: (statement) => void batched.push(statement),
        afterCommit: (callback) => void callbacks.push(callback),
        ...writer(send),
      });
      await opened;
      const last = batched.map((statement) => requirePlainValues(statement()));
      if (last.length > 0) corkWrites(client);
      const written = Promise.all(last.map(send));
      isOver = true;
      // If a statement fails, the commit rolls back and its answer says so.
      const committed = this.#alive(client.query('commit'));
      written.then(committing, () => undefined);
      await Promise.allSettled([written, committed]);
      const [{ command }] = await Promise.all([committed, written]);
      // After a failed statement whose error was caught, the server answers COMMIT with ROLLBACK and no error.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back because one of its statements failed');
      for (const callback of callbacks) callback();
      return result;
    } catch (caught) {
      isOver = true;
      const error = await opened.then(
        // Statements sent in the same write after the failed one return only 25P02, and the work may see that error first.
        () => (isAfterFailure(caught) ? failed : caught),
        (unopened: unknown) => unopened,
      );
      this.#tenants.set(client, undefined);
      await this.#alive(client.query('rollback')).catch((rollbackError: Error) => {
        broken = rollbackError;
      });
      if (isBroken(error)) broken = error as Error;
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }

  /** The all-tenants login needs no tenant setting. */
  #isEveryTenants = (tenant: Tenant): boolean => this.#key !== undefined && tenant === allTenants;

  longestWaitMs(): number {
    const [first] = this.#waiting;
    return first ? performance.now() - first.since : 0;
  }

  /** Running statements may finish within the limit; an unresponsive server is not waited for. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.cut(), closeLimitMs);
    await this.#pool.end().finally(() => clearTimeout(late));
  }

  /**
   * A connection that passes to another tenant is reset first, in the same write. This removes settings, prepared statements, cursors
   * and temporary tables that a statement of the previous tenant may have left. Plans are kept for `plansKeptMs`.
   */
  #setTenant(client: pg.PoolClient, tenant: Tenant): Promise<unknown> | undefined {
    if (this.#isEveryTenants(tenant)) return undefined;
    if (this.#tenants.get(client) === tenant) return undefined;
    const isNew = !this.#tenants.has(client);
    this.#tenants.set(client, tenant);
    const reset = isNew ? undefined : this.#reset.reset(client);
    const lacksSettings = this.#needsSettings.has(client);
    const set = client.query({
      name: lacksSettings ? 'set_tenant_and_start' : 'set_tenant',
      text: `select set_config('namehold.tenant', $1, false), ${lacksSettings ? `${this.#startParameters}, ` : ''}${this.#rules}`,
      // Signed for this connection only: a statement can overwrite the setting but cannot sign another tenant.
      values: [this.#key ? `${tenant}.${signatureOf(`${tenant}.${this.#backends.get(client)}`, this.#key)}` : tenant],
    });
    return Promise.all([reset, set]);
  }

  /**
   * A change of tenant costs a reset. So a tenant gets a connection that it used before, else a new one if the pool is not full, else
   * the one that has been idle longest.
   */
  #ownOf(tenant: Tenant): Promise<pg.PoolClient> {
    if (this.#isEveryTenants(tenant)) return this.#pool.connect();
    return connectOwn(this.#pool, this.#most, (client) => this.#tenants.get(client) === tenant);
  }

  async #take(tenant: Tenant): Promise<pg.PoolClient> {
    this.#pool.options.connectionString = await this.#place.find();
    try {
      return await this.#ownOf(tenant);
    } catch (error) {
      // If the server has no session left, a connection of another tenant is used.
      if (isConnectionLimitReached(error) && this.#pool.idleCount > 0) return this.#pool.connect();
      // The primary may be another server by now. With one host only, the database is unavailable.
      if (!isConnectionLoss(error) || !this.#place.leave()) throw error;
      this.#pool.options.connectionString = await this.#place.find();
      return this.#pool.connect();
    }
  }

  async #lease(tenant: Tenant): Promise<pg.PoolClient> {
    try {
      return await this.#take(tenant);
    } catch (error) {
      if (!this.#repairLogin || !isLoginRefused(error)) throw error;
      this.#repairing ??= this.#repairLogin().finally(() => {
        setTimeout(() => {
          this.#repairing = undefined;
        }, repairPauseMs).unref();
      });
      await this.#repairing.catch(() => {
        throw error;
      });
      return this.#take(tenant);
    }
  }

  /** Each borrowed connection must be returned exactly once. */
  async #borrow(tenant: Tenant, waitMs: number): Promise<pg.PoolClient> {
    await this.#semaphore.enter(tenant, waitMs);
    try {
      return await this.#lease(tenant);
    } catch (error) {
      this.#semaphore.leave(tenant);
      throw error;
    }
  }

  #returnClient(client: pg.PoolClient, error?: Error): void {
    client.release(error);
    this.#semaphore.leave(this.#tenants.get(client) ?? '');
  }

  async #connect(tenant: Tenant, until = performance.now() + connectLimitMs): Promise<pg.PoolClient> {
    // Fails at once while the server is unresponsive, instead of joining the queue for a connection.
    await this.#alive(Promise.resolve());
    const waiting = { since: performance.now() };
    const lent = this.#borrow(tenant, until - waiting.since);
    this.#waiting.add(waiting);
    let client: pg.PoolClient;
    try {
      client = await this.#alive(lent);
    } catch (error) {
      // A connection that arrives late is returned unused.
      lent.then((late) => this.#returnClient(late)).catch(() => undefined);
      throw error;
    } finally {
      this.#waiting.delete(waiting);
    }
    return !this.#key || this.#backends.has(client) ? client : this.#greet(client);
  }

  /** Queries the process id of the server session: a pooler reports a different one at connection start. */
  async #greet(client: pg.PoolClient): Promise<pg.PoolClient> {
    // A pooler accepts connections to a server that is gone and holds queries longer than our limit.
    const late = setTimeout(() => destroySocket(client), connectLimitMs);
    try {
      const { pid, standby, accepted } = (await this.#alive(client.query<Greeting>(`${greeting}, ${this.#rules}`)))
        .rows[0]!;
      if (standby && this.#place.hasSeveralHosts && this.#place.wants === 'primary')
        throw connectionReset('the server has become a standby');
      if (!accepted) {
        await this.#alive(client.query(`select ${this.#startParameters}, ${this.#rules}`));
        this.#needsSettings.add(client);
      }
      this.#backends.set(client, pid);
      return client;
    } catch (error) {
      this.#place.leave();
      this.#returnClient(client, error as Error);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** A connection that is still in a transaction would run the next caller's statements in it. */
  #release(client: pg.PoolClient, broken: Error | undefined): void {
    if (broken) this.#place.leave();
    const isOpen = isInTransaction(client);
    this.#returnClient(client, broken ?? (isOpen ? new Error('the connection is still in a transaction') : undefined));
  }
}
