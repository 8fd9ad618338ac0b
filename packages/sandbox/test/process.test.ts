import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clockFromFile } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/support/database.ts';
import { makeDomain, newLabel } from './support/objects.ts';
import { openClient } from './support/sandbox.ts';

const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'namehold-sandbox-'));
const stateFile = join(folder, 'sandbox.json');
const clockFile = join(folder, 'business-clock');
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let child: ChildProcess;

async function startProcess(): Promise<ChildProcess> {
  const started = spawn(process.execPath, [entry], {
    env: { ...process.env, SANDBOX_DATABASE_URL: database.url, SANDBOX_DIR: folder, SANDBOX_CLOCK_FILE: clockFile },
    stdio: 'ignore',
    detached: true,
  });
  for (let waits = 0; !existsSync(stateFile) && waits < 6_000; waits++) await sleep(50);
  return started;
}

const exited = (process: ChildProcess): Promise<number | null> =>
  process.exitCode !== null
    ? Promise.resolve(process.exitCode)
    : new Promise((resolve) => process.once('exit', resolve));

const stateNow = () => {
  const state = JSON.parse(readFileSync(stateFile, 'utf8'));
  return { ...state, controlPort: state.control_port, caFile: state.ca_file };
};

beforeAll(async () => {
  database = await emptyDatabase('sandbox');
  child = await startProcess();
});
afterAll(async () => {
  child.kill('SIGTERM');
  await exited(child);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('writes a state file with all that a client needs, readable by its owner only', () => {
  const state = JSON.parse(readFileSync(stateFile, 'utf8'));
  expect(state).toMatchObject({ pid: child.pid, host: '127.0.0.1' });
  expect(state.accounts.map((account: { client_id: string }) => account.client_id)).toEqual(['namehold', 'rival']);
  expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  for (const file of [state.accounts[0].key_file, join(folder, 'passwords.json'), join(folder, 'server.key')]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test('keeps names, passwords and certificates over a restart, and follows the shared clock', async () => {
  const before = stateNow();
  const client = openClient(before, 0);
  const name = await makeDomain(client, `${newLabel()}.org`);
  await client.close();
  child.kill('SIGTERM');
  expect(await exited(child)).toBe(0);
  expect(existsSync(stateFile)).toBe(false);

  child = await startProcess();
  const after = stateNow();
  expect(after.accounts).toEqual(before.accounts);
  const again = openClient(after, 0);
  const clock = clockFromFile(clockFile);
  clock.move(400 * 86_400_000);
  const info = await again.done({ object: 'domain', verb: 'info', name });
  expect(info.ext.rgp?.statuses).toEqual([{ value: 'autoRenewPeriod' }]);
  await again.close();
});

test('lets a second process on the same folder take over, and the first one exits', async () => {
  const first = child;
  rmSync(stateFile);
  child = await startProcess();
  expect(stateNow().pid).toBe(child.pid);
  expect(await exited(first)).toBe(0);
  expect(stateNow().pid).toBe(child.pid);
  const client = openClient(stateNow(), 0);
  expect((await client.done({ object: 'domain', verb: 'check', names: ['still-there.org'] })).code).toBe(1000);
  await client.close();
});
