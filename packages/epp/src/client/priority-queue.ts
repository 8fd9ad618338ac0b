import type { EppRequest } from '../model/request.ts';
import { isTransform } from './outcome.ts';
import type { Priority } from './types.ts';

const PRIORITIES: readonly Priority[] = ['money', 'interactive', 'background'];

/** `money`: transforms. `interactive`: checks and infos that a user waits for. `background`: the message queue and the balance. */
export function priorityOf(request: EppRequest): Priority {
  if (request.object === 'poll' || request.object === 'balance') return 'background';
  return isTransform(request) ? 'money' : 'interactive';
}

/** Three queues, served in the order of PRIORITIES; within a queue first come, first served. */
export class PriorityQueue<Job> {
  readonly #queues: Readonly<Record<Priority, Job[]>> = { money: [], interactive: [], background: [] };

  push(priority: Priority, job: Job): void {
    this.#queues[priority].push(job);
  }

  /** Returns a job that was taken but could not be sent to the head of its queue. */
  unshift(priority: Priority, job: Job): void {
    this.#queues[priority].unshift(job);
  }

  /** The first job of the first queue that is not skipped. */
  peek(closed: (priority: Priority) => boolean): { priority: Priority; job: Job } | undefined {
    for (const priority of PRIORITIES) {
      const job = this.#queues[priority][0];
      if (job !== undefined && !closed(priority)) return { priority, job };
    }
    return undefined;
  }

  take(priority: Priority): void {
    this.#queues[priority].shift();
  }

  remove(priority: Priority, job: Job): boolean {
    const at = this.#queues[priority].indexOf(job);
    if (at === -1) return false;
    this.#queues[priority].splice(at, 1);
    return true;
  }

  removeWhere(priority: Priority, isGone: (job: Job) => boolean): Job[] {
    const gone = this.#queues[priority].filter(isGone);
    for (const job of gone) this.remove(priority, job);
    return gone;
  }

  drain(): Job[] {
    return PRIORITIES.flatMap((priority) => this.#queues[priority].splice(0));
  }

  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#queues[priority].length, 0);
  }

  counts(): Record<Priority, number> {
    const { money, interactive, background } = this.#queues;
    return { money: money.length, interactive: interactive.length, background: background.length };
  }
}
