import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { binariesIn } from '@namehold/postgres/embedded/binaries';
import { type Cluster, ensureDatabase, openCluster } from '@namehold/postgres/embedded/cluster';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { demoOf, newFolder, removeFolder, runNamehold, startProcess, until } from '../support/process.ts';
import { basic } from './support/raw.ts';

/** Debian's PostgreSQL, as an operator would run it: DATABASE_URL points to it, and the service does not manage it. */
const binaries = binariesIn('/usr/lib/postgresql/15/bin');
/** Limited in `npm run test:long`, otherwise unlimited. */
const awayMs = process.env.NAMEHOLD_TESTS === 'long' ? 20_000 : 0;
const place = mkdtempSync(join(tmpdir(), 'namehold-debian-'));
const folder = newFolder();
let cluster: Cluster;
const open = () => openCluster({ folder: place, binaries, settings: { fsync: 'off' } });
beforeAll(async () => {
  cluster = await open();
  await ensureDatabase(cluster, 'namehold');
});
afterAll(async () => {
  await cluster.stop();
  rmSync(place, { recursive: true, force: true });
  removeFolder(folder);
});

/** The address leads to a standby, as after an unannounced failover, which is then promoted. */
async function readsWithoutWriting(service: Awaited<ReturnType<typeof startProcess>>): Promise<void> {
  const as = async (credentials: string, path: string, body?: object) => {
    const headers = { Authorization: basic(credentials), 'Content-Type': 'application/json' };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    return fetch(`${service.url}${path}`, { headers, ...post });
  };
  const write = () =>
    as(demoOf(service), '/v1/account/keys', { label: 'new', ip_whitelist: ['127.0.0.1'], scopes: ['read'] });
  const count = async () =>
    ((await (await as(demoOf(service), '/v1/account/keys')).json()) as { label: string }[]).filter(
      ({ label }) => label === 'new',
    ).length;
  // It is unused, so no budget was leased for it.
  const { api_key: unused } = (await (await write()).json()) as { api_key: string };
  const callers = [`${service.credentials.reseller_id}:${unused}`, demoOf(service)];
  await cluster.stop();
  writeFileSync(join(cluster.dataFolder, 'standby.signal'), '');
  cluster = await open();
  await until(async () => (await as(callers[0]!, '/v1/account/profile')).status === 200);
  for (const path of ['/v1/account/profile', '/v1/customers', '/v1/domains', '/v1/account/balance', '/v1/account/keys'])
    for (const caller of callers) expect([path, (await as(caller, path)).status]).toEqual([path, 200]);
  expect([(await write()).status, (await write()).status]).toEqual([503, 503]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);

  const owner = new pg.Client({ connectionString: cluster.url('postgres') });
  await owner.connect();
  await owner.query('select pg_promote(true, 60)');
  await owner.end();
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  await until(async () => (await write()).status === 200);
  expect(await count()).toBe(2);
}

test('returns 503 with Retry-After while PostgreSQL 15 is down under load, and recovers fully', async () => {
  const env = {
    DATABASE_URL: cluster.url('namehold'),
    NAMEHOLD_LOG_LEVEL: 'info',
    NAMEHOLD_METRICS_PORT: '0',
    NAMEHOLD_RATE_LIMIT_PER_MINUTE: '1000000',
    NAMEHOLD_ADDRESS_RATE_LIMIT_PER_MINUTE: '1000000',
  };
  const service = await startProcess({ folder, env });
  const seen: { at: number; status: number }[] = [];
  let isOver = false;
  // Also after a failure: the clients would continue to the end of the run.
  onTestFinished(() => {
    isOver = true;
  });
  const call = async (path: string) => {
    const began = performance.now();
    const answer = await fetch(`${service.url}${path}`, { headers: { Authorization: basic(demoOf(service)) } });
    const body = (await answer.json()) as { code?: string };
    if (answer.status === 503) {
      expect(body.code).toBe('unavailable');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    seen.push({ at: began, status: answer.status });
    return answer.status;
  };
  const clients = Array.from({ length: 8 }, async (_, i) => {
    while (!isOver) {
      if ((await call(i % 2 ? '/v1/customers' : '/v1/account/profile')) !== 200) await sleep(20);
    }
  });
  await until(() => seen.length > 100);
  expect(new Set(seen.map((one) => one.status))).toEqual(new Set([200]));

  await cluster.stop();
  await until(() => seen.at(-1)!.status === 503);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  const [refused, gone] = [seen.length, performance.now()];
  await sleep(awayMs);
  await until(() => seen.length > refused + 50);
  // Requests sent during the outage are answered before it ends.
  expect(seen.filter((one) => one.at > gone && one.status !== 503)).toEqual([]);
  cluster = await open();

  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  const back = performance.now();
  await until(() => seen.filter((one) => one.at > back && one.status === 200).length > 50);
  isOver = true;
  await Promise.all(clients);
  expect(new Set(seen.map((one) => one.status))).toEqual(new Set([200, 503]));
  await readsWithoutWriting(service);

  const metrics = await (await fetch(service.credentials.metrics_url!)).text();
  expect(metrics).toMatch(/namehold_http_request_seconds_count\{method="GET",path="\/customers",status="503"\} \d+/);
  expect(metrics).toMatch(/namehold_http_errors_total\{path="\/customers"\} \d+/);
  expect((await fetch(service.credentials.metrics_url!.replace('/metrics', '/other'))).status).toBe(404);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  for (const line of service
    .output()
    .split('\n')
    .filter((text) => text.startsWith('{'))) {
    expect(JSON.parse(line)).toMatchObject({
      level: expect.any(String),
      time: expect.any(String),
      msg: expect.any(String),
    });
  }
  expect((await service.end()).code).toBe(0);
  const verified = await runNamehold(['ledger', 'verify', '--json'], {
    folder,
    env: { DATABASE_URL: cluster.url('namehold') },
  });
  expect(verified.json.differences).toEqual([]);
});
