import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isConnectionLoss, openDatabase, readHosts, sql } from '@namehold/postgres';
import type { Cluster } from '@namehold/postgres/embedded/cluster';
import { hasReached, type Position, primaryPosition } from '@namehold/postgres/servers/replica.sql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killFamily } from '../../../../test/faults/world/database.ts';
import { openPair, type Pair } from '../../../../test/faults/world/standby.ts';
import { person } from '../../../../test/support/parties.ts';
import { probeReplica } from '../../src/embedded/replica-probe.ts';
import { loginAt, openLogins, sessionProof } from '../../src/logins.ts';
import {
  demoOf,
  newFolder,
  type RunningService,
  removeFolder,
  runNamehold,
  startProcess,
  until,
} from '../support/process.ts';
import { startPgBouncer } from './support/pgbouncer.ts';
import { basic } from './support/raw.ts';
import { openTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

let pair: Pair;
let proxy: TcpProxy;
const services: RunningService[] = [];
const folder = newFolder();
beforeAll(async () => {
  pair = await openPair(newFolder(), 'namehold');
  proxy = await openTcpProxy(pair.standby);
  const env = {
    DATABASE_URL: pair.primary.url('namehold'),
    NAMEHOLD_DATABASE_REPLICA_URL: `postgresql://${proxy.host}/namehold`,
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
  };
  for (let process = 0; process < 2; process++) services.push(await startProcess({ folder, env }));
});
afterAll(async () => {
  for (const service of services) await service.end();
  proxy.close();
  await pair.dispose();
  removeFolder(folder);
});

async function ask(cluster: Cluster, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: cluster.url('namehold') });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

async function call(service: RunningService, path: string, form?: Record<string, string>) {
  const response = await fetch(`${service.url}${path}`, {
    headers: { Authorization: basic(demoOf(services[0]!)) },
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
  });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body;
}

const emailsOf = async (service: RunningService) =>
  ((await call(service, '/v1/customers?limit=100')) as { email: string }[]).map(({ email }) => email);

const newCustomer = (service: RunningService, email: string) =>
  call(service, '/v1/customers', person({ email, password: 'a long enough one' }));

/** The last statements that the service ran on the standby. */
const readsAtStandby = async () => {
  const rows = await ask(
    pair.standby,
    `select query from pg_stat_activity where application_name = 'namehold' and usename = 'namehold_app'`,
  );
  return rows.map(({ query }) => String(query));
};

test('reads lists from the standby, including earlier writes of any process', async () => {
  await newCustomer(services[0]!, 'one@toko.example');
  await until(async () => {
    await emailsOf(services[0]!);
    return (await readsAtStandby()).some((query) => /\bcustomer\b/.test(query));
  });
  expect(await emailsOf(services[0]!)).toContain('one@toko.example');

  await ask(pair.standby, 'select pg_wal_replay_pause()');
  await newCustomer(services[0]!, 'two@toko.example');
  for (const service of services) expect(await emailsOf(service)).toContain('two@toko.example');
  const [there] = await ask(pair.standby, `select count(*)::int as n from customer where email = 'two@toko.example'`);
  expect(there).toEqual({ n: 0 });
  await ask(pair.standby, 'select pg_wal_replay_resume()');
});

/** With its own connections to the primary, and to the given address for reads. */
async function openReading(host: string, onUnavailable?: (error: Error) => void): Promise<Database> {
  const { appUrl, schedulerUrl, tenantKey } = await openLogins(pair.primary.url('namehold'));
  const place = `postgresql://${host}/namehold`;
  return openDatabase({
    url: appUrl,
    allTenantsUrl: schedulerUrl,
    tenantKey,
    maxConnections: 3,
    replica: {
      url: loginAt(place, appUrl),
      allTenantsUrl: loginAt(place, schedulerUrl),
      waitMs: 1_000,
      verify: sessionProof(),
      ...(onUnavailable ? { onUnavailable } : {}),
    },
  });
}

const seen = sql`select pg_is_in_recovery() as standby, count(*)::int as n from customer`;
interface Seen {
  readonly standby: boolean;
  readonly n: number;
}

test('namehold doctor reports the login used on the replica', async () => {
  const leader = await openTcpProxy(pair.primary);
  const sharing = await startPgBouncer(pair.standby.socketFolder, 'transaction');
  const env = {
    DATABASE_URL: pair.primary.url('namehold'),
    NAMEHOLD_DATABASE_REPLICA_URL: `postgresql://${leader.host},${proxy.host}/namehold`,
  };
  const { stdout } = await runNamehold(['doctor'], { folder, env });
  expect(stdout).toMatch(
    new RegExp(`ok +replica: ${leader.host} is a primary and is not used; ${proxy.host} is a standby, \\d+ bytes`),
  );
  const { appUrl } = await openLogins(env.DATABASE_URL, {});
  const probe = (hosts: string) =>
    probeReplica(env.DATABASE_URL, loginAt(readHosts(`postgresql://${hosts}/namehold`)!, appUrl), sessionProof());
  expect(await probe(leader.host)).toMatchObject({ ok: false, text: `${leader.host} is a primary and is not used` });
  expect(await probe(`127.0.0.1:1,${sharing.host}`)).toMatchObject({
    ok: false,
    text: expect.stringMatching(/^127\.0\.0\.1:1: .*; .*sessions/),
  });
  await sharing.stop();
  leader.close();
});

test('reports an unreachable replica once at the start, before any read', async () => {
  const nowhere = await openTcpProxy(pair.standby);
  nowhere.close();
  const reported: string[] = [];
  const db = await openReading(nowhere.host, (error) => reported.push(error.message));
  await until(async () => reported.length > 0);
  expect((await db.asReplica('*').one<Seen>(seen)).standby).toBe(false);
  await sleep(1_500);
  expect(reported).toEqual([expect.stringContaining(`${nowhere.host}: connect ECONNREFUSED`)]);
  await db.close();
});

test('applies row-level security on the standby', async () => {
  const db = await openReading(proxy.host);
  await until(async () => (await db.asReplica('1000').one<Seen>(seen)).standby);
  expect((await db.asReplica('1000').one<Seen>(seen)).n).toBeGreaterThan(0);
  expect(await db.asReplica('999999').one(seen)).toEqual({ standby: true, n: 0 });
  const forged = sql`select set_config('namehold.tenant', '1000', false), ${sql.raw('pg_is_in_recovery() as standby')}`;
  await db.asReplica('999999').one(forged);
  expect(await db.asReplica('999999').one(seen)).toEqual({ standby: true, n: 0 });
  expect((await db.asReplica('*').one<Seen>(seen)).standby).toBe(true);
  await expect(db.asReplica('1000').many(sql`delete from customer`)).rejects.toThrow(/read-only|denied/);
  await db.close();
});

test('does not read a standby without a primary, because its log can diverge at equal positions', async () => {
  const db = await openReading(proxy.host);
  await until(async () => (await db.asReplica('1000').one<Seen>(seen)).standby);
  const [{ followed }] = (await ask(pair.standby, `select current_setting('primary_conninfo') as followed`)) as [
    { followed: string },
  ];
  const follow = async (whom: string) => {
    await ask(pair.standby, `alter system set primary_conninfo = ${pg.escapeLiteral(whom)}`);
    await ask(pair.standby, 'select pg_reload_conf()');
  };
  await follow('');
  await until(async () => (await ask(pair.standby, 'select from pg_stat_wal_receiver')).length === 0);
  expect((await db.asReplica('1000').one<Seen>(seen)).standby).toBe(false);
  await follow(followed);
  await until(async () => (await db.asReplica('1000').one<Seen>(seen)).standby);
  await db.close();
});

test('does not read a standby of another cluster, whatever its position', async () => {
  const [primary, standby] = [pair.primary, pair.standby].map((each) => openDatabase({ url: each.url('namehold') }));
  const position = await primary!.as('*').one<Position>(primaryPosition);
  await until(async () => (await standby!.as('*').one<{ holds: boolean }>(hasReached(position))).holds);
  expect(await standby!.as('*').one(hasReached({ ...position, system: '7000000000000000000' }))).toEqual({
    standby: true,
    holds: false,
  });
  await Promise.all([primary!.close(), standby!.close()]);
});

test('does not read a replica behind a pooler that shares sessions', async () => {
  const sharing = await startPgBouncer(pair.standby.socketFolder, 'transaction');
  const db = await openReading(sharing.host);
  for (let looks = 0; looks < 40; looks++) {
    expect((await db.asReplica('1000').one<Seen>(seen)).standby).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await db.close();
  await sharing.stop();
});

test('does not read or write a former primary that was replaced', async () => {
  const former = await openTcpProxy(pair.primary);
  const url = readHosts(`postgresql://postgres@${former.host},${proxy.host}/namehold`)!;
  const db = openDatabase({ url, maxConnections: 3, commitLimitMs: 300 });
  const where = async () =>
    (await db.as('*').one<{ at: string }>(sql`select current_setting('data_directory') as at`)).at;
  await db.autocommit('*').run(sql`create table note (t text)`);
  expect(await where()).toBe(pair.primary.dataFolder);
  await pair.promote();
  const note = () => db.autocommit('*').run(sql`insert into note values ('after')`);
  await expect(note()).rejects.toSatisfy(isConnectionLoss);
  await until(async () =>
    note().then(
      () => true,
      () => false,
    ),
  );
  expect(await where()).toBe(pair.standby.dataFolder);
  await db.close();
  former.close();
});

test('reads the primary without an error when the standby is promoted or unavailable', async () => {
  await ask(pair.primary, `alter system set synchronous_standby_names = ''`);
  await ask(pair.primary, 'select pg_reload_conf()');
  await newCustomer(services[0]!, 'three@toko.example');
  for (const service of services) expect(await emailsOf(service)).toContain('three@toko.example');
  await killFamily(pair.standby.pid);
  await newCustomer(services[0]!, 'four@toko.example');
  for (const service of services) expect(await emailsOf(service)).toContain('four@toko.example');
});
