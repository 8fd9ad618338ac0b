import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { demoOf, isAlive, newFolder, removeFolder, startProcess, until } from '../support/process.ts';
import { basic } from './support/raw.ts';

const place = mkdtempSync(join(tmpdir(), 'namehold-late-'));
const folder = newFolder();
let cluster: Cluster;
const open = () =>
  openCluster({ folder: place, binaries: binariesIn('/usr/lib/postgresql/15/bin'), settings: { fsync: 'off' } });
beforeAll(async () => {
  cluster = await open();
  await ensureDatabase(cluster, 'namehold');
});
afterAll(async () => {
  await cluster.stop();
  rmSync(place, { recursive: true, force: true });
  removeFolder(folder);
});

async function ownerOf(): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: cluster.url('namehold') });
  owner.on('error', () => undefined);
  await owner.connect();
  return owner;
}

/** As after a power failure: nothing is announced or finished. */
async function crash(): Promise<void> {
  const pid = Number(readFileSync(join(cluster.dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  await until(() => !isAlive(pid));
  cluster = await open();
}

test('releases the keys of requests interrupted by a database crash, and executes each request once', async () => {
  const service = await startProcess({ folder, env: { DATABASE_URL: cluster.url('namehold') } });
  const make = (n: number) =>
    fetch(`${service.url}/v1/customers`, {
      method: 'POST',
      headers: { Authorization: basic(demoOf(service)), 'Idempotency-Key': `late-${n}` },
      body: new URLSearchParams(person({ email: `late${n}@made.example`, password: 'a long enough one' })),
    });
  const numbers = [1, 2, 3];
  const before = await ownerOf();
  await before.query('begin');
  await before.query('lock table customer in exclusive mode');
  const begun = numbers.map(make);
  const look = await ownerOf();
  const held = async () =>
    (await look.query(`select from idempotency where key like 'late-%' and state = 'in_flight'`)).rowCount;
  await until(async () => (await held()) === numbers.length);
  // The claim does not wait for the disk; this write does, and flushes the claim too.
  await look.query('create table durable ()');
  // Each waits for the table, for less than the lock timeout of PostgreSQL (lockLimitMs, 2 s).
  const waiting = async () =>
    (
      await look.query(`
        select from pg_locks where relation = 'customer'::regclass and not granted
          and waitstart > clock_timestamp() - interval '1 second'`)
    ).rowCount;
  await until(async () => (await waiting()) === numbers.length);
  await crash();
  const answers = await Promise.all(begun);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  const after = await ownerOf();
  await after.query(`update idempotency set leased_until = now() + interval '1 hour' where key like 'late-%'`);
  for (const n of numbers) await until(async () => (await make(n)).status === 200);
  const made = await after.query(`select from customer where email like 'late%'`);
  expect(made.rowCount).toBe(numbers.length);
  await after.end();
  expect((await service.end()).code).toBe(0);
});
