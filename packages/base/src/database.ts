import pg from 'pg';
import { openAnywhere, type ReplicaSettings } from './anywhere.ts';
import { ask, inOneWrite } from './asked.ts';
import { isConnectionLoss, isFull } from './connection-loss.ts';
import { Place } from './hosts.ts';
import './instants.ts';
import { type CommitLimits, letGo } from './let-go.ts';
import { Lines } from './lines.ts';
import { answersOf, Pairs } from './pairs.ts';
import { plainOnly } from './plain-only.ts';
import { type Alive, streamOf, watchPulse } from './pulse.ts';
import { sealOf } from './seal.ts';
import { type Sql, sql } from './sql.ts';
import { saidByStatement, startSettings } from './start-settings.ts';
import { accountOf, everyTenant, type Tenant } from './tenant.ts';
import { isOutdated, tryAgain } from './try-again.ts';
import { Turns } from './turns.ts';
import { Wipes } from './wipes.ts';

// Dates without a time stay text: a local-time Date would shift the day.
pg.types.setTypeParser(1082, (text) => text);

/** Who holds no more than this cannot change anything: outside a transaction the server refuses a write, whatever its text. */
export interface Reader {
  many<R extends object>(statement: Sql): Promise<R[]>;
  maybe<R extends object>(statement: Sql): Promise<R | undefined>;
  one<R extends object>(statement: Sql): Promise<R>;
}

/** For a statement that writes and stands alone: it is a transaction by itself. */
export interface Alone extends Reader {
  /** Number of rows changed. */
  run(statement: Sql): Promise<number>;
}

/** A transaction is always an argument; who holds one may write. */
export interface Tx extends Alone {
  readonly tenant: Tenant;
  /** For an order that the database takes from the service only, not from a statement that got in; good on this connection. */
  seal(order: string, what: string): string;
  /** What is left to write when the work is done: all of it leaves in one write, together with the commit. Nobody hears how many rows it changed. */
  beforeCommit(statement: () => Sql): void;
  /** What others are told once it is true. Where the process dies in between, they are not. */
  afterCommit(tell: () => void): void;
}

export interface Database {
  /** Reads outside a transaction. The tenant travels in the same round trip as the statement. */
  as(tenant: Tenant): Reader;
  /** The same, for what is long to read: it may be answered by a standby, provided that it has all that was answered to anybody until now. */
  asAnywhere(tenant: Tenant): Reader;
  /** Each statement is a transaction by itself, in one round trip: for notes that need no other. */
  alone(tenant: Tenant): Alone;
  /** Runs again on a deadlock, a serialization failure, a lock that did not come in time, or a table that another release has just changed: nothing but SQL may happen inside. */
  transaction<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, whom?: ForWhom): Promise<T>;
  /** How long the one has waited who waits longest for a connection now, to read and to write; 0: nobody waits. */
  longestWaitsMs(): Waits;
  close(): Promise<void>;
}

/** For whom a transaction is, where its tenant does not say it, and since when that one waits. */
export interface ForWhom {
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
  /** The login for `everyTenant`; where none is given there is one login for both. */
  everyTenantUrl?: string;
  /** What the tenant is signed with, where the database asks for that. */
  tenantKey?: Buffer;
  /** Of each login. */
  maxConnections?: number;
  applicationName?: string;
  statementTimeoutMs?: number;
  /** Whoever says nothing for so long in the middle of a transaction loses it: a process that stands still keeps rows that all others wait for. */
  silenceLimitMs?: number;
  /** Whoever waits longer for a lock, of a row or any other, is sent away by the server and tries again; see `lockLimitMs`. */
  lockLimitMs?: number;
  /** Plans that were made under one tenant's settings serve the others for no longer than this. */
  plansKeptMs?: number;
  /** Whoever waits longer for the answer to a commit is let go; see `letGo`. */
  commitLimitMs?: number;
  onError?: (error: Error) => void;
  /** Where the server refuses the login itself: a role may change its own password, and so may a statement that got in. Then it is tried again. */
  mendLogin?: () => Promise<unknown>;
  /** A standby, or several, to read at. */
  replica?: ReplicaSettings;
  /** Notices a server that is stopped but not dead, and lets everybody go who waits for it. */
  pulse?: boolean;
}

/**
 * In the `returning` of a statement that stands alone: its commit does not wait for the disk. A crash of the server may take it
 * back, never out of order: every later commit that does wait brings it along. For notes that nothing outside depends on.
 */
export const flushLater = sql.raw(`set_config('synchronous_commit', 'off', true)`);

const connectLimitMs = 10_000;
/** Of the connections that write, so much is for the transactions of one account. They wait for each other's rows anyway, so that more would hardly be faster. */
const shareOfOne = 1 / 3;
const silenceLimitMs = 5_000;
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

function writer(send: Send): Alone {
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
const notWanted = (why: string) => Object.assign(new Error(why), { code: 'ECONNRESET' });

/** Where it cannot be mended, it is not tried for every request. */
const mendPauseMs = 1_000;

/** What the connection was thought to hold it does not, or it is none any more. */
const isUseless = (error: unknown) => isConnectionLoss(error) || isOutdated(error);

/** In a failed transaction. */
const isAfterFailure = (error: unknown) => (error as { code?: string }).code === '25P02';

/** Invalid authorisation. */
const isLoginRefused = (error: unknown) => /^28/.test((error as { code?: string }).code ?? '');

/** Connections of one login. */
class Lane {
  readonly #pool: pg.Pool;
  readonly #key: Buffer | undefined;
  readonly #alive: Alive;
  readonly #place: Place;
  readonly #mendLogin: DatabaseSettings['mendLogin'];
  /** One mends for all who wait. */
  #mending: Promise<unknown> | undefined;
  /** Whose each connection was last; a repeated one needs no second statement. */
  readonly #tenants = new WeakMap<pg.PoolClient, Tenant | undefined>();
  readonly #backends = new WeakMap<pg.PoolClient, number>();
  readonly #open = new Set<pg.Client>();
  readonly #commits: CommitLimits;
  readonly #wipes: Wipes;
  readonly #most: number;
  readonly #turns: Turns;
  readonly #lines: Lines;
  /** What a connection begins with. */
  readonly #said: string;
  /** What it is told by statement, and again after each wipe. */
  readonly #rules: string;
  /** Behind a pooler that does not pass it on: these are told by statement, and again after each wipe. */
  readonly #deaf = new WeakSet<pg.PoolClient>();
  /** Since when each waits that has no connection yet; the first has waited longest. */
  readonly #waiting = new Set<{ readonly since: number }>();
  readonly #pairs = new Pairs((tenant, statements) =>
    this.#single(tenant, (client) => answersOf(statements.map((each) => ask(client, each)))),
  );

  constructor(place: Place, settings: DatabaseSettings, alive: Alive, onUnanswered = () => {}) {
    const { url } = place;
    this.#alive = alive;
    this.#place = place;
    this.#commits = { ms: settings.commitLimitMs ?? 10_000, onUnanswered };
    this.#key = settings.tenantKey;
    this.#mendLogin = settings.mendLogin;
    const timeouts = {
      statement_timeout: settings.statementTimeoutMs ?? 30_000,
      idle_in_transaction_session_timeout: settings.silenceLimitMs ?? silenceLimitMs,
    };
    const own = Object.entries(timeouts).map(([name, value]) => [name, String(value)] as const);
    this.#said = saidByStatement([...startSettings(url), ...own]);
    this.#rules = `${readOnly}, ${locksWithin(settings.lockLimitMs ?? lockLimitMs)}`;
    this.#wipes = new Wipes(settings.plansKeptMs ?? 600_000);
    this.#most = settings.maxConnections ?? 16;
    this.#turns = new Turns(this.#most);
    this.#lines = new Lines(Math.ceil(this.#most * shareOfOne));
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
  async lookAgain(): Promise<void> {
    if (!this.#place.isOneOfSeveral) return;
    const { host, port } = new pg.Client({ connectionString: await this.#place.findAgain() });
    for (const client of this.#open) if (client.host !== host || client.port !== port) streamOf(client).destroy();
  }

  /** Nothing is kept that leads to where nobody answers; whoever is at work on it has been let go. */
  cut(): void {
    this.#place.leave();
    for (const client of (this.#pool as unknown as Pooled)._clients) streamOf(client).destroy();
  }

  read(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    return this.#pairs.read(tenant, statement);
  }

  /** Both leave in one write; undefined: the condition does not hold, and what the statement said does not count. */
  async readIf(tenant: Tenant, condition: Sql, statement: Sql): Promise<pg.QueryResult | undefined> {
    let holds = false;
    const result = await this.#single(tenant, async (client) => {
      const sent = [ask<Held>(client, condition), ask(client, statement)] as const;
      await Promise.allSettled(sent);
      const [held, read] = await Promise.all(sent);
      if (!held.rows[0]!.standby) throw notWanted('the standby was made a primary');
      holds = held.rows[0]!.holds === true;
      return read;
    });
    return holds ? result : undefined;
  }

  alone(tenant: Tenant, statement: Sql): Promise<pg.QueryResult> {
    return letGo(this.#commits, (committing) =>
      this.#single(tenant, async (client) => {
        const sent = [begin(client), ask(client, statement), client.query('commit')] as const;
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
      inOneWrite(client);
      const set = this.#setTenant(client, tenant);
      const sent = send(client);
      return set ? (await this.#alive(Promise.all([sent, set])))[0] : await this.#alive(sent);
    } catch (error) {
      this.#tenants.set(client, undefined);
      broken = isUseless(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }

  attempt<T>(tenant: Tenant, work: (tx: Tx) => Promise<T>, { of, since }: ForWhom = {}): Promise<T> {
    const until = (since ?? performance.now()) + connectLimitMs;
    const account = of ?? (tenant === everyTenant ? undefined : accountOf(tenant));
    return letGo(this.#commits, (committing) => {
      const run = () => this.#attempt(tenant, work, committing, until);
      // Who waits here is none of those by whom the load is measured: there are connections, for others.
      return account === undefined ? run() : this.#lines.inLine(account, until - performance.now(), run);
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
      const sent = this.#alive(ask(client, statement));
      sent.catch((error: unknown) => {
        failed ??= error;
      });
      return sent;
    };
    inOneWrite(client);
    // The first statements of the work leave along with it, and can only read where it fails.
    const opened = this.#alive(Promise.all([this.#setTenant(client, tenant), begin(client)]));
    opened.catch(() => undefined);
    try {
      const seal = (order: string, what: string) => sealOf(`${what}.${this.#backends.get(client)}.${order}`, this.#key);
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
      const last = left.map((statement) => plainOnly(statement()));
      if (last.length > 0) inOneWrite(client);
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
      if (isUseless(error)) broken = error as Error;
      throw error;
    } finally {
      this.#release(client, broken);
    }
  }

  /** The login itself says that it works for every tenant. */
  #isEveryTenants = (tenant: Tenant): boolean => this.#key !== undefined && tenant === everyTenant;

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
    const wiped = isNew ? undefined : this.#wipes.wipe(client);
    const isDeaf = this.#deaf.has(client);
    const set = client.query({
      name: isDeaf ? 'set_tenant_and_start' : 'set_tenant',
      text: `select set_config('namehold.tenant', $1, false), ${isDeaf ? `${this.#said}, ` : ''}${this.#rules}`,
      // Sealed for this one connection: a statement can overwrite the setting, but with nothing that counts for another tenant.
      values: [this.#key ? `${tenant}.${sealOf(`${tenant}.${this.#backends.get(client)}`, this.#key)}` : tenant],
    });
    return Promise.all([wiped, set]);
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
      if (isFull(error) && this.#pool.idleCount > 0) return this.#pool.connect();
      // Where it was, another one takes writes by now; where there is no other, it stays away.
      if (!isConnectionLoss(error) || !this.#place.leave()) throw error;
      this.#pool.options.connectionString = await this.#place.find();
      return this.#pool.connect();
    }
  }

  async #lend(tenant: Tenant): Promise<pg.PoolClient> {
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
    await this.#turns.enter(tenant, waitMs);
    try {
      return await this.#lend(tenant);
    } catch (error) {
      this.#turns.leave(tenant);
      throw error;
    }
  }

  #giveBack(client: pg.PoolClient, error?: Error): void {
    client.release(error);
    this.#turns.leave(this.#tenants.get(client) ?? '');
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
      lent.then((late) => this.#giveBack(late)).catch(() => undefined);
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
      if (standby && this.#place.isOneOfSeveral && this.#place.wants === 'primary')
        throw notWanted('the server is a standby by now');
      if (!heard) {
        await this.#alive(client.query(`select ${this.#said}, ${this.#rules}`));
        this.#deaf.add(client);
      }
      this.#backends.set(client, pid);
      return client;
    } catch (error) {
      this.#place.leave();
      this.#giveBack(client, error as Error);
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** A connection that is still in a transaction would run the next caller's statements in it. */
  #release(client: pg.PoolClient, broken: Error | undefined): void {
    if (broken) this.#place.leave();
    const isOpen = (client as unknown as Wire).getTransactionStatus() !== 'I';
    this.#giveBack(client, broken ?? (isOpen ? new Error('the connection is still in a transaction') : undefined));
  }
}

/** Of a login's connections a third is for who only reads: where commits wait for a standby, they do not wait along. */
function twoLanes(
  url: string,
  settings: DatabaseSettings,
  alive: Alive,
  onUnanswered: () => void,
): { writing: Lane; reading: Lane } {
  const all = settings.maxConnections ?? 16;
  const reading = Math.floor(all / 3);
  const lane = (maxConnections: number) =>
    new Lane(new Place(url), { ...settings, maxConnections }, alive, onUnanswered);
  const writing = lane(all - reading);
  return { writing, reading: reading === 0 ? writing : lane(reading) };
}

export function openDatabase(settings: DatabaseSettings): Database {
  const cut = () => {
    for (const each of all) each.cut();
  };
  const pulse = settings.pulse ? watchPulse(new Place(settings.url), { onSilence: cut }) : undefined;
  const alive: Alive = (work) => (pulse ? pulse.guard(work) : work);
  /** All at once, and once at a time: whoever reads only does not notice by itself. */
  let isLooking = false;
  const lookAgain = async () => {
    if (isLooking) return;
    isLooking = true;
    await Promise.allSettled([...all].map((each) => each.lookAgain()));
    isLooking = false;
  };
  const one = twoLanes(settings.url, settings, alive, lookAgain);
  const every = settings.everyTenantUrl ? twoLanes(settings.everyTenantUrl, settings, alive, lookAgain) : one;
  const lane = (tenant: Tenant) => (tenant === everyTenant ? every : one).writing;
  const reading = (tenant: Tenant) => (tenant === everyTenant ? every : one).reading;
  const all = new Set([one, every].flatMap((lanes) => [lanes.writing, lanes.reading]));
  const read = (tenant: Tenant, statement: Sql) => tryAgain(() => reading(tenant).read(tenant, statement));
  const anywhere =
    settings.replica &&
    openAnywhere(
      settings.replica,
      (place, heard) => new Lane(place, settings, heard),
      (statement) => read(everyTenant, statement),
    );
  return {
    as: (tenant) => reader((statement) => read(tenant, statement)),
    asAnywhere: (tenant) =>
      reader(async (statement) => (await anywhere?.read(tenant, statement)) ?? read(tenant, statement)),
    alone: (tenant) => writer((statement) => tryAgain(() => lane(tenant).alone(tenant, statement))),
    transaction: (tenant, work, whom) => tryAgain(() => lane(tenant).attempt(tenant, work, whom)),
    // Of the requests' own connections: the clockwork has others, and may wait for them.
    longestWaitsMs: () => ({ reading: one.reading.longestWaitMs(), writing: one.writing.longestWaitMs() }),
    async close() {
      pulse?.stop();
      await Promise.all([...[...all].map((each) => each.close()), anywhere?.close()]);
    },
  };
}

/** The same database, where reading outside a transaction may be done at a standby. */
export const readAnywhere = (db: Database): Database => ({ ...db, as: db.asAnywhere });

/** The name of the violated constraint, where that is what happened. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' || code === '23503' || code === '23514' || code === '23P01' ? constraint : undefined;
}
