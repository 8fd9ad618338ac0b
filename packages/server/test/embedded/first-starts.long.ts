import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { emptyDatabase } from '../../../../test/support/database.ts';
import { freePort } from '../../../../test/support/ports.ts';
import {
  newFolder,
  postgresPid,
  type RunningService,
  removeFolder,
  spawnNamehold,
  startProcess,
  until,
} from '../support/process.ts';

const env = { NAMEHOLD_LOG_LEVEL: 'error', NAMEHOLD_DEMO_DOMAINS: 'off' };
const three = [0, 1, 2];
const folders: string[] = [];
const folder = () => {
  folders.push(newFolder());
  return folders.at(-1)!;
};
afterAll(() => folders.forEach(removeFolder));

test('runs one of three services started on the same ports, and the others report the reason', async () => {
  const shared = folder();
  const own = { ...env, NAMEHOLD_PORT: String(await freePort()) };
  const running = three.map(() => startProcess({ folder: shared, env: own }).catch((error: Error) => error));
  const ended = await Promise.all(running);
  const services = ended.filter((each) => !(each instanceof Error)) as RunningService[];
  expect(services).toHaveLength(1);
  for (const each of ended) {
    if (!(each instanceof Error)) continue;
    const [how, ...output] = each.message.split('\n');
    expect(how).toContain('"code":1');
    expect(output.join('\n').trim()).toMatch(/^namehold serve: port \d+ on \S+ is in use by another program: [^\n]+$/);
  }
  const [service] = services;
  expect((await fetch(`${service!.url}/readyz`)).status).toBe(200);
  expect((await service!.end()).code).toBe(0);
  expect(postgresPid(shared)).toBeUndefined();
});

test('creates the accounts once when three services start first on one empty database', async () => {
  const database = await emptyDatabase();
  const shared = { ...env, DATABASE_URL: database.url, NAMEHOLD_MASTER_KEY: '5a'.repeat(32) };
  const hosts = await Promise.all(
    three.map(async () => {
      const port = await freePort();
      const child = spawnNamehold(['serve'], { folder: folder(), env: { ...shared, NAMEHOLD_PORT: String(port) } });
      let output = '';
      child.stderr!.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      return { url: `http://127.0.0.1:${port}`, child, ended, output: () => output };
    }),
  );
  for (const { url, child, output } of hosts)
    await until(async () => {
      expect(child.exitCode, output()).toBe(null);
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
    });
  const owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const { rows } = await owner.query<{ id: string }>('select id from reseller order by id');
  await owner.end();
  expect(rows.map(({ id }) => id)).toEqual(['1', '1000']);
  expect(folders.slice(-3).filter((each) => existsSync(join(each, 'credentials.json')))).toHaveLength(1);
  for (const { child } of hosts) child.kill('SIGTERM');
  expect(await Promise.all(hosts.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  await database.drop();
});
