import type { WallClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import { SESSION_LIMIT_CODE } from '../results.ts';
import type { PoolBackground } from './background.ts';
import { type Logins, pausedError } from './logins.ts';
import type { ConnectionLease, ConnectionLeases } from './ports.ts';
import type { EppSession } from './session.ts';
import type { Priority } from './types.ts';

const LEASE_RETRY_MS = 1_000;
/** The retry interval of a process that has no session. */
const FIRST_LEASE_RETRY_MS = 250;
/** A session that another process requested is released after this idle time: most commands are followed by another sooner. */
const IDLE_MS = 250;
/** Under load such a session is released after this time. A login takes a second at many registries. */
const MAX_HOLD_AFTER_REQUEST_MS = 5_000;
const RELEASE_POLL_MS = 100;
/** How long the result "other processes hold all sessions" is reused. */
const SESSION_LIMIT_POLL_MS = 250;

/** A session with its lease and the priority queue that it serves at the moment. */
export type PooledConnection = {
  readonly session: EppSession;
  readonly lease: ConnectionLease;
  priority: Priority | undefined;
  retire: boolean;
  /** The end of its last command. */
  idleSinceMs: number;
};

type SessionsOptions = {
  /** The most sessions of this process. */
  readonly limit: number;
  readonly clock: WallClock;
  readonly leases: ConnectionLeases;
  readonly logins: Logins;
  readonly background: PoolBackground;
  /** The commands that wait for a session. */
  readonly waiting: {
    readonly size: number;
    failAll(error: unknown): void;
    failWithoutSession(): void;
  };
};

/** The open sessions of a pool. Each holds a lease, because processes that share an account share its sessions. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #clock: WallClock;
  readonly #background: PoolBackground;
  readonly #connections = new Map<EppSession, PooledConnection>();
  /** Sessions that are being opened. */
  #opening = 0;
  /** While a session is being opened: settles when a lease was granted or refused. */
  #pendingLease: Promise<void> | undefined;
  /** At the last request for a session, other processes held all of them. */
  #isSessionLimitReached = false;
  #limitReachedAtMs = 0;
  /** No further session is requested before then, because none was available. */
  #retryLeaseAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#background = options.background;
  }

  get open(): number {
    return this.#connections.size;
  }

  get busy(): number {
    return this.#count(({ priority }) => priority !== undefined);
  }

  /** Other processes hold all sessions, by the last recent result. */
  get isSessionLimitReached(): boolean {
    const isLate = this.#clock.nowMs() - this.#limitReachedAtMs >= SESSION_LIMIT_POLL_MS;
    return this.#isSessionLimitReached && !isLate && this.open === 0 && !this.#background.isClosed;
  }

  /** One session is reserved for billable commands (priority `money`) if the registry allows two or more. */
  get hasOnlyReservedSessions(): boolean {
    const busyOutsideMoney = this.#count(({ priority }) => priority !== undefined && priority !== 'money');
    return busyOutsideMoney >= this.#outsideMoney;
  }

  get #outsideMoney(): number {
    const { limit } = this.#options;
    return limit >= 2 ? limit - 1 : limit;
  }

  idle(): PooledConnection | undefined {
    return this.#connections.values().find(isIdle);
  }

  get idleCount(): number {
    return this.#count(isIdle);
  }

  #count(isCounted: (connection: PooledConnection) => boolean): number {
    return [...this.#connections.values()].filter(isCounted).length;
  }

  /** Opens a further session for waiting commands, if that is allowed now. */
  openMore(waiting: Readonly<Record<Priority, number>>): void {
    const wanted = waiting.money > 0 ? this.#options.limit : this.#outsideMoney;
    // One login at a time: an account may be locked after a few wrong ones, and the first login shows whether the session limit is
    // reached.
    if (this.#background.isClosed || this.#opening > 0 || this.open >= wanted) return;
    if (this.open > 0 && this.#clock.nowMs() < this.#retryLeaseAtMs) return;
    const pause = this.#options.logins.paused;
    if (pause) this.#failIfAlone(pausedError(pause));
    else void this.#openOne(waiting.interactive + waiting.background === 0);
  }

  /** False: this process has no session and can get none. */
  async hasFree(): Promise<boolean> {
    if (this.open > 0 || this.#background.isClosed) return true;
    const pause = this.#options.logins.paused;
    if (pause) return pause.code !== SESSION_LIMIT_CODE;
    // A caller with many orders gets the cached result.
    if (this.isSessionLimitReached) return false;
    await (this.#pendingLease ?? this.#openOne(true));
    return this.open > 0 || !this.#isSessionLimitReached;
  }

  /** After a command. */
  release(connection: PooledConnection): void {
    connection.priority = undefined;
    connection.idleSinceMs = this.#clock.nowMs();
    const { session } = connection;
    if (session.alive && (session.isUsedUp || connection.retire)) this.#retire(connection);
  }

  async logOut(): Promise<void> {
    await Promise.all([...this.#connections.keys()].map((session) => session.logout()));
  }

  /** Settles when the lease is granted or refused; the login takes longer. */
  #openOne(onlySpare: boolean): Promise<void> {
    this.#opening += 1;
    const granted = Promise.withResolvers<void>();
    this.#pendingLease = granted.promise;
    const opened = this.#open(onlySpare, granted.resolve).finally(() => {
      granted.resolve();
      this.#pendingLease = undefined;
    });
    this.#background.track(opened);
    return granted.promise;
  }

  async #open(onlySpare: boolean, leaseKnown: () => void): Promise<void> {
    let lease: ConnectionLease | null = null;
    try {
      lease = await this.#options.leases.acquire({ onlySpare });
      this.#isSessionLimitReached = lease === null;
      this.#limitReachedAtMs = this.#clock.nowMs();
      if (lease === null || this.#background.isClosed) {
        await lease?.release();
        this.#opening -= 1;
        this.#waitForLease();
        return;
      }
      leaseKnown();
      const session = await this.#options.logins.logIn(this.open === 0, (dead) => this.#drop(dead));
      this.#opening -= 1;
      this.#add(session, lease);
    } catch (error) {
      this.#opening -= 1;
      this.#isSessionLimitReached = error instanceof EppUnsentError && error.why === 'session-limit';
      await lease?.release().catch(() => {});
      this.#failIfAlone(error);
    }
  }

  #waitForLease(): void {
    const isAlone = this.open === 0;
    const retryMs = isAlone ? FIRST_LEASE_RETRY_MS : LEASE_RETRY_MS;
    this.#retryLeaseAtMs = this.#clock.nowMs() + retryMs;
    this.#background.wakeAfter(retryMs);
    if (isAlone) this.#options.waiting.failWithoutSession();
  }

  /** While other sessions are open, waiting commands are not failed. */
  #failIfAlone(error: unknown): void {
    if (this.open === 0 && this.#opening === 0) this.#options.waiting.failAll(error);
  }

  #add(session: EppSession, lease: ConnectionLease): void {
    const connection: PooledConnection = {
      session,
      lease,
      priority: undefined,
      retire: false,
      idleSinceMs: this.#clock.nowMs(),
    };
    this.#connections.set(session, connection);
    // The session may have ended between its login and now.
    if (!session.alive) {
      this.#drop(session);
      return;
    }
    whenFired(lease.requested, () =>
      this.#releaseWhenIdle(connection, this.#clock.nowMs() + MAX_HOLD_AFTER_REQUEST_MS),
    );
    whenFired(lease.lost, () => this.#retire(connection));
    this.#background.wake();
  }

  #drop(session: EppSession): void {
    const connection = this.#connections.get(session);
    if (connection === undefined) return;
    this.#connections.delete(session);
    const released = connection.lease.release().catch(() => {});
    this.#background.track(
      released.then(() => {
        // The lease is free, for this process as for others.
        this.#retryLeaseAtMs = Number.NEGATIVE_INFINITY;
        this.#background.wake();
      }),
    );
    this.#background.wake();
  }

  /** Another process requested the session: logs out once it is unused, or at the latest at `untilMs`. */
  #releaseWhenIdle(connection: PooledConnection, untilMs: number): void {
    if (connection.retire || !connection.session.alive) return;
    const nowMs = this.#clock.nowMs();
    const isUnused =
      connection.priority === undefined &&
      this.#options.waiting.size === 0 &&
      nowMs - connection.idleSinceMs >= IDLE_MS;
    if (isUnused || nowMs >= untilMs) {
      // This was the last session here, and another process gets it.
      this.#isSessionLimitReached = true;
      this.#retire(connection);
    } else this.#clock.after(RELEASE_POLL_MS, () => this.#releaseWhenIdle(connection, untilMs));
  }

  #retire(connection: PooledConnection): void {
    connection.retire = true;
    if (connection.priority === undefined) this.#background.track(connection.session.logout());
  }
}

const isIdle = (pooled: PooledConnection): boolean =>
  pooled.priority === undefined && !pooled.retire && pooled.session.alive && !pooled.session.busy;

/** The signal may have fired while the session was being opened. */
function whenFired(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
}
