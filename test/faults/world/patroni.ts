import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseServiceUser } from '@namehold/postgres/embedded/service-user';
import pg from 'pg';
import { freePort } from '../../support/ports.ts';
import { resume, suspend } from '../../support/suspend.ts';
import { sweep } from '../../support/sweep.ts';
import { type FragileDatabase, killFamily, resumeFamily, suspendFamily } from './database.ts';

/** Patroni's defaults: they decide how long writes are refused. */
export const patroniTimes = { ttl: 30, loop_wait: 10, retry_timeout: 10 };
const settleLimitMs = 600_000;
const askLimitMs = 5_000;
/** Its commands answer when they are done. */
const doLimitMs = 120_000;

/** A machine of the cluster: a Patroni and its PostgreSQL. */
export interface Machine {
  readonly name: string;
  /** `host:port` of its PostgreSQL. */
  readonly host: string;
  startPatroni(): void;
  /** PostgreSQL continues without a supervisor. */
  killPatroni(): Promise<void>;
  killPostgres(): Promise<void>;
  /** Both at once. */
  lose(): Promise<void>;
  /** Suspended, and resumed later. */
  pause(): void;
  resume(): void;
  /** The state from its Patroni, as for `patronictl`. */
  ask(method: 'GET' | 'POST', path: string, json?: object): Promise<unknown>;
}

interface Member {
  readonly name: string;
  readonly role: string;
}

/** Three machines with Debian's PostgreSQL 15 under Patroni, one of the two standbys synchronous, and their etcd. */
export interface PatroniCluster extends FragileDatabase {
  readonly machines: readonly Machine[];
  machineOf(role: 'leader' | 'sync_standby'): Promise<Machine>;
  killEtcd(): Promise<void>;
  startEtcd(): void;
  /** Waits until there is a leader and a synchronous standby, and all of them run. */
  whole(): Promise<void>;
}

export async function openPatroni(folder: string, database: string): Promise<PatroniCluster> {
  ownFolder(folder);
  const etcd = await newEtcd(join(folder, 'etcd'));
  const machines = await Promise.all(['one', 'two', 'three'].map((name) => newMachine(folder, name, etcd.address)));
  const machineOf = async (role: string) => {
    const found = (await membersOf(machines)).find((member) => member.role === role);
    if (!found) throw new Error(`no machine is ${role}`);
    return machines.find(({ name }) => name === found.name)!;
  };
  const cluster: PatroniCluster = {
    url: `postgresql://postgres@${machines.map(({ host }) => host).join(',')}/${database}`,
    machines,
    machineOf,
    killEtcd: etcd.kill,
    startEtcd: etcd.start,
    whole: () =>
      eventually('the cluster is not complete', async () => {
        const roles = (await membersOf(machines)).map(({ role }) => role).sort();
        if (String(roles) !== 'leader,replica,sync_standby') return false;
        const [leader, standby] = [await machineOf('leader'), await machineOf('sync_standby')];
        // Queried individually: their shared state may describe a member that has died.
        const states = [
          leader.ask('GET', '/primary'),
          standby.ask('GET', '/synchronous'),
          ...machines.map((each) => each.ask('GET', '/health')),
        ];
        return (await Promise.allSettled(states)).every(({ status }) => status === 'fulfilled');
      }),
    kill: async () => (await machineOf('leader')).lose(),
    restart: () => cluster.whole(),
    freeze() {
      throw new Error('name the machine to suspend');
    },
    thaw() {},
    async dispose() {
      for (const machine of machines) machine.resume();
      await Promise.all([...machines.map((machine) => machine.lose()), etcd.kill()]);
      sweep([folder]);
    },
  };
  try {
    etcd.start();
    for (const machine of machines) machine.startPatroni();
    await cluster.whole();
    await createDatabase((await machineOf('leader')).host, database);
  } catch (error) {
    await cluster.dispose();
    throw error;
  }
  return cluster;
}

/** From the first Patroni that answers. */
async function membersOf(machines: readonly Machine[]): Promise<readonly Member[]> {
  try {
    const states = await Promise.any(machines.map((machine) => machine.ask('GET', '/cluster')));
    return (states as { members: Member[] }).members;
  } catch {
    return [];
  }
}

async function newMachine(folder: string, name: string, etcd: string): Promise<Machine> {
  const own = join(folder, name);
  ownFolder(own);
  const [port, restPort] = [await freePort(), await freePort()];
  const [host, rest] = [`127.0.0.1:${port}`, `127.0.0.1:${restPort}`];
  const file = join(own, 'patroni.yml');
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify(patroniSettings(own, name, { host, rest, etcd })));
  const patroni = new Program('patroni', [file], join(own, 'patroni.log'));
  const postgres = (): number | undefined => {
    try {
      return Number(readFileSync(join(own, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return undefined;
    }
  };
  const killPostgres = async () => {
    const pid = postgres();
    if (pid !== undefined) await killFamily(pid);
  };
  return {
    name,
    host,
    startPatroni: () => patroni.start(),
    killPatroni: () => patroni.kill(),
    killPostgres,
    async lose() {
      await Promise.all([patroni.kill(), killPostgres()]);
    },
    pause() {
      patroni.pause();
      suspendFamily(postgres()!);
    },
    resume() {
      const pid = postgres();
      if (pid !== undefined) resumeFamily(pid);
      patroni.resume();
    },
    async ask(method, path, json) {
      const response = await fetch(`http://${rest}${path}`, {
        method,
        signal: AbortSignal.timeout(method === 'GET' ? askLimitMs : doLimitMs),
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${name} answers ${response.status} to ${path}: ${text}`);
      return path === '/cluster' ? JSON.parse(text) : text;
    },
  };
}

function patroniSettings(folder: string, name: string, at: { host: string; rest: string; etcd: string }): object {
  const user = { username: 'postgres' };
  const pgHba = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
  return {
    scope: 'namehold',
    name,
    restapi: { listen: at.rest, connect_address: at.rest },
    etcd3: { host: at.etcd },
    bootstrap: {
      dcs: {
        ...patroniTimes,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
          // The real machine keeps running, so the files need no fsync.
          parameters: { fsync: 'off', max_connections: 100, shared_buffers: '64MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: at.host,
      connect_address: at.host,
      data_dir: join(folder, 'data'),
      bin_dir: '/usr/lib/postgresql/15/bin',
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: user, replication: user, rewind: user },
      parameters: { unix_socket_directories: folder },
      pg_hba: pgHba,
    },
    watchdog: { mode: 'off' },
  };
}

/** Debian builds it for more processors than its authors support. */
const etcdEnv = { ETCD_UNSUPPORTED_ARCH: process.arch };

async function newEtcd(folder: string): Promise<{ address: string; start(): void; kill(): Promise<void> }> {
  ownFolder(folder);
  const [address, peer] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const settings = {
    name: 'etcd',
    'data-dir': join(folder, 'data'),
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': `http://${peer}`,
    'initial-advertise-peer-urls': `http://${peer}`,
    'initial-cluster': `etcd=http://${peer}`,
  };
  const args = Object.entries(settings).map(([option, value]) => `--${option}=${value}`);
  const etcd = new Program('etcd', args, join(folder, 'etcd.log'), etcdEnv);
  return { address, start: () => etcd.start(), kill: () => etcd.kill() };
}

/** A program that can be killed and restarted, under the user of the database. */
class Program {
  readonly #command: string;
  readonly #args: readonly string[];
  readonly #log: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(command: string, args: readonly string[], log: string, env: Record<string, string> = {}) {
    this.#command = command;
    this.#args = args;
    this.#log = log;
    this.#env = env;
  }

  start(): void {
    const { uid, gid } = chooseServiceUser();
    const log = openSync(this.#log, 'a');
    const child = spawn(this.#command, [...this.#args], {
      cwd: '/',
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8', ...this.#env },
      ...(uid === undefined ? {} : { uid, gid: gid as number }),
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  pause(): void {
    if (this.#child?.pid) suspend(this.#child.pid);
  }

  resume(): void {
    if (this.#child?.pid) resume(this.#child.pid);
  }

  kill(): Promise<void> {
    this.#child?.kill('SIGKILL');
    return this.#ended;
  }
}

function ownFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, gid } = chooseServiceUser();
  if (uid !== undefined) chownSync(folder, uid, gid as number);
}

async function createDatabase(host: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: `postgresql://postgres@${host}/postgres` });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

async function eventually(otherwise: string, what: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await what()); waited += 250) {
    if (waited > settleLimitMs) throw new Error(otherwise);
    await sleep(250);
  }
}
