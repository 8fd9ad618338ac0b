import { fileURLToPath } from 'node:url';
import { asyncCommit, isConnectionLoss, migrate, openDatabase, sql } from '@namehold/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killFamily, resumeFamily, suspendFamily } from '../../../../test/faults/world/database.ts';
import { openPair, type Pair } from '../../../../test/faults/world/standby.ts';
import { SettingError } from '../../src/config.ts';
import { type Probe, probeReplication } from '../../src/embedded/probes.ts';
import { openLogins } from '../../src/logins.ts';
import { demoOf, newFolder, removeFolder, runNamehold, startProcess, until } from '../support/process.ts';
import { ownerPassword, type Pooler, startPgBouncer } from './support/pgbouncer.ts';
import { basic } from './support/raw.ts';
import { openTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

let pair: Pair;
let pooler: Pooler;
let proxy: TcpProxy;
const folder = newFolder();
beforeAll(async () => {
  pair = await openPair(newFolder(), 'namehold');
  pooler = await startPgBouncer(pair.primary.socketFolder, 'session');
});
afterAll(async () => {
  await pooler.stop();
  proxy.close();
  await pair.dispose();
  removeFolder(folder);
});

test('refuses to start behind a pooler that shares sessions between transactions', async () => {
  const sharing = await startPgBouncer(pair.primary.socketFolder, 'transaction');
  const env = { DATABASE_URL: `postgresql://postgres@${sharing.host}/namehold` };
  const { code, stdout, stderr } = await runNamehold(['serve'], { folder, env });
  const doctor = await runNamehold(['doctor', '--json'], { folder, env });
  // The pooler keeps its sessions: what a process leaves in one of them would be in everybody's way.
  const owner = new pg.Client({ connectionString: pair.primary.url('namehold') });
  await owner.connect();
  expect((await owner.query(`select objid from pg_locks where locktype = 'advisory'`)).rows).toEqual([]);
  await owner.end();
  await sharing.stop();
  expect(stdout + stderr).toMatch(
    /namehold_(app|clockwork) points to a pooler that shares sessions.*pool_mode = session/,
  );
  expect(code).not.toBe(0);
  // What cannot be known over such a line, nobody is advised about.
  const bad = (doctor.json as Probe[]).filter(({ ok }) => !ok);
  expect(bad).toEqual([
    {
      name: 'isolation between accounts',
      ok: false,
      text: expect.stringMatching(/shares sessions between transactions \(pool_mode = transaction\)/),
      fix: 'docs/operate/cluster.md, "Logins behind a pooler"',
    },
    { name: 'master key', ok: false, text: 'not checked: see isolation between accounts' },
  ]);
});

describe('logins without a password behind a pooler that verifies passwords', () => {
  const migrations = fileURLToPath(new URL('../../src/schema', import.meta.url));
  const roles = ['namehold_app', 'namehold_clockwork', 'namehold_retention'];
  async function newDatabase(name: string): Promise<void> {
    const owner = new pg.Client({ connectionString: pair.primary.url('postgres') });
    await owner.connect();
    await owner.query(`create database ${name}`);
    await migrate({ url: pair.primary.url(name), folder: migrations });
    for (const role of roles) await owner.query(`alter role ${role} login password null`);
    await owner.end();
  }

  test('get their passwords if the pooler looks them up', async () => {
    await newDatabase('looked_up');
    const strict = await startPgBouncer(pair.primary.socketFolder, 'session', 'query');
    const logins = await openLogins(`postgresql://postgres:${ownerPassword}@${strict.host}/looked_up`);
    await strict.stop();
    expect(logins.appUrl).toContain(strict.host);
  });

  test('are refused with the login and the address if it does not know them', async () => {
    await newDatabase('unlisted');
    const strict = await startPgBouncer(pair.primary.socketFolder, 'session', 'list');
    const url = `postgresql://postgres:${ownerPassword}@${strict.host}/unlisted`;
    const refused = await openLogins(url).catch((error: unknown) => error);
    await strict.stop();
    expect(refused).toBeInstanceOf(SettingError);
    expect((refused as Error).message).toMatch(new RegExp(`(${roles.join('|')}) cannot log in at ${strict.host}`));
  });
});

test('sets connection settings by statement behind a pooler that ignores start-up options', async () => {
  const owner = new pg.Client({ connectionString: pair.primary.url('namehold') });
  await owner.connect();
  await owner.query(`create role told login; alter role told set search_path = evil`);
  await owner.end();
  const db = openDatabase({
    url: `postgresql://told@${pooler.host}/postgres?options=${encodeURIComponent('-c search_path=public -c DateStyle=ISO,\\ DMY -c row_security=off')}`,
    tenantKey: Buffer.alloc(32),
    maxConnections: 1,
    statementTimeoutMs: 12_345,
  });
  const names = ['search_path', 'DateStyle', 'row_security', 'statement_timeout', 'default_transaction_read_only'];
  const settingsQuery = sql`select array(select current_setting(n) from unnest(${names}::text[]) n) as all`;
  for (const tenant of ['1', '2', '*'])
    expect((await db.as(tenant).one<{ all: string[] }>(settingsQuery)).all).toEqual([
      'public',
      'ISO, DMY',
      'off',
      '12345ms',
      'on',
    ]);
  await db.close();
});

test('reports an error for a commit that no standby confirms in time, and continues to read', async () => {
  const url = pair.primary.url('postgres');
  const db = openDatabase({ url, maxConnections: 6, commitLimitMs: 300 });
  await db.autocommit('*').run(sql`create table note (t text)`);
  suspendFamily(pair.standby.pid);
  const kept = (t: string) => db.transaction('*', (tx) => tx.run(sql`insert into note values (${t})`));
  await expect(kept('together')).rejects.toSatisfy(isConnectionLoss);
  await expect(db.autocommit('*').run(sql`insert into note values ('alone')`)).rejects.toSatisfy(isConnectionLoss);
  // What need not wait for the disk waits for no standby either.
  await db.autocommit('*').one(sql`insert into note values ('later') returning ${asyncCommit}`);
  // More than there are connections to write with: callers without a connection are released as well.
  const many = await Promise.allSettled([1, 2, 3, 4].map((n) => kept(`one of many ${n}`)));
  expect(many.map((each) => each.status === 'rejected' && isConnectionLoss(each.reason))).toEqual(many.map(() => true));
  expect(await db.as('*').many(sql`select 1 as n`)).toEqual([{ n: 1 }]);
  resumeFamily(pair.standby.pid);
  expect(await kept('after')).toBe(1);
  // Once a standby has them they are there, each once: that they were not known to be kept does not mean that they are not.
  const notes = await db.as('*').many<{ t: string; n: number }>(sql`select t, count(*)::int as n from note group by t`);
  expect(notes.every(({ n }) => n === 1)).toBe(true);
  expect(notes.map(({ t }) => t)).toEqual(expect.arrayContaining(['together', 'alone', 'later', 'after']));
  await db.close();
});

test('finds the primary among the hosts of a cluster, and the next one when it is lost', async () => {
  proxy = await openTcpProxy(pair.standby);
  const hosts = [proxy.host, pooler.host].join(',');
  const env = {
    DATABASE_URL: `postgresql://postgres@${hosts}/namehold?target_session_attrs=read-write`,
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
  };
  const service = await startProcess({ folder, env });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: { Authorization: basic(demoOf(service)), 'Content-Type': 'application/json' },
    });
  const makeKey = async (label: string) => {
    const body = JSON.stringify({ label, ip_whitelist: ['127.0.0.1'], scopes: ['read'] });
    return (await call('/v1/account/keys', { method: 'POST', body })).status;
  };
  expect(await makeKey('before')).toBe(200);
  const doctor = async () => (await runNamehold(['doctor'], { folder, env })).stdout;
  expect(await doctor()).toMatch(/1 standby, 1 of them synchronous[\s\S]*their sessions are not shared/);
  // To a login that may not see it, nothing is said that was not seen.
  expect(await probeReplication(`postgresql://told@${pooler.host}/postgres`)).toEqual({
    name: 'replication',
    ok: false,
    text: '1 standby; told cannot see whether one of them is synchronous',
    fix: 'as a superuser: grant pg_monitor to told',
  });

  await killFamily(pair.primary.pid);
  await until(async () => (await makeKey('nowhere')) === 503);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);

  await pair.promote();
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  // A connection that the pooler still holds open leads to the lost server, and says so once.
  await until(async () => (await makeKey('after')) === 200);
  const keys = (await (await call('/v1/account/keys')).json()) as { label: string }[];
  expect(
    keys
      .map(({ label }) => label)
      .filter((label) => /before|after/.test(label))
      .sort(),
  ).toEqual(['after', 'before']);
  expect((await service.end()).code).toBe(0);
});
