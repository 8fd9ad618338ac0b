import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
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
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { type Cluster, ownTree, reachableFolder } from './cluster.ts';

/** Rebuilt at start, or belonging to the running server alone. */
const left = new Set(['postmaster.pid', 'postmaster.opts', 'pg_internal.init']);

/**
 * PostgreSQL's own online backup: between start and stop the files may be copied in any state, and the log
 * written meanwhile makes them whole again at the first start.
 */
export async function backupCluster(
  cluster: Cluster,
  extraFiles: readonly string[],
  target: string,
): Promise<{ file: string; bytes: number }> {
  const file = resolve(target);
  if (!existsSync(dirname(file))) throw new Error(`there is no folder ${dirname(file)}`);
  const draft = mkdtempSync(join(tmpdir(), 'namehold-backup-'));
  const archive = `${file}.part`;
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  client.on('error', () => undefined);
  try {
    await client.connect();
    chmodSync(draft, 0o700);
    await client.query(`select pg_backup_start('namehold', true)`);
    const data = join(draft, 'data');
    copyLiving(cluster.dataFolder, data, (path) => !path.startsWith(join(cluster.dataFolder, 'pg_wal')));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
    // After the stop: the log up to it is what makes the copy consistent.
    copyLiving(join(cluster.dataFolder, 'pg_wal'), join(data, 'pg_wal'), () => true);
    for (const path of extraFiles) if (existsSync(path)) copyFileSync(path, join(draft, basename(path)));
    writeFileSync(archive, '', { mode: 0o600 });
    execFileSync('tar', ['-C', draft, '-czf', archive, '.'], { stdio: 'pipe' });
    renameSync(archive, file);
    return { file, bytes: statSync(file).size };
  } finally {
    await client.end().catch(() => undefined);
    rmSync(archive, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Files come and go while the server works; one that is gone by the time of its copy is not needed, the log knows of it. */
function copyLiving(from: string, to: string, isWanted: (path: string) => boolean): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (left.has(entry.name)) continue;
    try {
      if (entry.isDirectory()) copyLiving(source, join(to, entry.name), isWanted);
      else if (entry.isFile() && isWanted(source)) copyFileSync(source, join(to, entry.name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** Only into a folder that holds no database yet: a restore never overwrites anything. */
export function restoreCluster(file: string, dataFolder: string, clusterFolder: string): void {
  const archive = resolve(file);
  if (!existsSync(archive)) throw new Error(`there is no file ${archive}`);
  const folder = reachableFolder(clusterFolder);
  if (existsSync(join(folder, 'data')) || existsSync(join(dataFolder, 'master.key')))
    throw new Error(`${dataFolder} is in use already; restore into an empty folder (NAMEHOLD_DATA_DIR)`);
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
    throw new Error(`${archive} is no backup of Namehold`);
}
