import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql, systemClock } from '@namehold/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../test/nameservers/support/ports.ts';
import { migratedDatabase, openWalled } from '../../../../test/support/database.ts';
import { send, type TestService } from '../../../../test/support/service.ts';
import { demoOf, startProcess } from '../support/process.ts';
import { Pebble } from './pebble.ts';
import { deathPoints, forward, makeName, soon } from './world.ts';

let pebble: Pebble;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Awaited<ReturnType<typeof openWalled>>;
let env: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), 'namehold-killed-'));

beforeAll(async () => {
  const dnsPort = await freePort();
  pebble = new Pebble({ dnsPort, httpPort: await freePort() });
  await pebble.open();
  database = await migratedDatabase();
  db = await openWalled(database.url, 2);
  env = {
    ...pebble.settings,
    DATABASE_URL: database.url,
    NAMEHOLD_DNS_PORT: String(dnsPort),
    NAMEHOLD_REDIRECT_TLS_PORT: '0',
    NAMEHOLD_LEASE_MS: '1000',
  };
});
afterAll(async () => {
  await db?.close();
  await pebble?.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('killed at each point, one process after another: each order has one certificate in the end', async () => {
  const house = { db, clock: systemClock } as TestService['house'];
  const ids: string[] = [];
  for (const [at, point] of deathPoints.entries()) {
    const dying = await startProcess({ folder, env: { ...env, NAMEHOLD_TEST_FAULTS: point } });
    const id = await makeName({ house }, `killed-${at}.com`);
    ids.push(id);
    await forward((method, path, options) => send(dying.url, method, path, demoOf(dying), options), id);
    expect((await dying.exited).signal, point).toBe('SIGKILL');
  }
  const last = await startProcess({ folder, env });
  await soon(async () => {
    const rows = await db
      .as('*')
      .many<{ domain_id: string; state: string }>(
        sql`select domain_id, state from certificate_order where proofs is null and due_at is null order by domain_id`,
      );
    expect(rows).toEqual(ids.map((domain_id) => ({ domain_id, state: 'issued' })));
  });
  expect(pebble.count(/Added order/)).toBe(ids.length);
  expect(pebble.count(/Issued certificate serial/)).toBe(ids.length);
  const left = await db.as('*').many(sql`select name from zone_rrset where name like '%acme-challenge%'`);
  expect(left).toEqual([]);
  await last.end();
});
