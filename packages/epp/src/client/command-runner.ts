import { EppUnsentError } from '../errors.ts';
import type { RegistryProfile } from '../profile.ts';
import { SESSION_LIMIT_CODE } from '../results.ts';
import type { PoolBackground } from './background.ts';
import { type Job, journalEntry, removeUnofferedFeeExtension, writeFrameWithinLimit } from './job.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { Logins } from './logins.ts';
import { isTransform, toAnswer } from './outcome.ts';
import type { Journal } from './ports.ts';
import type { EppSession } from './session.ts';

const MAX_UNSENT_ATTEMPTS = 3;
/** Some registries close the connection after each answer, so that the next command is lost again and again. */
const MAX_LOST_CONNECTIONS = 3;

type RunnerOptions<C> = {
  readonly profile: RegistryProfile;
  readonly journal: Journal<C> | undefined;
  readonly journalWriter: JournalWriter<C>;
  readonly logins: Logins;
  readonly background: PoolBackground;
  newClTRID(): string;
  /** Puts a job back that is to be sent again. */
  putBack(job: Job<C>): void;
};

/** Sends a command over a session, records it in the journal, and decides whether it is sent again. */
export class CommandRunner<C> {
  readonly #options: RunnerOptions<C>;

  constructor(options: RunnerOptions<C>) {
    this.#options = options;
  }

  /** @throws EppUnsentError if no byte was sent, and it is not tried again. */
  async run(session: EppSession, job: Job<C>): Promise<void> {
    const { profile, journal, journalWriter, background, logins } = this.#options;
    removeUnofferedFeeExtension(job, session.greeting, profile);
    if (!job.journalled && journal !== undefined) await this.#prepare(job, journal);
    const end = await session.exchange(job.xml, job.clTRID, job.timeoutMs, () => journalWriter.sent(job.clTRID));
    if (end.kind === 'unsent') {
      job.unsentAttempts += 1;
      if (job.unsentAttempts >= MAX_UNSENT_ATTEMPTS || background.isClosed)
        throw new EppUnsentError('session-lost', end.text);
      this.#options.putBack(job);
      return;
    }
    const answer = toAnswer(job.request, job.clTRID, end);
    await journalWriter.answered(job, answer);
    if (answer.kind === 'refused' && answer.sessionFault) {
      const isLimit = answer.code === SESSION_LIMIT_CODE;
      if (isLimit) await logins.failed(answer.code);
      if (this.#retryOnNewSession(job)) return;
      // Refused on a session that had just logged in: the refusal is about the command. This never applies to the session limit.
      if (job.repeated && !isLimit) return job.resolve({ ...answer, sessionFault: false });
    }
    const isCut = answer.kind === 'unknown' && answer.why === 'socket-died';
    if (isCut && !isTransform(job.request) && this.#retryLostQuery(job)) return;
    job.resolve(answer);
  }

  /** The command was not sent and is given up. */
  fail(job: Job<C>, error: unknown): void {
    if (!job.journalled) {
      job.reject(error);
      return;
    }
    const why = error instanceof Error ? error.message : 'unknown fault';
    void this.#options.journalWriter.unsent(job.clTRID, why).then(() => job.reject(error));
  }

  async #prepare(job: Job<C>, journal: Journal<C>): Promise<void> {
    try {
      await journal.prepared(journalEntry(job, this.#options.profile.id));
    } catch (error) {
      const text = error instanceof Error ? error.message : 'unknown fault';
      throw new EppUnsentError('journal-failed', text, undefined, { cause: error });
    }
    job.journalled = true;
  }

  /** A refusal about the session: repeated once on a new one. */
  #retryOnNewSession(job: Job<C>): boolean {
    if (job.repeated || !this.#requeue(job)) return false;
    job.repeated = true;
    return true;
  }

  /** A query whose answer was cut off. */
  #retryLostQuery(job: Job<C>): boolean {
    job.lostConnections += 1;
    return job.lostConnections <= MAX_LOST_CONNECTIONS && this.#requeue(job);
  }

  /** Queues the command again, with a new clTRID. */
  #requeue(job: Job<C>): boolean {
    if (job.hasGivenClTRID || this.#options.background.isClosed) return false;
    job.journalled = false;
    job.clTRID = this.#options.newClTRID();
    job.xml = writeFrameWithinLimit(job.request, job.clTRID, this.#options.profile, job.order);
    this.#options.putBack(job);
    return true;
  }
}
