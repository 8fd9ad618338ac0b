import { type JobStatus, readJobStatuses, stateOf } from '../core/jobs/job-status.ts';
import type { Command } from './command.ts';

const shown = (job: JobStatus) => ({
  name: job.name,
  every_seconds: job.every_ms / 1_000,
  last_run_at: job.started_at?.toISOString() ?? null,
  took_ms: job.took_ms,
  last_success_at: job.succeeded_at?.toISOString() ?? null,
  next_run_at: job.next_at?.toISOString() ?? null,
  lag_seconds: Math.round(job.lagMs / 1_000),
  last_error: job.last_error,
  last_error_at: job.failed_at?.toISOString() ?? null,
  state: stateOf(job),
});

const stateTexts: Readonly<Record<ReturnType<typeof stateOf>, string>> = {
  ok: 'ok',
  failing: 'failing',
  still: 'stalled',
  not_reported: 'not reported',
};

function lineOf(job: JobStatus): string {
  const { name, last_run_at, next_run_at, lag_seconds, last_error, state } = shown(job);
  const cells = [
    name.padEnd(23),
    stateTexts[state].padEnd(12),
    `last ${last_run_at ?? 'never'}`,
    next_run_at === null ? 'running' : `next ${next_run_at}`,
    `lag ${lag_seconds} s`,
  ];
  return `${cells.join('  ')}${last_error === null ? '' : `\n    last error (${job.failed_at?.toISOString()}): ${last_error}`}`;
}

const list: Command = {
  name: 'jobs',
  summary: 'List background jobs with last run, next run, lag and last error',
  usage: 'jobs',
  async run({ tools }) {
    const jobs = await tools.withContext(readJobStatuses);
    const reported = jobs.filter(({ isReported }) => isReported);
    const lines = [
      ...jobs.map(lineOf),
      ...(reported.length > 0 ? [] : ['no process runs the jobs: start the service']),
    ];
    const isHealthy = reported.length > 0 && reported.every(({ isStill }) => !isStill);
    return { lines, json: jobs.map(shown), exitCode: isHealthy ? 0 : 1 };
  },
};

export const jobCommands: readonly Command[] = [list];
