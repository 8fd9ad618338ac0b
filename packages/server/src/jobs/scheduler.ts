import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../core/app-context.ts';
import { type JobRun, saveJobRuns } from '../core/jobs/job-run.sql.ts';
import { jobPolicy } from '../core/jobs/job-status.ts';

export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** How often a job that runs elsewhere is checked. */
  readonly recheckAfterMs?: number;
  run(ctx: AppContext): Promise<unknown>;
}

/** Result of a job that another process runs or that cannot run now. It counts as a success, but `runAllNow` repeats the job. */
export const incomplete = Symbol('incomplete');

/** Runs the steps one after the other; a failure ends the run. */
export const inOrder =
  (...steps: readonly Job['run'][]): Job['run'] =>
  async (ctx) => {
    for (const step of steps) await step(ctx);
  };

const errorLength = 500;

/** Runs each job periodically, never twice at once in this process. A failure is logged and the job continues. Job statuses are stored. */
export class Scheduler {
  readonly #ctx: AppContext;
  readonly #jobs: readonly Job[];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, Promise<boolean>>();
  readonly #runs = new Map<string, JobRun>();
  #stopped = false;

  constructor(ctx: AppContext, jobs: readonly Job[]) {
    this.#ctx = ctx;
    this.#jobs = jobs;
    for (const job of jobs) {
      this.#runs.set(job.name, neverRun(job, ctx.wall.now()));
      this.#schedule(job, Math.min(job.everyMs, 200));
    }
    // Statuses have their own timer, so that a hanging job is reported too.
    this.#schedule({ name: 'report', everyMs: jobPolicy.reportEveryMs, run: () => this.#report() }, 2_000);
  }

  #schedule(job: Job, delayMs: number): void {
    if (this.#stopped) return;
    const { wall } = this.#ctx;
    this.#note(job.name, { next_at: new Date(wall.now().getTime() + delayMs) });
    this.#timers.set(job.name, setTimeout(() => this.#run(job), delayMs).unref());
  }

  #run(job: Job): void {
    const { wall, log } = this.#ctx;
    const startedAt = wall.now();
    this.#note(job.name, { started_at: startedAt, took_ms: null, next_at: null });
    const running = job
      .run(this.#ctx)
      .then((ended) => {
        this.#note(job.name, { succeeded_at: wall.now() });
        return ended !== incomplete;
      })
      .catch((error: unknown) => {
        log.error({ err: error, job: job.name }, 'background job failed');
        const last_error = (error instanceof Error ? error.message : String(error)).slice(0, errorLength);
        this.#note(job.name, { failed_at: wall.now(), last_error });
        return false;
      })
      .finally(() => {
        this.#note(job.name, { took_ms: wall.now().getTime() - startedAt.getTime() });
        this.#running.delete(job.name);
        this.#schedule(job, job.recheckAfterMs ?? job.everyMs);
      });
    this.#running.set(job.name, running);
  }

  #note(name: string, change: Partial<JobRun>): void {
    const run = this.#runs.get(name);
    if (run) this.#runs.set(name, { ...run, ...change });
  }

  async #report(): Promise<void> {
    const { db, wall } = this.#ctx;
    const reported_at = wall.now();
    const runs = [...this.#runs.values()].map((run) => ({ ...run, reported_at }));
    await db.transaction(allTenants, (tx) => saveJobRuns(tx, runs));
  }

  /**
   * Called after the business clock moved: runs each job twice, because the first run can create work for the second. Returns true if
   * all succeeded.
   */
  async runAllNow(): Promise<boolean> {
    for (let round = 0; round < 2; round += 1) {
      // A run that is already in progress has read the old time.
      await Promise.all(this.#running.values());
      if (this.#stopped) return false;
      for (const job of this.#jobs) {
        if (this.#running.has(job.name)) continue;
        clearTimeout(this.#timers.get(job.name));
        this.#run(job);
      }
    }
    return (await Promise.all(this.#running.values())).every((isComplete) => isComplete);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#running.values());
  }
}

const neverRun = ({ name, everyMs }: Job, now: Date): JobRun => ({
  name,
  every_ms: everyMs,
  reported_at: now,
  known_since: now,
  started_at: null,
  took_ms: null,
  succeeded_at: null,
  failed_at: null,
  last_error: null,
  next_at: null,
});
