import { randomUUID } from 'node:crypto';
import { steadyClock, type WallClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import type { Answer } from '../model/answer.ts';
import type { FeeCheck } from '../model/extension.ts';
import type { DataOf, ObjectRequest } from '../model/request.ts';
import { SESSION_LIMIT_CODE } from '../results.ts';
import { LocalAccount } from './account.ts';
import { CheckBatcher } from './check-batcher.ts';
import { localConnectionLeases } from './connection-leases.ts';
import { draftJob, type Job, journalEntry, truncateTo, writeWithin } from './job.ts';
import { JournalWriter } from './journal-writer.ts';
import { isTransform, toAnswer } from './outcome.ts';
import { type PooledConnection, PooledConnections } from './pooled-connections.ts';
import type {
  AccountRateLimit,
  ConnectionLease,
  ConnectionLeases,
  EppClientEvent,
  EppCredentials,
  Grant,
  LoginPause,
} from './ports.ts';
import { PriorityQueue } from './priority-queue.ts';
import { EppSession } from './session.ts';
import type { CheckedName, EppPool, EppPoolOptions, EppPoolState, Priority, SendOptions } from './types.ts';

const SLOT_RETRY_MS = 1_000;
/** The retry interval of a process that has no session. */
const FIRST_SLOT_RETRY_MS = 250;
/** A session that another process requested is released after this idle time: most commands are followed by another sooner. */
const IDLE_MS = 250;
/** Under load such a session is released after this time. A login takes a second at many registries. */
const TURN_MS = 5_000;
const TURN_POLL_MS = 100;
/** If other processes hold all sessions, an order waits this long for one. After that, another process can run it sooner. */
const CROWDED_WAIT_MS = 2_000;
/** How long the result "other processes hold all sessions" is reused. */
const CROWDED_POLL_MS = 250;
const DEFAULT_MAX_WAIT_MS = 30_000;
const MAX_MISSES = 3;
/** Some registries close the connection after each answer, so that the next command is lost again and again. */
const MAX_CUTS = 3;
/** A grant is valid for this long. Unused grants are then available to other processes. */
const GRANT_MS = 1_000;
/** How often a pause is checked again: another process may have ended it. */
const PAUSE_POLL_MS = 5_000;
/** The retry interval after a failed request to the account. */
const ACCOUNT_RETRY_MS = 1_000;
/** The shortest wait after a request without a grant, whatever wait the account returns. */
const MIN_GRANT_WAIT_MS = 1;

export function createEppPool<C = unknown>(options: EppPoolOptions<C>): EppPool<C> {
  return new Pool(options);
}

class Pool<C> implements EppPool<C> {
  readonly #options: EppPoolOptions<C>;
  readonly #clock: WallClock;
  readonly #connectionLeases: ConnectionLeases;
  readonly #connections = new PooledConnections();
  readonly #queue = new PriorityQueue<Job<C>>();
  readonly #account: AccountRateLimit;
  readonly #journalWriter: JournalWriter<C>;
  readonly #checkBatcher: CheckBatcher;
  readonly #running = new Set<Promise<void>>();
  /** Logins are paused, as far as this process knows. */
  #pause: { readonly code: number; readonly untilMs: number; readonly pollMs: number } | undefined;
  #granted = 0;
  #grantedAtMs = 0;
  #isRequestingGrant = false;
  /** The account granted nothing: no grant is requested before then. */
  #grantAgainAtMs = Number.NEGATIVE_INFINITY;
  #pumpTimer: { readonly atMs: number; readonly stop: () => void } | undefined;
  /** While a session is being opened: settles when a lease was granted or refused. */
  #pendingLease: Promise<void> | undefined;
  /** At the last request for a session, other processes held all of them. */
  #isCrowded = false;
  #crowdedAtMs = 0;
  /** No further session is requested before then, because none was available. */
  #retryLeaseAtMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: EppPoolOptions<C>) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
    const { limits } = options.profile;
    this.#connectionLeases = options.connectionLeases ?? localConnectionLeases(limits.sessions);
    this.#account = options.account ?? new LocalAccount(limits.commandsPerSecond, this.#clock, options.backoff);
    this.#journalWriter = new JournalWriter(options.journal, this.#emit);
    this.#checkBatcher = new CheckBatcher(
      (request, priority) => this.send(request, { priority }),
      options.profile,
      this.#clock,
    );
  }

  async send<R extends ObjectRequest>(request: R, options: SendOptions<C> = {}): Promise<Answer<DataOf<R>>> {
    const draft = draftJob(request, options, this.#options.profile, this.#newClTRID);
    if (this.#closed) throw new EppUnsentError('closed', 'the pool is closed');
    return new Promise((resolve, reject) => {
      const job: Job<C> = {
        ...draft,
        resolve: resolve as Job<C>['resolve'],
        reject,
        stopWaitTimer: () => {},
        waitsSinceMs: 0,
      };
      this.#startWaiting(job);
      this.#queue.push(job.priority, job);
      this.#pump();
    });
  }

  #startWaiting(job: Job<C>): void {
    job.waitsSinceMs = this.#clock.nowMs();
    job.stopWaitTimer = this.#clock.after(this.#options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS, () => {
      if (this.#queue.remove(job.priority, job))
        this.#fail(job, new EppUnsentError('no-slot', 'no connection was available in time'));
    });
  }

  /** Puts the job back at the head of its queue, because it had its turn already. */
  #requeue(job: Job<C>): void {
    this.#startWaiting(job);
    this.#queue.unshift(job.priority, job);
  }

  checkName(
    name: string,
    options: { readonly fee?: FeeCheck; readonly priority?: Priority } = {},
  ): Promise<Answer<CheckedName>> {
    return this.#checkBatcher.check(name, options.fee, options.priority ?? 'interactive');
  }

  resumeLogins(): void {
    this.#track(this.#loginWorked().then(() => this.#pump()));
  }

  async hasFreeSession(): Promise<boolean> {
    if (this.#connections.open > 0 || this.#closed) return true;
    const pause = this.#paused;
    if (pause) return pause.code !== SESSION_LIMIT_CODE;
    // A caller with many orders gets the cached result.
    if (this.#isReportedCrowded) return false;
    await (this.#pendingLease ?? this.#openOne(true));
    return this.#connections.open > 0 || !this.#isCrowded;
  }

  get #isReportedCrowded(): boolean {
    const isLate = this.#clock.nowMs() - this.#crowdedAtMs >= CROWDED_POLL_MS;
    return this.#isCrowded && !isLate && this.#connections.open === 0 && !this.#closed;
  }

  async #loginWorked(): Promise<void> {
    this.#pause = undefined;
    // If this note fails, the next login repeats it. Until then other processes wait longer than necessary.
    const isResumed = await Promise.resolve(this.#account.worked()).catch(() => false);
    if (isResumed) this.#emit({ type: 'logins-resumed' });
  }

  /** A pause that this process started or learned of. It is checked again every `PAUSE_POLL_MS`. */
  get #paused(): LoginPause | undefined {
    const nowMs = this.#clock.nowMs();
    const pause = this.#pause;
    return pause && pause.untilMs > nowMs && pause.pollMs > nowMs
      ? { code: pause.code, delayMs: pause.untilMs - nowMs }
      : undefined;
  }

  #notePause({ code, delayMs }: LoginPause): void {
    const nowMs = this.#clock.nowMs();
    this.#pause = { code, untilMs: nowMs + delayMs, pollMs: nowMs + PAUSE_POLL_MS };
  }

  state(): EppPoolState {
    const nowMs = this.#clock.nowMs();
    const pause = this.#pause && this.#pause.untilMs > nowMs ? this.#pause : undefined;
    const isLimit = pause?.code === SESSION_LIMIT_CODE;
    return {
      sessions: this.#connections.open,
      crowded: this.#isReportedCrowded,
      busy: this.#connections.busy,
      waiting: this.#queue.counts(),
      loginsStopped: pause !== undefined && !isLimit,
      backingOffUntilMs: isLimit ? pause?.untilMs : undefined,
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pumpTimer?.stop();
    this.#failWaiting(new EppUnsentError('closed', 'the pool is closed'));
    await this.#whenIdle();
    await Promise.all(this.#connections.all().map((connection) => connection.session.logout()));
    await this.#whenIdle();
  }

  async #whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  readonly #emit = (event: EppClientEvent): void => this.#options.onEvent?.(event);

  readonly #newClTRID = (): string => this.#options.newClTRID?.() ?? `NH-${randomUUID()}`;

  /** One connection is reserved for money if the registry allows two or more. */
  get #connectionsOutsideMoney(): number {
    const { sessions } = this.#options.profile.limits;
    return sessions >= 2 ? sessions - 1 : sessions;
  }

  /** Assigns waiting commands to idle sessions, and opens further sessions if needed. */
  #pump(): void {
    for (;;) {
      const full = this.#connections.busyOutsideMoney >= this.#connectionsOutsideMoney;
      const next = this.#queue.peek((priority) => priority !== 'money' && full);
      if (next === undefined) return;
      const connection = this.#connections.idle();
      if (connection === undefined) {
        this.#openMore();
        return;
      }
      if (!this.#mayLeave()) return;
      this.#queue.take(next.priority);
      next.job.stopWaitTimer();
      connection.priority = next.priority;
      this.#track(this.#run(connection, next.job));
    }
  }

  /** Uses one granted command, or requests a grant. */
  #mayLeave(): boolean {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#grantedAtMs >= GRANT_MS) this.#granted = 0;
    if (this.#granted === 0 && !this.#isRequestingGrant) {
      if (nowMs < this.#grantAgainAtMs) this.#pumpAfter(this.#grantAgainAtMs - nowMs);
      else this.#requestGrant();
    }
    if (this.#granted === 0) return false;
    this.#granted -= 1;
    return true;
  }

  #requestGrant(): void {
    const grant = this.#account.take(Math.min(this.#queue.size, this.#connections.idleCount));
    if (grant instanceof Promise) this.#awaitGrant(grant);
    else this.#accept(grant);
  }

  #awaitGrant(grant: Promise<Grant>): void {
    this.#isRequestingGrant = true;
    const none = { granted: 0, waitMs: ACCOUNT_RETRY_MS };
    this.#track(
      grant
        .catch(() => none)
        .then((given) => {
          this.#isRequestingGrant = false;
          this.#accept(given);
          // Without a grant only the timer continues. A refusal can be immediate and repeat, which would block all timers of the process.
          if (given.granted > 0) this.#pump();
        }),
    );
  }

  #accept({ granted, waitMs }: Grant): void {
    this.#granted = granted;
    this.#grantedAtMs = this.#clock.nowMs();
    if (granted > 0) return;
    const againMs = Math.max(MIN_GRANT_WAIT_MS, waitMs);
    this.#grantAgainAtMs = this.#grantedAtMs + againMs;
    this.#pumpAfter(againMs);
  }

  /** The earliest requested time applies. */
  #pumpAfter(waitMs: number): void {
    const atMs = this.#clock.nowMs() + waitMs;
    if (this.#closed || (this.#pumpTimer && this.#pumpTimer.atMs <= atMs)) return;
    this.#pumpTimer?.stop();
    const stop = this.#clock.after(waitMs, () => {
      this.#pumpTimer = undefined;
      this.#pump();
    });
    this.#pumpTimer = { atMs, stop };
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  #openMore(): void {
    const waiting = this.#queue.counts();
    const { sessions } = this.#options.profile.limits;
    const wanted = waiting.money > 0 ? sessions : this.#connectionsOutsideMoney;
    // One login at a time: an account may be locked after a few wrong ones, and the first login shows whether the session limit is
    // reached.
    if (this.#closed || this.#connections.opening > 0 || this.#connections.open >= wanted) return;
    if (this.#connections.open > 0 && this.#clock.nowMs() < this.#retryLeaseAtMs) return;
    const pause = this.#paused;
    if (pause) {
      this.#failIfAlone(pausedError(pause));
      return;
    }
    void this.#openOne(waiting.interactive + waiting.background === 0);
  }

  /** Settles when the lease is granted or refused; the login takes longer. */
  #openOne(onlySpare: boolean): Promise<void> {
    this.#connections.opening += 1;
    const slot = Promise.withResolvers<void>();
    this.#pendingLease = slot.promise;
    const opened = this.#open(onlySpare, slot.resolve).finally(() => {
      slot.resolve();
      this.#pendingLease = undefined;
    });
    this.#track(opened);
    return slot.promise;
  }

  async #open(onlySpare: boolean, leaseKnown: () => void): Promise<void> {
    let lease: ConnectionLease | null = null;
    try {
      lease = await this.#connectionLeases.acquire({ onlySpare });
      this.#isCrowded = lease === null;
      this.#crowdedAtMs = this.#clock.nowMs();
      if (lease === null || this.#closed) {
        await lease?.release();
        this.#connections.opening -= 1;
        this.#waitForLease();
        return;
      }
      leaseKnown();
      const pause = await this.#account.mayLogIn(this.#connections.open === 0);
      if (pause) {
        this.#notePause(pause);
        throw pausedError(pause);
      }
      const session = await this.#tryLogIn();
      this.#connections.opening -= 1;
      this.#addConnection(session, lease);
    } catch (error) {
      this.#connections.opening -= 1;
      this.#isCrowded = error instanceof EppUnsentError && error.why === 'session-limit';
      await lease?.release().catch(() => {});
      this.#failIfAlone(error);
    }
  }

  /** Jobs that another process could run fail soon. Queries keep waiting, because only this process can run them. */
  #waitForLease(): void {
    const isAlone = this.#connections.open === 0;
    const retryMs = isAlone ? FIRST_SLOT_RETRY_MS : SLOT_RETRY_MS;
    this.#retryLeaseAtMs = this.#clock.nowMs() + retryMs;
    this.#pumpAfter(retryMs);
    if (!isAlone) return;
    const before = this.#clock.nowMs() - CROWDED_WAIT_MS;
    for (const job of this.#queue.removeWhere('money', ({ waitsSinceMs }) => waitsSinceMs <= before))
      this.#fail(job, new EppUnsentError('no-slot', 'other processes hold all sessions'));
  }

  async #tryLogIn(): Promise<EppSession> {
    try {
      const session = await this.#logIn();
      await this.#loginWorked();
      return session;
    } catch (error) {
      await this.#loginFailed(error instanceof EppUnsentError ? error.code : undefined);
      throw error;
    }
  }

  /** If the password changed between reading it and the registry's check, the login is retried with the new one. */
  async #logIn(): Promise<EppSession> {
    const used = await this.#credentials();
    try {
      return await this.#openWith(used);
    } catch (error) {
      const isRefused = error instanceof EppUnsentError && error.why === 'login-refused';
      const now = isRefused ? await this.#credentials() : used;
      if (now.pw === used.pw) throw error;
      return this.#openWith(now);
    }
  }

  async #credentials(): Promise<EppCredentials> {
    const { credentials } = this.#options;
    return typeof credentials === 'function' ? credentials() : credentials;
  }

  #openWith(credentials: EppCredentials): Promise<EppSession> {
    this.#account.charge();
    return EppSession.open({
      endpoint: this.#options.endpoint,
      credentials,
      profile: this.#options.profile,
      clock: this.#clock,
      newClTRID: this.#newClTRID,
      onEvent: this.#emit,
      onDead: (dead) => this.#drop(dead),
    });
  }

  #addConnection(session: EppSession, lease: ConnectionLease): void {
    const connection: PooledConnection = {
      session,
      lease,
      priority: undefined,
      retire: false,
      idleSinceMs: this.#clock.nowMs(),
    };
    this.#connections.add(connection);
    // The session may have ended between its login and now.
    if (!session.alive) {
      this.#drop(session);
      return;
    }
    whenFired(lease.requested, () => this.#offer(connection, this.#clock.nowMs() + TURN_MS));
    whenFired(lease.lost, () => this.#retire(connection));
    this.#pump();
  }

  /** No login is repeated at once, because an account may be locked after a few. Faults of the registry itself start no pause. */
  async #loginFailed(code: number | undefined): Promise<void> {
    // If the pause cannot be shared, it applies to this process at least.
    const pause = await Promise.resolve(this.#account.failed(code)).catch(() =>
      code === undefined ? null : { code, delayMs: PAUSE_POLL_MS },
    );
    if (!pause) return;
    this.#notePause(pause);
    const { delayMs } = pause;
    if (pause.code === SESSION_LIMIT_CODE) this.#emit({ type: 'backing-off', delayMs, why: 'session limit' });
    else this.#emit({ type: 'logins-stopped', code: pause.code, delayMs });
  }

  /** While other sessions are open, waiting commands are not failed. */
  #failIfAlone(error: unknown): void {
    if (this.#connections.open === 0 && this.#connections.opening === 0) this.#failWaiting(error);
  }

  #failWaiting(error: unknown): void {
    for (const job of this.#queue.drain()) this.#fail(job, error);
  }

  #fail(job: Job<C>, error: unknown): void {
    job.stopWaitTimer();
    if (!job.journalled) {
      job.reject(error);
      return;
    }
    const why = error instanceof Error ? error.message : 'unknown fault';
    void this.#journalWriter.unsent(job.clTRID, why).then(() => job.reject(error));
  }

  #drop(session: EppSession): void {
    const connection = this.#connections.remove(session);
    if (connection === undefined) return;
    const released = connection.lease.release().catch(() => {});
    this.#track(
      released.then(() => {
        // The lease is free, for this process as for others.
        this.#retryLeaseAtMs = Number.NEGATIVE_INFINITY;
        this.#pump();
      }),
    );
    this.#pump();
  }

  /** Another process requested the session. */
  #offer(connection: PooledConnection, untilMs: number): void {
    if (connection.retire || !connection.session.alive) return;
    const nowMs = this.#clock.nowMs();
    const isIdle =
      connection.priority === undefined && this.#queue.size === 0 && nowMs - connection.idleSinceMs >= IDLE_MS;
    if (isIdle || nowMs >= untilMs) {
      // This was the last session here, and another process gets it.
      this.#isCrowded = true;
      this.#retire(connection);
    } else this.#clock.after(TURN_POLL_MS, () => this.#offer(connection, untilMs));
  }

  #retire(connection: PooledConnection): void {
    connection.retire = true;
    if (connection.priority === undefined) this.#track(connection.session.logout());
  }

  async #run(connection: PooledConnection, job: Job<C>): Promise<void> {
    try {
      await this.#perform(connection, job);
    } catch (error) {
      this.#fail(job, error);
    } finally {
      connection.priority = undefined;
      connection.idleSinceMs = this.#clock.nowMs();
      if (connection.session.alive && (connection.session.isUsedUp || connection.retire)) this.#retire(connection);
      this.#pump();
    }
  }

  async #perform(connection: PooledConnection, job: Job<C>): Promise<void> {
    truncateTo(job, connection.session.greeting, this.#options.profile);
    if (!job.journalled && this.#options.journal !== undefined) await this.#prepare(job);
    const end = await connection.session.exchange(job.xml, job.clTRID, job.timeoutMs, () =>
      this.#journalWriter.sent(job.clTRID),
    );
    if (end.kind === 'unsent') {
      job.misses += 1;
      if (job.misses >= MAX_MISSES || this.#closed) throw new EppUnsentError('session-lost', end.text);
      this.#requeue(job);
      return;
    }
    const answer = toAnswer(job.request, job.clTRID, end);
    await this.#journalWriter.answered(job, answer);
    if (answer.kind === 'refused' && answer.sessionFault) {
      const isLimit = answer.code === SESSION_LIMIT_CODE;
      if (isLimit) await this.#loginFailed(answer.code);
      if (this.#repeat(job)) return;
      // Refused on a session that had just logged in: the refusal is about the command. This never applies to the session limit.
      if (job.repeated && !isLimit) return job.resolve({ ...answer, sessionFault: false });
    }
    const isCut = answer.kind === 'unknown' && answer.why === 'socket-died';
    if (isCut && !isTransform(job.request) && this.#resend(job)) return;
    job.resolve(answer);
  }

  async #prepare(job: Job<C>): Promise<void> {
    try {
      await this.#options.journal?.prepared(journalEntry(job, this.#options.profile.id));
    } catch (error) {
      const text = error instanceof Error ? error.message : 'unknown fault';
      throw new EppUnsentError('journal-failed', text, undefined, { cause: error });
    }
    job.journalled = true;
  }

  /** A refusal about the session: repeated once on a new one. */
  #repeat(job: Job<C>): boolean {
    if (job.repeated || !this.#resetJob(job)) return false;
    job.repeated = true;
    return true;
  }

  /** A query whose answer was cut off. */
  #resend(job: Job<C>): boolean {
    job.cuts += 1;
    return job.cuts <= MAX_CUTS && this.#resetJob(job);
  }

  /** Sent again with a new clTRID. */
  #resetJob(job: Job<C>): boolean {
    if (job.hasGivenClTRID || this.#closed) return false;
    job.journalled = false;
    job.clTRID = this.#newClTRID();
    job.xml = writeWithin(job.request, job.clTRID, this.#options.profile, job.order);
    this.#requeue(job);
    return true;
  }
}

/** The signal may have fired while the session was being opened. */
function whenFired(signal: AbortSignal | undefined, act: () => void): void {
  if (signal?.aborted) act();
  else signal?.addEventListener('abort', act, { once: true });
}

function pausedError({ code }: LoginPause): EppUnsentError {
  if (code === SESSION_LIMIT_CODE) return new EppUnsentError('session-limit', 'backing off', code);
  return new EppUnsentError('logins-stopped', `logins are paused because the registry answered ${code}`, code);
}
