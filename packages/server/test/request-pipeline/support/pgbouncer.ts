import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseServiceUser } from '@namehold/postgres/embedded/service-user';
import { freePort } from '../../../../../test/support/ports.ts';
import { until } from '../../support/process.ts';

export interface Pooler {
  /** `host:port`, for an address. */
  readonly host: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const users = ['postgres', 'told', 'namehold_app', 'namehold_clockwork', 'namehold_retention'];

/** The password of `postgres` if a pooler verifies passwords. */
export const ownerPassword = 'owner';

/**
 * Debian's PgBouncer in front of a server, in a common setup: startup parameters of a connection are ignored. It accepts every listed
 * user, or verifies passwords: only that of `postgres` in its list, or all others by a query too.
 */
export async function startPgBouncer(
  socketFolder: string,
  mode: 'session' | 'transaction',
  passwords: 'none' | 'list' | 'query' = 'none',
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'namehold-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const list = passwords === 'none' ? users.map((user) => `"${user}" ""\n`) : [`"postgres" "${ownerPassword}"\n`];
  writeFileSync(join(folder, 'users'), list.join(''));
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: passwords === 'none' ? 'trust' : 'scram-sha-256',
    ...(passwords === 'query' ? { auth_user: 'postgres' } : {}),
    auth_file: join(folder, 'users'),
    pool_mode: mode,
    default_pool_size: 40,
    // Retries soon after a server did not answer.
    server_login_retry: 1,
    ignore_startup_parameters: 'options,statement_timeout,idle_in_transaction_session_timeout,extra_float_digits',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `[databases]\n* = host=${socketFolder} port=5432\n[pgbouncer]\n${lines.join('\n')}\n`);
  const { uid, gid } = chooseServiceUser();
  const child: ChildProcess = spawn('pgbouncer', ['-q', file], {
    cwd: '/',
    stdio: 'ignore',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    ...(uid === undefined ? {} : { uid, gid: gid as number }),
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(() => isListening(port));
  return {
    host: `127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
