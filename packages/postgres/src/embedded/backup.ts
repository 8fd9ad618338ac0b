import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, ownTree, reachableFolder } from './cluster.ts';

const draftName = /^\.namehold-backup-(\d+)-/;

/**
 * The draft is beside the target and not in a temporary folder, because it contains a copy of the master key. Drafts of dead processes
 * are removed first.
 */
function makeDraft(folder: string): string {
  for (const name of readdirSync(folder)) {
    const pid = draftName.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, `.namehold-backup-${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user counts too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Runs cancellable work: on a signal it stops at its next step and cleans up. */
async function untilInterrupted<T>(work: (ended: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const end = (signal: NodeJS.Signals) =>
    interruption.abort(new Error(`interrupted by ${signal}; incomplete files were removed`));
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, end);
  try {
    return await work(interruption.signal);
  } catch (error) {
    interruption.signal.throwIfAborted();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

const run = promisify(execFile);

/** Files that are rebuilt at start or belong to the running server. */
const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);

/**
 * Online backup of PostgreSQL: between start and stop, files may be copied in any state. The WAL written meanwhile makes them consistent
 * at the first start.
 */
export async function backupCluster(
  cluster: Cluster,
  extraFiles: readonly string[],
  target: string,
): Promise<{ file: string; bytes: number }> {
  const file = resolve(target);
  if (!existsSync(dirname(file))) throw new Error(`the folder ${dirname(file)} does not exist`);
  return untilInterrupted(async (ended) => {
    const draft = makeDraft(dirname(file));
    const client = new pg.Client({ connectionString: cluster.url('postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const content = join(draft, 'content');
      await copyCluster(client, cluster, join(content, 'data'), ended);
      for (const path of extraFiles) if (existsSync(path)) await copyFile(path, join(content, basename(path)));
      const archive = join(draft, 'archive');
      writeFileSync(archive, '', { mode: 0o600 });
      await run('tar', ['-C', content, '-czf', archive, '.'], { signal: ended });
      renameSync(archive, file);
      return { file, bytes: statSync(file).size };
    } finally {
      await client.end().catch(() => undefined);
      rmSync(draft, { recursive: true, force: true });
    }
  });
}

async function copyCluster(client: pg.Client, cluster: Cluster, data: string, ended: AbortSignal): Promise<void> {
  await client.query(`select pg_backup_start('namehold', true)`);
  const log = join(cluster.dataFolder, 'pg_wal');
  await copyLiving(cluster.dataFolder, data, (path) => !path.startsWith(log), ended);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
  // After the stop, because the WAL up to it makes the copy consistent.
  await copyLiving(log, join(data, 'pg_wal'), () => true, ended);
}

/** Files may disappear while the server works. They are not needed, because the WAL records it. */
async function copyLiving(
  from: string,
  to: string,
  isWanted: (path: string) => boolean,
  ended: AbortSignal,
): Promise<void> {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    ended.throwIfAborted();
    const source = join(from, entry.name);
    if (left.has(entry.name)) continue;
    try {
      if (entry.isDirectory()) await copyLiving(source, join(to, entry.name), isWanted, ended);
      else if (entry.isFile() && isWanted(source)) await copyFile(source, join(to, entry.name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Restores only into a folder without a database and never overwrites. */
export function restoreCluster(file: string, dataFolder: string, clusterFolder: string): void {
  const archive = resolve(file);
  if (!existsSync(archive)) throw new Error(`the file ${archive} does not exist`);
  const folder = reachableFolder(clusterFolder);
  if (existsSync(join(folder, 'data')) || existsSync(join(dataFolder, 'master.key')))
    throw new Error(`${dataFolder} already contains a database; restore into an empty folder (NAMEHOLD_DATA_DIR)`);
  const draft = join(folder, 'restoring');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    unpack(archive, draft);
    for (const name of readdirSync(draft)) {
      if (name === 'data') continue;
      writeFileSync(join(dataFolder, name), readFileSync(join(draft, name)), { mode: 0o600 });
    }
    renameSync(join(draft, 'data'), join(folder, 'data'));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  ownTree(folder);
}

function unpack(archive: string, folder: string): void {
  try {
    execFileSync('tar', ['-C', folder, '-xzf', archive], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${archive} cannot be unpacked`, { cause: error });
  }
  if (!existsSync(join(folder, 'data', 'PG_VERSION')) || !existsSync(join(folder, 'data', 'backup_label')))
    throw new Error(`${archive} is not a backup of Namehold`);
}
