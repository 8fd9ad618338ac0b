import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, readHosts, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killFamily, resumeFamily, suspendFamily } from '../../../../test/faults/world/database.ts';
import { openPair, type Pair } from '../../../../test/faults/world/standby.ts';
import { newFolder, removeFolder, runNamehold, startProcess, until } from '../support/process.ts';
import { openTcpProxy } from './support/tcp-proxy.ts';

/** Many times the duration of a response, so a longer wait is for a server that does not answer. */
const hangsAfterMs = 120_000;

let pair: Pair;
beforeAll(async () => {
  pair = await openPair(newFolder(), 'namehold');
});
afterAll(() => pair.dispose());

test('uses no connection to the frozen primary after a failover', async () => {
  const doors = [await openTcpProxy(pair.primary), await openTcpProxy(pair.standby)];
  const url = readHosts(`postgresql://postgres@${doors.map(({ host }) => host).join(',')}/namehold`)!;
  const db = openDatabase({ url, maxConnections: 9, heartbeat: true });
  await db.autocommit('*').run(sql`create table note (t text)`);
  const atOnce = <T>(work: (n: number) => Promise<T>) => Promise.all([1, 2, 3, 4, 5, 6].map(work));
  const write = (n: number) => db.autocommit('*').run(sql`insert into note values (${`note ${n}`})`);
  const read = () => db.as('*').many(sql`select pg_sleep(0.05)`);
  // The maximum number of connections, all idle.
  await atOnce(write);
  await atOnce(read);

  suspendFamily(pair.primary.pid);
  await until(() =>
    write(0).then(
      () => false,
      () => true,
    ),
  );
  await pair.promote();
  await until(() =>
    write(7).then(
      () => true,
      () => false,
    ),
  );
  const answered = Promise.all([atOnce(read), atOnce(write), atOnce(read)]).then(() => 'answered');
  expect(await Promise.race([answered, sleep(hangsAfterMs, 'hangs', { ref: false })])).toBe('answered');

  const [{ n }] = (await db.as('*').many<{ n: number }>(sql`select count(*)::int as n from note`)) as [{ n: number }];
  expect(n).toBe(13);
  resumeFamily(pair.primary.pid);
  await db.close();
  for (const proxy of doors) proxy.close();
});

test('starts with the next host if the first is frozen, runs commands and stops', async () => {
  const doors = [await openTcpProxy(pair.primary), await openTcpProxy(pair.standby)];
  await killFamily(pair.primary.pid);
  doors[0]!.close();
  const folder = newFolder();
  const env = { DATABASE_URL: `postgresql://postgres@${doors.map(({ host }) => host).join(',')}/namehold` };
  const service = await startProcess({ folder, env });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const listed = await runNamehold(['reseller', 'list', '--json'], { folder, env });
  expect(listed.json.map((row: { reseller_id: string }) => row.reseller_id)).toEqual(['1', '1000']);

  suspendFamily(pair.standby.pid);
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 503);
  const ended = service.end('SIGTERM').then(({ code }) => code);
  // 0: it exited itself, not by timeout.
  expect(await Promise.race([ended, sleep(hangsAfterMs, 'hangs', { ref: false })])).toBe(0);
  resumeFamily(pair.standby.pid);
  doors[1]!.close();
  removeFolder(folder);
});
