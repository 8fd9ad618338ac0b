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
import { isAlive } from './alive.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { openPrivateLog } from './private-log.ts';
import { canTraverse, chooseServiceUser, type ServiceUser } from './service-user.ts';
import { type OnLate, stopServer } from './stop.ts';

export interface Cluster {
  /** The requested folder; the database may be elsewhere (`location`). */
  readonly folder: string;
  readonly socketFolder: string;
  readonly dataFolder: string;
  /** False if a running server was joined. */
  readonly startedHere: boolean;
  readonly pid: number;
  isRunning(): boolean;
  url(database: string): string;
  /** Fast shutdown. A server that does not end in time is ended forcibly; `onLate` is called for each such step. */
  stop(onLate?: OnLate): Promise<void>;
}

interface ClusterSettings {
  /** Contains the database folder, its socket and its log. */
  folder: string;
  settings?: Record<string, string>;
  binaries?: Binaries;
}

/** Length of sun_path of a Unix socket, less the file name of PostgreSQL. */
const maxSocketFolderBytes = 107 - '/.s.PGSQL.5432.lock'.length;
const startTimeoutMs = 60_000;
/** How long a start waits for it. */
const pollMs = 5;
const port = 5432;

const defaults: Record<string, string> = {
  listen_addresses: `''`,
  max_connections: '200',
  shared_buffers: `'128MB'`,
  log_min_messages: 'warning',
  wal_level: 'replica',
  // Keeps enough WAL for `namehold backup` to copy what was written during it.
  wal_keep_size: `'512MB'`,
};

/** Starts the embedded server, or joins the one that already runs on this folder, with or without a live service. */
export async function openCluster(options: ClusterSettings): Promise<Cluster> {
  const user = chooseServiceUser();
  const folder = reachableFolder(resolve(options.folder), user);
  const dataFolder = join(folder, 'data');
  const socketFolder = shortSocketFolder(join(folder, 'socket'));
  for (const path of [folder, socketFolder]) ownFolder(path, user);

  const requested = resolve(options.folder);
  const running = await joinRunning(dataFolder, socketFolder);
  if (running !== undefined) return clusterAt(requested, dataFolder, socketFolder, running, false);

  const binaries = options.binaries ?? findBinaries(user, join(folder, 'binaries'));
  if (!isInitialised(dataFolder)) initialise(binaries, dataFolder, user);
  const pid = await start(binaries, dataFolder, socketFolder, { ...defaults, ...options.settings }, user, folder);
  return clusterAt(requested, dataFolder, socketFolder, pid, true);
}

/** The URL of the embedded server of a folder, running or not. */
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
  // A supervisor may have restarted it since.
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
 * If the service user cannot reach a folder, the database is stored elsewhere, and the file `location` contains the path. The name is
 * random, so that a new data folder never uses the database of a removed one.
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
  // The short socket folder is in the shared temporary folder.
  if (lstatSync(path).isSymbolicLink()) throw new Error(`${path} is a symbolic link; it must be a folder`);
  chmodSync(path, 0o700);
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid!);
}

/** Gives a restored folder to the user that runs the database. */
export function ownTree(folder: string): void {
  const user = chooseServiceUser();
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder]);
  execFileSync('chmod', ['-R', 'go-rwx', folder]);
}

/** Created atomically and never overwritten, because several processes may make their first start together. */
function initialise(binaries: Binaries, dataFolder: string, user: ServiceUser): void {
  const draft = `${dataFolder}.${process.pid}`;
  try {
    runInitdb(binaries, draft, user);
    // An earlier release may leave an incomplete folder if its start was killed.
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
    // `trust` applies only to the socket, whose folder has mode 0700. The server does not listen on the network.
    '--auth=trust',
    '--no-instructions',
  ];
  try {
    execFileSync(binaries.initdb, args, { ...asUser(user), cwd: '/', stdio: 'pipe' });
  } catch (error) {
    const stderr = String((error as { stderr?: Buffer }).stderr ?? '');
    // initdb of PostgreSQL 15 has no builtin locale provider; C.UTF-8 of libc sorts the same way.
    throw new Error(`initdb failed: ${stderr || (error as Error).message}`, { cause: error });
  }
}

/** The first start writes a few files; the largest is a WAL segment. */
const minFreeBytes = 16 * 1024 * 1024;

/** PostgreSQL would report it in its log, which is on the same full disk. */
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
  // Detached: the database survives a killed service, and the next start uses it.
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
      // Another process has started a server on this folder: join it.
      const running = await joinRunning(dataFolder, socketFolder);
      if (running !== undefined) return running;
      const why = isFull(folder) ? 'its disk is full: free some space, or ' : '';
      throw new Error(`PostgreSQL ended with code ${exited}: ${why}see ${join(folder, 'postgres.log')}`);
    }
    if (await answers(socketFolder)) return child.pid!;
    await sleep(pollMs);
  }
  throw new Error(`PostgreSQL did not answer within ${startTimeoutMs} ms; see ${join(folder, 'postgres.log')}`);
}

function lockedPid(dataFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
}

/** The process id of a live server on this folder. PostgreSQL removes a stale lock file itself. */
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

/** Creates missing databases. */
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
        // Another process has created it.
        if ((error as { code?: string }).code !== '42P04') throw error;
      });
  } finally {
    await client.end();
  }
}
