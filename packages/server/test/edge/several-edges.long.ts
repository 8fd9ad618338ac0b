import type { ChildProcess } from 'node:child_process';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, sql } from '@namehold/postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../../test/support/service.ts';
import { spawnNamehold } from '../support/process.ts';
import { makeDomain } from '../zones/support.ts';

interface Edge {
  readonly child: ChildProcess;
  readonly port: number;
}

let t: TestService;
const children: ChildProcess[] = [];
beforeAll(async () => {
  t = await startTestService({
    env: { NAMEHOLD_REDIRECT_PORT: '0', NAMEHOLD_REDIRECT_TLS_PORT: '0', NAMEHOLD_REDIRECT_RATE_LIMIT: '0' },
  });
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await t?.stop();
});

async function startEdge(): Promise<Edge> {
  const env = {
    DATABASE_URL: t.databaseUrl,
    NAMEHOLD_REDIRECT_PORT: '0',
    NAMEHOLD_REDIRECT_TLS_PORT: 'off',
    NAMEHOLD_REDIRECT_RATE_LIMIT: '0',
  };
  const child = spawnNamehold(['edge'], { folder: t.folder, env });
  children.push(child);
  const port = await new Promise<number>((resolve) => {
    let text = '';
    child.stdout!.on('data', (piece: Buffer) => {
      text += piece.toString();
      const found = /listens at 127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
  });
  return { child, port };
}

async function kill({ child }: Edge): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function locationAt(port: number, host: string): Promise<string | undefined> {
  const headers = { Host: host, 'User-Agent': 'Mozilla/5.0' };
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.headers.location);
    }).on('error', reject);
  });
}

const soon = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 300_000, interval: 200 });

test('loses no rule and stores older clicks when one of three edges is killed during changes', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `three${at}.com`);
  const ids: string[] = [];
  for (const name of names) ids.push(await makeDomain(t, name));
  const [own, second, third] = [t.service.edge!.port, await startEdge(), await startEdge()];
  const target = (at: number) => `https://target.example/${at}`;
  const set = async (at: number) => {
    const json = { rules: [{ host: '@', target: target(at) }] };
    const called = await t.call('PUT', `/v1/domains/${ids[at]}/forwarding`, { json, headers: { 'If-Match': '*' } });
    expect(called.status, called.text).toBe(200);
  };
  for (let at = 0; at < 10; at++) await set(at);
  const others = Promise.all(names.slice(10).map((_, at) => set(10 + at)));
  await kill(third);
  await others;
  const again = await startEdge();
  for (const port of [own, second.port, again.port])
    for (const [at, name] of names.entries())
      await soon(async () => expect(await locationAt(port, name)).toBe(target(at)));
  await soon(async () => {
    const rows = await t.ctx.db
      .as(allTenants)
      .many<{ n: number; issued: number }>(
        sql`select count(*)::integer as n, count(*) filter (where state = 'issued')::integer as issued from certificate_order group by domain_id`,
      );
    expect(rows).toEqual(names.map(() => ({ n: 1, issued: 1 })));
  });
  const requests = async (): Promise<number> =>
    (await t.call('GET', `/v1/domains/${ids[0]}/forwarding/statistics`)).body.requests;
  // The visits above are stored by now, whichever edge served them.
  await sleep(12_000);
  const before = await requests();
  for (let visit = 0; visit < 20; visit++) await locationAt(second.port, names[0]!);
  await sleep(12_000);
  await kill(second);
  expect(await requests()).toBe(before + 20);
  const shown = (await t.call('GET', `/v1/domains/${ids[0]}/forwarding`)).body.rules[0];
  expect(shown.clicks_30d).toBe(before + 20);
});
