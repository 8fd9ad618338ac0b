import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isAlive } from '../alive.ts';
import { openPrivateLog } from '../private-log.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { canTraverse, chooseServiceUser, type ServiceUser } from './service-user.ts';
import { type OnLate, stopServer } from './stop.ts';

export interface Cluster {
  /** As it was asked for; the database itself may live elsewhere. */
  readonly folder: string;
  readonly socketFolder: string;
  readonly dataFolder: string;
  /** False where a server that somebody else started was joined. */
  readonly startedHere: boolean;
  readonly pid: number;
  isRunning(): boolean;
  url(database: string): string;
  /** Fast shutdown, and waits for it; a server that does not end in time is ended the hard way, which `onLate` is told of. */
  stop(onLate?: OnLate): Promise<void>;
}

export interface ClusterSettings {
  /** Holds the database folder, its socket and its log. */
  folder: string;
  settings?: Record<string, string>;
  binaries?: Binaries;
}

/** sun_path of a unix socket, less the file name that PostgreSQL adds. */
const maxSocketFolderBytes = 107 - '/.s.PGSQL.5432.lock'.length;
const startTimeoutMs = 60_000;
/** A start waits for it. */
const pollMs = 5;
const port = 5432;

const defaults: Record<string, string> = {
  listen_addresses: `''`,
  max_connections: '200',
  shared_buffers: `'128MB'`,
  log_min_messages: 'warning',
  wal_level: 'replica',
  // Long enough for `namehold backup` to copy the log that was written while it ran.
  wal_keep_size: `'512MB'`,
};

/** Starts the embedded server, or joins the one that already runs on this folder (an orphan of a killed service, or a live one). */
export async function openCluster(options: ClusterSettings): Promise<Cluster> {
  const user = chooseServiceUser();
  const folder = reachableFolder(resolve(options.folder), user);
  const dataFolder = join(folder, 'data');
  const socketFolder = shortSocketFolder(join(folder, 'socket'));
  for (const path of [folder, socketFolder]) ownFolder(path, user);

  const asked = resolve(options.folder);
  const running = await joinRunning(dataFolder, socketFolder);
  if (running !== undefined) return clusterAt(asked, dataFolder, socketFolder, running, false);

  const binaries = options.binaries ?? findBinaries(user, join(folder, 'binaries'));
  if (!isInitialised(dataFolder)) initialise(binaries, dataFolder, user);
  const pid = await start(binaries, dataFolder, socketFolder, { ...defaults, ...options.settings }, user, folder);
  return clusterAt(asked, dataFolder, socketFolder, pid, true);
}

/** Where the embedded server of a folder is reached, whether it runs or not. */
export function clusterUrl(folder: string, database: string): string {
  return urlOf(shortSocketFolder(join(reachableFolder(resolve(folder)), 'socket')), database);
}

const urlOf = (socketFolder: string, database: string) =>
  `postgresql://postgres@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;

function clusterAt(
  folder: string,
  dataFolder: string,
  socketFolder: string,
  startPid: number,
  startedHere: boolean,
): Cluster {
  // A supervisor may have started it again since.
  const pid = () => lockedPid(dataFolder) ?? startPid;
  const isRunning = () => isAlive(pid(), dataFolder);
  return {
    folder,
    socketFolder,
    dataFolder,
    startedHere,
    get pid() {
      return pid();
    },
    isRunning,
    url: (database) => urlOf(socketFolder, database),
    async stop(onLate) {
      if (isRunning()) await stopServer(pid(), dataFolder, onLate);
    },
  };
}

/**
 * Under a folder that the service user cannot reach, the database lives in a place that it can; a file says where.
 * The name is random: a data folder that was removed and made again must not find the database of its predecessor.
 */
export function reachableFolder(folder: string, user: ServiceUser = chooseServiceUser()): string {
  mkdirSync(folder, { recursive: true });
  const note = join(folder, 'location');
  if (existsSync(note)) return readFileSync(note, 'utf8').trim();
  if (canTraverse(join(folder, '..'), user)) return folder;
  const elsewhere = join('/var/lib', `namehold-${randomBytes(6).toString('hex')}`);
  writeFileSync(note, `${elsewhere}\n`, { mode: 0o600 });
  return elsewhere;
}

function shortSocketFolder(wanted: string): string {
  if (Buffer.byteLength(wanted) <= maxSocketFolderBytes) return wanted;
  return join(tmpdir(), `namehold-${createHash('sha256').update(wanted).digest('hex').slice(0, 12)}`);
}

function ownFolder(path: string, user: ServiceUser): void {
  mkdirSync(path, { recursive: true });
  // The short socket folder lies in a place where others may write.
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a symbolic link; it must be a folder`);
  chmodSync(path, 0o700);
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid!);
}

/** Hands a restored folder to the user that runs the database. */
export function ownTree(folder: string): void {
  const user = chooseServiceUser();
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  execFileSync('chmod', ['-R', 'go-rwx', folder]);
}

/** Whole or not at all, and never over another's: several processes may make their first start together. */
function initialise(binaries: Binaries, dataFolder: string, user: ServiceUser): void {
  const draft = `${dataFolder}.${process.pid}`;
  try {
    runInitdb(binaries, draft, user);
    // A start of an earlier release may have been killed half-way.
    if (!isInitialised(dataFolder)) rmSync(dataFolder, { recursive: true, force: true });
    renameSync(draft, dataFolder);
  } catch (error) {
    if (!isInitialised(dataFolder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const isInitialised = (dataFolder: string) => existsSync(join(dataFolder, 'PG_VERSION'));

function runInitdb(binaries: Binaries, dataFolder: string, user: ServiceUser): void {
  const builtin = binaries.origin === 'npm' ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const args = [
    '-D',
    dataFolder,
    '-U',
    'postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    ...builtin,
    // Trust is for the socket alone, whose folder is 0700; nothing listens on the network.
    '--auth=trust',
    '--no-instructions',
  ];
  try {
    execFileSync(binaries.initdb, args, { ...asUser(user), cwd: '/', stdio: 'pipe' });
  } catch (error) {
    const stderr = String((error as { stderr?: Buffer }).stderr ?? '');
    // A system's initdb of 15 knows no builtin provider; libc's C.UTF-8 sorts the same way.
    throw new Error(`initdb failed: ${stderr || (error as Error).message}`, { cause: error });
  }
}

/** It begins with writing a few files, the largest of which is one of its log. */
const minFreeBytes = 16 * 1024 * 1024;

/** The log of PostgreSQL would say it, but lies on the same disk. */
function isFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < minFreeBytes;
}

const asUser = (user: ServiceUser) => (user.uid === undefined ? {} : { uid: user.uid, gid: user.gid! });

async function start(
  binaries: Binaries,
  dataFolder: string,
  socketFolder: string,
  settings: Record<string, string>,
  user: ServiceUser,
  folder: string,
): Promise<number> {
  const options = Object.entries({ ...settings, port: String(port), unix_socket_permissions: '0700' }).flatMap(
    ([name, value]) => ['-c', `${name}=${value.replace(/^'(.*)'$/, '$1')}`],
  );
  const log = openPrivateLog(join(folder, 'postgres.log'));
  // Detached: the database outlives a killed service, and the next start adopts it.
  const child = spawn(binaries.postgres, ['-D', dataFolder, '-k', socketFolder, ...options], {
    ...asUser(user),
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let exited: number | null | undefined;
  child.once('exit', (code) => {
    exited = code;
  });
  child.once('error', () => {
    exited = -1;
  });
  child.unref();
  for (let waited = 0; waited < startTimeoutMs; waited += pollMs) {
    if (exited !== undefined) {
      // Somebody else won the race for this folder: join theirs.
      const running = await joinRunning(dataFolder, socketFolder);
      if (running !== undefined) return running;
      const why = isFull(folder) ? 'the disk is full, free some space; or ' : '';
      throw new Error(`PostgreSQL ended with code ${exited}: ${why}see ${join(folder, 'postgres.log')}`);
    }
    if (await answers(socketFolder)) return child.pid!;
    await sleep(pollMs);
  }
  throw new Error(`PostgreSQL did not respond within ${startTimeoutMs} ms; see ${join(folder, 'postgres.log')}`);
}

function lockedPid(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** The process id of a live server on this folder. A stale lock file (power cut) is PostgreSQL's own to clean. */
async function joinRunning(dataFolder: string, socketFolder: string): Promise<number | undefined> {
  for (let waited = 0; waited < startTimeoutMs; waited += 50) {
    const pid = lockedPid(dataFolder);
    if (pid === undefined || !isAlive(pid, dataFolder)) return undefined;
    if (await answers(socketFolder)) return pid;
    await sleep(50);
  }
  return undefined;
}

async function answers(socketFolder: string): Promise<boolean> {
  const client = new pg.Client({
    host: socketFolder,
    port,
    user: 'postgres',
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates those that are not there. */
export async function ensureDatabase(cluster: Cluster, ...names: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) as wanted (name) where name not in (select datname from pg_database)',
      [names],
    );
    for (const { name } of rows)
      await client.query(`create database ${pg.escapeIdentifier(name)}`).catch((error: unknown) => {
        // Another process that starts now has been quicker.
        if ((error as { code?: string }).code !== '42P04') throw error;
      });
  } finally {
    await client.end();
  }
}
