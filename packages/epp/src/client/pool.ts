import { randomUUID } from 'node:crypto';
import { steadyClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import type { Answer } from '../model/answer.ts';
import type { FeeCheck } from '../model/extension.ts';
import type { DataOf, ObjectRequest } from '../model/request.ts';
import { LocalAccount } from './account.ts';
import { PoolBackground } from './background.ts';
import { CheckBatcher } from './check-batcher.ts';
import { CommandRunner } from './command-runner.ts';
import { localConnectionLeases } from './connection-leases.ts';
import { draftJob, type Job } from './job.ts';
import { JournalWriter } from './journal-writer.ts';
import { Logins } from './logins.ts';
import { Pacing } from './pacing.ts';
import type { EppClientEvent } from './ports.ts';
import { JobQueue } from './queue.ts';
import { type PooledConnection, Sessions } from './sessions.ts';
import type { CheckedName, EppPool, EppPoolOptions, EppPoolState, Priority, SendOptions } from './types.ts';

export function createEppPool<C = unknown>(options: EppPoolOptions<C>): EppPool<C> {
  return new Pool(options);
}

/**
 * The EPP session pool. Commands wait in the queue. The pool assigns the next one to an idle session as soon as pacing grants it: `queue.ts`, `sessions.ts`
 * with `logins.ts`, `pacing.ts`. `command-runner.ts` then sends it.
 */
class Pool<C> implements EppPool<C> {
  readonly #options: EppPoolOptions<C>;
  readonly #background: PoolBackground;
  readonly #queue: JobQueue<Job<C>>;
  readonly #sessions: Sessions;
  readonly #logins: Logins;
  readonly #pacing: Pacing;
  readonly #runner: CommandRunner<C>;
  readonly #checkBatcher: CheckBatcher;

  constructor(options: EppPoolOptions<C>) {
    this.#options = options;
    const { profile, endpoint, credentials, journal, clock = steadyClock } = options;
    const { sessions: limit, commandsPerSecond } = profile.limits;
    const account = options.account ?? new LocalAccount(commandsPerSecond, clock, options.backoff);
    const leases = options.connectionLeases ?? localConnectionLeases(limit);
    const onEvent = (event: EppClientEvent) => options.onEvent?.(event);
    const newClTRID = this.#newClTRID;
    const background = new PoolBackground(clock, () => this.#assign());
    const waiting = new JobQueue<Job<C>>({
      clock,
      maxWaitMs: options.maxWaitMs,
      onFailed: (job, error) => this.#runner.fail(job, error),
    });
    const logins = new Logins({ endpoint, credentials, profile, clock, newClTRID, onEvent }, account);
    const journalWriter = new JournalWriter(journal, onEvent);
    const putBack = (job: Job<C>) => waiting.putBack(job);
    this.#background = background;
    this.#queue = waiting;
    this.#logins = logins;
    this.#sessions = new Sessions({ limit, clock, leases, logins, background, waiting });
    this.#pacing = new Pacing(account, clock, background);
    this.#runner = new CommandRunner({ profile, journal, journalWriter, logins, background, newClTRID, putBack });
    this.#checkBatcher = new CheckBatcher((request, priority) => this.send(request, { priority }), profile, clock);
  }

  async send<R extends ObjectRequest>(request: R, options: SendOptions<C> = {}): Promise<Answer<DataOf<R>>> {
    const draft = draftJob(request, options, this.#options.profile, this.#newClTRID);
    if (this.#background.isClosed) throw new EppUnsentError('closed', 'the pool is closed');
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...draft, resolve: resolve as Job<C>['resolve'], reject });
      this.#assign();
    });
  }

  checkName(
    name: string,
    options: { readonly fee?: FeeCheck; readonly priority?: Priority } = {},
  ): Promise<Answer<CheckedName>> {
    return this.#checkBatcher.check(name, options.fee, options.priority ?? 'interactive');
  }

  resumeLogins(): void {
    this.#background.track(this.#logins.resume().then(() => this.#assign()));
  }

  hasFreeSession(): Promise<boolean> {
    return this.#sessions.hasFree();
  }

  state(): EppPoolState {
    const { open, isSessionLimitReached, busy } = this.#sessions;
    return {
      sessions: open,
      isSessionLimitReached,
      busy,
      waiting: this.#queue.counts(),
      ...this.#logins.state(),
    };
  }

  async close(): Promise<void> {
    this.#background.close();
    this.#queue.failAll(new EppUnsentError('closed', 'the pool is closed'));
    await this.#background.whenIdle();
    await this.#sessions.logOut();
    await this.#background.whenIdle();
  }

  readonly #newClTRID = (): string => this.#options.newClTRID?.() ?? `NH-${randomUUID()}`;

  /** Assigns waiting commands to idle sessions, and opens further sessions if needed. */
  #assign(): void {
    for (;;) {
      const onlyMoney = this.#sessions.hasOnlyReservedSessions;
      const job = this.#queue.peek((priority) => priority !== 'money' && onlyMoney);
      if (job === undefined) return;
      const connection = this.#sessions.idle();
      if (connection === undefined) {
        this.#sessions.openMore(this.#queue.counts());
        return;
      }
      if (!this.#pacing.take(() => Math.min(this.#queue.size, this.#sessions.idleCount))) return;
      this.#queue.take(job);
      connection.priority = job.priority;
      this.#background.track(this.#run(connection, job));
    }
  }

  async #run(connection: PooledConnection, job: Job<C>): Promise<void> {
    try {
      await this.#runner.run(connection.session, job);
    } catch (error) {
      this.#runner.fail(job, error);
    } finally {
      this.#sessions.release(connection);
      this.#assign();
    }
  }
}
