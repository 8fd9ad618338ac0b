import pg from 'pg';
import { isConnectionLimitReached, isConnectionLoss } from './connection-loss.ts';
import { ServerLocator } from './hosts.ts';
import { corkWrites, runQuery } from './prepared-query.ts';
import { openReplicaReads, type ReplicaSettings } from './replica-reads.ts';
import './instants.ts';
import { type CommitTimeout, withCommitTimeout } from './commit-timeout.ts';
import { type AliveGuard, streamOf, watchHeartbeat } from './heartbeat.ts';
import { KeyedLimiter } from './keyed-limiter.ts';
import { requirePlainValues } from './plain-values.ts';
import { ReadBatcher, settledAnswers } from './read-batcher.ts';
import { isStaleSession, withRetries } from './retries.ts';
import { Semaphore } from './semaphore.ts';
import { SessionReset } from './session-reset.ts';
import { signatureOf } from './signature.ts';
import { type Sql, sql } from './sql.ts';
import { setConfigList, startupSettings } from './startup-settings.ts';
import { accountOf, allTenants, type Tenant } from './tenant.ts';

// Dates without a time stay text: a local-time Date would shift the day.
pg.types.setTypeParser(1082, (text) => text);

/** Who holds no more than this cannot change anything: outside a transaction the server refuses a write, whatever its text. */
export interface Reader {
  many<R extends object>(statement: Sql): Promise<R[]>;
  maybe<R extends object>(statement: Sql): Promise<R | undefined>;
  one<R extends object>(statement: Sql): Promise<R>;
}

/** For one statement that writes and is a transaction of its own. */
export interface Autocommit extends Reader {
  run(statement: Sql): Promise<number>;
}

export interface Tx extends Autocommit {
  readonly tenant: Tenant;
  /** For an order that the database takes from the service only, not from a statement that got in; good on this connection. */
  seal(order: string, what: string): string;
  /** Adds a statement that is sent together with the commit. Its number of changed rows is not reported. */
  beforeCommit(statement: () => Sql): void;
  /** Runs after the commit; not at all if the process ends in between. */
  afterCommit(tell: () => void): void;
}

export interface Database {
  /** Reads outside a transaction. The tenant travels in the same round trip as the statement. */
  as(tenant: Tenant): Reader;
  /** Like `as`, for long reads: a standby may answer if it has every change that any caller has seen. */
  asReplica(tenant: Tenant): Reader;
  autocommit(tenant: Tenant): Autocommit;
  /** Runs again on a deadlock, a serialization failure, a lock that did not come in time, or a table that another release has just changed: nothing but SQL may happen inside. */
  transaction<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, whom?: TransactionOptions): Promise<T>;
  /** The longest current wait for a connection, to read and to write. */
  longestWaitsMs(): Waits;
  close(): Promise<void>;
}

/** For whom a transaction is, where its tenant does not say it, and since when that one waits. */
export interface TransactionOptions {
  /** An account. Where something of its own keeps its transactions, they take a part of the connections and no more; the others of it wait in line. */
  readonly of?: string;
  /** By `performance.now()`: the wait for a connection is over ten seconds after it. Default: now. */
  readonly since?: number | undefined;
}

/** Who reads and who writes do not wait for the same connections. */
export type Waits = Readonly<Record<'reading' | 'writing', number>>;

export interface DatabaseSettings {
  /** The login for the work of one tenant. */
  url: string;
  /** The login for `allTenants`; where none is given there is one login for both. */
  allTenantsUrl?: string;
  /** What the tenant is signed with, where the database asks for that. */
  tenantKey?: Buffer;
  /** Of each login. */
  maxConnections?: number;
  applicationName?: string;
  statementTimeoutMs?: number;
  /** Whoever says nothing for so long in the middle of a transaction loses it: a process that stands still keeps rows that all others wait for. */
  idleInTransactionMs?: number;
  /** Whoever waits longer for a lock, of a row or any other, is sent away by the server and tries again; see `lockLimitMs`. */
  lockLimitMs?: number;
  /** Plans that were made under one tenant's settings serve the others for no longer than this. */
  plansKeptMs?: number;
  /** Whoever waits longer for the answer to a commit is let go; see `withCommitTimeout`. */
  commitLimitMs?: number;
  onError?: (error: Error) => void;
  /** Where the server refuses the login itself: a role may change its own password, and so may a statement that got in. Then it is tried again. */
  mendLogin?: () => Promise<unknown>;
  /** A standby, or several, to read at. */
  replica?: ReplicaSettings;
  /** Notices a server that is stopped but not dead, and lets everybody go who waits for it. */
  heartbeat?: boolean;
}

/**
 * In the `returning` of a statement that stands alone: its commit does not wait for the disk. A crash of the server may take it
 * back, never out of order: every later commit that does wait brings it along. For notes that nothing outside depends on.
 */
export const asyncCommit = sql.raw(`set_config('synchronous_commit', 'off', true)`);

const connectLimitMs = 10_000;
/** Of the connections that write, so much is for the transactions of one account. They wait for each other's rows anyway, so that more would hardly be faster. */
const accountShare = 1 / 3;
const idleInTransactionMs = 5_000;
const closeLimitMs = 5_000;
/**
 * A process that stands still keeps what it has until its silence was long enough. What it only waits for it must not get after that, one transaction after
 * another: so its waits end before, and end without it. A row is waited for twice, for the turn and for who has it, and each wait has the limit of its own.
 */
const lockLimitMs = 2_000;

type Send = (statement: Sql) => Promise<pg.QueryResult>;

function reader(send: Send): Reader {
  return {
    many: async <R extends object>(statement: Sql) => (await send(statement)).rows as R[],
    maybe: async <R extends object>(statement: Sql) => (await send(statement)).rows[0] as R | undefined,
    async one<R extends object>(statement: Sql) {
      const { rows } = await send(statement);
      if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}: ${statement.text.slice(0, 80)}`);
      return rows[0] as R;
    },
  };
}

function writer(send: Send): Autocommit {
  return { ...reader(send), run: async (statement) => (await send(statement)).rowCount ?? 0 };
}

/** The parts of a connection that `pg` does not declare. */
interface Wire {
  getTransactionStatus(): string | null;
}

/** What the pool has. */
interface Pooled {
  /** Those to lend; the last of them goes first. */
  readonly _idle: { readonly client: pg.PoolClient }[];
  /** Those that are being opened as well. */
  readonly _clients: readonly pg.PoolClient[];
}

/** Said with what each connection is told at its start: from then on what has no transaction of ours can only read. */
const readOnly = `set_config('default_transaction_read_only', 'on', false)`;
/** By statement too: poolers are told by their operators which settings a connection may begin with, and this one came later than those. */
const locksWithin = (ms: number) => `set_config('lock_timeout', '${ms}', false)`;
/** Asked of each new connection. What its start said is from the client, for the server; a pooler may have left it out. */
const greeting = `select pg_backend_pid() as pid, pg_is_in_recovery() as standby,
  (select source = 'client' from pg_settings where name = 'statement_timeout') as heard`;
interface Greeting {
  readonly pid: number;
  readonly standby: boolean;
  readonly heard: boolean;
}
const begin = (client: pg.PoolClient) => client.query('begin read write');

/** What a standby says of the condition under which it is read. */
interface Held {
  readonly standby: boolean;
  readonly holds: boolean | null;
}

/** To whoever asked the connection is lost, and the next one leads elsewhere. */
const connectionReset = (why: string) => Object.assign(new Error(why), { code: 'ECONNRESET' });

/** Where it cannot be mended, it is not tried for every request. */
const mendPauseMs = 1_000;

/** What the connection was thought to hold it does not, or it is none any more. */
const isBroken = (error: unknown) => isConnectionLoss(error) || isStaleSession(error);

/** In a failed transaction. */
const isAfterFailure = (error: unknown) => (error as { code?: string }).code === '25P02';

/** Invalid authorisation. */
const isLoginRefused = (error: unknown) => /^28/.test((error as { code?: string }).code ?? '');

/** Connections of one login. */
class LoginPool {
  readonly #pool: pg.Pool;
  readonly #key: Buffer | undefined;
  readonly #alive: AliveGuard;
  readonly #place: ServerLocator;
  readonly #mendLogin: DatabaseSettings['mendLogin'];
  /** One mends for all who wait. */
  #mending: Promise<unknown> | undefined;
  /** Whose each connection was last; a repeated one needs no second statement. */
  readonly #tenants = new WeakMap<pg.PoolClient, Tenant | undefined>();
  readonly #backends = new WeakMap<pg.PoolClient, number>();
  readonly #open = new Set<pg.Client>();
  readonly #commits: CommitTimeout;
  readonly #reset: SessionReset;
  readonly #most: number;
  readonly #semaphore: Semaphore;
  readonly #accountLimiter: KeyedLimiter;
  /** What a connection begins with. */
  readonly #startParameters: string;
  /** What it is told by statement, and again after each wipe. */
  readonly #rules: string;
  /** Behind a pooler that does not pass it on: these are told by statement, and again after each wipe. */
  readonly #needsSettings = new WeakSet<pg.PoolClient>();
  /** Since when each waits that has no connection yet; the first has waited longest. */
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
    this.#mendLogin = settings.mendLogin;
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
    this.#accountLimiter = new KeyedLimiter(Math.ceil(this.#most * accountShare));
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
    // The pool listens to idle connections only; one that dies while it is lent out would end the process just the same.
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      this.#open.add(client);
    });
    this.#pool.on('remove', (client) => this.#open.delete(client));
  }

  /**
   * Commits are not answered: it may be that another server has been made the primary, and the former one goes on without knowing. Then everything that
   * still leads there is cut, those who wait for a commit with it: they were let go, and nobody comes after them.
   */
  async recheckDifference(): Promise<void> {
    if (!this.#place.hasSeveralHosts) return;
    const { host, port } = new pg.Client({ connectionString: await this.#place.findAgain() });
    for (const client of this.#open) if (client.host !== host || client.port !== port) streamOf(client).destroy();
  }

  /** Nothing is kept that leads to where nobody answers; whoever is at work on it has been let go. */
  cut(): void {
    this.#place.leave();
    for (const client of (this.#pool as unknown as Pooled)._clients) streamOf(client).destroy();
  }

  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    return this.#readBatcher.read(tenant, statement);
  }

  /** Both leave in one write; undefined: the condition does not hold, and what the statement said does not count. */
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
        // After a failed statement too the connection is given back when its commit, which rolls back, has been answered.
        await Promise.allSettled(sent);
        return (await Promise.all(sent))[1];
      }),
    );
  }

  /** All leave in one write (pipelining): the second wall costs no round trip. */
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

  attempt<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, { of, since }: TransactionOptions = {}): Promise<T> {
    const until = (since ?? performance.now()) + connectLimitMs;
    const account = of ?? (tenant === allTenants ? undefined : accountOf(tenant));
    return withCommitTimeout(this.#commits, (committing) => {
      const run = () => this.#attempt(tenant, work, committing, until);
      // Who waits here is none of those by whom the load is measured: there are connections, for others.
      return account === undefined ? run() : this.#accountLimiter.withSlot(account, until - performance.now(), run);
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
    // The first statements of the work leave along with it, and can only read where it fails.
    const opened = this.#alive(Promise.all([this.#setTenant(client, tenant), begin(client)]));
    opened.catch(() => undefined);
    try {
      const seal = (order: string, what: string) =>
        signatureOf(`${what}.${this.#backends.get(client)}.${order}`, this.#key);
      const left: (() => Sql)[] = [];
      const words: (() => void)[] = [];
      const result = await work({
        tenant,
        seal,
        beforeCommit: (statement) => void left.push(statement),
        afterCommit: (tell) => void words.push(tell),
        ...writer(send),
      });
      await opened;
      const last = left.map((statement) => requirePlainValues(statement()));
      if (last.length > 0) corkWrites(client);
      const written = Promise.all(last.map(send));
      isOver = true;
      // Where one of them fails there is nothing left to commit, and that is what it says.
      const committed = this.#alive(client.query('commit'));
      written.then(committing, () => undefined);
      await Promise.allSettled([written, committed]);
      const [{ command }] = await Promise.all([committed, written]);
      // After a failed statement whose error was caught, COMMIT says ROLLBACK and is no error of its own.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
      for (const tell of words) tell();
      return result;
    } catch (caught) {
      isOver = true;
      const error = await opened.then(
        // What left in the same write after the one that failed says only that one did; the work may hear of it first.
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

  /** The login itself says that it works for every tenant. */
  #isEveryTenants = (tenant: Tenant): boolean => this.#key !== undefined && tenant === allTenants;

  longestWaitMs(): number {
    const [first] = this.#waiting;
    return first ? performance.now() - first.since : 0;
  }

  /** What is still under way gets its time; a server that says nothing is not waited for. */
  async close(): Promise<void> {
    const late = setTimeout(() => this.cut(), closeLimitMs);
    await this.#pool.end().finally(() => clearTimeout(late));
  }

  /**
   * A connection that passes from one tenant to another is wiped first, in the same write: settings, prepared statements, cursors
   * and temporary tables that a statement of the former might have left there. Plans stay, for ten minutes.
   */
  #setTenant(client: pg.PoolClient, tenant: Tenant): Promise<unknown> | undefined {
    if (this.#isEveryTenants(tenant)) return undefined;
    if (this.#tenants.get(client) === tenant) return undefined;
    const isNew = !this.#tenants.has(client);
    this.#tenants.set(client, tenant);
    const reset = isNew ? undefined : this.#reset.reset(client);
    const isDeaf = this.#needsSettings.has(client);
    const set = client.query({
      name: isDeaf ? 'set_tenant_and_start' : 'set_tenant',
      text: `select set_config('namehold.tenant', $1, false), ${isDeaf ? `${this.#startParameters}, ` : ''}${this.#rules}`,
      // Sealed for this one connection: a statement can overwrite the setting, but with nothing that counts for another tenant.
      values: [this.#key ? `${tenant}.${signatureOf(`${tenant}.${this.#backends.get(client)}`, this.#key)}` : tenant],
    });
    return Promise.all([reset, set]);
  }

  /**
   * To pass to another tenant costs a connection a wipe. So who was here before gets what it had; who is new gets a new one while there is room, then
   * the one that nobody has wanted for longest.
   */
  #ownOf(tenant: Tenant): Promise<pg.PoolClient> {
    if (this.#isEveryTenants(tenant)) return this.#pool.connect();
    // The pool lends the last of these, and opens one where there is none.
    const { _idle: idle } = this.#pool as unknown as Pooled;
    const own = idle.findLastIndex(({ client }) => this.#tenants.get(client) === tenant);
    const isNew = own < 0 && this.#pool.totalCount < this.#most;
    const others = idle.splice(isNew ? 0 : Math.max(0, own), isNew ? idle.length : 1);
    if (!isNew) idle.push(...others);
    const lent = this.#pool.connect();
    if (isNew) idle.push(...others);
    return lent;
  }

  async #take(tenant: Tenant): Promise<pg.PoolClient> {
    this.#pool.options.connectionString = await this.#place.find();
    try {
      return await this.#ownOf(tenant);
    } catch (error) {
      // What another had will do where the server has no session left for us.
      if (isConnectionLimitReached(error) && this.#pool.idleCount > 0) return this.#pool.connect();
      // Where it was, another one takes writes by now; where there is no other, it stays away.
      if (!isConnectionLoss(error) || !this.#place.leave()) throw error;
      this.#pool.options.connectionString = await this.#place.find();
      return this.#pool.connect();
    }
  }

  async #lease(tenant: Tenant): Promise<pg.PoolClient> {
    try {
      return await this.#take(tenant);
    } catch (error) {
      if (!this.#mendLogin || !isLoginRefused(error)) throw error;
      this.#mending ??= this.#mendLogin().finally(() => {
        setTimeout(() => {
          this.#mending = undefined;
        }, mendPauseMs).unref();
      });
      await this.#mending.catch(() => {
        throw error;
      });
      return this.#take(tenant);
    }
  }

  /** Whoever gets one gives it back, once. */
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
    // Nobody goes where nobody answers: whoever comes when that is over would wait for his turn behind those who did.
    await this.#alive(Promise.resolve());
    const waiting = { since: performance.now() };
    const lent = this.#borrow(tenant, until - waiting.since);
    this.#waiting.add(waiting);
    let client: pg.PoolClient;
    try {
      client = await this.#alive(lent);
    } catch (error) {
      // One that still comes goes back unused.
      lent.then((late) => this.#returnClient(late)).catch(() => undefined);
      throw error;
    } finally {
      this.#waiting.delete(waiting);
    }
    return !this.#key || this.#backends.has(client) ? client : this.#greet(client);
  }

  /** The number of its server process is asked once a connection: a pooler in between tells another one at the greeting. */
  async #greet(client: pg.PoolClient): Promise<pg.PoolClient> {
    // A pooler takes connections for a server that is gone, and lets them wait for it longer than anybody does here.
    const late = setTimeout(() => streamOf(client).destroy(), connectLimitMs);
    try {
      const { pid, standby, heard } = (await this.#alive(client.query<Greeting>(`${greeting}, ${this.#rules}`)))
        .rows[0]!;
      if (standby && this.#place.hasSeveralHosts && this.#place.wants === 'primary')
        throw connectionReset('the server is a standby by now');
      if (!heard) {
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
    const isOpen = (client as unknown as Wire).getTransactionStatus() !== 'I';
    this.#returnClient(client, broken ?? (isOpen ? new Error('the connection is still in a transaction') : undefined));
  }
}

/** Of a login's connections a third is for who only reads: where commits wait for a standby, they do not wait along. */
function poolPair(
  url: string,
  settings: DatabaseSettings,
  alive: AliveGuard,
  onUnanswered: () => void,
): { writing: LoginPool; reading: LoginPool } {
  const all = settings.maxConnections ?? 16;
  const reading = Math.floor(all / 3);
  const lane = (maxConnections: number) =>
    new LoginPool(new ServerLocator(url), { ...settings, maxConnections }, alive, onUnanswered);
  const writing = lane(all - reading);
  return { writing, reading: reading === 0 ? writing : lane(reading) };
}

export function openDatabase(settings: DatabaseSettings): Database {
  const cut = () => {
    for (const each of all) each.cut();
  };
  const heartbeat = settings.heartbeat
    ? watchHeartbeat(new ServerLocator(settings.url), { onUnresponsive: cut })
    : undefined;
  const alive: AliveGuard = (work) => (heartbeat ? heartbeat.guard(work) : work);
  /** All at once, and once at a time: whoever reads only does not notice by itself. */
  let isLooking = false;
  const recheckDifference = async () => {
    if (isLooking) return;
    isLooking = true;
    await Promise.allSettled([...all].map((each) => each.recheckDifference()));
    isLooking = false;
  };
  const one = poolPair(settings.url, settings, alive, recheckDifference);
  const every = settings.allTenantsUrl ? poolPair(settings.allTenantsUrl, settings, alive, recheckDifference) : one;
  const lane = (tenant: Tenant) => (tenant === allTenants ? every : one).writing;
  const reading = (tenant: Tenant) => (tenant === allTenants ? every : one).reading;
  const all = new Set([one, every].flatMap((pools) => [pools.writing, pools.reading]));
  const read = (tenant: Tenant, statement: Sql) => withRetries(() => reading(tenant).read(tenant, statement));
  const replicaReads =
    settings.replica &&
    openReplicaReads(
      settings.replica,
      (place, heard) => new LoginPool(place, settings, heard),
      (statement) => read(allTenants, statement),
    );
  return {
    as: (tenant) => reader((statement) => read(tenant, statement)),
    asReplica: (tenant) =>
      reader(async (statement) => (await replicaReads?.read(tenant, statement)) ?? read(tenant, statement)),
    autocommit: (tenant) => writer((statement) => withRetries(() => lane(tenant).autocommit(tenant, statement))),
    transaction: (tenant, work, whom) => withRetries(() => lane(tenant).attempt(tenant, work, whom)),
    // Of the requests' own connections: the clockwork has others, and may wait for them.
    longestWaitsMs: () => ({ reading: one.reading.longestWaitMs(), writing: one.writing.longestWaitMs() }),
    async close() {
      heartbeat?.stop();
      await Promise.all([...[...all].map((each) => each.close()), replicaReads?.close()]);
    },
  };
}

/** The same database, where reading outside a transaction may be done at a standby. */
export const withReplicaReads = (db: Database): Database => ({ ...db, as: db.asReplica });

/** The name of the violated constraint, where that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' || code === '23P01' ? constraint : undefined;
}
