import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, openDatabase, sql } from '@namehold/postgres';
import { expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { startTestService } from '../../../../test/support/service.ts';
import { readConfig } from '../../src/config.ts';
import { readNameserver } from '../../src/embedded/nameserver-process.ts';
import { readState } from '../../src/embedded/sandbox-process.ts';
import { startService } from '../../src/service.ts';

test('does not restart the registry after the service was stopped', async () => {
  const service = await startTestService({ sandbox: 'process' });
  const second = await service.second();
  await second.stop();
  const { pid } = service.service.sandbox!.state;
  // The registry got the seed of the faults of chaos mode of this run.
  const settings = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  expect(settings).toContain(`SANDBOX_CHAOS=${process.env.SANDBOX_CHAOS}`);
  await service.service.stop();
  process.kill(pid, 'SIGKILL');
  // A remaining supervisor would restart it within two checks of a second each.
  for (let attempt = 0; attempt < 25; attempt++) {
    await sleep(100);
    expect(readState(`${service.folder}/sandbox`)).toBeUndefined();
  }
  await service.stop();
});

test('leaves nothing running when a start fails at its last step', async () => {
  const database = await migratedDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'namehold-half-'));
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port: usedPort } = listener.address() as AddressInfo;
  const config = readConfig({
    NAMEHOLD_DATA_DIR: folder,
    DATABASE_URL: database.url,
    NAMEHOLD_PORT: '0',
    NAMEHOLD_DNS_PORT: '0',
    NAMEHOLD_PRIMARY_PORT: '0',
    NAMEHOLD_REDIRECT_PORT: 'off',
    NAMEHOLD_SANDBOX_SMTP_PORT: 'off',
    NAMEHOLD_SANDBOX_PORT: '0',
    NAMEHOLD_LOG_LEVEL: 'silent',
    NAMEHOLD_METRICS_PORT: String(usedPort),
  });
  let pid: number | undefined;
  const timer = setInterval(() => {
    pid ??= readNameserver(join(folder, 'nameserver'))?.pid;
  }, 20);
  await expect(startService(config)).rejects.toThrow(/EADDRINUSE/);
  clearInterval(timer);
  expect(pid, 'it got as far as the nameserver').toBeDefined();
  expect(readNameserver(join(folder, 'nameserver'))).toBeUndefined();
  // Anything still active would have a connection; closed sessions disappear a moment later.
  const db = openDatabase({ url: database.url, maxConnections: 1 });
  const sessions = () =>
    db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  await expect.poll(async () => (await sessions()).n).toBe('0');
  await db.close();
  listener.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
