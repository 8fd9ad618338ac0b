import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resumeFamily, suspendFamily } from '../../../../test/faults/world/database.ts';
import { demoOf, newFolder, removeFolder, startProcess, until } from '../support/process.ts';
import { basic } from './support/raw.ts';

const place = mkdtempSync(join(tmpdir(), 'namehold-frozen-'));
const folder = newFolder();
let cluster: Cluster;
const binaries = binariesIn('/usr/lib/postgresql/15/bin');
beforeAll(async () => {
  cluster = await openCluster({ folder: place, binaries, settings: { fsync: 'off' } });
  await ensureDatabase(cluster, 'namehold');
});
afterAll(async () => {
  resumeFamily(cluster.pid);
  await cluster.stop();
  rmSync(place, { recursive: true, force: true });
  removeFolder(folder);
});

async function promote(): Promise<void> {
  const owner = new pg.Client({ connectionString: cluster.url('namehold') });
  await owner.connect();
  await owner.query('select pg_promote()');
  await owner.end();
}

test('answers 503 while the database or standby is frozen, serves metrics, and recovers by itself', async () => {
  const service = await startProcess({
    folder,
    env: {
      DATABASE_URL: cluster.url('namehold'),
      NAMEHOLD_METRICS_PORT: '0',
      NAMEHOLD_DATABASE_CONNECTIONS: '4',
      NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    },
  });
  const call = async (path: string, method = 'GET') => {
    const began = performance.now();
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { Authorization: basic(demoOf(service)), 'Content-Type': 'application/json' },
      ...(method === 'GET' ? {} : { body: '{"label":"x"}' }),
    });
    await answer.arrayBuffer();
    return { status: answer.status, retry: answer.headers.get('retry-after'), ms: performance.now() - began };
  };
  expect((await call('/v1/customers')).status).toBe(200);

  // All processes of the server are suspended, not killed. Its connections stay open, and it accepts none.
  suspendFamily(cluster.pid);
  // The server is resumed only after these are answered, so the answers do not come from it.
  const frozen = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 3 === 0 ? call('/v1/account/keys/key_none', 'PUT') : call(i % 2 ? '/v1/customers' : '/v1/account/balance'),
    ),
  );
  expect(new Set(frozen.map((one) => one.status))).toEqual(new Set([503]));
  expect(frozen.every((one) => Number(one.retry) > 0)).toBe(true);
  console.log(`frozen database: the slowest 503 after ${Math.max(...frozen.map((one) => one.ms)).toFixed(0)} ms`);
  // Once the failure is known, requests fail immediately, also while connections are retried.
  for (let round = 0; round < 5; round++) {
    expect((await call('/v1/customers')).status).toBe(503);
    await sleep(300);
  }
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', missing: 'database' }]);
  const metrics = await fetch(service.credentials.metrics_url!);
  const text = await metrics.text();
  expect(metrics.status).toBe(200);
  expect(text).toContain('namehold_database_up 0');
  expect(text).toContain('namehold_http_request_seconds');

  resumeFamily(cluster.pid);
  await until(async () => (await call('/v1/customers')).status === 200);
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  expect(await (await fetch(service.credentials.metrics_url!)).text()).toContain('namehold_database_up 1');

  // A primary that was demoted to a standby answers but refuses writes. This is no internal error, and the server is left.
  await cluster.stop();
  const signal = join(place, 'data', 'standby.signal');
  writeFileSync(signal, '');
  chmodSync(signal, 0o644);
  cluster = await openCluster({ folder: place, binaries, settings: { fsync: 'off' } });
  await until(async () => (await call('/v1/account/keys/key_none', 'PUT')).status === 503);
  for (let round = 0; round < 10; round++) {
    const { status, retry } = await call('/v1/account/keys/key_none', 'PUT');
    expect([status, Number(retry) > 0]).toEqual([503, true]);
    // Operations that only read can continue.
    expect([200, 503]).toContain((await call('/v1/customers')).status);
  }
  const standby = await fetch(`${service.url}/readyz`);
  expect([standby.status, await standby.json()]).toEqual([503, { status: 'not ready', missing: 'database' }]);
  await promote();
  await until(async () => (await call('/v1/customers')).status === 200);
  await until(async () => (await call('/v1/account/keys/key_none', 'PUT')).status === 404);
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  expect((await service.end()).code).toBe(0);
});
