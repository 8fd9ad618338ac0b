import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, openCluster } from '@namehold/postgres/embedded/cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeDatabase } from '../../src/embedded/probes.ts';
import { openLogins, rolesSql } from '../../src/logins.ts';
import { migrateWithRoles } from '../../src/missing-roles.ts';
import { newFolder, removeFolder } from '../support/process.ts';

// The tools of the same version: pg_dump refuses a newer server.
const bin = '/usr/lib/postgresql/15/bin';
const folder = fileURLToPath(new URL('../../src/schema', import.meta.url));
const [first, second, dumps] = [newFolder(), newFolder(), newFolder()];
const dump = join(dumps, 'namehold.dump');
let [origin, target]: Cluster[] = [];
beforeAll(async () => {
  const open = (at: string) => openCluster({ folder: join(at, 'postgres'), binaries: binariesIn(bin) });
  [origin, target] = await Promise.all([open(first), open(second)]);
});
afterAll(async () => {
  await Promise.all([origin?.stop(), target?.stop()]);
  for (const each of [first, second, dumps]) removeFolder(each);
});

const psql = (cluster: Cluster, input: string) =>
  execFileSync(join(bin, 'psql'), ['-v', 'ON_ERROR_STOP=1', '-d', cluster.url('postgres')], { input, stdio: 'pipe' });
const ownerUrl = (cluster: Cluster) => cluster.url('namehold').replace('postgres@', 'namehold_owner@');
const restore = (cluster: Cluster, ...flags: string[]) =>
  execFileSync(join(bin, 'pg_restore'), [...flags, '-d', cluster.url('namehold'), dump], { stdio: 'pipe' });
const loginsProbe = async (cluster: Cluster) =>
  (await probeDatabase(cluster.url('namehold'), folder)).find(({ name }) => name === 'logins');

test('restores a dump on a new server in the order of the page, and names the fix for another order', async () => {
  psql(origin!, rolesSql().join('\n'));
  expect(await migrateWithRoles({ url: ownerUrl(origin!), folder })).not.toEqual([]);
  execFileSync(join(bin, 'pg_dump'), ['-Fc', '-f', dump, ownerUrl(origin!)], { stdio: 'pipe' });

  // Without the roles: the tables are restored, their grants and policies are not.
  psql(target!, 'create role namehold_owner login createrole; create database namehold owner namehold_owner;');
  expect(() => restore(target!)).toThrow(/role "namehold_app" does not exist/);
  const missing = /drop this database, create the roles, and restore the dump again/;
  expect(await loginsProbe(target!)).toMatchObject({ ok: false, fix: expect.stringMatching(missing) });
  await expect(migrateWithRoles({ url: ownerUrl(target!), folder })).rejects.toThrow(missing);

  // The roles created afterwards change nothing: the grants are still missing.
  psql(target!, rolesSql().slice(0, 4).join('\n'));
  expect(await loginsProbe(target!)).toMatchObject({ ok: false, fix: expect.stringMatching(missing) });

  psql(
    target!,
    'drop database namehold; drop role namehold_owner, namehold_app, namehold_clockwork, namehold_retention;',
  );
  psql(target!, rolesSql().join('\n'));
  restore(target!, '--exit-on-error');
  expect(await loginsProbe(target!)).toMatchObject({ ok: true });
  expect(await migrateWithRoles({ url: ownerUrl(target!), folder })).toEqual([]);
  expect((await openLogins(ownerUrl(target!))).appUrl).toContain('namehold_app');
});
