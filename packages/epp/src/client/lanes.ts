import type { EppRequest } from '../model/request.ts';
import { isTransform } from './outcome.ts';
import type { Lane } from './surface.ts';

const LANES: readonly Lane[] = ['money', 'interactive', 'background'];

/** Transforms are money; a person waits for checks and infos; the message queue and the balance can wait. */
export function laneOf(request: EppRequest): Lane {
  if (request.object === 'poll' || request.object === 'balance') return 'background';
  return isTransform(request) ? 'money' : 'interactive';
}

/** Three queues, served in the order of LANES; within a lane first come, first served. */
export class LaneQueue<Job> {
  readonly #queues: Readonly<Record<Lane, Job[]>> = { money: [], interactive: [], background: [] };

  push(lane: Lane, job: Job): void {
    this.#queues[lane].push(job);
  }

  /** A job that was taken but could not leave goes back to the head. */
  unshift(lane: Lane, job: Job): void {
    this.#queues[lane].unshift(job);
  }

  /** The first job of the first lane that is not closed. */
  peek(closed: (lane: Lane) => boolean): { lane: Lane; job: Job } | undefined {
    for (const lane of LANES) {
      const job = this.#queues[lane][0];
      if (job !== undefined && !closed(lane)) return { lane, job };
    }
    return undefined;
  }

  take(lane: Lane): void {
    this.#queues[lane].shift();
  }

  remove(lane: Lane, job: Job): boolean {
    const at = this.#queues[lane].indexOf(job);
    if (at === -1) return false;
    this.#queues[lane].splice(at, 1);
    return true;
  }

  removeWhere(lane: Lane, isGone: (job: Job) => boolean): Job[] {
    const gone = this.#queues[lane].filter(isGone);
    for (const job of gone) this.remove(lane, job);
    return gone;
  }

  drain(): Job[] {
    return LANES.flatMap((lane) => this.#queues[lane].splice(0));
  }

  get size(): number {
    return LANES.reduce((sum, lane) => sum + this.#queues[lane].length, 0);
  }

  counts(): Record<Lane, number> {
    const { money, interactive, background } = this.#queues;
    return { money: money.length, interactive: interactive.length, background: background.length };
  }
}
