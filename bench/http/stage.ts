import { type ChildProcess, fork, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Sql } from '@namehold/postgres';
import { openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import type { Credentials } from '../../packages/server/src/embedded/data-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const connections = 16;

const quiet = {
  NAMEHOLD_PORT: '0',
  NAMEHOLD_SANDBOX_PORT: '0',
  NAMEHOLD_DNS_PORT: 'off',
  NAMEHOLD_PRIMARY_PORT: '0',
  NAMEHOLD_REDIRECT_PORT: 'off',
  NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
  NAMEHOLD_RATE_LIMIT_PER_MINUTE: '10000000',
  NAMEHOLD_COST_LIMIT_PER_MINUTE: '10000000',
  NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '10000000',
  NAMEHOLD_DATABASE_CONNECTIONS: String(connections),
};

// An interrupted bench ends its processes: a signal alone would not run `exit` handlers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

export interface Started {
  readonly credentials: Credentials;
  readonly child: ChildProcess;
  readonly startMs: number;
  /** Its output. */
  said(): string;
  stop(): Promise<void>;
}

/** From the command to the first answer with the profile. Its log goes to a pipe that is read, as by a supervisor. */
export async function startService(
  folder: string,
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<Started> {
  const file = join(folder, 'credentials.json');
  const began = performance.now();
  const child = spawn(command[0]!, command.slice(1), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own: npm and its shell do not forward signals, so the service behind them would stay.
    detached: true,
    env: { ...process.env, ...quiet, ...env, NAMEHOLD_DATA_DIR: folder },
  });
  let text = '';
  child.stdout!.on('data', (piece: Buffer) => {
    if (text.length < 10_000) text += piece.toString();
  });
  // Not `exit`, which npm emits first: the pipe closes when the service has ended.
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = () => endGroup(child);
  process.once('exit', end);
  while (!/Namehold is running at/.test(text)) {
    if (child.exitCode !== null) throw new Error(`the service ended:\n${text}`);
    await sleep(5);
  }
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
  const answer = await fetch(`${credentials.base_url}/v1/account/profile`, {
    headers: { Authorization: basic(credentials) },
  });
  if (answer.status !== 200) throw new Error(`the first answer was ${answer.status}`);
  const startMs = performance.now() - began;
  return {
    credentials,
    child,
    startMs,
    said: () => text,
    async stop() {
      process.off('exit', end);
      end();
      await closed;
    },
  };
}

function endGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGTERM');
  } catch {
    // It has ended already.
  }
}

export function basic({ reseller_id, api_key }: Pick<Credentials, 'reseller_id' | 'api_key'>): string {
  return `Basic ${Buffer.from(`${reseller_id}:${api_key}`).toString('base64')}`;
}

export async function startBare(
  databaseUrl: string,
  tenant: string,
  routes: Record<string, Sql[]>,
): Promise<{ url: string; pid: number; stop(): void }> {
  const facts = JSON.stringify({ databaseUrl, tenant, connections, routes });
  const child = fork(fileURLToPath(new URL('./bare.ts', import.meta.url)), [facts]);
  const { url } = await new Promise<{ url: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', () => reject(new Error('the bare server ended')));
  });
  return { url, pid: child.pid!, stop: () => void child.kill('SIGKILL') };
}

/** The address of the embedded database of a running service. */
export async function databaseOf(folder: string): Promise<string> {
  return (await openCluster({ folder: join(folder, 'postgres') })).url('namehold');
}

export async function seedCustomers(databaseUrl: string, resellerId: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into customer (reseller_id, email, name, company, address_line_1, city, state, country_code, zipcode, tel_cc_no, tel_no,
       currency, password_hash, created_at)
     select $1, 'customer' || n || '@bench.example', 'Customer ' || n, 'Company ' || n, n || ' Street', 'Jakarta', 'Jakarta Raya', 'ID', '10110', '62',
       '2150001000', 'USD', 'x', now() from generate_series(1, $2::integer) n`,
    [resellerId, count],
  );
  await client.query('vacuum analyze');
  await client.end();
}

/** In units of 10 ms, as Linux counts. */
const tickMicroseconds = 10_000;

/** Processor time of a process in microseconds, which does not depend on the load of the machine. */
export function processorTime(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * tickMicroseconds;
}

const settleMs = 15_000;
const sampleMs = 250;

/** Resident memory in MiB after garbage collection: the minimum over a while at rest. */
export async function settledMiB(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let waited = 0; waited < settleMs; waited += sampleMs) {
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
    least = Math.min(least, kib / 1024);
    await sleep(sampleMs);
  }
  return least;
}
