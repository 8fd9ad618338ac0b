import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, openDatabase, sql } from '@namehold/base';
import { expect, test } from 'vitest';
import { migratedDatabase } from '../../../../test/support/database.ts';
import { startTestService } from '../../../../test/support/service.ts';
import { readConfig } from '../../src/config.ts';
import { readNameserver } from '../../src/embedded/nameserver-process.ts';
import { readState } from '../../src/embedded/sandbox-process.ts';
import { startService } from '../../src/service.ts';

test('a stopped service does not restart the registry', async () => {
  const service = await startTestService({ sandbox: 'process' });
  const second = await service.second();
  await second.stop();
  await service.service.stop();
  const { pid } = service.service.sandbox!.state;
  process.kill(pid, 'SIGKILL');
  // A remaining supervisor would restart it within two checks of a second each.
  for (let look = 0; look < 25; look++) {
    await sleep(100);
    expect(readState(`${service.folder}/sandbox`)).toBeUndefined();
  }
  await service.stop();
});

test('a start that fails at its last step leaves nothing running', async () => {
  const database = await migratedDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'namehold-half-'));
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port: taken } = squatter.address() as AddressInfo;
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
    NAMEHOLD_METRICS_PORT: String(taken),
  });
  let pid: number | undefined;
  const look = setInterval(() => {
    pid ??= readNameserver(join(folder, 'nameserver'))?.pid;
  }, 20);
  await expect(startService(config)).rejects.toThrow(/EADDRINUSE/);
  clearInterval(look);
  expect(pid, 'it got as far as the nameserver').toBeDefined();
  expect(readNameserver(join(folder, 'nameserver'))).toBeUndefined();
  // Anything still active would have a connection; closed sessions disappear a moment later.
  const db = openDatabase({ url: database.url, maxConnections: 1 });
  const sessions = () =>
    db.as(allTenants).one<{ n: string }>(sql`
      select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  for (let looks = 0; looks < 100 && (await sessions()).n !== '0'; looks++) await sleep(50);
  expect((await sessions()).n).toBe('0');
  await db.close();
  squatter.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});
