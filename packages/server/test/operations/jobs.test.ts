import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { openAlarms } from '../../src/core/alarms/alarm.ts';
import { jobStatusOf, readJobStatuses } from '../../src/core/jobs/job-status.ts';
import { watchJobs } from '../../src/core/jobs/watch-jobs.ts';
import { jobs } from '../../src/jobs/index.ts';
import { Scheduler } from '../../src/jobs/scheduler.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const soon = <T>(look: () => Promise<T>) => expect.poll(look, { timeout: 300_000 });
const standing = async (name: string) => (await readJobStatuses(t.ctx)).find((job) => job.name === name);
const alarms = async () => (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('job:')).map(({ key }) => key);
const age = (name: string, minutes: number) =>
  t.ctx.db.autocommit(allTenants).run(sql`
    update job_run set succeeded_at = now() - make_interval(mins => ${minutes}), known_since = now() - make_interval(mins => ${minutes})
    where name = ${name}`);

test('lists every job of the service with its last and next run', async () => {
  await soon(async () => (await readJobStatuses(t.ctx)).filter((job) => job.succeeded_at !== null).length).toBe(
    jobs.length,
  );
  for (const job of await readJobStatuses(t.ctx)) {
    expect(job, job.name).toMatchObject({ isStill: false, isReported: true });
    expect(job.started_at, job.name).not.toBeNull();
  }
  const resume = (await standing('resume-operations'))!;
  expect(resume.every_ms).toBe(1_000);
});

test('raises an alarm for a failed or hanging job until its next success, and stores the error', async () => {
  let isWell = false;
  const hang = Promise.withResolvers<void>();
  const work = new Scheduler(t.ctx, [
    {
      name: 'test-failing',
      everyMs: 50,
      run: async () => {
        if (!isWell) throw new Error('the disk is full');
      },
    },
    { name: 'test-hanging', everyMs: 50, run: () => hang.promise },
  ]);
  try {
    await soon(async () => (await standing('test-failing'))?.last_error).toBe('the disk is full');
    await soon(async () => (await standing('test-hanging'))?.started_at).toBeInstanceOf(Date);
    expect(await standing('test-hanging')).toMatchObject({ took_ms: null, succeeded_at: null });
    await watchJobs(t.ctx);
    expect(await alarms()).toEqual([]);
    for (const name of ['test-failing', 'test-hanging']) await age(name, 6);
    await watchJobs(t.ctx);
    expect(await alarms()).toEqual(['job:test-failing', 'job:test-hanging']);
    const [, hanging] = (await openAlarms(t.ctx)).filter(({ key }) => key.startsWith('job:'));
    expect(hanging!.sentence).toContain('its last run has not ended');
    isWell = true;
    hang.resolve();
    await soon(async () => (await standing('test-hanging'))?.lagMs).toBeLessThan(60_000);
    await soon(async () => (await standing('test-failing'))?.isFailing).toBe(false);
    await watchJobs(t.ctx);
    expect(await alarms()).toEqual([]);
  } finally {
    hang.resolve();
    await work.stop();
  }
});

test('allows more time for slow jobs, and raises no alarm for a job that no process runs', () => {
  const now = new Date('2027-01-01T12:00:00Z');
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const run = {
    name: 'x',
    every_ms: 3_600_000,
    reported_at: now,
    known_since: ago(10_000),
    started_at: ago(100),
    took_ms: 5,
    succeeded_at: ago(239),
    failed_at: null,
    last_error: null,
    next_at: null,
  };
  expect(jobStatusOf(run, now)).toMatchObject({ isStill: false, lagMs: 179 * 60_000 });
  expect(jobStatusOf({ ...run, succeeded_at: ago(241) }, now).isStill).toBe(true);
  expect(jobStatusOf({ ...run, succeeded_at: null, known_since: ago(1) }, now).isStill).toBe(false);
  expect(jobStatusOf({ ...run, succeeded_at: ago(241), reported_at: ago(3) }, now)).toMatchObject({
    isStill: false,
    isReported: false,
  });
});
