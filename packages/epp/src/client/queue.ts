import type { WallClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import type { EppRequest } from '../model/request.ts';
import { isTransform } from './outcome.ts';
import type { Priority } from './types.ts';

const PRIORITIES: readonly Priority[] = ['money', 'interactive', 'background'];
const DEFAULT_MAX_WAIT_MS = 30_000;
/** If other processes hold all sessions, an order waits this long for one. After that, another process can run it sooner. */
const SESSION_LIMIT_WAIT_MS = 2_000;

/** `money`: transforms. `interactive`: checks and infos that a user waits for. `background`: the message queue and the balance. */
export function priorityOf(request: EppRequest): Priority {
  if (request.object === 'poll' || request.object === 'balance') return 'background';
  return isTransform(request) ? 'money' : 'interactive';
}

/** What the queue needs of a command. */
type Waiting = { readonly priority: Priority };
type Entry<Job> = { readonly job: Job; readonly sinceMs: number; stopTimer(): void };
type QueueOptions<Job> = {
  readonly clock: WallClock;
  readonly maxWaitMs: number | undefined;
  /** Called for each command that leaves the queue unsent. */
  onFailed(job: Job, error: unknown): void;
};

/** Waiting commands: three queues, served in the order of PRIORITIES. Within a queue first come, first served. No command waits forever. */
export class JobQueue<Job extends Waiting> {
  readonly #options: QueueOptions<Job>;
  readonly #queues: Readonly<Record<Priority, Entry<Job>[]>> = { money: [], interactive: [], background: [] };

  constructor(options: QueueOptions<Job>) {
    this.#options = options;
  }

  push(job: Job): void {
    this.#queues[job.priority].push(this.#entry(job));
  }

  /** Puts a job back that could not be sent. It had its turn already, so it is the next one. */
  putBack(job: Job): void {
    this.#queues[job.priority].unshift(this.#entry(job));
  }

  #entry(job: Job): Entry<Job> {
    const { clock, maxWaitMs = DEFAULT_MAX_WAIT_MS } = this.#options;
    const stopTimer = clock.after(maxWaitMs, () => {
      const tooLate = new EppUnsentError('no-session', 'no connection was available in time');
      this.#failWhere(job.priority, (entry) => entry.job === job, tooLate);
    });
    return { job, sinceMs: clock.nowMs(), stopTimer };
  }

  /** The first job of the first queue that is not skipped. It stays in the queue. */
  peek(isSkipped: (priority: Priority) => boolean): Job | undefined {
    for (const priority of PRIORITIES) {
      const [entry] = this.#queues[priority];
      if (entry !== undefined && !isSkipped(priority)) return entry.job;
    }
    return undefined;
  }

  /** Removes the job that `peek` returned. */
  take(job: Job): void {
    this.#queues[job.priority].shift()?.stopTimer();
  }

  failAll(error: unknown): void {
    for (const priority of PRIORITIES) this.#failWhere(priority, () => true, error);
  }

  /** Commands that another process could run fail soon. Queries keep waiting, because only this process can run them. */
  failWithoutSession(): void {
    const before = this.#options.clock.nowMs() - SESSION_LIMIT_WAIT_MS;
    const error = new EppUnsentError('no-session', 'other processes hold all sessions');
    this.#failWhere('money', ({ sinceMs }) => sinceMs <= before, error);
  }

  #failWhere(priority: Priority, isFailed: (entry: Entry<Job>) => boolean, error: unknown): void {
    const queue = this.#queues[priority];
    const failed = queue.filter(isFailed);
    for (const entry of failed) {
      queue.splice(queue.indexOf(entry), 1);
      entry.stopTimer();
    }
    for (const { job } of failed) this.#options.onFailed(job, error);
  }

  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#queues[priority].length, 0);
  }

  counts(): Record<Priority, number> {
    const { money, interactive, background } = this.#queues;
    return { money: money.length, interactive: interactive.length, background: background.length };
  }
}
