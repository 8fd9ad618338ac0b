import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { resume, suspend } from '../../../../test/support/suspend.ts';
import { basic } from '../request-pipeline/support/raw.ts';
import {
  demoOf,
  newFolder,
  type RunningService,
  removeFolder,
  runNamehold,
  spawnNamehold,
  startProcess,
} from '../support/process.ts';

const env = { NAMEHOLD_LOG_LEVEL: 'error' };
const [folder, copy, backupFolder] = [newFolder(), newFolder(), newFolder()];
const file = join(backupFolder, 'backup.tar.gz');
let service: RunningService;
beforeAll(async () => {
  service = await startProcess({ folder, env });
});
afterAll(async () => {
  await service.end();
  for (const path of [folder, copy, backupFolder]) removeFolder(path);
});

let made = 0;
async function post(path: string, form: Record<string, string>): Promise<Record<string, string>> {
  made += 1;
  const called = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { Authorization: basic(demoOf(service)) },
    body: new URLSearchParams(form),
  });
  expect(called.status).toBe(200);
  return (await called.json()) as Record<string, string>;
}

async function makeCustomer(): Promise<string> {
  const form = person({ email: `load${made}@made.example`, password: 'a long enough one' });
  return (await post('/v1/customers', form)).customer_id!;
}

/** One checksum per table, so that the database of another copy can be compared. */
async function contents(data: string): Promise<Record<string, string>> {
  const cluster = await openCluster({ folder: join(data, 'postgres') });
  const client = new pg.Client({ connectionString: cluster.url('namehold') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relpersistence = 'p' order by 1`,
    );
    const sums: Record<string, string> = {};
    for (const { name } of rows) {
      const sum = await client.query<{ sum: string }>(
        `select count(*) || ':' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
      );
      sums[name] = sum.rows[0]!.sum;
    }
    return sums;
  } finally {
    await client.end();
    await cluster.stop();
  }
}

test('leaves no files after an interrupted backup, and removes those of a killed one at the next', async () => {
  const endAtDraft = async (signal: NodeJS.Signals) => {
    const hasDraft = () => readdirSync(backupFolder).some((name) => name.startsWith('.namehold-backup-'));
    const child = spawnNamehold(['backup', file], { folder });
    const exited = once(child, 'exit');
    while (!hasDraft()) {
      expect(child.exitCode).toBeNull();
      await sleep(5);
    }
    suspend(child.pid!);
    expect(hasDraft(), 'it is suspended before the end of the backup').toBe(true);
    child.kill(signal);
    resume(child.pid!);
    return exited;
  };
  expect(await endAtDraft('SIGTERM')).toEqual([1, null]);
  expect(readdirSync(backupFolder)).toEqual([]);
  expect(await endAtDraft('SIGKILL')).toEqual([null, 'SIGKILL']);
  expect(readdirSync(backupFolder)).toHaveLength(1);
});

test('restores every acknowledged change from a backup that was made under load', async () => {
  const before = new Set<string>();
  for (let i = 0; i < 5; i++) before.add(await makeCustomer());
  const [customer] = before;
  let isDone = false;
  const load = Promise.all(
    Array.from({ length: 2 }, async () => {
      while (!isDone) {
        // Hashing a password for each customer would dominate the run time.
        await post(`/v1/customers/${customer}/contacts`, person());
        await sleep(20);
      }
    }),
  );
  const backup = await runNamehold(['backup', file, '--json'], { folder });
  isDone = true;
  await load;
  expect(backup.stderr).toBe('');
  expect(backup.json).toEqual({ file, bytes: statSync(file).size });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // The files of the killed backup are removed.
  expect(readdirSync(backupFolder)).toEqual(['backup.tar.gz']);
  expect(made).toBeGreaterThan(5);

  const restored = await runNamehold(['restore', file], { folder: copy });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  const twin = await startProcess({ folder: copy, env });
  const second = await runNamehold(['restore', file], { folder: copy });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('already contains a database');
  const verified = await runNamehold(['ledger', 'verify', '--json'], { folder: copy });
  expect(verified.json?.differences, verified.stderr).toEqual([]);
  // The backup contains the master key, so API keys of the original work with the copy.
  const listed = await fetch(`${twin.url}/v1/customers?limit=100`, {
    headers: { Authorization: basic(demoOf(service)) },
  });
  expect(listed.status).toBe(200);
  const ids = new Set(((await listed.json()) as { customer_id: string }[]).map((row) => row.customer_id));
  for (const id of before) expect(ids.has(id)).toBe(true);
  expect((await twin.end()).code).toBe(0);
});

// The test under load covers completeness. This one reads every row and is part of the long run.
test.runIf(process.env.NAMEHOLD_TESTS === 'long')(
  'restores the same rows from a backup of an idle service',
  async () => {
    await service.end();
    for (const path of [copy, file]) removeFolder(path);
    expect((await runNamehold(['backup', file], { folder })).code).toBe(0);
    const other = newFolder();
    expect((await runNamehold(['restore', file], { folder: other })).code).toBe(0);
    const [original, twin] = [await contents(folder), await contents(other)];
    expect(Object.keys(original).length).toBeGreaterThan(15);
    expect(twin).toEqual(original);
    removeFolder(other);
  },
);

test('refuses to restore a file that is not a backup, and to write into a missing folder', async () => {
  const other = newFolder();
  const missing = await runNamehold(['restore', '/nowhere/x.tar.gz'], { folder: other });
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the file /nowhere/x.tar.gz does not exist'),
  });
  const wrong = await runNamehold(['restore', process.execPath], { folder: other });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be unpacked') });
  const nowhere = await runNamehold(['backup', '/nowhere/x.tar.gz'], { folder });
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('the folder /nowhere does not exist') });
  removeFolder(other);
});
