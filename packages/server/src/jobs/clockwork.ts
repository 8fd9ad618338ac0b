import type { House } from '../core/house.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(house: House): Promise<void>;
}

/** Runs each job again and again, never twice at once in this process; a failure is logged and the job goes on. */
export class Clockwork {
  readonly #house: House;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(house: House, jobs: readonly Job[]) {
    this.#house = house;
    for (const job of jobs) this.#schedule(job, Math.min(job.everyMs, 200));
  }

  #schedule(job: Job, delayMs: number): void {
    if (this.#stopped) return;
    this.#timers.set(job.name, setTimeout(() => this.#run(job), delayMs).unref());
  }

  #run(job: Job): void {
    const running = job
      .run(this.#house)
      .catch((error: unknown) => this.#house.log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => {
        this.#running.delete(job.name);
        this.#schedule(job, job.everyMs);
      });
    this.#running.set(job.name, running);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }
}
