import { z } from 'zod';
import { type JobStatus, jobStates, stateOf } from '../../../core/jobs/job-status.ts';
import { readJobs } from '../../../core/operator/overview.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';

const jobView = z
  .object({
    name: z.string(),
    state: z
      .enum(jobStates)
      .describe('still: long overdue; failing: its last run failed; not_reported: no running process reports it.'),
    every_seconds: z.number().describe('Interval between runs.'),
    last_run_at: z.string().nullable().describe('Start of the last run. Null: never.'),
    took_ms: z.number().nullable().describe('Duration of the last run.'),
    last_success_at: z.string().nullable().describe('End of the last successful run.'),
    next_run_at: z.string().nullable().describe('When the next run is due. Null: it is running.'),
    lag_seconds: z.number().describe('How far the last success is overdue.'),
    last_error: z.string().nullable().describe('Last error.'),
    last_error_at: z.string().nullable().describe('Time of the last error.'),
  })
  .meta({ id: 'Job', description: 'A recurring background job, over all processes.' });

const show = (job: JobStatus): z.output<typeof jobView> => ({
  name: job.name,
  state: stateOf(job),
  every_seconds: job.every_ms / 1_000,
  last_run_at: instantOrNull(job.started_at),
  took_ms: job.took_ms,
  last_success_at: instantOrNull(job.succeeded_at),
  next_run_at: instantOrNull(job.next_at),
  lag_seconds: Math.round(job.lagMs / 1_000),
  last_error: job.last_error,
  last_error_at: instantOrNull(job.failed_at),
});

export const listJobsRoute = route({
  method: 'GET',
  path: '/operator/jobs',
  area: 'account',
  style: 'own',
  summary: 'List jobs',
  description: 'Background jobs, as in `namehold jobs`: last run, next run, lag and last error. Only for the operator.',
  input: z.object({}),
  output: z.object({ jobs: z.array(jobView).describe('Sorted by name.') }),
  errors: ['operator_only'],
  example: {
    output: {
      jobs: [
        {
          name: 'poll-registries',
          state: 'ok',
          every_seconds: 30,
          last_run_at: '2026-11-15T09:00:00Z',
          took_ms: 12,
          last_success_at: '2026-11-15T09:00:00Z',
          next_run_at: '2026-11-15T09:00:30Z',
          lag_seconds: 0,
          last_error: null,
          last_error_at: null,
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({ jobs: (await readJobs(ctx, caller)).map(show) }),
});
