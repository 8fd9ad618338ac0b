import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../../../../test/support/parties.ts';
import { projectRoot } from '../../../../test/support/service.ts';
import { basic } from '../request-pipeline/support/raw.ts';
import {
  demoOf,
  isAlive,
  newFolder,
  postgresPid,
  type RunningService,
  removeFolder,
  runNamehold,
  spawnNamehold,
  startProcess,
  threadsOf,
  until,
} from '../support/process.ts';

const env = { NAMEHOLD_LOG_LEVEL: 'error' };
const folder = newFolder();
let service: RunningService;

const call = (running: RunningService, path: string, init: RequestInit = {}) =>
  fetch(`${running.url}${path}`, { ...init, headers: { Authorization: basic(demoOf(running)), ...init.headers } });
/** The code of the printed link. Undefined: only the address was printed. */
const codeOf = (running: RunningService) => {
  const { port } = new URL(running.url);
  const line = running.output().match(/^ {2}console +(\S+)$/m)![1]!;
  const [page, code] = line.split('#code=');
  expect(page).toBe(`http://localhost:${port}/app${code ? '/welcome' : ''}`);
  return code;
};
const redeem = (running: RunningService, code: string) =>
  fetch(`${running.url}/v1/session/code`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Namehold-Console': '1', Origin: running.url },
    body: JSON.stringify({ code, password: 'a long enough one' }),
  });
const sandboxFile = join(folder, 'sandbox', 'sandbox.json');
const sandboxPid = () => (JSON.parse(readFileSync(sandboxFile, 'utf8')) as { pid: number }).pid;
const uidOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

beforeAll(async () => {
  service = await startProcess({ folder, env, code: projectRoot });
});
afterAll(() => removeFolder(folder));

describe('one data folder, from its first start to its last stop', () => {
  test('prints what a new user needs at the first start, and lets only the owner read secrets', async () => {
    expect(service.output()).toContain('This was the first start');
    expect(service.output()).toContain(`${service.url}/swagger`);
    expect(service.output()).toContain(`curl -u ${demoOf(service)} ${service.url}/v1/account/profile`);
    for (const name of ['credentials.json', 'master.key'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    // As root the database runs as another user, which may traverse to its own folder only.
    expect(statSync(folder).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700);
    for (const name of readdirSync(folder, { recursive: true }) as string[]) {
      if (/^postgres.(data|binaries)(.|$)/.test(name)) continue;
      expect((statSync(join(folder, name)).mode & 0o077).toString(8), name).toBe('0');
    }
    const { base_url, reseller_id, api_key, operator } = service.credentials;
    expect(base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect([reseller_id, operator.reseller_id]).toEqual(['1000', '1']);
    expect(api_key).toMatch(/^nh_[\w-]{43}$/);
    expect((await call(service, '/v1/account/profile')).status).toBe(200);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  test('runs the database as an ordinary user, on a socket that only this user can open', () => {
    const pid = postgresPid(folder)!;
    expect(uidOf(pid)).not.toBe(0);
    const socket = join(folder, 'postgres', 'socket');
    expect(statSync(socket).mode & 0o777).toBe(0o700);
    const ports = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'));
    const inodes = new Set(ports.filter((line) => / 0A /.test(line)).map((line) => line.trim().split(/\s+/)[9]));
    expect(ownInodes(pid).filter((inode) => inodes.has(inode))).toEqual([]);
  });

  test('runs an event-loop watchdog in the service and in its registry', async () => {
    for (const pid of [service.pid, sandboxPid()])
      await expect.poll(() => threadsOf(pid), { message: `process ${pid}` }).toContain('watchdog');
  });

  test('keeps database and registry running after kill -9, and the next start joins them', async () => {
    const form = new URLSearchParams(person({ email: 'orphan@made.example', password: 'a long enough one' }));
    const made = await call(service, '/v1/customers', { method: 'POST', body: form });
    expect(made.status).toBe(200);
    const [database, registry] = [postgresPid(folder)!, sandboxPid()];
    await service.end('SIGKILL');
    expect([isAlive(database), isAlive(registry)]).toEqual([true, true]);
    const [before, printed] = [service.credentials, codeOf(service)!];
    service = await startProcess({ folder, env });
    expect([postgresPid(folder), sandboxPid()]).toEqual([database, registry]);
    expect(service.credentials.api_key).toBe(before.api_key);
    expect(service.output()).not.toContain('This was the first start');
    expect(codeOf(service)).toMatch(/^nh_[\w-]{43}$/);
    expect(codeOf(service)).not.toBe(printed);
    expect((await redeem(service, printed)).status).toBe(401);
    const found = (await (await call(service, '/v1/customers?email=orphan@made.example')).json()) as unknown[];
    expect(found).toHaveLength(1);
  });

  test('creates the owner of the demo account once with the link of the latest start', async () => {
    const code = codeOf(service)!;
    const opened = await redeem(service, code);
    expect(opened.status).toBe(200);
    expect(await opened.json()).toMatchObject({
      account: { reseller_id: '1000', role: 'owner' },
      person: { email: 'demo@reseller.example' },
    });
    expect((await redeem(service, code)).status).toBe(401);
    const users = await runNamehold(['user', 'list', '--json'], { folder });
    expect(users.json).toMatchObject([{ email: 'demo@reseller.example', reseller_id: '1000', role: 'owner' }]);
  });

  test('lets a second service join and continue when the first one stops', async () => {
    const first = service;
    const second = await startProcess({ folder, env });
    expect(second.url).not.toBe(first.url);
    // The account already has an owner.
    expect(codeOf(second)).toBeUndefined();
    const database = postgresPid(folder)!;
    expect((await call(second, '/v1/account/profile')).status).toBe(200);
    expect((await first.end()).code).toBe(0);
    expect(isAlive(database)).toBe(true);
    expect((await call(second, '/v1/account/profile')).status).toBe(200);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    service = second;
  });

  test('lets a command join and end without stopping anything', async () => {
    const listed = await runNamehold(['reseller', 'list', '--json'], { folder });
    expect(listed.code).toBe(0);
    expect(listed.json.map((row: { reseller_id: string }) => row.reseller_id)).toEqual(['1', '1000']);
    expect((await call(service, '/v1/account/profile')).status).toBe(200);
  });

  test('restarts a dead database, and answers requests with 503 meanwhile', async () => {
    const database = postgresPid(folder)!;
    const statusNow = async () => {
      const called = await call(service, '/v1/account/profile');
      if (called.status !== 200) {
        const body = (await called.json()) as { code: string };
        expect([called.status, body.code]).toEqual([503, 'unavailable']);
        expect(called.headers.get('retry-after')).toBe('2');
      }
      return called.status;
    };
    const settings = join(folder, 'postgres', 'data', 'postgresql.auto.conf');
    const kept = readFileSync(settings, 'utf8');
    // Restarts fail until a request was answered meanwhile.
    writeFileSync(settings, `${kept}max_connections = none\n`);
    process.kill(database, 'SIGKILL');
    await until(async () => (await statusNow()) === 503);
    writeFileSync(settings, kept);
    await until(async () => (await statusNow()) === 200);
    expect(postgresPid(folder)).not.toBe(database);
    const found = (await (await call(service, '/v1/customers?email=orphan@made.example')).json()) as unknown[];
    expect(found).toHaveLength(1);
  });

  test('reports a port in use, and does not affect the running service', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const { port } = listener.address() as { port: number };
    const failed = await runNamehold(['serve'], { folder, env: { ...env, NAMEHOLD_PORT: String(port) } });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('is in use by another program');
    expect(failed.stderr).not.toMatch(/\bat .+\.ts:\d+/);
    expect((await call(service, '/v1/account/profile')).status).toBe(200);
    listener.close();
  });

  test('leaves no process after a clean stop', async () => {
    const [database, registry] = [postgresPid(folder)!, sandboxPid()];
    expect((await service.end('SIGHUP')).code).toBe(0);
    expect([isAlive(database), isAlive(registry)]).toEqual([false, false]);
    expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  });

  test('ends what a failed start alone on its folder has started', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const { port } = listener.address() as { port: number };
    const failed = await runNamehold(['serve'], { folder, env: { ...env, NAMEHOLD_PORT: String(port) } });
    expect(failed.code).toBe(1);
    listener.close();
    expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    await until(() => !existsSync(sandboxFile) || !isAlive(sandboxPid()));
  });

  test('ends database and registry when a start fails after both have started', async () => {
    const wrong = randomBytes(32).toString('hex');
    const failed = await runNamehold(['serve'], { folder, env: { ...env, NAMEHOLD_MASTER_KEY: wrong } });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('master key');
    expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    expect(
      readFileSync(join(folder, 'sandbox', 'sandbox.log'), 'utf8')
        .trim()
        .split('\n')
        .at(-1),
    ).toContain('stopping');
    await until(() => !existsSync(sandboxFile) || !isAlive(sandboxPid()));
  });

  test('stops during the start, also when the process that wraps it has ended', async () => {
    const child = spawnNamehold(['serve'], { folder, env });
    await until(() => postgresPid(folder) !== undefined);
    // The state of the pipe after kill -9 of the wrapper.
    child.disconnect();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
    expect(existsSync(join(folder, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
    expect(existsSync(sandboxFile)).toBe(false);
  });

  test('reports a database that cannot start, and ends the registry that waited for it', async () => {
    const settings = join(folder, 'postgres', 'data', 'postgresql.auto.conf');
    const kept = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${kept}max_connections = none\n`);
    const log = join(folder, 'sandbox', 'sandbox.log');
    const linesBefore = readFileSync(log, 'utf8').split('\n').length;
    const failed = await runNamehold(['serve'], { folder, env });
    writeFileSync(settings, kept);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('PostgreSQL ended with code 1: see');
    await until(() =>
      readFileSync(log, 'utf8')
        .split('\n')
        .slice(linesBefore - 1)
        .join()
        .includes('start failed'),
    );
    expect(existsSync(sandboxFile)).toBe(false);
  });

  test('starts in spite of a stale lock file whose process id was reused', async () => {
    const data = join(folder, 'postgres', 'data');
    writeFileSync(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1700000000\n5432\n/nowhere\n\n\n`);
    const listed = await runNamehold(['reseller', 'list', '--json'], { folder });
    expect(listed.stderr).toBe('');
    expect(listed.json).toHaveLength(2);
  });
});

function ownInodes(pid: number): string[] {
  const { readdirSync, readlinkSync } = process.getBuiltinModule('node:fs');
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return [];
    }
  });
}
