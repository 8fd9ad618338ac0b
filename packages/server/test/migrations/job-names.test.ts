import { rmSync } from 'node:fs';
import { migrate } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { jobs } from '../../src/jobs/index.ts';
import { schemaFolder } from '../../src/parts.ts';
import { oldSchema } from './old-schema.ts';

const lastWithFormerNames = '0271_certificate_failures.sql';
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
let t: TestService | undefined;

const reportedAt = new Date(Date.now() - 3_600_000);
const reportJob = (name: string) =>
  client.query(
    `insert into job_run (name, every_ms, reported_at, known_since, started_at, took_ms, succeeded_at)
     values ($1, 60000, $2, $2, $2, 5, $2)`,
    [name, reportedAt],
  );
const column = async (query: string): Promise<string[]> =>
  (await client.query<{ value: string }>(query)).rows.map(({ value }) => value);

describe('the migration that renames background jobs', () => {
  beforeAll(async () => {
    database = await emptyDatabase();
    const former = oldSchema();
    await migrate({ url: database.url, folder: former, upTo: lastWithFormerNames });
    rmSync(former, { recursive: true });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await reportJob('forget-old');
    await reportJob('verify-books');
    await reportJob('send-notices');
    await client.query(`insert into job_lease (name, done_at) values ('late-refunds', now()), ('verify-books', now())`);
    await client.query(
      `insert into alarm (key, severity, sentence, facts, raised_at, seen_at) values
       ('job:forget-old', 'critical', 'background job forget-old has not succeeded since the start', '{"job": "forget-old"}', now(), now())`,
    );
    await migrate({ url: database.url, folder: schemaFolder });
  });
  afterAll(async () => {
    await t?.stop();
    await client.end();
    await database.drop();
  });

  it('renames statuses, leases and alarms, and keeps their times', async () => {
    expect(await column('select name as value from job_run order by 1')).toEqual([
      'purge-old-rows',
      'run-reconciliation',
      'send-notices',
    ]);
    expect(
      await column(`select name as value from job_run where succeeded_at = '${reportedAt.toISOString()}'`),
    ).toHaveLength(3);
    expect(await column('select name as value from job_lease where done_at is not null order by 1')).toEqual([
      'record-late-refunds',
      'run-reconciliation',
    ]);
    const { rows } = await client.query('select key, sentence, facts from alarm');
    expect(rows).toEqual([
      {
        key: 'job:purge-old-rows',
        sentence: 'background job purge-old-rows has not succeeded since the start',
        facts: { job: 'purge-old-rows' },
      },
    ]);
  });

  it('leaves a renamed job on its schedule', async () => {
    t = await startTestService({ databaseUrl: database.url });
    const lastSuccess = () =>
      column(
        `select name as value from job_run where name = 'purge-old-rows' and succeeded_at > now() - interval '30 minutes'`,
      );
    await expect.poll(lastSuccess, { timeout: 300_000 }).toEqual(['purge-old-rows']);
    expect(await column('select name as value from job_run order by 1')).toEqual(jobs.map(({ name }) => name).sort());
    // A day has not passed since the last reconciliation.
    expect(await column('select id::text as value from books_run')).toEqual([]);
  });

  it('omits a job that only an older release reported, a day after its last report', async () => {
    await reportJob('forget-old');
    const named = async () =>
      (await t!.call('GET', '/v1/operator/jobs', { as: t!.operator })).body.jobs as { name: string; state: string }[];
    expect((await named()).find(({ name }) => name === 'forget-old')).toMatchObject({ state: 'not_reported' });
    await client.query(`update job_run set reported_at = now() - interval '25 hours' where name = 'forget-old'`);
    expect((await named()).map(({ name }) => name)).not.toContain('forget-old');
  });
});
