import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@namehold/base';
import { sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedDatabase, openRestricted } from '../../../../test/support/database.ts';
import { freePort } from '../../../../test/support/ports.ts';
import { send, type TestService } from '../../../../test/support/service.ts';
import { demoOf, spawnNamehold, startProcess } from '../support/process.ts';
import { Pebble } from './pebble.ts';
import { failpoints, forward, makeDomain, soon } from './world.ts';

let pebble: Pebble;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Awaited<ReturnType<typeof openRestricted>>;
let env: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'namehold-killed-'));

beforeAll(async () => {
  const dnsPort = await freePort();
  pebble = new Pebble({ dnsPort, httpPort: await freePort() });
  await pebble.open();
  database = await migratedDatabase();
  db = await openRestricted(database.url, 2);
  env = {
    ...pebble.settings,
    DATABASE_URL: database.url,
    NAMEHOLD_DNS_PORT: String(dnsPort),
    NAMEHOLD_REDIRECT_TLS_PORT: '0',
    NAMEHOLD_LEASE_MS: '1000',
    NAMEHOLD_MAIL_HOSTS: 'mx1.post.com',
  };
});
afterAll(async () => {
  await db?.close();
  await pebble?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function dieAt(failpoint: string): Promise<void> {
  const next = spawnNamehold(['serve'], { folder, env: { ...env, NAMEHOLD_TEST_FAULTS: failpoint } });
  next.stdout!.resume();
  next.stderr!.resume();
  const signal = await new Promise((resolve) => next.once('exit', (_code, how) => resolve(how)));
  expect(signal, failpoint).toBe('SIGKILL');
}

test('issues one certificate when each process is killed at another failpoint of the order', async () => {
  const [first, ...others] = failpoints;
  const ctx = { db, clock: systemClock } as TestService['ctx'];
  const dying = await startProcess({ folder, env: { ...env, NAMEHOLD_TEST_FAULTS: first! } });
  const id = await makeDomain({ ctx }, 'killed.com');
  await forward((method, path, options) => send(dying.url, method, path, demoOf(dying), options), id);
  expect((await dying.exited).signal, first).toBe('SIGKILL');
  for (const failpoint of others) await dieAt(failpoint);
  const last = await startProcess({ folder, env });
  await soon(async () => {
    const rows = await db
      .as('*')
      .many<{ state: string }>(sql`select state from certificate_order where proofs is null and due_at is null`);
    expect(rows).toEqual([{ state: 'issued' }]);
  });
  expect(pebble.count(/Added order/)).toBe(1);
  expect(pebble.count(/Issued certificate serial/)).toBe(1);
  const left = await db.as('*').many(sql`select name from zone_rrset where name like '%acme-challenge%'`);
  expect(left).toEqual([]);
  await last.end();
});

test('issues one certificate for a mail host when each process is killed at another failpoint', async () => {
  const counts = () => [pebble.count(/Added order/), pebble.count(/Issued certificate serial/)];
  const [orders, certificates] = counts() as [number, number];
  const ctx = { db, clock: systemClock } as TestService['ctx'];
  const id = await makeDomain({ ctx }, 'post.com');
  const opening = await startProcess({ folder, env });
  const rrsets = [{ name: 'mx1', type: 'A', ttl: 300, records: ['127.0.0.1'] }];
  const opened = await send(opening.url, 'PATCH', `/v1/domains/${id}/zone/rrsets`, demoOf(opening), {
    json: { rrsets },
  });
  expect(opened.status, opened.text).toBe(200);
  await opening.end();
  await db.autocommit('*').run(sql`update certificate set look_at = now() where host is not null`);
  for (const failpoint of failpoints) await dieAt(failpoint);
  const last = await startProcess({ folder, env });
  await soon(async () => {
    const rows = await db.as('*').many<{ state: string }>(sql`
      select state from certificate_order where host = 'mx1.post.com' and proofs is null and due_at is null`);
    expect(rows).toEqual([{ state: 'issued' }]);
  });
  expect(counts()).toEqual([orders + 1, certificates + 1]);
  await last.end();
});
